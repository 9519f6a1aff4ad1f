"""How many samples a figure rests on."""

import math
from collections.abc import Sequence

from inspect_ai.scorer import Metric, SampleScore, Value, metric


@metric
def samples() -> Metric:
    """How many samples have a value, printed beside the mean over them; unscored and excluded ones have none."""

    def compute(scores: list[SampleScore]) -> Value:
        return float(count_known(scores))

    return compute


def count_known(scores: Sequence[SampleScore]) -> int:
    """How many of the samples have a value."""
    return sum(not math.isnan(sample.score.as_float()) for sample in scores)


@metric
def flagged() -> Metric:
    """How many samples have a value above 0: of several epochs, one is enough."""

    def compute(scores: list[SampleScore]) -> Value:
        return float(sum(sample.score.as_float() > 0 for sample in scores))

    return compute
