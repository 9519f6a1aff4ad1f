"""Metrics over alignment: what must not be averaged, what has no group, and a threshold that does not fit."""

import math
from typing import Any, cast

import pytest
from inspect_ai.scorer import MetricProtocol, SampleScore, Score, Value

from idrbench_inspect.scorers.aligned_mean import aligned_mean, means_by_arm, means_by_group, tau_warnings
from idrbench_inspect.scorers.paired import own_gains, paired

ALIKE = {"embedder": "e1", "tau": "0.8 normalised", "segmentation": "s1", "judge": "j1", "aspects": "a1"}


NAME = "gain:interactive-autonomous"


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


def of_revision(revision: str, value: float, **about: Any) -> SampleScore:
    found = sample(value, **about)
    assert found.sample_metadata
    found.sample_metadata["dataset_revision"] = revision
    return found


def test_samples_of_two_revisions_of_the_dataset_have_neither_mean_nor_gain(caplog: pytest.LogCaptureFixture) -> None:
    old, new = of_revision("rev-one", 10), of_revision("rev-two", 30, task="tea")
    assert math.isnan(number(aligned_mean([]), old, new))
    assert over(means_by_group([], ["language"]), old, new) == pytest.approx({"language:en": math.nan}, nan_ok=True)
    assert number(aligned_mean([]), old, of_revision("rev-one", 30, task="tea")) == 20
    said = [record.message for record in caplog.records if "rev-one and rev-two" in record.message]
    assert len(said) <= 1
    asked = of_revision("rev-two", 50, arm="interactive")
    found = over(paired("autonomous", []), old, asked)
    assert isinstance(found, dict)
    assert math.isnan(float(cast(float, found[NAME])))


def in_arms(value: float, arm: str, task: str = "bees") -> SampleScore:
    found = sample(value, task, arm)
    assert found.sample_metadata
    found.sample_metadata["arms"] = ["autonomous", "interactive"]
    return found


def test_a_log_of_several_arms_has_a_mean_of_each_and_none_over_all() -> None:
    both = [in_arms(10, "autonomous"), in_arms(20, "autonomous", "tea"), in_arms(40, "interactive")]
    assert over(means_by_arm([]), *both) == {
        "mean:autonomous": 15, "samples:autonomous": 2, "mean:interactive": 40, "samples:interactive": 1,
    }  # fmt: skip
    assert math.isnan(number(aligned_mean([]), *both))
    assert over(means_by_group([]), *both) == {}
    assert over(means_by_arm([]), sample(1), sample(2, "tea")) == {}
    mixed = [*both, sample(5, "fares", "interactive", judge="j2")]
    found = over(means_by_arm(["judge"]), *mixed)
    assert isinstance(found, dict)
    assert (found["mean:autonomous"], math.isnan(float(cast(float, found["mean:interactive"])))) == (15, True)


def test_an_arm_without_a_value_is_no_arm_that_was_not_run() -> None:
    one_side = [in_arms(0, "autonomous"), in_arms(0, "autonomous", "tea")]
    assert math.isnan(number(aligned_mean([]), *one_side))
    assert over(means_by_arm([]), *one_side) == pytest.approx(
        {"mean:autonomous": 0, "samples:autonomous": 2, "mean:interactive": math.nan, "samples:interactive": 0},
        nan_ok=True,
    )
    assert over(own_gains([]), *one_side) == pytest.approx(
        {NAME: math.nan, "pairs:interactive-autonomous": 0, "unpaired:interactive-autonomous": 2}, nan_ok=True
    )


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
    assert "4 of 4 tasks is above 98 of 100" in said


def test_a_threshold_that_one_arm_saturates_is_told_though_the_other_hides_it(caplog: pytest.LogCaptureFixture) -> None:
    hidden = [at_level(60, 0.0, embedder="by arm") for _ in range(4)]
    saturated = [at_level(100, 0.0, embedder="by arm") for _ in range(4)]
    for arm, members in (("autonomous", hidden), ("interactive", saturated)):
        for member in members:
            member.sample_metadata = {**(member.sample_metadata or {}), "arm": arm}
    assert number(tau_warnings("chunk_f1"), *hidden, *saturated) == 1
    (said,) = [record.message for record in caplog.records]
    assert said.startswith("chunk_f1, over the 4 samples of interactive so far: ")


def test_another_complaint_about_the_same_threshold_is_said_as_well(caplog: pytest.LogCaptureFixture) -> None:
    number(tau_warnings("chunk_f1"), *(at_level(1, 0.0, embedder="changing") for _ in range(3)))
    number(tau_warnings("chunk_f1"), *(at_level(100, 0.0, embedder="changing") for _ in range(5)))
    assert ["below 5 of 100" in record.message for record in caplog.records] == [True, False]


def test_a_threshold_that_fits_and_a_run_that_has_just_begun_are_quiet(caplog: pytest.LogCaptureFixture) -> None:
    assert number(tau_warnings("chunk_f1"), *(at_level(60, 0.0, embedder="fits") for _ in range(4))) == 0
    assert number(tau_warnings("chunk_f1"), at_level(100, 0.0, embedder="begun")) == 1
    assert caplog.records == []
