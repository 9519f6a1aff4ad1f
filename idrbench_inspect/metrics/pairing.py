"""Gains: differences between two arms, task by task."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class PairedGain:
    """A mean difference over `pairs` tasks; `gain` is NaN without any. `unpaired` names the tasks left out, sorted."""

    gain: float
    pairs: int
    unpaired: tuple[str, ...]


def paired_gain(values: Mapping[str, Mapping[str, Sequence[float]]], arm: str, baseline: str) -> PairedGain:
    """The mean over tasks of (mean of `arm` - mean of `baseline`).

    Args:
        values: By task and arm, the value of every epoch, in one unit; NaN says that an epoch has no value. Epochs are
            averaged first, so that a task counts once however often it was run. The order of tasks is irrelevant.
        arm: The arm whose gain is wanted.
        baseline: The arm it is compared with; comparing it with itself gives 0.

    Returns:
        The gain in the unit of `values`. A task without a value on either side leaves both sides and is named.

    Example:
        >>> paired_gain({"a": {"x": [3.0], "y": [1.0]}, "b": {"x": [9.0]}}, arm="x", baseline="y")
        PairedGain(gain=2.0, pairs=1, unpaired=('b',))
    """
    differences = {
        task: mean_known(by_arm.get(arm, ())) - mean_known(by_arm.get(baseline, ())) for task, by_arm in values.items()
    }
    paired = [difference for difference in differences.values() if not math.isnan(difference)]
    unpaired = tuple(sorted(task for task, difference in differences.items() if math.isnan(difference)))
    return PairedGain(gain=mean_known(paired), pairs=len(paired), unpaired=unpaired)


def mean_known(values: Sequence[float]) -> float:
    """The mean of the values that are there; NaN says that one is not, or that none is.

    Example:
        >>> mean_known([1.0, math.nan, 2.0])
        1.5
    """
    known = [value for value in values if not math.isnan(value)]
    return math.fsum(known) / len(known) if known else math.nan
