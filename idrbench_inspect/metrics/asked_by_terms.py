"""Questions matched to labelled points by words alone: crude, without a model, and the same every time."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence

from idrbench_inspect.metrics.asked_points import Asked, Otherwise, Point, Turn
from idrbench_inspect.metrics.asking_words import JOINTS, NAMED, PROCEEDS, SAYS_NOTHING
from idrbench_inspect.metrics.term_overlap import content_terms

SHARE = 0.2
"""Of the terms that a question brings in, or of the point's if these are fewer, those that both must have at least.

Chosen on the tuning half of `tests/metrics/asked_cases.py`, where precision and recall are 0.94 and 0.81 at 0.1, 0.96
and 0.75 from 0.15 to 0.2, 1.00 and 0.72 at 0.25, and 1.00 and 0.69 at 0.3.
"""

STEM = 6
"""Letters of an English word that are compared: "gardener" is "gardening".

Chosen likewise: with 4 to 6 letters precision and recall are 0.96 and 0.75, with 7, 8 or whole words 0.93 and 0.75.
"""


def asked_by_terms(query: str, points: Sequence[Point], turns: Sequence[tuple[Sequence[str], str]]) -> list[Turn]:
    """What questions ask about, by the words that they bring in.

    A question brings in its terms but those of the query; words in which people ask for reports are no terms. It is
    `stated` if earlier replies hold all that it brings in. Otherwise it asks about every point whose dimension it names
    (`NAMED`), and about every point, its question and its alternatives, with which it shares enough: terms that stand
    in n of the points count 1/n, and must come to 1 at least and to the share `SHARE`. A question about no point is
    `trivial` where it has no terms or asks for leave to go on, `stated` where at least half of its terms stand in the
    query or in earlier replies, and else `unlabelled`. A reply states a preference on a point that its turn asks about
    if it has a term of the point that the query does not have.

    Args:
        query: As the agent had it.
        points: The labelled points.
        turns: Questions and reply of each exchange; a reply that gives nothing usable is empty.

    Returns:
        The turns, without their stages.

    Example:
        >>> points = [Point("p1", "time", "Which period to cover", ("the nineteenth century", "the present day"))]
        >>> asked_by_terms("Tell me about bees.", points, [(["Which years?"], "Only the nineteenth century.")])
        [Turn(stage=None, asked=(Asked(points=('p1',), otherwise=None),), states=('p1',))]
    """
    known = _terms(query)
    own = {point.id: _terms("; ".join((point.question, *point.alternatives))) - known for point in points}
    held_by = Counter(term for terms in own.values() for term in terms)
    replied: set[str] = set()
    found = []
    for questions, reply in turns:
        asked = []
        for question in questions:
            terms = _terms(question)
            brought = terms - known
            hit = [] if brought and brought <= replied else _about(question, brought, points, (own, held_by))
            asked.append(Asked(tuple(hit)) if hit else Asked(otherwise=_otherwise(question, terms, known | replied)))
        given = _terms(reply)
        states = dict.fromkeys(id_ for one in asked for id_ in one.points if given & own[id_])
        found.append(Turn(None, tuple(asked), tuple(states)))
        replied |= given - known
    return found


def _about(
    question: str, brought: set[str], points: Iterable[Point], terms: tuple[dict[str, set[str]], Counter[str]]
) -> list[str]:
    own, held_by = terms
    hit = []
    for point in points:
        weight = math.fsum(1 / held_by[term] for term in brought & own[point.id] if len(term) > 1)
        named = point.dimension in NAMED and NAMED[point.dimension].search(question)
        if named or weight >= max(1.0, SHARE * min(len(brought), len(own[point.id]))):
            hit.append(point.id)
    return hit


def _otherwise(question: str, terms: set[str], said: set[str]) -> Otherwise:
    if not terms or PROCEEDS.search(question):
        return "trivial"
    return "stated" if 2 * len(terms & said) >= len(terms) else "unlabelled"


def _terms(text: str) -> set[str]:
    """Stems, and pairs of Chinese characters without a joint; a character left alone is one, but matches nothing."""
    terms = content_terms(text.translate(_PARTED)).keys() - _EMPTY
    return {term[:STEM] if term.isascii() else term for term in terms}


_PARTED = str.maketrans(dict.fromkeys(JOINTS, " "))
_EMPTY = {term for word in SAYS_NOTHING for term in content_terms(word)}
