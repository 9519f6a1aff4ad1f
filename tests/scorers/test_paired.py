import math
from typing import cast

import pytest
from inspect_ai.dataset import Sample
from inspect_ai.log import EvalLog
from inspect_ai.scorer import MetricProtocol, SampleScore, Score, Scorer, Target, Value, mean, scorer
from inspect_ai.solver import TaskState

from idrbench_inspect.scorers.paired import paired
from tests import logged_runs as runs

BASE = {"a": 10.0, "b": 70.0, "c": 90.0}
ADDED = {"autonomous": 0.0, "interactive": 5.0, "placebo": -1.0}


def samples() -> list[Sample]:
    return [
        Sample(id=f"{task}:{arm}", input="Q", target="t", metadata={"task": task, "arm": arm, "language": "en"})
        for task in BASE
        for arm in ADDED
    ]


@scorer(metrics={"*": [mean(), paired()]})
def nearness() -> Scorer:
    async def measure(state: TaskState, target: Target) -> Score:
        task, arm = state.metadata["task"], state.metadata["arm"]
        value = BASE[task] + ADDED[arm] * (2 * state.epoch - 1)
        unscored = (task, arm) == ("c", "placebo")
        return Score(value={"near": math.nan if unscored else value, "far": -value})

    return measure


async def breaks_once(state: TaskState) -> None:
    if state.sample_id == "b:autonomous":
        raise RuntimeError("this sample breaks")


async def fine(state: TaskState) -> None:
    return None


def gains(log: EvalLog, key: str) -> dict[str, float]:
    metrics = runs.result(log, key).metrics
    return {found.name: found.value for found in metrics.values() if found.group == "paired"}


def test_gains_are_paired_by_task_when_a_sample_errored_on_one_side() -> None:
    log = runs.run_eval(breaks_once, nearness(), samples(), fail_on_error=False)
    assert gains(log, "far") == {
        "gain:interactive-autonomous": -5.0,
        "pairs:interactive-autonomous": 2.0,
        "unpaired:interactive-autonomous": 1.0,
        "gain:placebo-autonomous": 1.0,
        "pairs:placebo-autonomous": 2.0,
        "unpaired:placebo-autonomous": 1.0,
    }
    unpaired_difference = (15 + 75 + 95) / 3 - (10 + 90) / 2
    assert gains(log, "near")["gain:interactive-autonomous"] == 5.0 != unpaired_difference


def test_an_unscored_value_is_no_value() -> None:
    found = gains(runs.run_eval(fine, nearness(), samples()), "near")
    assert (found["gain:placebo-autonomous"], found["pairs:placebo-autonomous"]) == (-1.0, 2.0)
    assert (found["gain:interactive-autonomous"], found["pairs:interactive-autonomous"]) == (5.0, 3.0)


def test_epochs_are_one_observation_of_a_task() -> None:
    found = gains(runs.run_eval(fine, nearness(), samples(), epochs=2), "far")
    assert found["gain:interactive-autonomous"] == -10.0
    assert found["pairs:interactive-autonomous"] == 3.0


def test_a_baseline_that_is_missing_leaves_the_gain_undefined() -> None:
    only = [sample for sample in samples() if sample.metadata and sample.metadata["arm"] == "interactive"]
    found = gains(runs.run_eval(fine, nearness(), only), "far")
    assert math.isnan(found["gain:interactive-autonomous"])
    assert (found["pairs:interactive-autonomous"], found["unpaired:interactive-autonomous"]) == (0.0, 3.0)


def metric_over(*scores: SampleScore) -> Value:
    compute = cast(MetricProtocol, paired())
    return compute(list(scores))


def test_samples_without_an_arm_give_no_gain() -> None:
    assert metric_over(SampleScore(score=Score(value=1.0), sample_metadata={"task": "a"})) == {}
    assert metric_over() == {}


def test_a_dict_score_outside_the_dict_form_is_refused() -> None:
    with pytest.raises(TypeError, match="dict form"):
        metric_over(SampleScore(score=Score(value={"a": 1.0}), sample_metadata={"task": "a", "arm": "x"}))
