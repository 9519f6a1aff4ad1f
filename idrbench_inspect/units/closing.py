"""Block rules that let nothing run to the end of a document for want of its closing mark."""

import re

from markdown_it.rules_block import StateBlock, fence, html_block

# No report has longer fences, and a document of nothing but fences would be searched once for each length.
_FENCE = re.compile(r"(`{3,20}(?!`)|~{3,20}(?!~))(.*)")
_READ_AS_MARKDOWN = {"markdown", "md"}
_ENCLOSED = tuple(
    (re.compile(opening, re.IGNORECASE), re.compile(closing, re.IGNORECASE))
    for opening, closing in (
        (r"<(?:script|pre|style|textarea)(?=\s|>|$)", r"</(?:script|pre|style|textarea)>"),
        (r"<!--", r"-->"),
        (r"<\?", r"\?>"),
        (r"<![a-z]", r">"),
        (r"<!\[CDATA\[", r"\]\]>"),
    )
)


def closed_fence(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """The rule of CommonMark for fenced code, but for fences never closed and fences around Markdown.

    Both are no fences here; of the latter the closing line is none either.
    """
    if silent:
        return fence(state, start, end, silent)
    opening = _FENCE.match(_line(state, start))
    if opening is None or start in state.env.get("passed", ()) or _known_open(state, start, opening[1]):
        return False
    if not fence(state, start, end, silent):
        return False
    last = state.line - 1
    closed = last > start and re.fullmatch(rf"{re.escape(opening[1])}{opening[1][0]}*\s*", _line(state, last))
    if closed and opening[2].strip().lower() not in _READ_AS_MARKDOWN:
        return True
    if closed:
        state.env.setdefault("passed", set()).add(last)
        _undo(state, start)
    else:
        _note_open(state, start, opening[1])
    return False


def closed_html(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """The rule of CommonMark for HTML blocks, but for those that need a closing mark and have none."""
    line = _line(state, start)
    kind = next((number for number, (opening, _) in enumerate(_ENCLOSED) if opening.match(line)), None)
    if silent or kind is None:
        return html_block(state, start, end, silent)
    if _known_open(state, start, str(kind)) or not html_block(state, start, end, silent):
        return False
    if _ENCLOSED[kind][1].search(state.tokens[-1].content):
        return True
    _note_open(state, start, str(kind))
    return False


def _line(state: StateBlock, number: int) -> str:
    return state.src[state.bMarks[number] + state.tShift[number] : state.eMarks[number]]


def _known_open(state: StateBlock, start: int, mark: str) -> bool:
    """Was a mark no longer than this one looked for from before `start` to beyond it, in vain?

    Without this memory a document of nothing but opening marks would be searched to its end for each of them.
    """
    length, until = state.env.get(_place(state, mark), (0, 0))
    known = bool(start < until and len(mark) >= length)
    if known:
        state.env["unclosed"] += 1
    return known


def _note_open(state: StateBlock, start: int, mark: str) -> None:
    state.env[_place(state, mark)] = len(mark), state.line
    state.env["unclosed"] = state.env.get("unclosed", 0) + 1
    _undo(state, start)


def _place(state: StateBlock, mark: str) -> str:
    return f"{mark[0]} {state.level} {state.blkIndent}"


def _undo(state: StateBlock, start: int) -> None:
    state.tokens.pop()
    state.line = start
