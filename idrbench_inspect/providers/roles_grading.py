"""The grader: aspects are the clauses of the request; tags and grades, the share of an aspect's terms in a text."""

import math
import re
from collections.abc import Collection, Iterable
from typing import Any

from idrbench_inspect.providers.reading import is_chinese, sentences, share, terms, unique
from idrbench_inspect.providers.request import Request, subject
from idrbench_inspect.providers.wishes import preferences

_FEWEST, _MOST = 8, 20
_BEST = 5
_CLAUSE = re.compile(r"[,，;；:：()（）—]|\b(?:but|who|whose|that|which)\b")
_PART = re.compile(r"、|\b(?:and|or|to|from|with|in|of|for)\b|[和与及或到]")
_LISTED = re.compile(r"^(\S+?): (.+)$", re.MULTILINE)
_FACETS = {
    False: "{}: meaning|{}: history|{}: present state|{}: causes|{}: effects|{}: examples|{}: kinds|{}: open questions",
    True: "{}的含义|{}的历史|{}的现状|{}的成因|{}的影响|{}的例子|{}的种类|{}的争议",
}


def aspect_texts(request: Request) -> dict[str, Any]:
    """8 to 20 aspects in the request's own words: what its clauses want, and nothing that they decline.

    Where clauses are too few, their parts follow, and then general facets of the subject; where they are too many,
    those with the most terms stay, in the order of the request.
    """
    query = request.block("source_query")
    clauses = [clause for sentence in sentences(query) for clause in _CLAUSE.split(sentence)]
    found = _new(clauses, {})
    if len(found) > _MOST:
        fullest = sorted(found, key=lambda own: -len(own))[:_MOST]
        found = {own: text for own, text in found.items() if own in fullest}
    if len(found) < _FEWEST:
        found |= _new([part for clause in clauses for part in _PART.split(clause)], found)
    facets = _FACETS[is_chinese(query)].format(*[subject(query)] * _FEWEST).split("|")
    return {"aspects": unique([*found.values(), *facets])[: max(_FEWEST, min(len(found), _MOST))]}


def _new(clauses: Iterable[str], known: dict[tuple[str, ...], str]) -> dict[tuple[str, ...], str]:
    """The phrases that clauses ask for, by their terms; none whose terms another has already."""
    found: dict[tuple[str, ...], str] = {}
    for clause in clauses:
        for text in preferences(clause):
            own = tuple(sorted(set(terms(text))))
            if own not in known:
                found.setdefault(own, text)
    return found


def aspect_tags(request: Request) -> dict[str, Any]:
    """Stated: the short query holds at least two thirds of an aspect's terms; inferable: a third; hidden: less."""
    said = dict.fromkeys(terms(request.block("query")))
    tags = []
    for id_, text in _aspects(request):
        held = share(terms(text), said)
        tag = "stated" if held >= 2 / 3 else "inferable" if held >= 1 / 3 else "hidden"
        tags.append({"id": id_, "reason": _reason(text, said, "short request", "简短的请求"), "tag": tag})
    return {"aspects": tags}


def aspect_grades(request: Request) -> dict[str, Any]:
    """0 to 5: the share of an aspect's terms that the whole report holds, in fifths, rounded up."""
    said = dict.fromkeys(terms(request.block("report")))
    grades = []
    for id_, text in _aspects(request):
        grade = math.ceil(_BEST * share(terms(text), said))
        grades.append({"id": id_, "reason": _reason(text, said, "report", "报告"), "grade": grade})
    return {"aspects": grades}


def _aspects(request: Request) -> list[tuple[str, str]]:
    return [(listed[1], listed[2]) for listed in _LISTED.finditer(request.block("aspects"))]


def _reason(aspect: str, said: Collection[str], named: str, chinese_named: str) -> str:
    own = unique(terms(aspect))
    held = sum(term in said for term in own)
    if is_chinese(aspect):
        return f"{chinese_named}包含该方面{len(own)}个词中的{held}个。"
    return f"The {named} holds {held} of the {len(own)} terms of this aspect."
