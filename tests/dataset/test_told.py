"""What a user is told before a run: what is left out, what is not scored, and what to give, by the names used there."""

import json
from pathlib import Path

import pytest

from idrbench_inspect.autonomous import autonomous
from idrbench_inspect.dataset import public
from idrbench_inspect.judging.drb import WHERE
from idrbench_inspect.reports import reports
from tests import door_runs as doors
from tests.dataset import small
from tests.dataset.server import Server
from tests.test_front_doors_refused import sentence

CORPUS = f"corpus:{doors.MINI / 'corpus' / 'en-chess'}"


def file_of(folder: Path, *names: str) -> str:
    path = folder / "r.jsonl"
    path.write_text("".join(f"{json.dumps({'id': name, 'article': 'x'})}\n" for name in names), encoding="utf-8")
    return str(path)


def test_reports_of_second_users_who_take_no_part_are_named_in_one_notice(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = file_of(tmp_path, "zh-tea", "en-beekeeping-second", "zh-porcelain-second")
    reports(profile="mini", reports=file)
    (notice,) = capsys.readouterr().err.splitlines()
    assert notice == (
        "mini: 2 of 3 reports are not scored: 2 tasks were not chosen (en-beekeeping-second, zh-porcelain-second), of "
        "which 2 are of second users, who take part only where a subset names them (subset=pairs)."
    )
    reports(profile="mini", subset="pairs", reports=file)
    assert "1 of 3 reports is not scored: 1 task was not chosen (zh-tea).\n" in capsys.readouterr().err
    reports(profile="mini", subset="pairs", reports=file_of(tmp_path, "en-beekeeping-second"))
    assert capsys.readouterr().err == ""


def test_reports_on_tasks_without_a_target_are_named_and_not_refused(
    server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = small.written(tmp_path / "rows")
    targets = tmp_path / "targets.jsonl"
    targets.write_bytes(small.lines({"id": 2, "article": "In Norway."}, {"id": 3, "article": "Town by town."}))
    given = {"profile": "mini", "dataset": where, "targets": str(targets)}
    task = reports(**given, language="en", shard="1/2", reports=file_of(tmp_path, "1", "2", "3"))  # type: ignore[arg-type]  # texts alone
    (only,) = task.dataset
    other = {"2": "3", "3": "2"}[str(only.id)]
    notices = [said for said in capsys.readouterr().err.splitlines() if said.startswith("rows: ")]
    assert notices == [
        "rows: 1 row has no report and is left out: 1.",
        f"rows: 2 of 3 reports are not scored: 1 task was not chosen ({other}); 1 task has no target (1).",
    ]
    said = sentence(reports, **given, reports=file_of(tmp_path, "1"))
    assert "holds no report on any task that was chosen (2); choose others." in said
    assert "no task of the dataset has the id '9'" in sentence(reports, **given, reports=file_of(tmp_path, "2", "9"))


def test_an_incomplete_subset_is_told_before_a_run(
    server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = small.written(tmp_path / "rows")
    (Path(where) / "subsets.yaml").write_text("2: [1, 2]\n1: [2]\n", encoding="utf-8")
    given = file_of(tmp_path, "2", "3")
    autonomous(profile="mini", dataset=where, search=CORPUS, reports=given, subset=2)
    assert "rows: The subset 2 is incomplete: 1 of its 2 rows has no report" in capsys.readouterr().err
    autonomous(profile="mini", dataset=where, search=CORPUS, reports=given, subset=1)
    assert "incomplete" not in capsys.readouterr().err
    said = sentence(autonomous, profile="mini", dataset=where, search=CORPUS, reports=given, subset=30)
    assert "are 1, 2 (a number is the name of a frozen subset, not a size)" in said


def test_the_parameter_that_was_used_is_named(tmp_path: Path) -> None:
    file = file_of(tmp_path, "zh-tea")
    assert "so targets= has no meaning" in sentence(reports, profile="mini", reports=file, targets=file)
    assert "so reports= has no meaning" in sentence(autonomous, profile="mini", reports=file)
    assert "so data_dir= has no meaning" in sentence(autonomous, profile="mini", data_dir=str(tmp_path))


def test_the_offline_set_is_advised_only_where_no_dataset_was_given(server: Server, tmp_path: Path) -> None:
    server.moves = [404]
    where = small.written(tmp_path / "rows")
    assert "-T profile=mini" in sentence(autonomous, profile="paper")
    assert "-T profile=mini" not in sentence(autonomous, profile="paper", dataset=where)
    assert "-T profile=mini" not in sentence(reports, profile="paper", reports=file_of(tmp_path, "1"))


@pytest.mark.parametrize("aspects", ["drb", "drb:", "drb:no/where.jsonl"])
def test_the_criteria_that_are_never_fetched_are_said_plainly(aspects: str) -> None:
    said = sentence(autonomous, profile="mini", aspects=aspects)
    assert "it is not fetched, since the hash that would tell the right file is not known here" in said
    assert f"download {WHERE} to any place, and give that as aspects=drb:PATH" in said
    assert f"/{public.REPOSITORY}/{public.COMMIT}/data/criteria_data/criteria.jsonl" in WHERE
