"""Wiring of the tasks for makers of data: sources or points, a file to write, and who judges."""

from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar

import click
from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset
from inspect_ai.model import get_model, model_roles

from idrbench_inspect.dataset.points import JudgedPoints
from idrbench_inspect.dataset.tasks import Row
from idrbench_inspect.errors import BadInput
from idrbench_inspect.judging.asking import GRADER
from idrbench_inspect.making.from_dataset import given_queries, tasks_to_judge
from idrbench_inspect.making.judging_points import judge_ambiguity, points_read, sample_of_task
from idrbench_inspect.making.making_rows import planned
from idrbench_inspect.making.plans import plan_of
from idrbench_inspect.making.row_file import RowFile
from idrbench_inspect.making.runs import alone
from idrbench_inspect.making.solving import INJECTOR, inject_ambiguity, injected, sample_of
from idrbench_inspect.making.targets import read_target, targets_of
from idrbench_inspect.preflight import NO_MODEL, played_by
from idrbench_inspect.profiles import OFFLINE
from idrbench_inspect.records import SCHEMA, Record
from idrbench_inspect.resources import new_path, prompts_sha256
from idrbench_inspect.wiring import RETRIES

MAKING_VERSION = "3-A"
"""As `wiring.TASK_VERSION`, of these tasks."""

R = TypeVar("R", bound=Record)


def build_injection(given: dict[str, Any]) -> Task:
    """A sample per source query, each of which ends as a row of `out`, or as none and a reason.

    Raises:
        BadInput: the sources, the target, the file or a role cannot be had; nothing has been called by then.
    """
    target, seed = read_target(given["target"]), given["seed"]
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise BadInput(f"seed={seed!r} is no whole number; give one.")
    name, sources = given_queries(str(given["dataset"]), given["data_dir"], given["reports"])
    targets = targets_of(sources, target, seed)
    path = _place(given["out"])
    with alone(path):  # from here to the solver, which has it as long as it is there
        file = _opened(path, Row, "id")
        plan = planned(file, sources, targets, whole=False)
        if _evaluated() == NO_MODEL and INJECTOR not in model_roles():
            raise BadInput(f"There is no model to write queries; give --model, or {OFFLINE} offline.")
        grader = _grader()
        for sentence in plan:
            click.echo(sentence, err=True)
        return Task(
            dataset=MemoryDataset([sample_of(source, targets[source.id]) for source in sources], name=name),
            solver=inject_ambiguity(str(path), grader),
            scorer=injected(),
            config=RETRIES,
            continue_on_fail=True,
            version=MAKING_VERSION,
            metadata={**_made_by(grader), "dataset": name, "target": given["target"], "seed": seed, "out": str(path)},
        )


def build_point_judging(given: dict[str, Any]) -> Task:
    """A sample per task, each of which ends as a line of `out`, or as none and a reason.

    Raises:
        BadInput: the dataset, the file or the judge cannot be had; nothing has been called by then.
    """
    path = _place(given["out"])
    dataset = tasks_to_judge(str(given["dataset"]), given["data_dir"], given["reports"])
    with alone(path):  # from here to the solver, which has it as long as it is there
        file = _opened(path, JudgedPoints, "task")
        plan = plan_of(file, dataset.tasks)
        grader = _grader()
        for sentence in (*dataset.notices, *plan.sentences(whole=False)):
            click.echo(sentence, err=True)
        return Task(
            dataset=MemoryDataset([sample_of_task(task, dataset.name) for task in dataset.tasks], name=dataset.name),
            solver=judge_ambiguity(str(path), grader),
            scorer=points_read(),
            config=RETRIES,
            continue_on_fail=True,
            version=MAKING_VERSION,
            metadata={
                **_made_by(grader),
                "dataset": dataset.name,
                "dataset_revision": dataset.revision,
                "out": str(path),
            },
        )


def _place(out: Any) -> Path:
    if out is None or not str(out).strip():
        raise BadInput("There is no out; give -T out=FILE, the file that rows are written to.")
    return new_path(str(out))


def _opened(path: Path, kind: type[R], key: str) -> RowFile[R]:
    file = RowFile(path, kind, key)
    for notice in file.check():
        click.echo(notice, err=True)
    return file


def _grader() -> str:
    """Who judges when the role is not bound: offline with the offline model, else the usual grader.

    Raises:
        BadInput: it cannot be made, with the provider's reason.
    """
    default = OFFLINE if _evaluated() == OFFLINE else GRADER
    if isinstance(model_roles().get("grader"), list):
        raise BadInput("The role grader is bound to several models, and one judges here; bind it to one.")
    played_by("grader", default)
    return default


def _evaluated() -> str | None:
    try:
        return str(get_model())
    except ValueError:  # the task is made before any run, as a Python caller may: nothing is known yet
        return None


def _made_by(grader: str) -> dict[str, Any]:
    return {
        "suite": f"idrbench-inspect {version('idrbench-inspect')}",
        "schema": SCHEMA,
        "prompts_sha256": prompts_sha256(),
        "roles": {"grader": grader},
    }
