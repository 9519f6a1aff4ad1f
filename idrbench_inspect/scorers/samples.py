"""How many samples a figure rests on."""

import math

from inspect_ai.scorer import Metric, SampleScore, Value, metric


@metric
def samples() -> Metric:
    """How many samples have a value, printed beside the mean over them; unscored and excluded ones have none."""

    def compute(scores: list[SampleScore]) -> Value:
        return float(sum(not math.isnan(sample.score.as_float()) for sample in scores))

    return compute
