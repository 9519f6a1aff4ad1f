"""What is announced is what is paid: epochs are free, a second run on a file is told so, folders are made."""

import gc
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import eval
from inspect_ai.log import EvalLog

from idrbench_inspect.errors import BadInput
from idrbench_inspect.making.runs import ready, taken
from tests.judging.scripted import Grader
from tests.making.judged_sets import COUNTING, IDS, MINI, Counting, data, held, own, row_of
from tests.making.scripted import ENGLISH, JUDGE, WRITE, player, verdict
from tests.making.test_doors import sources_file


@pytest.fixture(autouse=True)
def away_from_the_users_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def run(door: str, grader: Any = COUNTING, **given: Any) -> EvalLog:
    options = {name: given.pop(name) for name in ("epochs", "limit") if name in given}
    (log,) = eval(
        f"idrbench_inspect/{door}",
        model=COUNTING,
        model_roles={"injector": grader, "grader": grader},
        task_args={name: str(value) for name, value in given.items()},
        display="none",
        log_dir="memory://making",
        **options,
    )
    assert log.status == "success", log.error
    return log


def metrics(log: EvalLog, key: str) -> dict[str, float]:
    assert log.results is not None
    (score,) = (score for score in log.results.scores if score.name == key)
    return {name.rpartition("/")[2]: metric.value for name, metric in score.metrics.items()}


def accepted(log: EvalLog) -> list[Any]:
    values: list[Any] = [(sample.scores or {})["injected"].value for sample in log.samples or ()]
    return [value["accepted"] for value in values]


def test_epochs_cost_no_more_than_one_and_every_one_has_the_row(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    folder, before = own(tmp_path / "own"), Counting.calls
    log = run("inject", dataset=folder, out=tmp_path / "rows.jsonl", epochs=3)
    said = (
        "To make: 3 rows, 9 model calls if every first reply is good, 81 at most (for all; fewer with --limit, no more"
    )
    assert said in capfd.readouterr().err
    assert Counting.calls - before == 9
    assert accepted(log) == [1] * 9
    before = Counting.calls
    log = run("judge_points", dataset=folder, out=tmp_path / "points.jsonl", epochs=2)
    assert Counting.calls - before == len(IDS)
    assert len({str((sample.scores or {})["points_read"].value) for sample in log.samples or ()}) > 1


def rejecting() -> Grader:
    return player(**{JUDGE: [verdict("constraint_added", "Oslo.")]})


def test_a_source_that_is_turned_down_is_not_tried_again_in_a_further_epoch_but_in_a_further_run(
    tmp_path: Path,
) -> None:
    given = {"dataset": sources_file(tmp_path, ENGLISH), "out": tmp_path / "rows.jsonl"}
    grader = rejecting()
    log = run("inject", grader.model(), epochs=2, **given)
    assert len(grader.of(WRITE)) == 4
    assert accepted(log) == [0, 0]
    run("inject", grader.model(), **given)
    assert len(grader.of(WRITE)) == 8


def test_the_counts_of_a_run_are_those_that_the_command_prints(tmp_path: Path) -> None:
    folder, out = own(tmp_path / "own"), tmp_path / "points.jsonl"
    log = run("judge_points", dataset=folder, out=out, epochs=2)
    points = [point for line in held(out).values() for point in line.points]
    answered = sum(point.answerable for point in points)
    assert len(points) == sum(len(row_of(folder, id_)["ambiguity"]) for id_ in IDS)
    assert metrics(log, "points") == {"mean": len(points) / len(IDS), "total": len(points)}
    assert metrics(log, "answered") == {"mean": answered / len(IDS), "total": answered}
    shares = [sum(p.answerable for p in line.points) / len(line.points) for line in held(out).values()]
    assert metrics(log, "answerable") == {"mean": pytest.approx(sum(shares) / len(shares))}
    done, calls = data("judge", str(folder), "--model", COUNTING, "--out", str(out))
    assert calls == 0
    assert f"answered by their reports: {answered}, left out" in done.output


_HOLDING = """
import sys
from pathlib import Path
from idrbench_inspect.making.runs import taken
lock = taken(Path(sys.argv[1]))
print("taken", flush=True)
sys.stdin.read()
"""


@contextmanager
def another_run(out: Path) -> Iterator[None]:
    """Another process has the file, until the block ends."""
    env = {**os.environ, "PYTHONPATH": str(MINI.parent.parent)}
    command = [sys.executable, "-c", _HOLDING, str(out)]
    with subprocess.Popen(command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "taken\n"
        try:
            yield
        finally:
            process.kill()


def test_a_second_run_on_a_file_is_told_so_before_it_pays_and_a_killed_one_lets_go(tmp_path: Path) -> None:
    folder, out = own(tmp_path / "own"), tmp_path / "out.jsonl"
    inject = ("inject", str(folder), "--model", COUNTING, "--grader", COUNTING, "--out", str(out))
    with another_run(out):
        for command in (inject, ("judge", str(folder), "--model", COUNTING, "--out", str(out))):
            done, calls = data(*command)
            assert (done.exit_code, calls) == (1, 0)
            assert f"Another run is writing {out}; wait until it has ended, or give another out." in done.output
        for door in ("inject", "judge_points"):
            with pytest.raises(BadInput, match="Another run is writing"):
                run(door, dataset=folder, out=out)
        assert not out.exists()
    assert data(*inject)[1] == 9


def test_a_run_that_has_ended_lets_go_of_its_file(tmp_path: Path) -> None:
    folder, out = own(tmp_path / "own"), tmp_path / "rows.jsonl"
    run("inject", dataset=folder, out=out)
    gc.collect()  # the task, which has the file
    with another_run(out):
        pass
    with pytest.raises(BadInput, match=r"There is no|is no "):
        run("inject", dataset=tmp_path / "none", out=out)
    with another_run(out):
        pass
    done, _ = data("judge", str(folder), "--model", COUNTING, "--out", str(tmp_path / "points.jsonl"))
    assert done.exit_code == 0
    with another_run(tmp_path / "points.jsonl"):
        pass


def test_folders_that_are_missing_above_out_are_made(tmp_path: Path) -> None:
    folder = own(tmp_path / "own")
    for n, command in enumerate(("inject", "judge")):
        out = tmp_path / f"new{n}" / "deep" / "out.jsonl"
        done, _ = data(
            command, str(folder), "--model", COUNTING, "--out", str(out), *(["--grader", COUNTING][: 2 - 2 * n])
        )
        assert done.exit_code == 0, done.output
        assert out.is_file()
    for n, door in enumerate(("inject", "judge_points")):
        out = tmp_path / f"task{n}" / "deep" / "out.jsonl"
        run(door, dataset=folder, out=out)
        assert out.is_file()


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    for use in (ready, taken):
        with pytest.raises(BadInput, match=r"file/deep for out.jsonl cannot be made \(Not a directory\)"):
            use(tmp_path / "file" / "deep" / "out.jsonl")
