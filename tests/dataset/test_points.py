"""Judged points in a dataset: they come in where they were read in these texts, and otherwise not at all."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from idrbench_inspect.dataset import AmbiguityPoint, ResearchTask, TargetOrigin, load
from idrbench_inspect.dataset.points import JudgedPoint, JudgedPoints, merged, sha256_of_points, unread_points
from idrbench_inspect.errors import BadInput
from tests.dataset.small import sha256

MINI = Path(__file__).parent.parent.parent / "datasets" / "mini"
TASK = ResearchTask(
    id="a",
    language="en",
    topic="t",
    query="Moss?",
    source_query="Moss in Norway, for builders?",
    target_origin=TargetOrigin(system="s", model_family="f"),
    ambiguity=(
        AmbiguityPoint(dimension="region", question="Where", alternatives=("Norway", "Spain"), preference="By hand."),
        AmbiguityPoint(dimension="audience", question="For whom", alternatives=("builders", "gardeners")),
    ),
    report="Moss in Norway.",
)
OTHER = TASK.model_copy(update={"id": "b"})


def line(of: ResearchTask = TASK, /, **changes: Any) -> dict[str, Any]:
    judged = JudgedPoints(
        task=of.id,
        points=(
            JudgedPoint(
                id="p1",
                question="Where",
                reason="It says so.",
                answerable=True,
                span="Moss in Norway",
                preference="I want the north.",
                alternative="Norway",
            ),
            JudgedPoint(id="p2", question="For whom", reason="No reader is named.", answerable=False),
        ),
        query_sha256=sha256(of.query),
        report_sha256=sha256(of.report),
        points_sha256=sha256_of_points(of.ambiguity),
        judge="j",
        prompt_sha256="0" * 64,
    )
    return {**judged.model_dump(mode="json"), **changes}


def file_of(folder: Path, *lines: dict[str, Any]) -> Path:
    path = folder / "points.jsonl"
    path.write_text("".join(f"{json.dumps(one)}\n" for one in lines), encoding="utf-8")
    return path


def test_what_was_read_goes_before_the_row_and_an_unanswered_point_has_no_preference(tmp_path: Path) -> None:
    read = merged([TASK, OTHER], file_of(tmp_path, line()), ["a", "b"])
    first, second = read.tasks
    region, audience = first.ambiguity
    assert (region.preference, region.shown_in, region.answerable) == ("I want the north.", "Moss in Norway", True)
    assert (audience.preference, audience.answerable) == (None, False)
    assert second == OTHER
    assert (read.elsewhere, read.unread) == ((), ("b",))


@pytest.mark.parametrize(
    ("name", "said"), [("query", "another query"), ("report", "another report"), ("points", "other points")]
)
def test_a_reading_of_another_text_is_refused(tmp_path: Path, name: str, said: str) -> None:
    path = file_of(tmp_path, line(**{f"{name}_sha256": "1" * 64}))
    with pytest.raises(BadInput, match=f"'a' was judged with {said} than it has"):
        merged([TASK], path, ["a"])


def test_with_reports_of_the_users_own_a_reading_of_another_report_does_not_count(tmp_path: Path) -> None:
    path = file_of(tmp_path, line(report_sha256="1" * 64))
    read = merged([TASK], path, ["a"], given_reports=True)
    assert (read.tasks, read.elsewhere, read.unread) == ((TASK,), ("a",), ())
    with pytest.raises(BadInput, match="another query"):
        merged([TASK], file_of(tmp_path, line(query_sha256="1" * 64)), ["a"], given_reports=True)


def test_a_task_that_nobody_has_judged_is_one_with_points_alone(tmp_path: Path) -> None:
    without = OTHER.model_copy(update={"id": "c", "ambiguity": ()})
    read = merged([TASK, OTHER, without], file_of(tmp_path), ["a", "b", "c"])
    assert read.unread == ("a", "b")
    assert unread_points(read.tasks, read.unread) == (
        "Nobody has judged 2 of 2 tasks with points: points.jsonl has no line on a, b, so it is unknown which points "
        "their reports answer; judge them with `idrbench data judge` and this file as --out."
    )
    assert "Nobody has judged 1 of 1 task with points:" in (unread_points(read.tasks[1:], read.unread) or "")
    assert unread_points(read.tasks[2:], read.unread) is None


@pytest.mark.parametrize(
    ("lines", "wrong"),
    [
        ([line(), line()], "line 2.*occurs twice"),
        ([line(task="c")], "names 'c'"),
        ([line(points=[])], "another number of points"),
        ([line(judge=None)], "line 1.*judge"),
        (
            [line(points=[{"id": "p1", "question": "q", "reason": "r", "answerable": True}])],
            "line 1.*an answerable point has span",
        ),
    ],
)
def test_a_line_that_cannot_be_used_is_refused(tmp_path: Path, lines: list[dict[str, Any]], wrong: str) -> None:
    with pytest.raises(BadInput, match=wrong):
        merged([TASK], file_of(tmp_path, *lines), ["a", "b"])


def test_the_loader_takes_the_file_in_the_folder_and_its_hash_into_the_revision(tmp_path: Path) -> None:
    folder = tmp_path / "mini"
    shutil.copytree(MINI, folder)
    before = load(str(folder))
    task = next(task for task in before.tasks if task.id == "en-chess")
    held = {**line(task), "points": []}
    file_of(folder, held)
    assert load(str(folder)).revision != before.revision
    file_of(folder, {**held, "report_sha256": "1" * 64})
    with pytest.raises(BadInput, match="judged with another report"):
        load(str(folder))
