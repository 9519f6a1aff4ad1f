"""Front doors over rows that are joined with public files: what the log says, and the arm that has to know more."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from inspect_ai import Task

from idrbench_inspect.autonomous import autonomous
from idrbench_inspect.errors import BadInput
from idrbench_inspect.interactive import interactive
from idrbench_inspect.paired import paired
from tests import door_runs as doors
from tests.dataset import small
from tests.dataset.server import Server

CORPUS = f"corpus:{doors.MINI / 'corpus' / 'en-chess'}"


@pytest.fixture
def given(server: Server, tmp_path: Path) -> dict[str, str]:
    """Parameters of a run over the three rows, one of which has no report."""
    (tmp_path / "mine.jsonl").write_bytes(
        small.lines({"id": 2, "article": "# Mine\n\nNorway."}, {"id": "3", "article": "x"})
    )
    where = small.written(tmp_path / "rows")
    return {"profile": "mini", "dataset": where, "search": CORPUS, "reports": str(tmp_path / "mine.jsonl")}


@pytest.mark.parametrize("door", [interactive, autonomous, paired])
def test_every_door_says_what_is_left_out_and_logs_it(
    door: Callable[..., Task], given: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    task = door(**given)
    assert "rows: 1 row has no report and is left out: 1." in capsys.readouterr().err
    joined = (task.metadata or {})["dataset_joined"]
    assert joined["left_out"] == ["1"]
    assert joined["files"].keys() == {"query.jsonl", "mine.jsonl"}
    assert {sample.metadata["task"] for sample in task.dataset if sample.metadata} == {"2", "3"}


def test_public_reports_come_from_a_local_folder(given: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "query.jsonl").write_bytes(small.query_lines())
    (tmp_path / "reference.jsonl").write_bytes(small.reference_lines())
    task = autonomous(**{name: value for name, value in given.items() if name != "reports"}, data_dir=str(tmp_path))  # type: ignore[arg-type]  # texts alone
    assert [sample.target for sample in task.dataset] == list(small.REPORTS.values())


def test_volunteered_refuses_where_a_preference_is_unknown(given: dict[str, str], tmp_path: Path) -> None:
    arms = "autonomous,volunteered"
    with pytest.raises(BadInput, match=r"task '2' has 1 of 1 that nobody has read in its report; leave the arm out"):
        paired(arms=arms, **given)  # type: ignore[arg-type]  # texts alone
    small.written(tmp_path / "rows", small.row("2", ambiguity=[]), small.row("3", ambiguity=[]))
    assert paired(arms=arms, **given)  # type: ignore[arg-type]  # texts alone


def test_own_reports_and_public_files_exclude_each_other() -> None:
    for name in ("data_dir", "reports"):
        with pytest.raises(BadInput, match=re.escape(f"so {name}= has no meaning")):
            autonomous(profile="mini", **{name: "x"})  # type: ignore[arg-type]  # texts alone


def test_a_run_over_joined_rows_is_scored_against_the_given_report(given: dict[str, str]) -> None:
    log = doors.run("idrbench_inspect/autonomous", task_args={**given, "supervisor_iterations": 1, "shard": "1/2"})
    sample = doors.only(log)
    assert doors.record(sample).report
    assert sample.metadata["target_origin"]["system"] == f"given by the user: {given['reports']}"
