"""`paired`: a sample per task and arm, next to each other, and the gains over `autonomous`."""

import math
from typing import Any

import click
import pytest
from inspect_ai import score
from inspect_ai.log import EvalLog

from idrbench_inspect.arms import ARMS
from idrbench_inspect.dataset import load
from idrbench_inspect.interactive import interactive
from idrbench_inspect.judging.asked_points import ASKING
from idrbench_inspect.paired import paired
from idrbench_inspect.records import STAGES
from idrbench_inspect.scorers.ambiguity_found import ambiguity_found
from idrbench_inspect.scorers.interaction_cost import interaction_cost
from idrbench_inspect.scorers.llm_acs import llm_acs
from idrbench_inspect.scorers.multi_granularity_f1 import multi_granularity_f1
from idrbench_inspect.scorers.term_overlap import term_overlap
from tests import door_runs as doors
from tests.judging.scripted import Grader

SHORT = {"profile": "mini", "subset": "quick", "supervisor_iterations": 1, "researcher_turns": 1}
"""Short runs: here it matters who is asked and what is compared."""


def run(status: str = "success", roles: dict[str, str] | None = None, **args: Any) -> EvalLog:
    given = {**SHORT, **args}
    return doors.run("idrbench_inspect/paired", status=status, task_args=given, model_roles=roles or {})


def gains(log: EvalLog, key: str = "average_alignment") -> dict[str, float]:
    assert log.results is not None
    (found,) = (score for score in log.results.scores if score.name == key)
    return {metric.name: metric.value for metric in found.metrics.values() if metric.group == "paired"}


def gains_of(log: EvalLog, scorer: str, key: str) -> dict[str, float]:
    assert log.results is not None
    (found,) = (score for score in log.results.scores if (score.scorer, score.name) == (scorer, key))
    return {metric.name: metric.value for metric in found.metrics.values() if metric.group == "paired"}


def means_by_arm(log: EvalLog, key: str) -> dict[str, float]:
    assert log.results
    (found,) = (row for row in log.results.scores if row.name == key)
    return {metric.name: metric.value for metric in found.metrics.values() if metric.group == "means_by_arm"}


def test_the_means_are_those_of_each_arm_and_none_is_over_all_arms() -> None:
    log = run(language="en")
    for key, scorer in (("average_alignment", "report_alignment"), ("turns", "interaction_cost")):
        found = means_by_arm(log, key)
        for arm in ("autonomous", "interactive"):
            of_arm = [doors.scored(s, scorer)[key] for s in doors.samples(log) if doors.record(s).arm == arm]
            assert found[f"mean:{arm}"] == pytest.approx(sum(of_arm) / 2)
            assert found[f"samples:{arm}"] == len(of_arm) == 2
    assert log.results
    assert not [row.name for row in log.results.scores for name in row.metrics if name.endswith("mean")]
    again = score(log, interaction_cost(), action="append", display="none")
    assert again.results
    turns = [row for row in again.results.scores if row.name == "turns"][-1]
    assert math.isnan(turns.metrics["idrbench_inspect/aligned_mean"].value)
    assert turns.metrics["idrbench_inspect/means_by_arm_mean:autonomous"].value == 0


def test_an_arm_of_which_the_judge_reads_no_sample_is_unknown_beside_the_other() -> None:
    no_reading = Grader(**{ASKING: lambda call: "no JSON"})
    log = score(
        run(language="en"),
        ambiguity_found(),
        action="append",
        model_roles={"grader": no_reading.model()},
        display="none",
    )
    assert log.results
    share = [row for row in log.results.scores if row.name == "points_asked_share"][-1]
    found = {metric.name: metric.value for metric in share.metrics.values()}
    assert (found["mean:autonomous"], found["samples:autonomous"], found["samples:interactive"]) == (0, 2, 0)
    assert (found["pairs:interactive-autonomous"], found["unpaired:interactive-autonomous"]) == (0, 2)
    for name in ("idrbench_inspect/aligned_mean", "mean:interactive", "gain:interactive-autonomous"):
        assert math.isnan(found[name])


def test_a_scorer_that_is_appended_gives_the_gains_of_the_run() -> None:
    log = run(arms="autonomous,interactive,placebo", language="en")
    for made, key in ((multi_granularity_f1, "sentence_f1"), (llm_acs, "acs_hidden"), (interaction_cost, "turns")):
        again = score(log, made(), action="append", display="none")
        assert again.results
        added = next(row.scorer for row in reversed(again.results.scores) if row.name == key)
        assert gains_of(again, added, key) == gains(log, key)
        assert len(gains(log, key)) == 9
    terms = score(log, term_overlap(), action="append", display="none")
    instead = score(log, term_overlap(), action="overwrite", display="none")
    assert gains(terms, "term_f1") == gains(instead, "term_f1")
    assert gains(instead, "term_f1")["pairs:interactive-autonomous"] == 2


def test_a_log_of_one_arm_has_no_gains_in_any_scorer() -> None:
    log = score(doors.mini("interactive"), term_overlap(), action="append", display="none")
    assert log.results
    assert not [row.name for row in log.results.scores for m in row.metrics.values() if m.group == "paired"]


def test_arms_of_a_task_stand_together_and_none_is_always_first() -> None:
    ids = [
        str(sample.id)
        for sample in paired(profile="mini", subset="quick", arms="autonomous,interactive,placebo").dataset
    ]
    triples = [[name.split(".") for name in ids[n : n + 3]] for n in range(0, len(ids), 3)]
    assert [{task for task, _ in triple} for triple in triples] == [{row["id"]} for row in doors.rows()]
    assert all({arm for _, arm in triple} == {"autonomous", "interactive", "placebo"} for triple in triples)
    assert len({triple[0][1] for triple in triples}) > 1


def test_every_arm_runs_and_is_compared() -> None:
    log = run(arms=",".join(ARMS), shard="1/4")
    found = {doors.record(sample).arm: sample for sample in doors.samples(log)}
    assert set(found) == set(ARMS)
    asked = {arm: len(doors.record(sample).exchanges) for arm, sample in found.items()}
    assert {arm for arm, turns in asked.items() if turns == 0} == {"autonomous", "volunteered", "full_query"}
    assert asked["forced"] == 3
    assert {arm for arm, sample in found.items() if doors.calls(sample, "user")} == {
        "interactive",
        "mismatched",
        "forced",
    }
    own, other = (doors.prompts(found[arm], "user")[0] for arm in ("interactive", "mismatched"))
    reports = {task.id: task.report for task in load("mini").tasks}
    assert reports["en-bicycle-history"] in own
    assert reports["en-chess"] in other
    assert reports["en-bicycle-history"] not in other
    row = next(doors.rows())
    assert row["source_query"] in doors.prompts(found["full_query"], "planner")[0]
    assert all(p["preference"] in doors.prompts(found["volunteered"], "planner")[0] for p in row["ambiguity"])
    assert doors.record(found["placebo"]).report == doors.record(found["autonomous"]).report
    asking = {arm: doors.scored(sample, "ambiguity_found") for arm, sample in found.items()}
    assert {arm for arm, value in asking.items() if value["points_asked"] == 0} == {
        "autonomous",
        "volunteered",
        "full_query",
    }
    assert {arm for arm, value in asking.items() if value["points_answered"]} == {"interactive", "mismatched", "forced"}
    for value in asking.values():
        assert value["points_asked"] == sum(value[f"first_asked_{stage}"] for stage in STAGES)
    printed = gains(log)
    assert {f"gain:{arm}-autonomous" for arm in ARMS if arm != "autonomous"} <= set(printed)
    assert (printed["gain:placebo-autonomous"], printed["pairs:placebo-autonomous"]) == (0, 1)
    assert gains(log, "turns")["gain:interactive-autonomous"] == asked["interactive"]


def test_a_sample_that_fails_in_one_arm_leaves_its_pair_out_and_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doors.Breaking, "on", ("history of the bicycle",))
    log = run("error", {"user": "breaking/extractive"}, language="en")
    broken = [sample.id for sample in doors.samples(log) if sample.error]
    assert broken == ["en-bicycle-history.interactive"]
    near = {
        str(sample.id): doors.scored(sample, "report_alignment")["average_alignment"]
        for sample in doors.samples(log)
        if not sample.error
    }
    assert gains(log) == {
        "gain:interactive-autonomous": pytest.approx(
            near["en-urban-tree-planting.interactive"] - near["en-urban-tree-planting.autonomous"]
        ),
        "pairs:interactive-autonomous": 1,
        "unpaired:interactive-autonomous": 1,
    }


@pytest.mark.parametrize(
    ("limit", "arms", "said"),
    [
        ("1", 2, True),
        ("3", 2, True),
        ("4", 2, False),
        ("9", 2, False),  # there are eight samples
        ("3-4", 2, False),
        ("2-4", 2, True),
        ("4", 3, True),
        (None, 2, False),
        ("no number", 2, False),  # which Inspect refuses
    ],
)
def test_a_limit_that_parts_the_arms_of_a_task_is_said(
    limit: str | None, arms: int, said: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    named = ",".join(["autonomous", "interactive", "placebo"][:arms])
    command = click.Command("eval", params=[click.Option(["--limit"])])
    with command.make_context("eval", ["--limit", limit] if limit else []):
        paired(profile="mini", subset="quick", arms=named)
    notice = (
        f"mini: --limit {limit} counts samples, of which every task has {arms}, one an arm, so a task is cut in two "
        f"and has no gain; give a multiple of {arms}.\n"
    )
    assert capsys.readouterr().err == (notice if said else "")
    paired(profile="mini", subset="quick", arms=named)
    assert capsys.readouterr().err == ""


def test_one_arm_may_have_any_limit(capsys: pytest.CaptureFixture[str]) -> None:
    with click.Command("eval", params=[click.Option(["--limit"])]).make_context("eval", ["--limit", "3"]):
        interactive(profile="mini", subset="quick")
    assert capsys.readouterr().err == ""
