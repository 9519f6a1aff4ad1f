"""Markdown inside a block into what a reader sees, without citations and addresses, each character traced.

markdown-it's inline tokens carry no offsets, so that inline marks are read here, in passes that follow each other,
each linear in the length of the text.
"""

import re
from collections.abc import Callable, Iterator
from html import unescape

from idrbench_inspect.units.markup import BREAK, TAG
from idrbench_inspect.units.traced import Edit, Traced

_BLANKS = re.compile(r"[^\S\n]{2,}+|[^\S\n ]")
_FENCE_LINE = re.compile(r"^(?:`{3,}[^`\n]*|~{3,}.*)$", re.MULTILINE)
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_ENTITY = re.compile(r"&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]\w{1,31});", re.IGNORECASE)
_BREAK = re.compile(BREAK, re.IGNORECASE)

_TARGET = r"\(\s*+<?[^()\s<>]*+(?:\([^()\s]*+\)[^()\s<>]*+)*+>?(?:\s++(?:\"[^\"]*+\"|'[^']*+'))?\s*+\)"
# A label of at most 999 characters, as in CommonMark: a bracket that is never closed hides no text.
_LINK = re.compile(
    rf"(?P<image>!)?\[(?P<label>(?:[^\[\]]|\[[^\[\]]*+\])*+)\](?:{_TARGET}|\[[^\[\]\n]{{0,999}}+\](?!\())",
    re.IGNORECASE,
)
_NUMBER = r"(?:(?:source|ref|来源)s?[ :：]?)?\^?[1-9]\d{0,2}(?:†[^\]】\n]{0,80})?"  # from 1: [0, 1] is an interval
_NUMBERS = rf"{_NUMBER}(?: ?[,，、;；–-] ?{_NUMBER})*+"
_IS_NUMBER = re.compile(rf"[\[\s]*{_NUMBERS}[\]\s]*", re.IGNORECASE)
# Chinese text and closing quotes follow an address without a blank.
_IN_ADDRESS = r"[^\s<>\"'()\[\]{}`|\u2018-\u201f\u2e80-\uffef]"
_ADDRESS = rf"(?:https?://|(?<![\w.])www\.)(?:{_IN_ADDRESS}|\({_IN_ADDRESS}*+\))*+"
_GONE = re.compile(
    "|".join(
        (
            r" ?<sup>[\s\d,，、–\[\]-]{1,40}</sup>",
            rf" ?(?:\[\[{_NUMBERS}\]\]|\[{_NUMBERS}\]|【{_NUMBERS}】|［{_NUMBERS}］|\[\^[^\[\]\s]{{1,60}}\])",
            rf"<?(?P<address>{_ADDRESS})>?",
            r"<[^\s<>@]{1,200}@[^\s<>]{1,200}>",
            r"<!--(?:(?!<!--).){0,2000}?-->",
            TAG,
        )
    ),
    re.IGNORECASE | re.DOTALL,
)
_STOPS = ".,;:!?*_~"
_EMPHASIS = re.compile(r"\*{2,}|(?<![\w*])\*(?=\S)|(?<=[^\s*])\*(?![\w*])|~~++|`++")
# Underscores are also names (`_meta`), blanks to fill (___) and indices, so that only pairs around words are marks.
_UNDERSCORED = re.compile(r"(?<!\w)(_{1,3})(?=[^\s_])((?:[^_]|(?<=\w)_++(?=[^\W_]))*+)(?<=[^\s_])\1(?!\w)")
_EMPTY = re.compile(r" ?[(（\[［【][\s,，、;；.]*+[)）\]］】]")
_SPARE = re.compile(r" +(?=[.,;:!?。，；：！？](?:\s|$))|(?<=\s) +")


def plain(text: Traced) -> Traced:
    """What a reader sees of one block, without what cites.

    Links and emphasis leave their words, images, tags and comments nothing, and tags that part the text, as those of
    paragraphs and cells do, a line break; escapes and entities become what they stand for. Citation marks ("[3]",
    "[3, 4]", "[^3]", "[[3]](address)", "[3](address)", 【7】), bare addresses and brackets that hold nothing but these
    go, with the blank before them.

    Example:
        >>> said = "It **rose** [by 4 %](https://a.example/x) [3][4]. See (https://b.example)."
        >>> plain(Traced.of(said, 0, len(said))).text
        'It rose by 4 %. See.'
    """
    text = _each(text, _BLANKS, " ")
    text = _each(text, _FENCE_LINE, "")
    text = _each(text, _ESCAPE, lambda found: found[1])
    for _ in range(2):  # a picture may be the label of a link
        text = text.edited(_unlinked(text.text))
    text = _each(text, _BREAK, "\n")
    text = text.edited(_uncited(text.text))
    text = _each(text, _ENTITY, lambda found: unescape(found[0]).replace("\xa0", " "))
    text = text.edited(edit for found in _UNDERSCORED.finditer(text.text) for edit in _outside(found, 2))
    for pattern in (_EMPHASIS, _EMPTY, _SPARE):
        text = _each(text, pattern, "")
    return text


def _each(text: Traced, pattern: re.Pattern[str], new: str | Callable[[re.Match[str]], str]) -> Traced:
    found = pattern.finditer(text.text)
    return text.edited(Edit(one.start(), one.end(), new if isinstance(new, str) else new(one)) for one in found)


def _unlinked(text: str) -> Iterator[Edit]:
    for found in _LINK.finditer(text):
        if found["image"] or _IS_NUMBER.fullmatch(found["label"]):
            blank = found.start() > 0 and text[found.start() - 1] == " "
            yield Edit(found.start() - blank, found.end())
        else:
            yield from _outside(found, "label")


def _outside(found: re.Match[str], group: str | int) -> tuple[Edit, Edit]:
    """Away with what of a match stands before and behind a group."""
    return Edit(found.start(), found.start(group)), Edit(found.end(group), found.end())


def _uncited(text: str) -> Iterator[Edit]:
    for found in _GONE.finditer(text):
        address = found["address"]
        spared = len(address) - len(address.rstrip(_STOPS)) if address and found[0][-1] != ">" else 0
        yield Edit(found.start(), found.end() - spared)
