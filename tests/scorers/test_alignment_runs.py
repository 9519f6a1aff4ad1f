"""Alignment over whole runs: several judges, arms, agents of another make, epochs and groups."""

import math

import pytest
from inspect_ai.dataset import Sample
from inspect_ai.log import EvalLog
from inspect_ai.solver import TaskState

from idrbench_inspect.scorers.report_alignment import report_alignment
from tests import logged_runs as runs
from tests.judging.scripted import GRADE, Grader, Reply, grades
from tests.scorers.bench import CUT, INSTRUMENTS, REPORT, TARGETS, Bench, f1, output, said, score_of, values


def test_repeats_give_a_spread_and_several_judges_an_agreement(bench: Bench) -> None:
    unsteady = Grader(**{GRADE: [grades(4), grades(4), grades(4), grades(2), grades(4)]})
    other = Grader(**{GRADE: [grades(4), grades(4), grades(4), grades(*(1, 2, 3, 4) * 2)]})
    judges = [unsteady.model(), other.model()]
    score = score_of(bench.run({"bees": REPORT}, report_alignment(**INSTRUMENTS, judge_repeats=2), grader=judges))
    found = values(score)
    assert found["llm_acs"] == pytest.approx(75)
    assert found["acs_spread"] == pytest.approx(50 / math.sqrt(2))
    assert found["acs_alpha"] < 1
    assert len(said(score, "judges")) == 2


def test_the_full_query_as_input_is_judged_by_the_same_aspects(bench: Bench) -> None:
    (plain,), (full,) = bench.samples("bees"), bench.samples("bees")
    assert full.metadata
    full.input, full.id = full.metadata["source_query"], "bees.full_query"
    full.metadata |= {"arm": "full_query"}
    log = bench.run({"bees": REPORT}, samples=[plain, full])
    assert said(score_of(log, 0), "aspects_sha256") == said(score_of(log, 1), "aspects_sha256")
    assert bench.judge.counts == (1, 1, 5)
    del full.metadata["query"]
    old = score_of(bench.run({"bees": REPORT}, samples=[full]))
    assert said(old, "unscored")["llm_acs"].startswith("no_intent: ")


def test_an_agent_of_another_make_is_scored_as_far_as_its_samples_tell(bench: Bench) -> None:
    async def play(state: TaskState) -> None:
        state.output = output(REPORT)

    samples = [Sample(id="x", input="Q", target=TARGETS["bees"])]
    log = runs.run_eval(play, report_alignment(**INSTRUMENTS), samples, model_roles={"grader": bench.judge.model()})
    found = values(score_of(log))
    assert found["sentence_f1"] == pytest.approx(f1("bees", "report", 0.6))
    assert set(said(score_of(log), "unscored")) == {"llm_acs", "control", "average_alignment"}
    assert math.isnan(found["report_cut"])
    assert metric(log, "report_similarity", "aligned_mean") == found["report_similarity"]


def metric(log: EvalLog, key: str, name: str) -> float:
    found = {given.rpartition("/")[2]: value.value for given, value in runs.result(log, key).metrics.items()}
    return found[name]


def test_epochs_are_reduced_and_an_unscored_one_is_left_out(bench: Bench) -> None:
    replies: list[Reply] = [*[grades(4)] * 3, *["nonsense"] * 3, grades(2)]
    bench.judge = Grader(**{GRADE: replies})
    log = bench.run({"bees": REPORT}, epochs=2, max_samples=1)
    assert log.samples
    each = [values(score_of(log, number))["llm_acs"] for number in range(2)]
    assert math.isnan(each[0])
    assert metric(log, "llm_acs", "aligned_mean") == each[1] == pytest.approx(50)
    row = runs.result(log, "average_alignment")
    assert (row.scored_samples, row.unscored_samples) == (1, 0)


def test_groups_have_means_of_their_own(bench: Bench) -> None:
    log = bench.run({"bees": REPORT, "fares": REPORT, "tea": TARGETS["tea"]})
    near = [values(score_of(log, number))["report_similarity"] for number in range(3)]
    assert metric(log, "report_similarity", "aligned_mean") == pytest.approx(sum(near) / 3)
    assert metric(log, "report_similarity", "means_by_group_topic:Nature") == pytest.approx((near[0] + near[2]) / 2)
    assert metric(log, "report_similarity", "means_by_group_topic:Money") == pytest.approx(near[1])
    assert metric(log, "report_similarity", "means_by_group_language:en") == pytest.approx(sum(near) / 3)


def test_a_report_that_was_cut_is_marked_and_said(bench: Bench) -> None:
    cut, whole = bench.score(CUT), bench.score(REPORT)
    assert (values(cut)["report_cut"], values(whole)["report_cut"]) == (1, 0)
    assert "the report was cut at the output limit" in str(cut.explanation)
    assert "was cut" not in str(whole.explanation)
