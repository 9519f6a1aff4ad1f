"""LLM-ACS: how far a report covers, aspect by aspect, what the reference covers, by a judge's grades."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final, Literal, get_args

from idrbench_inspect.metrics.undefined import Undefined

Tag = Literal["stated", "inferable", "hidden"]
TAGS: Final[tuple[Tag, ...]] = get_args(Tag)
"""What the underspecified query says of an aspect. A gain on stated ones is effort, not understood intent."""

HIGHEST: Final = 5

Grades = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class AspectCoverage:
    """Coverage of a reference.

    Args:
        value: The mean over aspects, 0 to 1; exactly 1 for full coverage of grades above 0. More than the reference
            covers is not seen.
        by_tag: The same over the aspects of each tag; undefined for a tag without aspects.
        aspects: How many were averaged, and by tag.
        uncovered: How many aspects the reference itself does not cover (grade 0). Any grade above 0 counts them as 1,
            and 0 as 0, so that a reference with such an aspect scores below 1 against itself.
        by_aspect: Coverage of each aspect averaged, 0 to 1.
    """

    value: float
    by_tag: Mapping[Tag, float | Undefined]
    aspects: int
    aspects_by_tag: Mapping[Tag, int]
    uncovered: int
    by_aspect: Mapping[str, float]


def aspect_coverage(
    reference: Grades, generated: Grades, tags: Mapping[str, Tag], *, drop_uncovered: bool = False
) -> AspectCoverage | Undefined:
    """The mean over aspects of clip(generated / reference, 0, 1).

    The published formula adds 1e-9 to the reference, so that nothing is divided by 0. Without it full coverage is 1,
    not 2e-10 less; what it makes of a reference of 0 stays: 1 for a grade above 0, and 0 for 0.

    Args:
        reference: By aspect, the grade of the reference, 0 to 5 (see `median_grades`).
        generated: By aspect, the grade of the generated report, 0 to 5.
        tags: By aspect, whether the query states it, lets it be inferred, or hides it.
        drop_uncovered: Leave out the aspects that the reference does not cover; not the published formula.

    Returns:
        Undefined without aspects, or when all are left out.

    Raises:
        ValueError: the three do not name the same aspects, a grade is no number from 0 to 5, or a tag is unknown.

    Example:
        >>> found = aspect_coverage({"a": 4, "b": 0}, {"a": 2, "b": 1}, {"a": "stated", "b": "hidden"})
        >>> found.value, found.uncovered, found.by_tag["stated"], found.by_tag["inferable"].reason
        (0.75, 1, 0.5, 'no aspect is inferable')
    """
    for grades, whose in ((reference, "reference"), (generated, "generated")):
        _check(grades, whose)
    _same_aspects(reference, generated, "the generated report's grades")
    _same_aspects(reference, tags, "the tags")
    if unknown := sorted(set(tags.values()) - set(TAGS)):
        raise ValueError(f"unknown tags {unknown}; known are {', '.join(TAGS)}")
    uncovered = sum(grade == 0 for grade in reference.values())
    covered = {
        aspect: min(generated[aspect] / grade, 1.0) if grade > 0 else float(generated[aspect] > 0)
        for aspect, grade in reference.items()
        if grade > 0 or not drop_uncovered
    }
    if not covered:
        return Undefined("the reference covers no aspect" if reference else "there are no aspects")
    tagged = {tag: [share for aspect, share in covered.items() if tags[aspect] == tag] for tag in TAGS}
    return AspectCoverage(
        value=_mean(list(covered.values())),
        by_tag={tag: _mean(shares) if shares else Undefined(f"no aspect is {tag}") for tag, shares in tagged.items()},
        aspects=len(covered),
        aspects_by_tag={tag: len(shares) for tag, shares in tagged.items()},
        uncovered=uncovered,
        by_aspect=covered,
    )


def median_grades(readings: Sequence[Grades]) -> dict[str, float]:
    """By aspect, the median of several gradings of one report.

    Args:
        readings: An odd number of gradings of the same aspects, usually three.

    Raises:
        ValueError: their number is even or 0, they name different aspects, or a grade is no number from 0 to 5.

    Example:
        >>> median_grades([{"a": 3}, {"a": 5}, {"a": 4}])
        {'a': 4}
    """
    if len(readings) % 2 == 0:
        raise ValueError(f"there are {len(readings)} gradings; an odd number has a median that is one of them")
    for grades in readings:
        _check(grades, "graded")
        _same_aspects(readings[0], grades, "one of the gradings")
    return {aspect: median(grades[aspect] for grades in readings) for aspect in readings[0]}


def _check(grades: Grades, whose: str) -> None:
    for aspect, grade in grades.items():
        number = isinstance(grade, int | float) and not isinstance(grade, bool)
        if not (number and 0 <= grade <= HIGHEST):
            raise ValueError(f"the {whose} grade of {aspect!r} is {grade!r}; it must be a number from 0 to {HIGHEST}")


def _same_aspects(wanted: Mapping[str, object], got: Mapping[str, object], what: str) -> None:
    if different := sorted(wanted.keys() ^ got.keys()):
        raise ValueError(f"{what} and the reference differ in the aspects {different}; they must be the same")


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)
