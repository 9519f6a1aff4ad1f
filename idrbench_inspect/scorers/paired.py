"""Gains over a baseline arm, for runs that hold several arms of the same tasks."""

import math
from collections.abc import Sequence

from inspect_ai.scorer import Metric, SampleScore, Value, metric

from idrbench_inspect.metrics.pairing import paired_gain
from idrbench_inspect.scorers.aligned_mean import mixed
from idrbench_inspect.scorers.arms_run import arms_of

BASELINE = "autonomous"
PLACEBO = "placebo"
"""What an arm gains over this one is what asking brings beyond the calls that it takes."""


@metric
def paired(baseline: str | Sequence[str] = BASELINE, parts: list[str] | None = None, where_run: bool = False) -> Metric:
    """The mean gain of each arm over each `baseline`, task by task, through `metrics.pairing.paired_gain`.

    For scalar scores, or for the keys of a dict score (`metrics={"*": [mean(), paired()]}`). Samples say in their
    metadata which `task` they run and in which `arm`.

    Args:
        baseline: The arm that the others are compared with, or several, in order: an earlier one is not compared
            with a later.
        parts: As of `aligned_mean`.
        where_run: Whether a baseline that was not run is passed over in silence: for the metrics of a scorer, which is
            used on logs of one arm as well.

    Returns:
        For each other arm that was run, with a value or without any (see `arms_of`), `gain:<arm>-<baseline>` in the
        unit of the score (NaN without any pair, or where samples were not measured alike, see `aligned_mean`),
        `pairs:...`, the tasks with a value on both sides, and `unpaired:...`, those with a value on one side only.
        Samples that errored or are unscored are not seen here, so a task that has neither side is not counted
        anywhere. Nothing at all where no sample with a value names a task and an arm.

    Raises:
        TypeError: it is used in a plain list beside dict scores, where Inspect would read every score as 0.
    """
    baselines = (baseline,) if isinstance(baseline, str) else tuple(baseline)

    def compute(scores: list[SampleScore]) -> Value:
        values = _by_task_and_arm(scores)
        alike = not values or not mixed(scores, parts)
        ran = arms_of(scores)
        results: dict[str, str | int | float | bool | None] = {}
        over = [against for against in baselines if against in ran or not where_run]
        pairs = [(arm, against) for n, against in enumerate(over, 1) for arm in ran if arm not in over[:n]]
        for arm, against in pairs:
            here = {task: by_arm for task, by_arm in values.items() if arm in by_arm or against in by_arm}
            found = paired_gain(here, arm, against)
            name = f"{arm}-{against}"
            results[f"gain:{name}"] = found.gain if alike else math.nan
            results[f"pairs:{name}"] = float(found.pairs)
            results[f"unpaired:{name}"] = float(len(found.unpaired))
        return results

    return compute


def own_gains(parts: list[str] | None = None) -> Metric:
    """The gains among a scorer's own metrics, so that it gives them when it is appended to a log of several arms."""
    return paired((BASELINE, PLACEBO), parts, where_run=True)


def _by_task_and_arm(scores: Sequence[SampleScore]) -> dict[str, dict[str, list[float]]]:
    values: dict[str, dict[str, list[float]]] = {}
    for sample in scores:
        if isinstance(sample.score.value, dict):
            raise TypeError('use paired() in the dict form, metrics={"*": [paired()]}, for scores with several keys')
        metadata = sample.sample_metadata or {}
        if "task" not in metadata or "arm" not in metadata:
            continue
        value = sample.score.as_float()
        if not math.isnan(value):
            values.setdefault(str(metadata["task"]), {}).setdefault(str(metadata["arm"]), []).append(value)
    return values
