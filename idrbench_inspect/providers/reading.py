"""Reading text by its terms: pure functions, English and Chinese, with no state and no randomness.

A term is a lightly stemmed word, or two neighbouring Chinese characters. Collections keep the order of first
appearance and never that of a hash, so that sums and ties come out alike in every process.
"""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from idrbench_inspect.providers.words import (
    CHINESE_JOINTS,
    CHINESE_LEAD,
    CHINESE_STOP,
    CHINESE_TAIL,
    COUNTS,
    STOP,
)

T = TypeVar("T")

CJK = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_CJK = re.compile(f"[{CJK}]")
_CJK_RUN = re.compile(f"[{CJK}]+")
_WORD = re.compile(rf"(?:(?![{CJK}])[^\W\d_])+|\d{{3,4}}")
_LATIN = re.compile(rf"(?![{CJK}])[^\W\d_]")
_SENTENCE = re.compile(
    r"\S[^\n]*?(?:[.!?]+[\"”’')]*(?:\s?\[\d+\])*(?=\s|$)|[。！？!?]+[”’」』）]*(?:\s?\[\d+\])*|(?=\n|$))", re.MULTILINE
)
_ABBREVIATION = re.compile(r"(?:^|[\s(])(?:[A-Z]|Dr|Mr|Mrs|Ms|St|vs|e\.g|i\.e|No|Fig|approx|ca|cf|al|Prof)\.$")
_CLOSED = re.compile(r"[.!?。！？][\"”’')」』）]*(?:\s?\[\d+\])*$")
CITATION = re.compile(r"\s?\[(\d+)\]")


def is_chinese(text: str) -> bool:
    """Whether a text is mainly Chinese: a Chinese character weighs as much as three letters."""
    return len(_CJK.findall(text)) * 3 > len(_LATIN.findall(text))


def count_tokens(text: str) -> int:
    """A plain count of tokens: one per Chinese character, one per four other characters, rounded up.

    Example:
        >>> count_tokens("trees"), count_tokens("植树"), count_tokens("")
        (2, 2, 0)
    """
    chinese = len(_CJK.findall(text))
    return chinese + math.ceil((len(text) - chinese) / 4)


def length(text: str) -> int:
    """Words of a text; a Chinese character counts as one."""
    return len(_WORD.findall(text)) + len(_CJK.findall(text))


def terms(text: str) -> list[str]:
    """The terms of a text in order, with repetitions, without words that say nothing about a subject.

    Example:
        >>> terms("Please write a report on the planting of trees"), terms("请介绍茶叶的历史")
        (['plant', 'tre'], ['茶叶', '历史'])
    """
    found = [(word.start(), stem) for word in _WORD.finditer(text) if (stem := _stem(word[0]))]
    bare = CHINESE_STOP.sub(lambda phrase: " " * len(phrase[0]), text)
    bare = CHINESE_JOINTS.sub(" ", bare)
    for run in _CJK_RUN.finditer(bare):
        found += [(run.start() + i, run[0][i : i + 2]) for i in range(len(run[0]) - 1)]
    return [term for _, term in sorted(found, key=lambda place: place[0])]


def unique(items: Iterable[T]) -> list[T]:
    """Items in order of first appearance."""
    return list(dict.fromkeys(items))


def _stem(word: str) -> str:
    low = word.lower()
    if low in STOP or len(low) < 3 - (word.isupper() and len(word) == 2):
        return ""
    if low.endswith("ies") and len(low) > 4:
        low = low[:-3] + "y"
    elif re.search(r"(?:sh|ch|x|ss|z)es$", low):
        low = low[:-2]
    elif low.endswith("s") and not low.endswith(("ss", "us", "is")):
        low = low[:-1]
    for ending in ("ing", "ed"):
        if low.endswith(ending) and len(low) - len(ending) >= 4:
            low = low[: -len(ending)]
    return low[:-1] if low.endswith("e") and len(low) >= 4 else low


def sentences(text: str) -> list[str]:
    """The sentences of a text in order: no headings, table rows or rules, list marks taken off; no text, no sentences.

    A line end closes a sentence, and citations such as `[2]` stay with the sentence before them.
    """
    found: list[str] = []
    for line in text.splitlines():
        bare = re.sub(r"^\s*(?:[-*+•>]|\d+[.)])\s+", "", line).strip()
        if not bare or bare.startswith(("#", "|", "---")):
            continue
        pieces = [piece[0].strip() for piece in _SENTENCE.finditer(bare)]
        joined: list[str] = []
        for piece in pieces:
            if joined and _ABBREVIATION.search(joined[-1]):
                joined[-1] += f" {piece}"
            elif piece:
                joined.append(piece)
        found += joined
    return found


def full_sentences(text: str) -> list[str]:
    """The sentences that are closed by a mark and long enough to say something."""
    return [s for s in sentences(text) if _CLOSED.search(s) and length(CITATION.sub("", s)) >= 5]


def phrase(text: str, most: int = 12) -> str:
    """The part of a sentence that names a thing: without the words of asking around it; empty if nothing is left.

    Args:
        text: One sentence or clause.
        most: Words of the phrase at most (Chinese: twice as many characters).

    Example:
        >>> phrase("What matters most to me is shade for people on foot."), phrase("我主要关心福建白茶的工序。")
        ('shade for people on foot', '福建白茶的工序')
    """
    if is_chinese(text):
        bare = CHINESE_TAIL.sub("", CHINESE_LEAD.sub("", text.strip()))
        return CHINESE_TAIL.sub("", bare[: 2 * most]) if terms(bare) else ""
    words = list(re.finditer(r"[^\W_]+(?:['’.-][^\W_]+)*", text))
    telling = [i for i, word in enumerate(words) if terms(word[0])]
    if not telling:
        return ""
    first = telling[0]
    last = max(i for i in telling if i < first + most)
    while first and words[first - 1][0].lower() in COUNTS:
        first -= 1
    return text[words[first].start() : words[last].end()]


def rarity(texts: Sequence[str]) -> dict[str, float]:
    """How much a term tells texts apart: `log(1 + n / count)` over `n` texts, `count` of them holding it."""
    held: dict[str, int] = {}
    for text in texts:
        for term in unique(terms(text)):
            held[term] = held.get(term, 0) + 1
    return {term: math.log(1 + len(texts) / count) for term, count in held.items()}


def overlap(wanted: Iterable[str], text: str, weights: Mapping[str, float] | None = None) -> float:
    """The weight of the wanted terms that a text holds, each counted once; an unknown term weighs 1."""
    held = dict.fromkeys(terms(text))
    return sum((weights or {}).get(term, 1.0) for term in unique(wanted) if term in held)


def share(own: Iterable[str], held: Iterable[str]) -> float:
    """The share, 0 to 1, of the distinct terms `own` that are among `held`; 0 where there are none."""
    distinct = unique(own)
    known = dict.fromkeys(held)
    return sum(term in known for term in distinct) / len(distinct) if distinct else 0.0


def bare(sentence: str) -> str:
    """A sentence without citations, for telling whether two say the same words."""
    return " ".join(CITATION.sub("", sentence).split()).casefold()


def best_first(items: Sequence[str], scores: Sequence[float], most: int) -> list[str]:
    """The best `most` items with a score above 0, best first; ties go to the earlier one."""
    order = sorted((i for i, score in enumerate(scores) if score > 0), key=lambda i: (-scores[i], i))
    return [items[i] for i in order[:most]]


def capital(text: str) -> str:
    """A text with a capital first letter."""
    return text[:1].upper() + text[1:]


def listed(items: Sequence[str], chinese: bool, last: str = "") -> str:
    """Items as a spoken list: "A, B and C", or with another last joint ("or", "还是")."""
    if len(items) < 2:
        return "".join(items)
    if chinese:
        joint = last or "和"
        return "、".join(items[:-1]) + joint + items[-1]
    return ", ".join(items[:-1]) + f" {last or 'and'} " + items[-1]
