"""Summarizer and compressor: what is kept of a page, and of the sources of one sub-topic."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from idrbench_inspect.prompting import notice
from idrbench_inspect.providers.dimensions import own_terms
from idrbench_inspect.providers.reading import (
    CITATION,
    bare,
    best_first,
    full_sentences,
    length,
    overlap,
    rarity,
    sentences,
    share,
    terms,
    unique,
)
from idrbench_inspect.providers.request import Reading, Request, cited
from idrbench_inspect.providers.roles_research import GENERAL, own_part

_KEPT_SOURCES = 6
_SOURCE_FLOOR = 0.4


def page_summary(request: Request) -> dict[str, Any]:
    """Sentences of the page in order, about half of it: its first one and those that bear on request and wishes.

    A page of which nothing can be read as a sentence is summarised by its opening.
    """
    title, _, body = request.block("page").partition("\n")
    text = body.partition("\n\n")[2] or body
    every = unique(full_sentences(text)) or unique(sentences(text))
    if not every:
        return {"summary": (text.strip() or title.strip() or notice("nothing"))[:300], "key_excerpts": []}
    scores = scored(every, _wanted(request), rarity(every))
    scores = [score + (1.0 if i == 0 else 0.1) for i, score in enumerate(scores)]
    room = max(length(text) * 0.5, length(every[0]))
    kept: list[str] = []
    for sentence in best_first(every, scores, len(every)):
        if not kept or sum(map(length, kept)) + length(sentence) <= room:
            kept.append(sentence)
    excerpts = best_first(every, scores, min(5, len(kept)))
    return {"summary": " ".join(in_order(kept, every)), "key_excerpts": in_order(excerpts, every)}


def _wanted(request: Request) -> dict[str, float]:
    """What ranks the sentences of a page: a wish counts twice what the request does."""
    weights = dict.fromkeys(terms(request.query), 1.0)
    return {**weights, **dict.fromkeys(request.wishes.terms, 2.0)}


def scored(texts: Sequence[str], wanted: Mapping[str, float], weights: Mapping[str, float]) -> list[float]:
    """For each text, the wanted terms it holds, each by its worth and its rarity, against the text's length."""
    worth = {term: value * weights.get(term, 1.0) for term, value in wanted.items()}
    return [overlap(wanted, text, worth) / (8 + length(text)) ** 0.5 for text in texts]


def in_order(kept: Sequence[str], every: Sequence[str]) -> list[str]:
    """The kept texts as they stand in `every`."""
    return [text for text in every if text in kept]


def write_up(request: Request) -> str:
    """The sentences of the sources that bear on the sub-topic, word for word, with `[n]`, a head per source.

    Sources far from the sub-topic are left out; with no source at all, a sentence says so.
    """
    ranked = _relevant(request)
    said: dict[str, None] = {}
    parts: list[str] = []
    for reading, nearness in ranked:
        every = [s for s in _sentences(reading) if bare(s) not in said]
        most = 9 if nearness >= 0.8 else 4
        kept = in_order(best_first(every, _bearing(request, every), most), every)
        said.update(dict.fromkeys(map(bare, kept)))
        if kept:
            parts.append(f"### {_plain(reading.title)}\n\n" + " ".join(cited(s, (reading.number,)) for s in kept))
    return "\n\n".join(parts) or notice("nothing")


def _plain(title: str) -> str:
    """A title on one line, without brackets that would read as a citation."""
    return " ".join(re.sub(r"[\[\]【】]", " ", title).split())


def _sentences(reading: Reading) -> list[str]:
    plain = CITATION.sub("", reading.text)
    distinct: dict[str, str] = {}
    for sentence in full_sentences(plain) or sentences(plain):
        distinct.setdefault(bare(sentence), sentence)
    return list(distinct.values())


def _bearing(request: Request, every: Sequence[str]) -> list[float]:
    wanted = {**_wanted(request), **dict.fromkeys(_topic_terms(request), 3.0)}
    return [score + 0.01 for score in scored(every, wanted, rarity(every))]


def _topic_terms(request: Request) -> list[str]:
    """The terms of the sub-topic beyond those of the subject."""
    return own_terms(request.block("topic") or request.query, terms(request.subject))


def _relevant(request: Request) -> list[tuple[Reading, float]]:
    """Sources with their nearness to the sub-topic, 1 for the nearest, best first and at most six.

    The sub-topic's own terms count most, in a title twice; a source that says little of the subject counts less. For
    a general sub-topic, whose words tell sources apart by chance, the request itself counts in full.
    """
    sources = request.sources
    weights = rarity([f"{s.title}\n{s.text}" for s in sources])
    own = _topic_terms(request)
    general = own_part(request.block("topic"), request.subject) in GENERAL[request.chinese]
    base = 1.0 if general else 0.25
    raw = [
        2 * overlap(own, s.title, weights)
        + overlap(own, s.text, weights)
        + 0.5 * overlap(request.wishes.terms, s.title, weights)
        + base * overlap(terms(request.query), f"{s.title}\n{s.text}", weights)
        for s in sources
    ]
    about = [share(terms(request.subject), terms(f"{s.title}\n{s.text}")) for s in sources]
    most = max(about, default=0.0)
    raw = [value * (0.4 + 0.6 * held / most) if most else value for value, held in zip(raw, about, strict=True)]
    top = max(raw, default=0.0)
    if top <= 0:
        return [(source, 0.0) for source in sources[:2]]
    order = sorted(range(len(sources)), key=lambda i: (-raw[i], i))
    near = [(sources[i], raw[i] / top) for i in order[:_KEPT_SOURCES]]
    return [(source, nearness) for source, nearness in near if nearness >= _SOURCE_FLOOR]
