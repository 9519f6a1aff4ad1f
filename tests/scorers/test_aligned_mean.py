"""Metrics over alignment: what must not be averaged, what has no group, and a threshold that does not fit."""

import math
from typing import Any, cast

import pytest
from inspect_ai.scorer import MetricProtocol, SampleScore, Score, Value

from idrbench_inspect.scorers.aligned_mean import aligned_mean, means_by_group, tau_warnings
from idrbench_inspect.scorers.paired import paired

ALIKE = {"embedder": "e1", "tau": "0.8 normalised", "segmentation": "s1", "judge": "j1", "aspects": "a1"}


def sample(value: float, task: str = "bees", arm: str = "autonomous", **changes: str) -> SampleScore:
    metadata: dict[str, Any] = {"made_by": {**ALIKE, **changes}}
    about = {"task": task, "arm": arm, "language": "en", "topic": "Nature"}
    return SampleScore(score=Score(value=value, metadata=metadata), sample_id=f"{task}.{arm}", sample_metadata=about)


def over(metric: object, *scores: SampleScore) -> Value:
    return cast(MetricProtocol, metric)(list(scores))


def number(metric: object, *scores: SampleScore) -> float:
    found = over(metric, *scores)
    assert isinstance(found, float)
    return found


@pytest.mark.parametrize(
    ("part", "other"),
    [("embedder", "e2"), ("tau", "0.5 raw"), ("segmentation", "s2"), ("judge", "j2"), ("aspects", "a2")],
)
def test_what_was_measured_in_two_ways_has_no_mean(part: str, other: str, caplog: pytest.LogCaptureFixture) -> None:
    mixed = (sample(10), sample(30, **{part: other}))
    assert math.isnan(number(aligned_mean(), *mixed))
    assert math.isnan(number(aligned_mean([part]), *mixed))
    assert number(aligned_mean(["another"]), *mixed) == 20
    assert over(means_by_group([part]), *mixed) == pytest.approx(
        {"language:en": math.nan, "topic:Nature": math.nan}, nan_ok=True
    )
    assert number(aligned_mean(), *mixed[:1]) == 10
    said = [record.message for record in caplog.records]
    assert len(said) <= 1
    assert all("have no mean" in sentence for sentence in said)


def test_gains_over_mixed_instruments_are_refused_as_well() -> None:
    mixed = (sample(10), sample(30, arm="interactive", judge="j3"))
    name = "gain:interactive-autonomous"
    whole, similarity = over(paired(), *mixed), over(paired("autonomous", ["embedder"]), *mixed)
    assert isinstance(whole, dict)
    assert isinstance(similarity, dict)
    assert math.isnan(float(cast(float, whole[name])))
    assert similarity[name] == 20


def test_aspects_are_compared_within_a_task_only() -> None:
    assert number(aligned_mean(), sample(10), sample(30, task="tea", aspects="a2")) == 20


def test_a_part_that_was_not_measured_is_no_difference() -> None:
    unjudged = sample(30)
    assert unjudged.score.metadata
    del unjudged.score.metadata["made_by"]["judge"]
    assert number(aligned_mean(), sample(10), unjudged) == 20


def test_samples_without_a_group_are_in_none() -> None:
    bare = SampleScore(score=Score(value=1.0), sample_id="x", sample_metadata=None)
    assert over(means_by_group(), bare) == {}
    assert over(means_by_group(), bare, sample(3)) == {"language:en": 3, "topic:Nature": 3}
    assert math.isnan(number(aligned_mean()))


def at_level(f1: float, control: float, **changes: str) -> SampleScore:
    found = sample(f1, **changes)
    assert found.score.metadata
    found.score.metadata["control"] = {"tasks": ["tea"], "chunk_f1": [control]}
    return found


def test_a_threshold_that_does_not_fit_is_counted_and_said_once(caplog: pytest.LogCaptureFixture) -> None:
    saturated = [at_level(100, 0.9, embedder="saturated", task=str(n)) for n in range(4)]
    assert number(tau_warnings("chunk_f1"), *saturated) == 2
    assert number(tau_warnings("chunk_f1"), *saturated) == 2
    (said,) = [record.message for record in caplog.records]
    assert said.startswith(
        "chunk_f1, over the 4 samples so far: tau does not fit this embedder: reports reach a mean F1"
    )
    assert "4 of 4 tasks is above 0.98" in said


def test_another_complaint_about_the_same_threshold_is_said_as_well(caplog: pytest.LogCaptureFixture) -> None:
    number(tau_warnings("chunk_f1"), *(at_level(1, 0.0, embedder="changing") for _ in range(3)))
    number(tau_warnings("chunk_f1"), *(at_level(100, 0.0, embedder="changing") for _ in range(5)))
    assert ["below 0.05" in record.message for record in caplog.records] == [True, False]


def test_a_threshold_that_fits_and_a_run_that_has_just_begun_are_quiet(caplog: pytest.LogCaptureFixture) -> None:
    assert number(tau_warnings("chunk_f1"), *(at_level(60, 0.0, embedder="fits") for _ in range(4))) == 0
    assert number(tau_warnings("chunk_f1"), at_level(100, 0.0, embedder="begun")) == 1
    assert caplog.records == []
