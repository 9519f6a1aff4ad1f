"""A copy of the target in the corpus is found, named, and kept apart; what is blocked is a task parameter."""

import json
import math
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest
from inspect_ai import Task, score
from inspect_ai.log import EvalLog
from inspect_ai.scorer import Scorer

from idrbench_inspect.autonomous import autonomous
from idrbench_inspect.blocklist import Blocklist
from idrbench_inspect.interactive import interactive
from idrbench_inspect.paired import paired
from idrbench_inspect.reports import reports
from idrbench_inspect.scorers.alignment_keys import HEADLINE, UNCONTAMINATED
from idrbench_inspect.scorers.ambiguity_found import ambiguity_found
from idrbench_inspect.scorers.llm_acs import llm_acs
from idrbench_inspect.scorers.multi_granularity_f1 import multi_granularity_f1
from idrbench_inspect.scorers.report_alignment import report_alignment
from idrbench_inspect.scorers.report_similarity import report_similarity
from idrbench_inspect.scorers.term_overlap import term_overlap
from tests import door_runs as doors
from tests.test_front_doors_refused import sentence

Door = Callable[..., Task]
COPY = "https://mirror.example.org/answers/1"


@cache
def planted(**args: Any) -> EvalLog:
    """Two tasks in a corpus that holds a copy of one's report under other headings, with other breaks, uncited."""
    folder = doors.copy_of_mini(Path(mkdtemp()) / "mini")
    row = next(doors.rows())
    lines = row["report"].replace("## ", "## More about ").split("\n")
    text = "\n".join(line for line in lines if not line.startswith("["))
    for number in range(40):
        text = text.replace(f" [{number}]", "").replace(f"[{number}]", "")
    head = f"---\nurl: {COPY}\ntitle: {row['query'][:60].strip()}\n---\n"
    document = folder / "corpus" / row["id"] / "99-copy.md"
    document.write_text(head + text.replace(". ", ".\n"), encoding="utf-8")
    given = {"profile": "mini", "subset": "quick", "language": "en", "dataset": str(folder), **args}
    return doors.run("idrbench_inspect/autonomous", task_args=given)


def means(log: EvalLog, key: str) -> tuple[float, tuple[int | None, int | None]]:
    """The mean of a key, and how many samples are scored and unscored."""
    assert log.results
    (row,) = (row for row in log.results.scores if row.name == key)
    mean = next(metric.value for name, metric in row.metrics.items() if name.endswith("mean"))
    return float(mean), (row.scored_samples, row.unscored_samples)


def rests_on(log: EvalLog, key: str) -> float:
    """What is printed beside the mean of a key: how many samples it is over."""
    assert log.results
    (row,) = (row for row in log.results.scores if row.name == key)
    return next(metric.value for name, metric in row.metrics.items() if name.endswith("samples"))


def test_a_copy_of_the_target_is_named_and_the_headline_is_given_with_and_without() -> None:
    log = planted()
    bicycle, trees = doors.samples(log)
    value = doors.scored(bicycle, "contamination")
    assert (value["contaminated"], value["pages_overlapping"]) == (1, 1)
    assert value["highest_overlap"] > 75
    assert bicycle.scores
    assert bicycle.scores["contamination"].metadata
    assert bicycle.scores["contamination"].metadata["pages"][0]["url"] == COPY
    assert doors.scored(trees, "contamination")["contaminated"] == 0
    for key in HEADLINE:
        own, other = (doors.scored(sample, "report_alignment")[key] for sample in (bicycle, trees))
        (both, counts), (alone, of_these) = means(log, key), means(log, UNCONTAMINATED[key])
        assert (counts, of_these) == ((2, 0), (1, 1))
        assert (rests_on(log, key), rests_on(log, UNCONTAMINATED[key])) == (2, 1)
        assert both == pytest.approx((own + other) / 2)
        assert alone == pytest.approx(other)
    assert bicycle.scores["report_alignment"].metadata
    assert bicycle.scores["report_alignment"].metadata["contaminated"] is True
    assert COPY in (bicycle.scores["report_alignment"].explanation or "")


def test_contaminated_samples_are_left_out_by_option_with_the_reason_and_what_was_measured() -> None:
    log = planted()
    again = score(log, report_alignment(exclude_contaminated=True), action="overwrite", display="none")
    bicycle, trees = doors.samples(again)
    assert all(math.isnan(value) for value in doors.scored(bicycle, "report_alignment").values())
    assert bicycle.scores
    assert bicycle.scores["report_alignment"].reason == "contaminated"
    assert bicycle.scores["report_alignment"].metadata
    before = doors.scored(doors.samples(log)[0], "report_alignment")
    excluded = bicycle.scores["report_alignment"].metadata["excluded"]
    assert excluded["average_alignment"] == before["average_alignment"]
    own = doors.scored(trees, "report_alignment")["average_alignment"]
    mean, counts = means(again, "average_alignment")
    assert mean == pytest.approx(own)
    assert counts == (1, 1)
    assert (rests_on(again, "average_alignment"), rests_on(again, "average_alignment_uncontaminated")) == (1, 1)
    said = bicycle.scores["report_alignment"].explanation or ""
    assert said.startswith(f"Unscored: excluded, the sample is contaminated: {COPY} holds ")
    assert said.lower().count("contaminated") == 1


EVERY_MEASURE = [report_alignment, report_similarity, multi_granularity_f1, llm_acs, term_overlap]


@pytest.mark.parametrize("made", EVERY_MEASURE)
def test_what_is_nearness_to_the_target_is_left_out_and_kept_aside(made: Callable[..., Scorer]) -> None:
    with_it, without = (
        [[*(sample.scores or {}).values()][-1] for sample in doors.samples(again)]
        for again in (
            score(planted(), made(exclude_contaminated=exclude), action="append", display="none")
            for exclude in (False, True)
        )
    )
    values = without[0].value.values() if isinstance(without[0].value, dict) else [without[0].value]
    assert all(isinstance(value, float) and math.isnan(value) for value in values)
    assert without[0].reason == "contaminated"
    assert isinstance(with_it[0].value, dict)
    known = {key: value for key, value in with_it[0].value.items() if not math.isnan(float(str(value)))}
    assert (without[0].metadata or {})["excluded"] == known
    assert json.dumps(without[1].value) == json.dumps(with_it[1].value)


def test_cost_and_questions_of_a_contaminated_sample_stand_as_they_were_paid_and_put() -> None:
    log = planted(exclude_contaminated=True)
    bicycle, _ = doors.samples(log)
    assert math.isnan(doors.scored(bicycle, "report_alignment")["average_alignment"])
    assert doors.scored(bicycle, "interaction_cost")["model_calls"] > 0
    assert (rests_on(log, "average_alignment"), rests_on(log, "turns")) == (1, 2)
    asked = score(log, ambiguity_found(), action="append", display="none")
    assert (rests_on(asked, "points_asked_share"), rests_on(asked, "points_answered_share")) == (2, 2)
    terms = score(log, term_overlap(), action="append", display="none")
    assert rests_on(terms, "term_f1") == 1  # as in the run


def test_a_log_that_nobody_has_looked_at_is_unknown_and_not_clean() -> None:
    log = planted().model_copy(deep=True)
    for sample in doors.samples(log):
        sample.store = {key: value for key, value in sample.store.items() if "contaminated" not in key}
    again = score(log, report_alignment(exclude_contaminated=True), action="overwrite", display="none")
    for sample in doors.samples(again):
        assert sample.scores
        scored = sample.scores["report_alignment"]
        assert scored.metadata
        assert scored.metadata["contaminated"] is None
        assert "nobody has looked" in scored.metadata["contamination"]
    assert means(again, "average_alignment")[1] == (2, 0)
    assert means(again, "average_alignment_uncontaminated")[1] == (0, 2)


def test_a_blocked_copy_is_not_read() -> None:
    log = planted(blocked_domains="mirror.example.org/answers")
    bicycle, _ = doors.samples(log)
    value = doors.scored(bicycle, "contamination")
    assert (value["contaminated"], value["pages_blocked"]) == (0, 0)
    assert value["pages_dropped"] > 0
    assert {loss.subject for loss in doors.record(bicycle).losses if loss.kind == "skipped"} == {COPY}
    assert not any(COPY in shown for shown in doors.prompts(bicycle))


def test_the_corpus_of_mini_holds_no_copy() -> None:
    for sample in doors.samples(doors.mini("interactive")):
        value = doors.scored(sample, "contamination")
        assert (value["contaminated"], value["pages_overlapping"], value["pages_dropped"]) == (0, 0, 0)
        assert value["pages_checked"] > 5
        found = doors.scored(sample, "ambiguity_found")
        assert found["points"] == len(sample.metadata["ambiguity"])
        assert found["questions"] == sum(len(turn.questions) for turn in doors.record(sample).exchanges)


def test_autonomous_asks_nothing_so_what_it_found_by_asking_is_not_scored() -> None:
    for sample in doors.samples(doors.mini("autonomous")):
        assert set(sample.scores or {}) == {"contamination", "report_alignment", "interaction_cost"}


@pytest.mark.parametrize("door", [interactive, autonomous, paired])
def test_what_is_blocked_stands_in_task_and_samples(door: Door) -> None:
    for given, wanted in ((None, Blocklist.of().entries), ("none", ()), ("a.example, b.example/x", None)):
        task = door(profile="mini", subset="quick", blocked_domains=given)
        entries = list(("a.example", "b.example/x") if wanted is None else wanted)
        assert task.metadata
        assert task.metadata["blocked_domains"] == entries
        assert {str(sample.metadata["blocked_domains"]) for sample in task.dataset if sample.metadata} == {
            str(entries or "none")
        }


@pytest.mark.parametrize("door", [interactive, autonomous, paired, reports])
def test_choices_about_contamination_that_cannot_be_used_are_refused(door: Door) -> None:
    assert "host or host/path" in sentence(door, blocked_domains="nowhere")
    assert "true or false" in sentence(door, exclude_contaminated="perhaps")
