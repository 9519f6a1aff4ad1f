"""Whether a threshold fits an embedder, by what reports on other tasks get."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from idrbench_inspect.metrics.undefined import Undefined

CONTROL_LIMIT: Final = 0.2
SATURATED: Final = 0.98
FLOOR: Final = 0.05


@dataclass(frozen=True, slots=True)
class Control:
    """What reports get against their own reference, and against those of other tasks.

    Args:
        same: The mean over tasks, 0 to 1.
        different: The mean over pairs of different tasks, 0 to 1; undefined without any.
        auc: How often a same-task value exceeds a different-task one, ties counting half: 0.5 says that the measure
            does not know which task a report is on, 1 that it always does.
    """

    same: float
    different: float | Undefined
    auc: float | Undefined
    tasks: int
    pairs: int


def control(same: Sequence[float], different: Sequence[float]) -> Control | Undefined:
    """Summarise a measure against its different-task control.

    Args:
        same: One value a task, 0 to 1.
        different: One value for each pair of a report and another task's reference, 0 to 1.

    Returns:
        Undefined without tasks.

    Raises:
        ValueError: a value is not a fraction.

    Example:
        >>> control([0.6, 0.5], [0.0, 0.5])
        Control(same=0.55, different=0.25, auc=0.875, tasks=2, pairs=2)
    """
    _check(same, different)
    if not same:
        return Undefined("there are no tasks")
    if not different:
        none = Undefined("no report was scored against another task's reference")
        return Control(_mean(same), none, none, len(same), 0)
    lower, upper = (np.searchsorted(np.sort(different), same, side) for side in ("left", "right"))
    auc = float(np.mean((lower + upper) / 2) / len(different))
    return Control(_mean(same), _mean(different), auc, len(same), len(different))


def tau_warnings(same: Sequence[float], different: Sequence[float]) -> tuple[str, ...]:
    """Why the F1s at one level are not to be trusted; empty when nothing speaks against them.

    Args:
        same: The F1 of each task, 0 to 1.
        different: The F1 of reports against other tasks' references, 0 to 1; may be empty.

    Returns:
        Sentences. A threshold does not fit an embedder when the mean control F1 exceeds 0.2, or when more than half of
        the tasks lie above 0.98 or below 0.05.

    Raises:
        ValueError: a value is not a fraction.

    Example:
        >>> tau_warnings([1.0, 0.99, 0.9], [0.1])
        ('tau does not fit this embedder: the F1 of 2 of 3 tasks is above 98 of 100.',)
    """
    _check(same, different)
    found = []
    if different and _mean(different) > CONTROL_LIMIT:
        found.append(f"reports reach a mean F1 of {100 * _mean(different):.0f} of 100 against other tasks' references")
    saturated, floored = sum(value > SATURATED for value in same), sum(value < FLOOR for value in same)
    if 2 * saturated > len(same):
        found.append(f"the F1 of {saturated} of {len(same)} tasks is above {100 * SATURATED:g} of 100")
    if 2 * floored > len(same):
        found.append(f"the F1 of {floored} of {len(same)} tasks is below {100 * FLOOR:g} of 100")
    return tuple(f"tau does not fit this embedder: {what}." for what in found)


def _check(*groups: Sequence[float]) -> None:
    for values in groups:
        if not all(0 <= value <= 1 for value in values):
            raise ValueError("an F1 here is a fraction between 0 and 1; leave out what has no value")


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)
