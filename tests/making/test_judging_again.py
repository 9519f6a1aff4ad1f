"""Judging again: what changed is read again and replaced, the rest costs nothing, totals are of these tasks alone."""

import json
from pathlib import Path

import pytest
from inspect_ai import eval
from inspect_ai.log import EvalLog

from idrbench_inspect.dataset import load
from idrbench_inspect.errors import BadInput
from tests.making.judged_sets import COUNTING, IDS, Counting, changed, data, held, judge, killed, own, row_of


@pytest.fixture(autouse=True)
def away_from_the_users_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def test_a_report_that_changed_is_judged_again_into_the_same_file_and_nothing_else_is(tmp_path: Path) -> None:
    folder = own(tmp_path / "own")
    out = folder / "points.jsonl"
    done, calls = judge(folder, out)
    assert (done.exit_code, calls) == (0, len(IDS))
    before = out.read_text(encoding="utf-8").splitlines()
    report = folder / "reports" / "en-indigo.md"
    report.write_text("# Indigo\n\nNothing that bears on anything.\n", encoding="utf-8")
    with pytest.raises(BadInput, match=r"another report than it has; judge it again with `idrbench data judge`"):
        load(str(folder))

    done, calls = judge(folder, out)

    assert (done.exit_code, calls) == (0, 1), done.output
    assert "1 line is of other texts than now and is judged again: en-indigo (another report)." in done.output
    assert "To judge: 1 task, 1 model call if every first reply is good, 3 at most." in done.output
    assert "replaced: 1: en-indigo (another report)" in done.output.splitlines()
    after = out.read_text(encoding="utf-8").splitlines()
    place = [json.loads(line)["task"] for line in before].index("en-indigo")
    assert [n for n, (one, other) in enumerate(zip(before, after, strict=True)) if one != other] == [place]
    assert {point.answerable for point in held(out)["en-indigo"].points} == {False}
    assert len(load(str(folder)).tasks) == len(IDS)
    assert judge(folder, out)[1] == 0


def test_points_and_queries_that_changed_are_judged_again_too(tmp_path: Path) -> None:
    folder = own(tmp_path / "own")
    out = tmp_path / "points.jsonl"
    judge(folder, out)
    changed(folder, "zh-tea", ambiguity=row_of(folder, "zh-tea")["ambiguity"][1:])
    changed(folder, "en-indigo", query="Write me something on indigo, please.")
    done, calls = judge(folder, out)
    assert calls == 2
    assert "replaced: 2: en-indigo (another query); zh-tea (other points)" in done.output
    assert len(held(out)["zh-tea"].points) == len(row_of(folder, "zh-tea")["ambiguity"])


def test_alternatives_in_another_order_are_the_same_points(tmp_path: Path) -> None:
    folder = own(tmp_path / "own")
    out = folder / "points.jsonl"
    judge(folder, out)
    turned = [{**p, "alternatives": p["alternatives"][::-1]} for p in row_of(folder, "zh-tea")["ambiguity"]]
    changed(folder, "zh-tea", ambiguity=turned)
    assert judge(folder, out)[1] == 0
    assert len(load(str(folder)).tasks) == len(IDS)


def test_a_reading_that_cannot_be_had_again_leaves_the_old_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = own(tmp_path / "own")
    out = tmp_path / "points.jsonl"
    judge(folder, out)
    whole = out.read_bytes()
    (folder / "reports" / "en-indigo.md").write_text("# CANARY\n\nNothing.\n", encoding="utf-8")
    monkeypatch.setattr(Counting, "breaks_on", "CANARY")
    done, _ = judge(folder, out)
    assert done.exit_code == 1
    assert "no reading of en-indigo: RuntimeError: the line is dead" in done.output
    assert "2 of 3 tasks" in done.output
    assert "replaced" not in done.output
    assert out.read_bytes() == whole


def test_totals_are_of_this_dataset_and_lines_of_others_stay(tmp_path: Path) -> None:
    one, other = own(tmp_path / "one", "en-beekeeping"), own(tmp_path / "other", "en-indigo", "zh-tea")
    out, alone = tmp_path / "points.jsonl", tmp_path / "alone.jsonl"
    judge(other, out)
    theirs = out.read_bytes()
    shared, _ = judge(one, out)
    by_itself, _ = judge(one, alone)
    assert "2 lines are of other tasks and are left as they are." in shared.output
    assert f"{out}: 1 of 1 task, {len(row_of(one, 'en-beekeeping')['ambiguity'])} points" in shared.output
    assert shared.output.splitlines()[-1] == by_itself.output.splitlines()[-1]
    assert out.read_bytes().startswith(theirs)


def test_a_line_of_another_dataset_with_the_same_id_is_not_overwritten(tmp_path: Path) -> None:
    one, other = own(tmp_path / "one", "en-beekeeping"), own(tmp_path / "other", "en-indigo")
    changed(other, "en-indigo", id="en-beekeeping")
    out = tmp_path / "points.jsonl"
    judge(one, out)
    whole = out.read_bytes()
    done, calls = judge(other, out)
    assert (done.exit_code, calls) == (1, 0)
    assert "as of another dataset; give another out, or take the line out" in done.output
    assert out.read_bytes() == whole


def as_task(folder: Path, out: Path) -> EvalLog:
    (log,) = eval(
        "idrbench_inspect/judge_points",
        model=COUNTING,
        model_roles={"grader": COUNTING},
        task_args={"dataset": str(folder), "out": str(out)},
        display="none",
        log_dir="memory://making",
    )
    assert log.status == "success", log.error
    return log


def test_the_task_replaces_as_the_command_does(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    folder = own(tmp_path / "own")
    out = folder / "points.jsonl"
    judge(folder, out)
    (folder / "reports" / "en-indigo.md").write_text("# Indigo\n\nNothing.\n", encoding="utf-8")
    before = Counting.calls
    log = as_task(folder, out)
    assert Counting.calls - before == 1
    assert (
        "To judge: 1 task, 1 model call if every first reply is good, 3 at most (for all; fewer with --limit"
        in capfd.readouterr().err
    )
    said = {str(s.id): (s.scores or {})["points_read"].metadata for s in log.samples or ()}
    assert said == {id_: {"replaced": "another report" if id_ == "en-indigo" else ""} for id_ in IDS}
    assert len(load(str(folder)).tasks) == len(IDS)


def test_judging_that_was_killed_goes_on_without_paying_again_even_after_a_torn_line(tmp_path: Path) -> None:
    out = tmp_path / "points.jsonl"
    command = ("judge", "mini", "--model", COUNTING, "--out", str(out))
    killed(13, *command)
    whole = out.read_bytes()
    kept = held(out)
    assert 0 < len(kept) < 18
    out.write_bytes(whole + whole.splitlines(keepends=True)[0][:150].replace(b"en-", b"xx-"))
    done, calls = data(*command)
    assert done.exit_code == 0
    assert "was not written to its end and is dropped" in done.output
    assert out.read_bytes().startswith(whole)
    asked = sum(bool(task.ambiguity) for task in load("mini").tasks)
    assert asked == 16
    # Up to eight calls were under way when it died and were not answered. What was read is kept in the cache folder
    # before its line is written, so that more than the lines may be free.
    read = sum(bool(line.points) for line in kept.values())
    assert 0 < read
    assert 0 < calls <= asked - read
    assert len(held(out)) == 18
