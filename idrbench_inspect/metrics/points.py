"""Measures as a score holds them: points, 0 to 100, and NaN where there is no value."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from idrbench_inspect.metrics.agreement import krippendorff_alpha, spread
from idrbench_inspect.metrics.coverage import TAGS, Grades, Tag, aspect_coverage
from idrbench_inspect.metrics.tau import Tau, thresholds
from idrbench_inspect.metrics.undefined import Undefined
from idrbench_inspect.metrics.unit_f1 import Matches, unit_f1

LEVELS: Final = ("sentence", "paragraph", "chunk")


def points(share: float | Undefined) -> float:
    """A fraction in points; NaN where it is undefined.

    Example:
        >>> points(0.25), points(Undefined("none"))
        (25.0, nan)
    """
    return math.nan if isinstance(share, Undefined) else 100 * share


def mean_share(shares: Sequence[float | Undefined]) -> float | Undefined:
    """The mean of what is defined; undefined where nothing is.

    Example:
        >>> mean_share([0.5, Undefined("no units"), 0.25])
        0.375
    """
    known = [share for share in shares if not isinstance(share, Undefined)]
    return math.fsum(known) / len(known) if known else Undefined("there is nothing to average")


def level_points(level: str, matches: Matches, own: Tau) -> dict[str, float]:
    """What a score holds of one level: F1 at three thresholds, precision and recall at the embedder's own, unit counts.

    Args:
        level: What the keys begin with.
        matches: Of all units.
        own: The embedder's threshold.

    Returns:
        `<level>_f1`, `_precision`, `_recall`, `_f1_cos60` and `_f1_cos80` in points, NaN where the reference has no
        units; `_units` and `_units_target`, counts of the generated report and of the reference.
    """
    at = {name: unit_f1(matches, tau) for name, tau in thresholds(own).items()}
    chosen = at["own"]
    pair = (chosen, chosen) if isinstance(chosen, Undefined) else (chosen.precision, chosen.recall)
    f1 = {name: found if isinstance(found, Undefined) else found.f1 for name, found in at.items()}
    return {
        f"{level}_f1": points(f1["own"]),
        f"{level}_precision": points(pair[0]),
        f"{level}_recall": points(pair[1]),
        f"{level}_f1_cos60": points(f1["cos_0.6"]),
        f"{level}_f1_cos80": points(f1["cos_0.8"]),
        f"{level}_units": float(len(matches.generated)),
        f"{level}_units_target": float(len(matches.reference)),
    }


@dataclass(frozen=True, slots=True)
class Acs:
    """Coverage by one judge: the mean over its repeats, all fractions, and what belongs to it.

    `spread` is the standard deviation over repeats (n - 1), in the unit of `value`; undefined for a single one.
    """

    value: float
    by_tag: Mapping[Tag, float | Undefined]
    spread: float | Undefined
    aspects: int
    uncovered: int


def acs(reference: Grades, repeats: Sequence[Grades], tags: Mapping[str, Tag]) -> Acs | Undefined:
    """LLM-ACS over all gradings of a generated report by one judge.

    Args:
        reference: By aspect, the median grade of the reference, 0 to 5.
        repeats: One mapping for each grading of the generated report, at least one.
        tags: By aspect.

    Returns:
        Undefined without aspects.

    Example:
        >>> found = acs({"a": 4}, [{"a": 4}, {"a": 2}], {"a": "hidden"})
        >>> round(found.value, 3), round(found.spread, 3), found.by_tag["stated"].reason
        (0.75, 0.354, 'there is nothing to average')
    """
    covered = [aspect_coverage(reference, grades, tags) for grades in repeats]
    known = [found for found in covered if not isinstance(found, Undefined)]
    if len(known) < len(covered) or not known:
        return Undefined("there are no aspects")
    apart = spread([found.value for found in known])
    return Acs(
        value=math.fsum(found.value for found in known) / len(known),
        by_tag={tag: mean_share([found.by_tag[tag] for found in known]) for tag in TAGS},
        spread=apart if isinstance(apart, Undefined) else apart.deviation,
        aspects=known[0].aspects,
        uncovered=known[0].uncovered,
    )


def judges_alpha(grades: Sequence[Sequence[Sequence[float]]]) -> float | Undefined:
    """How far several judges agree on a generated report: Krippendorff's alpha over aspects, interval.

    Args:
        grades: Judge by judge, repeat by repeat, aspect by aspect; repeats are averaged first.

    Example:
        >>> judges_alpha([[[1, 5]], [[1, 5]]]), judges_alpha([[[1, 5]]]).reason
        (1.0, 'there is one judge only')
    """
    if len(grades) < 2:
        return Undefined("there is one judge only")
    return krippendorff_alpha(
        [[math.fsum(aspect) / len(repeats) for aspect in zip(*repeats, strict=True)] for repeats in grades]
    )
