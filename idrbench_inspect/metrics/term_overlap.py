"""Overlap of content terms: an interim measure of nearness that needs no model.

It is none of the benchmark's five measures and says nothing about meaning: it shows, without an embedder or a judge,
whether two reports speak of the same things.
"""

import re
import unicodedata
from collections import Counter

from idrbench_inspect.units.links import without_links
from idrbench_inspect.units.markup import TAG

_HEADING = re.compile(r"^[ ]{0,3}(#{1,6})[ \t]+(.*?)[ \t#]*$", re.MULTILINE)
_SOURCES = re.compile(
    r"[\W_]*(?:(?:\d+|[ivx]+|[一二三四五六七八九十]+)[.、．)）\s]+)?[\W_]*(?:sources|references|参考来源|参考文献)[\W_]*",
    re.IGNORECASE,
)
_CITATION = re.compile(r"\[\^?\d+(?:\s*[,，、;–-]\s*\d+)*\]|【\d+(?:\s*[,，、]\s*\d+)*】")
_TAG = re.compile(TAG, re.IGNORECASE)
_CJK = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+")
_WORD = re.compile(r"[^\W_]+")
_STOP = frozenset(
    "a about above after again against all also although am an and any are as at be because been before being below "
    "between both but by can cannot could did do does doing down during each either few for from further had has "
    "have having he her here hers him his how however i if in into is it its itself just may me might more most "
    "much must my neither no nor not now of off on once only or other our ours out over own same shall she should "
    "since so some such than that the their theirs them then there therefore these they this those through thus to "
    "too under until up upon us very was we were what when where whether which while who whom whose why will with "
    "within without would you your yours re ve ll don doesn didn isn aren wasn weren won couldn wouldn shouldn".split()
)


def term_overlap(reference: str, generated: str) -> dict[str, float]:
    """Multiset overlap of the content terms of two Markdown texts.

    Terms are lower-cased words without function words and lightly stemmed, and pairs of neighbouring Chinese
    characters. Link targets, addresses, tags, citation markers and a closing source list count for nothing.

    Args:
        reference: The text that `generated` should come near to.
        generated: The text that is measured. Swapping the two swaps precision and recall.

    Returns:
        `precision`, `recall` and `f1`, each 0 to 100. A generated text without terms gives zeros.

    Raises:
        ValueError: the reference has no terms, so that nothing can be near to it.

    Example:
        >>> term_overlap("Fares rose.", "The fare rose in 2019 [2].")["recall"]
        100.0
    """
    wanted, given = content_terms(reference), content_terms(generated)
    if not wanted:
        raise ValueError("the reference has no content terms")
    if not given:
        return {"precision": 0.0, "recall": 0.0, "f1": 0.0}
    shared = (wanted & given).total()
    return {
        "precision": 100.0 * shared / given.total(),
        "recall": 100.0 * shared / wanted.total(),
        "f1": 100.0 * 2 * shared / (wanted.total() + given.total()),
    }


def content_terms(text: str) -> Counter[str]:
    """How often each content term occurs in `text`; a Chinese character that stands alone is a term of its own."""
    body = _CITATION.sub(" ", without_links(_TAG.sub(" ", _without_sources(text))))
    body = unicodedata.normalize("NFKC", body).casefold()
    terms: Counter[str] = Counter()
    for run in _CJK.findall(body):
        terms.update(run[i : i + 2] for i in range(max(1, len(run) - 1)))
    for word in _WORD.findall(_CJK.sub(" ", body)):
        stem = _stem(word)
        if len(stem) > 1 and word not in _STOP:
            terms[stem] += 1
    return terms


def _without_sources(text: str) -> str:
    closing: int | None = None
    depth = 0
    for heading in _HEADING.finditer(text):
        level = len(heading[1])
        if _SOURCES.fullmatch(heading[2]):
            closing, depth = heading.start(), level
        elif level <= depth:
            closing, depth = None, 0
    return text if closing is None else text[:closing]


def _stem(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    for ending in ("ing", "ed", "ly"):
        if len(word) > len(ending) + 3 and word.endswith(ending):
            return word.removesuffix(ending).removesuffix("e")
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    return word.removesuffix("e") if len(word) > 3 else word
