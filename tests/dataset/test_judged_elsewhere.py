"""Readings of other reports than those of the run, and readings that are not there: what is known, and what is said."""

from pathlib import Path
from typing import Any

import pytest

from idrbench_inspect.dataset import ResearchTask, load
from idrbench_inspect.dataset.points import JudgedPoint
from idrbench_inspect.interactive import interactive
from tests import door_runs as doors
from tests.dataset import small
from tests.dataset.server import Server
from tests.dataset.test_points import file_of, line

CORPUS = f"corpus:{doors.MINI / 'corpus' / 'en-chess'}"
JUDGED = small.POINT | {"preference": "Norway", "shown_in": "In Norway."}


def reading(task: ResearchTask) -> dict[str, Any]:
    """A judge's line on a task with at most one point, which its report does not answer."""
    point = JudgedPoint(id="p1", question="Which region?", reason="It names none.", answerable=False)
    return line(task, points=[point.model_dump(mode="json") for _ in task.ambiguity])


def mine(folder: Path, *names: str) -> str:
    path = folder / "mine.jsonl"
    path.write_bytes(small.lines(*({"id": name, "article": "Elsewhere."} for name in names)))
    return str(path)


def run(where: str, capsys: pytest.CaptureFixture[str], **given: Any) -> tuple[list[str], dict[str, Any]]:
    """What a run says before it begins, and what its log will hold of what was joined."""
    capsys.readouterr()
    task = interactive(profile="mini", dataset=where, search=CORPUS, **given)
    said = [line for line in capsys.readouterr().err.splitlines() if line.startswith("rows: ")]  # no fetching
    return said, (task.metadata or {})["dataset_joined"]


def test_readings_of_other_reports_are_said_once_and_logged(
    server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = small.written(tmp_path / "rows", small.row("1"), small.row("2"), small.row("3", ambiguity=[]))
    file_of(Path(where), *map(reading, load(where).tasks))
    said, joined = run(where, capsys)
    assert (said, joined["unjudged"]) == ([], [])
    said, joined = run(where, capsys, reports=mine(tmp_path, "1", "2", "3"))
    assert said == [
        "rows: The preferences of 2 tasks were read in another report than the one paired here, and are taken as "
        "unknown: 1, 2."
    ]
    assert joined["unjudged"] == ["1", "2"]  # 3 leaves nothing open


def test_what_a_judge_read_here_is_known_though_the_row_was_read_elsewhere(
    server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    judged = small.row("2", ambiguity=[JUDGED], report_sha256=small.sha256(small.REPORTS["2"]))
    where = small.written(tmp_path / "rows", judged)
    given = mine(tmp_path, "2")
    said, joined = run(where, capsys, reports=given)
    assert (len(said), joined["unjudged"]) == (1, ["2"])
    file_of(Path(where), reading(load(where, reports=given).tasks[0]))
    said, joined = run(where, capsys, reports=given)
    assert (said, joined["unjudged"]) == ([], [])


def test_what_the_row_says_of_this_report_is_known_though_a_judge_read_another(
    server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = mine(tmp_path, "2")
    judged = small.row("2", ambiguity=[JUDGED], report_sha256=small.sha256("Elsewhere."))
    where = small.written(tmp_path / "rows", judged)
    file_of(Path(where), reading(load(where).tasks[0]))
    said, joined = run(where, capsys, reports=given)
    assert (said, joined["unjudged"]) == ([], [])


def test_a_run_says_which_of_its_tasks_nobody_has_judged(
    server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = small.written(tmp_path / "rows")
    said, _ = run(where, capsys)
    assert said == []  # nothing was to be judged
    file_of(Path(where), reading(load(where).tasks[0]))
    said, _ = run(where, capsys)
    assert said == [
        "rows: Nobody has judged 2 of 3 tasks with points: points.jsonl has no line on 2, 3, so it is unknown which "
        "points their reports answer; judge them with `idrbench data judge` and this file as --out."
    ]
    said, _ = run(where, capsys, language="zh")
    assert said == []  # the one task of this run has been judged
