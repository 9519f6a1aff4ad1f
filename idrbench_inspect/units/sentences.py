"""Text into sentences: English by nupunkt, Chinese by a rule, and what is too small to be a unit."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

Span = tuple[int, int]

_HAN: Final = (
    r"\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U0001b000-\U0001b16f\U00020000-\U0003ffff"
)
CJK: Final = re.compile(f"[{_HAN}]")
"""One Chinese character, or one of the kana."""

CHINESE_SHARE: Final = 0.2
"""Above this share of CJK characters among those that are not blank, a block is split as Chinese."""

_WORD = re.compile(rf"[^\W_{_HAN}]+(?:[-'’.,/][^\W_{_HAN}]+)*+")
_FINISHED = re.compile(r"[.!?。！？][\"'”’」』)）】\]》*]*$")
_ENUMERATOR = re.compile(r"\s*[(（]?(?:\d{1,3}|[A-Za-z]|[ivxlcIVXLC]{1,6})[.)）、．]\s*")

_BRACKETS = {"（": "）", "(": ")", "《": "》", "【": "】"}
_BRACKET = re.compile(r"[（）()《》【】]")
_QUOTED = re.compile(r"[^”’」』\"]+[”’」』\"]")
_CITED = r"(?:\s?[\[【［][\d,，、\s^-]{1,40}[\]】］])*+"
_END = re.compile(rf"(?:[。！？]|[!?](?![A-Za-z\d=&])|…{{2,}}+)[。！？!?…]*+[”’」』\"]*+{_CITED}")
_GOES_ON = re.compile(r"\s*[，、；）,;)]")
_SPEECH = re.compile(r"\s*.{0,4}?(?:说(?![明法])|问(?!题)|表示|指出|称(?!为)|认为|强调|写道|回答)")

# What nupunkt would read again and again, in quadratic time: words of a kind that no prose holds.
_ENDLESS = re.compile(r"(?<!\S)\S{400,}+|(?:[.!?…][ \t]+){40,}+")
_STOPS_AS_LETTERS = str.maketrans(dict.fromkeys(".!?…", "x"))


def cjk_share(text: str) -> float:
    """CJK characters among all characters that are not blank, 0 to 1; 0 for a blank text."""
    filled = sum(map(len, text.split()))
    return len(CJK.findall(text)) / filled if filled else 0.0


def language_of(text: str) -> Literal["en", "zh"]:
    """Which splitter a block wants, by its characters and not by its report's language.

    Example:
        >>> language_of("The term 内卷 means involution."), language_of("2024年GDP增长5%。")
        ('en', 'zh')
    """
    return "zh" if cjk_share(text) > CHINESE_SHARE else "en"


def sentence_spans(line: str, language: Literal["en", "zh"]) -> list[Span]:
    """Where the sentences of one line stand, without the blanks around them.

    Nothing but blanks lies outside the spans, and a line that is not blank has at least one. A number that only counts
    ("2.") goes with the sentence behind it. Chinese sentences end behind a run of 。！？ or ……, with the quotes that
    close behind it; not inside brackets that are closed on the line, not before ，、； or ）, and not where a verb of
    saying goes on behind the quote. ； ends none.

    Example:
        >>> line = "Dr. Wu paid 3.5 dollars. 2. He left."
        >>> [line[start:end] for start, end in sentence_spans(line, "en")]
        ['Dr. Wu paid 3.5 dollars.', '2. He left.']
    """
    ends = _chinese_ends(line) if language == "zh" else _english_ends(line)
    spans, start = [], 0
    for end in (*ends, len(line)):
        piece = line[start:end]
        if not piece.strip() or (_ENUMERATOR.fullmatch(piece) and line[end:].strip()):
            continue
        spans.append((start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())))
        start = end
    return spans


def _english_ends(line: str) -> Iterator[int]:
    masked = _ENDLESS.sub(lambda found: found[0][:-1].translate(_STOPS_AS_LETTERS) + found[0][-1], line)
    return (end for _, end in _punkt().span_tokenize(masked))


def _chinese_ends(line: str) -> Iterator[int]:
    depth = _depth(line)
    for found in _END.finditer(line):
        end = found.end()
        quoted = _QUOTED.match(found[0]) is not None
        if not (depth[found.start()] or _GOES_ON.match(line, end) or (quoted and _SPEECH.match(line, end))):
            yield end


def _depth(line: str) -> NDArray[np.int64]:
    """In how many pairs of brackets each character stands; a bracket never closed encloses nothing."""
    steps = np.zeros(len(line) + 1, dtype=np.int64)
    opened: dict[str, list[int]] = {closing: [] for closing in _BRACKETS.values()}
    for found in _BRACKET.finditer(line):
        if found[0] in _BRACKETS:
            opened[_BRACKETS[found[0]]].append(found.start())
        elif opened[found[0]]:
            steps[opened[found[0]].pop()] += 1
            steps[found.start()] -= 1
    return np.cumsum(steps)


def word_count(text: str) -> float:
    """Words of `text`; a CJK character counts as half a word.

    Example:
        >>> word_count("COVID-19 hit 3.5 million"), word_count("增长很快")
        (4.0, 2.0)
    """
    return len(_WORD.findall(text)) + len(CJK.findall(text)) / 2


def is_unit(text: str) -> bool:
    """Is a text enough to be aligned: three words, or two that end like a sentence?

    Example:
        >>> [is_unit(text) for text in ("Rents rose.", "Key advantages:", "---", "租金上涨。", "主要优势：")]
        [True, False, False, True, False]
    """
    count = word_count(text)
    return count >= 3 or (count >= 2 and _FINISHED.search(text.rstrip()) is not None)


@cache
def _punkt() -> Any:
    import nupunkt  # noqa: PLC0415  # its tables take a moment to load, which a run without English need not pay

    return nupunkt.load("default")
