import math

import pytest
from inspect_ai import score
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput
from inspect_ai.scorer import Score
from inspect_ai.solver import TaskState

from idrbench_inspect.scorers.term_overlap import term_overlap
from tests import logged_runs as runs


def scored(play: runs.Play, target: str = "Fares rose.") -> Score:
    log = runs.run_eval(play, term_overlap(), [Sample(id="a", input="Q", target=target)])
    assert log.samples is not None
    assert log.samples[0].scores is not None, log.samples[0].error
    return log.samples[0].scores["term_overlap"]


async def reported(state: TaskState) -> None:
    runs.leave(state, report="The fare rose in 2019 [1].")


def test_the_report_against_the_target() -> None:
    found = scored(reported)
    assert found.value == {
        "term_f1": pytest.approx(80.0),
        "term_precision": pytest.approx(200 / 3),
        "term_recall": 100.0,
    }
    assert found.metadata == {"report_from": "run"}


def test_an_empty_report_scores_zero_and_no_report_is_unscored() -> None:
    async def empty(state: TaskState) -> None:
        runs.leave(state, report="")

    async def nothing(state: TaskState) -> None:
        runs.leave(state, report=None, ended_by="token limit")
        state.output = ModelOutput.from_content("m", "Fares rose.")

    assert scored(empty).value == {"term_f1": 0.0, "term_precision": 0.0, "term_recall": 0.0}
    missing = scored(nothing)
    assert isinstance(missing.value, float)
    assert math.isnan(missing.value)
    assert missing.explanation == "There is no report: the run ended by token limit."


def test_an_agent_that_is_not_ours_is_scored_by_its_output() -> None:
    async def foreign(state: TaskState) -> None:
        state.output = ModelOutput.from_content("m", "Fares rose.")

    async def silent(state: TaskState) -> None:
        state.output = ModelOutput.from_content("m", " ")

    found = scored(foreign)
    assert isinstance(found.value, dict)
    assert (found.value["term_f1"], found.metadata) == (100.0, {"report_from": "output"})
    silence = scored(silent).value
    assert isinstance(silence, dict)
    assert silence["term_f1"] == 0.0


def test_a_run_of_ours_that_died_is_not_scored_by_leftover_output() -> None:
    async def died(state: TaskState) -> None:
        runs.settings()
        state.output = ModelOutput.from_content("m", "Fares rose.")

    assert isinstance(scored(died).value, float)


def test_a_reference_without_terms_is_unscored() -> None:
    found = scored(reported, target="# Sources\nRail")
    assert found.reason == "no_reference"


def test_unscored_samples_are_counted_and_the_stored_log_scores_alike() -> None:
    async def first_only(state: TaskState) -> None:
        runs.leave(state, report="Fares rose." if state.sample_id == "a" else None)

    samples = [Sample(id=name, input="Q", target="Fares rose.") for name in "ab"]
    log = runs.run_eval(first_only, term_overlap(), samples)
    for found in (log, score(log, term_overlap(), action="overwrite", display="log")):
        row = runs.result(found, "term_f1")
        assert (row.scored_samples, row.unscored_samples, row.metrics["idrbench_inspect/aligned_mean"].value) == (
            1,
            1,
            100.0,
        )
