"""The blocks of a Markdown text, with the place of every line in it.

CommonMark and GitHub tables, read by markdown-it-py. It is read a little more trustingly than the standard has it,
because a report must not vanish for want of one mark:

* A code fence or an HTML comment that is never closed is none: its line is left alone, and what follows is read as
  ordinary Markdown. The standard lets it run to the end of the document.
* A fence that says `markdown` or `md` encloses Markdown, not code.
* Indented text is text: reports indent for looks.
* Text above a line of dashes is a heading only if it is one line and does not end like a sentence or a label.
* `[label]: address` is a line like any other here; `references` knows what it is.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from markdown_it import MarkdownIt
from markdown_it.token import Token

from idrbench_inspect.units.closing import closed_fence, closed_html

Span = tuple[int, int]
PartKind = Literal["text", "header", "row", "heading", "code", "html"]
BlockKind = Literal["paragraph", "list", "table", "heading", "code", "html", "rule"]

MOST_NESTED = 100
"""Levels of lists and quotes within each other that are told apart; a list is two. What is deeper is text."""

_LEAVES: dict[str, PartKind] = {"fence": "code", "html_block": "html"}
_NOT_A_HEADING = re.compile(r"\n|[.!?。！？…:：;；,，]\W*$")


@dataclass(frozen=True, slots=True)
class Part:
    """The smallest piece of a block: a paragraph (also of a list item), a table row, a heading, code, HTML.

    `spans` are its lines, or the cells of its row, as half-open offsets into the text; none is empty or blank.
    """

    kind: PartKind
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """A top-level block, `start:end` being its whole lines; what stands in a quote counts as top-level.

    A list holds all of its items and whatever they hold, nested lists too. `level` is a heading's, 1 to 6; else 0.
    """

    kind: BlockKind
    start: int
    end: int
    parts: tuple[Part, ...] = ()
    level: int = 0


@dataclass(frozen=True, slots=True)
class Markdown:
    """The blocks of a text in order, and how often something was opened and never closed (see this module)."""

    blocks: tuple[Block, ...]
    unclosed: int


def parse(text: str) -> Markdown:
    r"""The blocks of `text`.

    Args:
        text: Markdown whose only line end is "\n" and which holds no NUL (see `normal.normalised`).

    Example:
        >>> [(block.kind, len(block.parts)) for block in parse("# A\n- b\n  - c\n\nd\ne").blocks]
        [('heading', 1), ('list', 2), ('paragraph', 1)]
    """
    noted: dict[str, Any] = {}
    tokens = _parser().parse(text, noted)
    return Markdown(tuple(_Reader(text, tokens).blocks()), noted.get("unclosed", 0))


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": MOST_NESTED}).enable("table")
    parser.disable(["code", "reference", "inline"])  # inline markup carries no offsets: `plain` reads it
    parser.block.ruler.at("fence", closed_fence, {"alt": ["paragraph", "reference", "blockquote", "list"]})
    parser.block.ruler.at("html_block", closed_html, {"alt": ["paragraph", "reference", "blockquote"]})
    return parser


class _Reader:
    """Walks the flat tokens once."""

    def __init__(self, text: str, tokens: Sequence[Token]) -> None:
        self.text = text
        self.tokens = tokens
        self.starts = [0, *(found.end() for found in re.finditer("\n", text)), len(text) + 1]

    def blocks(self) -> Iterator[Block]:
        at = 0
        while at < len(self.tokens):
            first = self.tokens[at]
            if first.type in {"blockquote_open", "blockquote_close"}:
                at += 1
                continue
            end = self._closing(at) + 1
            yield self._block(first, self.tokens[at:end])
            at = end

    def _closing(self, at: int) -> int:
        depth = 0
        while True:
            depth += self.tokens[at].nesting
            if depth == 0:
                return at
            at += 1

    def _block(self, first: Token, tokens: Sequence[Token]) -> Block:
        top, bottom = first.map or (0, 0)
        start, end = self.starts[top], min(self.starts[bottom], len(self.text))
        kinds: dict[str, BlockKind] = {"heading_open": "heading", "table_open": "table", "hr": "rule"}
        kinds |= {"bullet_list_open": "list", "ordered_list_open": "list", "fence": "code", "html_block": "html"}
        parts = tuple(part for part in self._parts(tokens) if part.spans)
        if any(token.level >= MOST_NESTED - 1 for token in tokens):
            parts += tuple(Part("text", (span,)) for span in self._unread(range(top, bottom), parts))
        kind = kinds.get(first.type, "paragraph")
        if kind != "heading":
            return Block(kind, start, end, parts)
        if first.markup in "-=" and _NOT_A_HEADING.search(tokens[1].content):
            return Block("paragraph", start, end, tuple(Part("text", part.spans) for part in parts))
        return Block("heading", start, end, parts, int(first.tag[1:]))

    def _parts(self, tokens: Sequence[Token]) -> Iterator[Part]:
        opened: list[str] = []
        cells: list[Span] = []
        place = 0
        for token in tokens:
            opened[len(opened) + min(token.nesting, 0) :] = [token.type] if token.nesting == 1 else []
            if token.type == "tr_open":
                cells, place = [], self.starts[(token.map or [0])[0]]
            elif token.type == "tr_close":
                yield Part("header" if "thead_open" in opened else "row", tuple(cells))
            elif token.type in _LEAVES:
                yield Part(_LEAVES[token.type], self._whole_lines(token))
            elif token.type == "inline" and opened[-1] in {"th_open", "td_open"}:
                cell = token.content.replace("|", "\\|")  # the parser has taken the backslash away
                place = self.text.index(cell, place)
                cells += [(place, place + len(cell))] if cell else []
                place += len(cell)
            elif token.type == "inline":
                yield Part("heading" if opened[-1] == "heading_open" else "text", self._lines(token))

    def _unread(self, lines: range, parts: Sequence[Part]) -> Iterator[Span]:
        """The lines that no part holds: those nested so deep that the parser has passed them over."""
        read = {bisect_right(self.starts, start) - 1 for part in parts for start, _ in part.spans}
        for number in lines:
            found = re.search(r"\w.*\S|\w", self.text[self.starts[number] : self.starts[number + 1] - 1])
            if found and number not in read:
                yield self.starts[number] + found.start(), self.starts[number] + found.end()

    def _lines(self, token: Token) -> tuple[Span, ...]:
        """Where the lines of a token stand: each is the end of its source line, or near it in a heading."""
        spans = []
        for number, line in enumerate(token.content.split("\n"), (token.map or [0])[0]):
            said = line.strip()
            start = self.text.rindex(said, self.starts[number], self.starts[number + 1] - 1)
            spans += [(start, start + len(said))] if said else []
        return tuple(spans)

    def _whole_lines(self, token: Token) -> tuple[Span, ...]:
        spans = []
        top, bottom = token.map or (0, 0)
        for number in range(top, bottom):
            line = self.text[self.starts[number] : self.starts[number + 1] - 1]
            start = self.starts[number] + len(line) - len(line.lstrip())
            spans += [(start, start + len(line.strip()))] if line.strip() else []
        return tuple(spans)
