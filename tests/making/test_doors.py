"""The tasks `inject` and `judge_points` as whole runs: offline, killed, resumed, and where no row comes of a sample."""

import json
import math
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from inspect_ai import eval
from inspect_ai.event import ModelEvent
from inspect_ai.log import EvalLog
from inspect_ai.model import ChatMessage, GenerateConfig, ModelAPI, ModelOutput, modelapi
from inspect_ai.tool import ToolChoice, ToolInfo

from idrbench_inspect.cli import main
from idrbench_inspect.dataset import load, select
from idrbench_inspect.dataset.points import read_judged
from idrbench_inspect.dataset.tasks import Row
from idrbench_inspect.errors import BadInput
from idrbench_inspect.inject import inject
from idrbench_inspect.judge_points import judge_points
from idrbench_inspect.making.targets import DECILES
from idrbench_inspect.paired import paired
from idrbench_inspect.providers.extractive import ExtractiveAPI
from tests import door_runs as doors
from tests.judging.scripted import Grader, said
from tests.making import scripted as say

ROOT = Path(__file__).parent.parent.parent
OFFLINE = "idrbench/extractive"


class Failing(ExtractiveAPI):
    """The offline model, but what it says cannot be read, and in one task it breaks."""

    async def generate(
        self, input: list[ChatMessage], tools: list[ToolInfo], tool_choice: ToolChoice, config: GenerateConfig
    ) -> ModelOutput:
        if "indigo" in input[1].text:
            raise RuntimeError("the line is dead")
        return said("Hm.")


@modelapi(name="failing")
def failing() -> type[ModelAPI]:
    return Failing


def calls(log: EvalLog) -> int:
    return sum(isinstance(event, ModelEvent) for sample in log.samples or () for event in sample.events)


def scores(log: EvalLog) -> dict[str, Any]:
    return {str(s.id): next(iter((s.scores or {}).values())).value for s in log.samples or ()}


def headline(log: EvalLog) -> dict[str, float]:
    assert log.results is not None
    return {score.name: score.metrics["mean"].value for score in log.results.scores}


def counts(log: EvalLog) -> dict[str, float]:
    """How many rows were made and how many rejected; neither counts samples that are unscored or errored."""
    assert log.results is not None
    metrics = next(score.metrics for score in log.results.scores if score.name == "accepted")
    named = {name.rpartition("/")[2]: metric.value for name, metric in metrics.items()}
    return {name: named[name] for name in ("made", "rejected")}


def rows(path: Path) -> dict[str, Row]:
    lines = path.read_text(encoding="utf-8").split("\n")
    return {row.id: row for row in (Row.model_validate_json(line) for line in lines if line)}


def offline(out: Path, **given: Any) -> EvalLog:
    """As the command makes it: the task is built while its model is known."""
    return run_by_name("inject", out=str(out), **given)


def run_by_name(door: str, model: str = OFFLINE, **given: Any) -> EvalLog:
    (log,) = eval(f"idrbench_inspect/{door}", model=model, task_args=given, display="none", log_dir="memory://making")
    assert log.status == "success", log.error
    return log


def sources_file(folder: Path, *sources: Any) -> str:
    path = folder / "sources.jsonl"
    fields = {"id", "language", "topic", "source_query"}
    lines = [json.dumps(source.model_dump(include=fields), ensure_ascii=False) for source in sources]
    path.write_text("\n".join(lines), encoding="utf-8")
    return str(path)


def scripted(folder: Path, grader: Grader, **given: Any) -> EvalLog:
    model = grader.model()
    roles = {"injector": model, "grader": model}
    task_args = {"dataset": sources_file(folder, say.ENGLISH), "out": str(folder / "rows.jsonl"), **given}
    (log,) = eval(
        "idrbench_inspect/inject",
        model=OFFLINE,
        model_roles=roles,
        task_args=task_args,
        display="none",
        log_dir="memory://making",
    )
    assert log.status == "success", log.error
    return log


@pytest.mark.parametrize("target", [0.5, 0.85, "spread"])
def test_offline_every_row_of_mini_is_within_ten_points_and_loads_as_a_dataset(tmp_path: Path, target: Any) -> None:
    out = tmp_path / "rows.jsonl"
    log = offline(out, target=target)
    made = rows(out)
    assert set(made) == {task.id for task in select(load("mini").tasks)}
    for row in made.values():
        assert row.injection is not None
        assert abs(row.compression - row.injection.target) <= 0.1 + 1e-3
        assert target in {row.injection.target, "spread"}
        assert all(point.settled_by and point.preference in point.alternatives for point in row.ambiguity)
    assert (headline(log)["accepted"], headline(log)["attempts"]) == (1, 1)
    assert counts(log) == {"made": 14, "rejected": 0}
    loaded = {task.id: task for task in load(str(out)).tasks}
    assert {task.id: task.report for task in select(load("mini").tasks)} == {id_: t.report for id_, t in loaded.items()}
    sheet = (tmp_path / "rows.review.md").read_text(encoding="utf-8")
    assert sheet.count("\n## ") == len(made)
    if target == "spread":
        assert {row.injection.target for row in made.values() if row.injection} <= set(DECILES)


def test_what_is_there_is_not_paid_again_and_a_changed_text_or_target_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "rows.jsonl"
    offline(out)
    before, sheet = out.read_bytes(), (tmp_path / "rows.review.md").read_bytes()
    log = offline(out)
    assert (calls(log), headline(log)["accepted"]) == (0, 1)
    assert (out.read_bytes(), (tmp_path / "rows.review.md").read_bytes()) == (before, sheet)
    out.write_bytes(b"".join(before.splitlines(keepends=True)[1:]))
    again = offline(out)
    assert calls(again) == 3
    assert sorted(out.read_bytes().splitlines()) == sorted(before.splitlines())
    with pytest.raises(BadInput, match=r"made from another text or for the target 0.5, and the target is 0.4 now"):
        inject(out=str(out), target=0.4)


DYING = """
import os, signal, sys
from inspect_ai import eval
from inspect_ai.model import modelapi
from idrbench_inspect.inject import inject
from idrbench_inspect.providers.extractive import ExtractiveAPI

out, last = sys.argv[1], int(sys.argv[2])
made = 0

@modelapi(name="dying")
class Dying(ExtractiveAPI):
    async def generate(self, **given):
        global made
        made += 1
        if made > last:
            os.kill(os.getpid(), signal.SIGKILL)
        return await super().generate(**given)

model = "dying/extractive"
roles = {"grader": model}
eval("idrbench_inspect/inject", model=model, model_roles=roles, task_args={"out": out}, display="none",
     log_dir=os.path.dirname(out), max_samples=4)
"""


def test_a_killed_run_goes_on_where_it_stopped_after_a_torn_line(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "rows.jsonl"
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", DYING, str(out), "25"], env=env, capture_output=True, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr.decode()
    kept = rows(out)
    assert 0 < len(kept) < 14
    whole = out.read_bytes()
    out.write_bytes(whole + whole.splitlines(keepends=True)[0][:100].replace(b"en-", b"xx-"))
    log = offline(out)
    assert "was not written to its end and is dropped" in capfd.readouterr().err
    assert out.read_bytes().startswith(whole)
    assert calls(log) == 3 * (14 - len(kept))
    assert (tmp_path / "rows.review.md").read_text(encoding="utf-8").count("\n## ") == 14
    clean = tmp_path / "clean.jsonl"
    offline(clean)
    assert {id_: row.query for id_, row in rows(clean).items()} == {id_: row.query for id_, row in rows(out).items()}


def test_a_query_that_the_judge_never_accepts_gives_no_row_and_says_why(tmp_path: Path) -> None:
    log = scripted(tmp_path, say.player(**{say.JUDGE: [say.verdict("constraint_added", "Oslo.")]}))
    (value,) = scores(log).values()
    assert (value["accepted"], value["attempts"]) == (0, 4)
    assert math.isnan(value["compression"])
    assert math.isnan(value["points"])
    assert log.samples
    (sample,) = log.samples
    score = (sample.scores or {})["injected"]
    assert score.reason == "not_accepted"
    assert "Oslo." in str(score.explanation)
    assert not (tmp_path / "rows.jsonl").exists()
    assert math.isnan(headline(log)["compression"])
    assert counts(log) == {"made": 0, "rejected": 1}
    assert "- why: not_accepted: 4 queries were turned down" in (tmp_path / "rows.review.md").read_text("utf-8")


def test_a_judge_that_refuses_once_is_heard_and_the_row_counts_two_attempts(tmp_path: Path) -> None:
    log = scripted(tmp_path, say.player(**{say.JUDGE: [say.verdict("objective_lost", "No."), say.verdict()]}))
    assert scores(log)["moss"]["attempts"] == 2
    assert rows(tmp_path / "rows.jsonl")["moss"].query == say.HALF


def test_a_judge_without_a_reading_leaves_the_sample_unscored(tmp_path: Path) -> None:
    log = scripted(tmp_path, say.player(**{say.JUDGE: ["Fine with me."]}))
    assert math.isnan(scores(log)["moss"])
    assert all(math.isnan(count) for count in counts(log).values())  # no sample has a value: Inspect counts none
    assert not (tmp_path / "rows.jsonl").exists()


def test_what_cannot_be_done_is_refused_before_any_call(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="There is no out"):
        inject()
    with pytest.raises(BadInput, match="'tagret' is unknown"):
        inject(out=str(tmp_path / "rows.jsonl"), tagret=0.4)
    with pytest.raises(BadInput, match="target="):
        inject(out=str(tmp_path / "rows.jsonl"), target=2)
    with pytest.raises(BadInput, match="There is no out"):
        judge_points(out=" ")


def test_judged_points_of_mini_are_written_once_by_task_and_command_alike(tmp_path: Path) -> None:
    by_task, by_command = tmp_path / "task.jsonl", tmp_path / "command.jsonl"
    log = run_by_name("judge_points", out=str(by_task))
    judged = read_judged(by_task)
    assert sorted(judged) == sorted(task.id for task in load("mini").tasks)
    read = [point for one in judged.values() for point in one.points]
    assert {point.answerable for point in read} == {True, False}
    assert headline(log)["points"] == len(read) / len(judged)
    assert calls(run_by_name("judge_points", out=str(by_task))) == 0
    done = CliRunner().invoke(main, ["data", "judge", "mini", "--model", OFFLINE, "--out", str(by_command)])
    assert done.exit_code == 0, done.output
    assert f"18 of 18 tasks, {len(read)} points" in done.output
    assert read_judged(by_command) == judged


def test_the_command_names_what_it_could_not_read_and_keeps_the_rest(tmp_path: Path) -> None:
    out = str(tmp_path / "points.jsonl")
    done = CliRunner().invoke(main, ["data", "judge", "mini", "--model", "failing/extractive", "--out", out])
    assert done.exit_code == 1
    assert "no reading of zh-tea: invalid_response_format" in done.output
    assert "no reading of en-indigo: RuntimeError: the line is dead" in done.output
    assert set(read_judged(Path(out))) == {"en-chess", "zh-shadow-puppets"}
    refused = CliRunner().invoke(main, ["data", "judge", "mini", "--model", "nobody/x", "--out", out])
    assert refused.exit_code == 1
    assert "The model nobody/x cannot be made" in refused.output


def test_a_dataset_takes_what_was_judged_into_its_folder_even_after_a_torn_line(tmp_path: Path) -> None:
    folder = doors.copy_of_mini(tmp_path / "own")
    out = folder / "points.jsonl"
    first, second, *_ = (json.dumps(line) for line in judged_lines(tmp_path))
    out.write_text(f"{first}\n{second[:200]}", encoding="utf-8")
    done = CliRunner().invoke(main, ["data", "judge", str(folder), "--model", OFFLINE, "--out", str(out)])
    assert done.exit_code == 0, done.output
    assert "line 2 was not written to its end" in done.output
    judged = read_judged(out)
    tasks = load(str(folder)).tasks
    assert len(judged) == len(tasks)
    for task in tasks:
        assert [(p.preference, p.shown_in, p.answerable) for p in task.ambiguity] == [
            (p.preference, p.span, p.answerable) for p in judged[task.id].points
        ]
    arms = paired(profile="mini", dataset=str(folder), arms="autonomous,volunteered")
    given = {str(s.metadata["task"]): s.metadata["given"] for s in arms.dataset if s.metadata and "given" in s.metadata}
    assert given["en-beekeeping"].splitlines() == [
        p.preference for p in judged["en-beekeeping"].points if p.preference is not None
    ]


def judged_lines(folder: Path) -> list[dict[str, Any]]:
    path = folder / "judged.jsonl"
    CliRunner().invoke(main, ["data", "judge", "mini", "--model", OFFLINE, "--out", str(path)])
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
