"""A copy of the target in the corpus is found, named, and kept apart; what is blocked is a task parameter."""

import math
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest
from inspect_ai import Task, score
from inspect_ai.log import EvalLog

from idrbench_inspect.autonomous import autonomous
from idrbench_inspect.blocklist import Blocklist
from idrbench_inspect.interactive import interactive
from idrbench_inspect.paired import paired
from idrbench_inspect.reports import reports
from idrbench_inspect.scorers.alignment_keys import HEADLINE, UNCONTAMINATED
from idrbench_inspect.scorers.report_alignment import report_alignment
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
