"""The door that scores a file of reports: which file it takes, and what it leaves."""

import json
import math
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Task, eval
from inspect_ai.dataset import Sample

from idrbench_inspect.articles import given_articles, read_articles
from idrbench_inspect.reports import reports
from idrbench_inspect.scorers.alignment_keys import UNCONTAMINATED
from idrbench_inspect.scorers.reported import NO_REPORT
from tests import door_runs as doors
from tests.test_front_doors_refused import sentence

MINI = {"profile": "mini", "subset": "quick"}


def write(file: Path, *rows: Any) -> str:
    file.write_text("\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows), encoding="utf-8")
    return str(file)


def test_reports_are_scored_like_those_of_a_run_and_nobody_is_asked_but_the_judge(tmp_path: Path) -> None:
    run = doors.mini("autonomous")
    first, *_ = given = [(name, text) for name, text in doors.reports(run).items() if text][:2]
    file = write(
        tmp_path / "r.jsonl",
        *({"id": n, "article": t, "prompt": "x"} for n, t in given),
        {"id": "zh-tea", "article": ""},
    )
    log = doors.run("idrbench_inspect/reports", model=None, task_args={**MINI, "reports": file})
    assert log.eval.model == "none/none"
    found = {str(sample.id): sample for sample in doors.samples(log)}
    of_run = {str(sample.id): doors.scored(sample, "report_alignment") for sample in doors.samples(run)}
    here = doors.scored(found[first[0]], "report_alignment")
    differ = {key for key in here if here[key] != of_run[first[0]][key] and not math.isnan(of_run[first[0]][key])}
    assert differ == {"report_cut", *UNCONTAMINATED.values()}  # what another agent read is unknown
    assert {call.role for sample in found.values() for call in doors.calls(sample)} == {"grader"}
    assert doors.scored(found["zh-tea"], "report_alignment")["average_alignment"] == 0
    left_out = next(sample for name, sample in found.items() if name not in {"zh-tea", *dict(given)})
    assert left_out.scores
    assert left_out.scores["report_alignment"].reason == "no_report"
    assert log.results
    counts = {s.name: (s.scored_samples, s.unscored_samples) for s in log.results.scores}
    assert counts["average_alignment"] == (3, 1)


@pytest.mark.parametrize(
    ("rows", "wanted"),
    [
        (["nonsense"], "line 1: not JSON"),
        (["[1]"], "line 1: got [1], a row must be one JSON object"),
        (['{"id": "zh-tea", "id": "zh-porcelain", "article": "x"}'], "line 1: the field id occurs twice in one object"),
        ([{"id": "zh-tea"}], "line 1: the field article is missing"),
        ([{"article": "x"}], "line 1: the field id is missing"),
        ([{"id": True, "article": "x"}], "line 1: the field id is missing or no text or a whole number"),
        ([{"id": "zh-tea", "article": 3}], "line 1: the field article is missing or no text"),
        ([{"id": "zh-tea", "article": "x"}, {"id": "zh-tea", "article": "y"}], "line 2: the id 'zh-tea' occurs twice"),
        ([{"id": "zh-coffee", "article": "x"}], "line 1: no task of the dataset has the id 'zh-coffee'"),
        ([{"id": "zh-porcelain", "article": "x"}], "no report on any task that was chosen (4)"),
        (
            [{"id": "zh-tea", "article": "a\ud800"}],
            "line 1: the article of 'zh-tea' cannot be used: it must not hold half",
        ),
        ([{"id": "zh-tea", "article": "a\0"}], "line 1: the article of 'zh-tea' cannot be used: it must not hold the"),
        ([""], "holds no report"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused(tmp_path: Path, rows: list[Any], wanted: str) -> None:
    assert wanted in sentence(reports, subset="quick", reports=write(tmp_path / "r.jsonl", *rows))


def test_a_file_that_is_not_there_and_bad_instruments_are_refused(tmp_path: Path) -> None:
    assert "give -T reports=FILE" in sentence(reports)
    assert "cannot be read" in sentence(reports, reports="no/where.jsonl")
    file = write(tmp_path / "r.jsonl", {"id": "zh-tea", "article": "茶"})
    assert "less than chunk_tokens" in sentence(reports, reports=file, chunk_tokens=10)
    assert "'report' is unknown" in sentence(reports, report=file)


def test_the_solver_hands_in_what_the_file_holds_and_marks_what_it_lacks(tmp_path: Path) -> None:
    file = write(tmp_path / "r.jsonl", {"id": "a", "article": "Bees."})
    samples = [Sample(id=name, input="Q", target="t", metadata={"task": name}) for name in "ab"]
    (log,) = eval(
        Task(dataset=samples, solver=given_articles(file)), model=None, display="log", log_dir="memory://articles"
    )
    assert log.samples
    assert [sample.output.completion for sample in log.samples] == ["Bees.", ""]
    assert [NO_REPORT in sample.store for sample in log.samples] == [False, True]


def test_a_number_and_its_text_are_one_id(tmp_path: Path) -> None:
    file = write(tmp_path / "r.jsonl", {"id": 7, "article": "seven"}, {"id": "8", "article": "eight"})
    assert read_articles(file, ["7", "8"]) == {"7": "seven", "8": "eight"}
    twice = write(tmp_path / "t.jsonl", {"id": 7, "article": "seven"}, {"id": "7", "article": "eight"})
    with pytest.raises(ValueError, match="'7' occurs twice"):
        read_articles(twice)
