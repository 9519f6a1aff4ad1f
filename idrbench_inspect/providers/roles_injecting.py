"""The injector and its judge: clauses of a request are dropped to fit a length, and what is left open is listed."""

import re
import unicodedata
from collections.abc import Sequence
from typing import Any

from idrbench_inspect.providers.dimensions import named, settled
from idrbench_inspect.providers.reading import is_chinese, phrase, sentences, share, terms, unique
from idrbench_inspect.providers.request import Request, subject

_BETWEEN = re.compile(r"between\s+([\d,]+)\s+and\s+([\d,]+)\s+characters")
_CLAUSE = re.compile(r"[^,，;；:：.。!！?？\n]+[,，;；:：.。!！?？\n]*[\"”’」』)）]*\s*")
_OPENING = re.compile(r"^[a-z]|(?<=[.!?]\s)[a-z]")
_MOST_POINTS = 6
_QUESTION = {False: "Which choice to make as to {}", True: "如何确定{}"}
_OPEN_CHOICE = {False: "no limit as to {}", True: "不限定{}"}


def underspecified(request: Request) -> dict[str, Any]:
    """The clauses of the request that fit the asked length best, that with the subject always among them.

    Where whole clauses do not come to a length within the bounds, the last one kept is cut at a word.
    """
    source = request.block("source_query").strip()
    found = _BETWEEN.search(request.plain)
    lowest, highest = (int(n.replace(",", "")) for n in found.groups()) if found else (1, len(source) // 2)
    clauses = _CLAUSE.findall(source) or [source]
    kept = _kept(clauses, _core(clauses, subject(source)), (lowest + highest) // 2)
    query = "".join(clauses[n] for n in kept).strip()
    if len(query) > highest:
        query = _cut(query, (lowest + highest) // 2)
    elif len(query) < lowest:
        query = _filled(clauses, kept, (lowest + highest) // 2)
    dropped = [clause.strip() for n, clause in enumerate(clauses) if n not in kept and terms(clause)]
    return {"left_out": dropped, "query": _closed(query, highest)}


def _core(clauses: Sequence[str], about: str) -> int:
    """The clause that holds most of the subject; the shortest of these."""
    wanted = terms(about)
    return min(range(len(clauses)), key=lambda n: (-share(wanted, terms(clauses[n])), len(clauses[n]), n))


def _kept(clauses: Sequence[str], core: int, size: int) -> list[int]:
    """The places of clauses whose lengths, with the core's, come nearest to `size`; of equals, the earlier ones."""
    reached: dict[int, tuple[int, ...]] = {len(clauses[core]): (core,)}
    for n, clause in enumerate(clauses):
        if n == core:
            continue
        for total, chosen in list(reached.items()):
            reached.setdefault(total + len(clause), (*chosen, n))
    best = min(reached, key=lambda total: (abs(total - size), total))
    return sorted(reached[best])


def _filled(clauses: Sequence[str], kept: Sequence[int], size: int) -> str:
    """The kept clauses with the first dropped one, cut so that the whole comes near to `size`."""
    extra = next((n for n in range(len(clauses)) if n not in kept), None)
    if extra is None:
        return "".join(clauses[n] for n in kept).strip()
    room = size - sum(len(clauses[n]) for n in kept)
    parts = {**{n: clauses[n] for n in kept}, extra: f"{_cut(clauses[extra], room)} "}
    return "".join(parts[n] for n in sorted(parts)).strip()


def _cut(text: str, size: int) -> str:
    """The opening of a text, of about `size` characters, up to the end of a word."""
    opening = text[:size]
    if is_chinese(text) or len(text) <= size:
        return opening
    return opening.rpartition(" ")[0] or opening


def _closed(query: str, highest: int) -> str:
    """The query with capitals where sentences begin, and a full stop where there is room for it."""
    bare = _OPENING.sub(lambda letter: letter[0].upper(), query.rstrip(",，;；:： "))
    stop = "" if bare[-1:] in ".。!！?？" else "。" if is_chinese(bare) else "."
    return bare + stop if len(bare + stop) <= highest else bare


def injection_verdict(request: Request) -> dict[str, Any]:
    """Kept where every term of the short request is one of the full one, and some term of the subject is left."""
    source, query = request.block("source_query"), request.block("query")
    known, own = dict.fromkeys(terms(source)), unique(terms(query))
    added = [] if is_chinese(source) else [term for term in own if term not in known]
    if added:
        return {
            "reason": f"Of the full request's terms these are none: {', '.join(added)}.",
            "verdict": "constraint_added",
        }
    if not any(term in own for term in terms(subject(source))):
        return {"reason": "No term of the subject is left.", "verdict": "objective_lost"}
    return {"reason": "The subject is there, and every term is one of the full request.", "verdict": "kept"}


def _bare(text: str) -> str:
    """The letters and digits of a text, by which it is compared whatever mark a clause ends with."""
    return "".join(c for c in unicodedata.normalize("NFKC", text).casefold() if c.isalnum())


def open_points(request: Request) -> dict[str, Any]:
    """A point for each dimension that a dropped clause of the full request fixes by visible marks, at most six."""
    source, query = request.block("source_query"), request.block("query")
    chinese = is_chinese(source)
    bare = _bare(query)
    points: dict[str, dict[str, Any]] = {}
    for clause in (clause for sentence in sentences(source) for clause in _CLAUSE.findall(sentence)):
        quote, choice = clause.strip(), phrase(clause) or clause.strip()
        if _bare(quote) in bare or len(terms(quote)) < 2:
            continue
        for dimension in settled(quote):
            (name,) = named([dimension], chinese)
            if dimension not in points and quote not in [point["quote"] for point in points.values()]:
                points[dimension] = {
                    "quote": quote,
                    "dimension": dimension,
                    "question": _QUESTION[chinese].format(name),
                    "alternatives": [choice, _OPEN_CHOICE[chinese].format(name)],
                    "settled": choice,
                }
    return {"points": list(points.values())[:_MOST_POINTS]}
