"""Wiring: from choices and arms to one Inspect task. The front doors call this and do nothing else."""

import re
from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

import click
from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import GenerateConfig, get_model
from inspect_ai.scorer import Metric, Scorer

from idrbench_inspect.arms import Arm
from idrbench_inspect.choices import Choices
from idrbench_inspect.dataset import Dataset, ResearchTask, load, select, to_sample
from idrbench_inspect.errors import BadInput
from idrbench_inspect.pipeline.solver import deep_research
from idrbench_inspect.profiles import OFFLINE
from idrbench_inspect.records import SCHEMA
from idrbench_inspect.resources import prompts_sha256
from idrbench_inspect.user.seat import seat_user
from idrbench_inspect.viewing import samples_view

Metrics = dict[str, list[Metric]]

TASK_VERSION = "1-A"
"""`N-X`: N rises with any change that moves a number, X with any change of parameters or of the log's form."""

NO_MODEL = "none/none"
"""What Inspect calls the model of a run that was started without one."""

_MARKUP = re.compile(r"\[/?[a-z ]+\]")

RETRIES = GenerateConfig(max_retries=8, attempt_timeout=600)
"""Defaults for a model call; `--max-retries` and `--attempt-timeout` override them."""


def build(chosen: Choices, arms: Sequence[Arm], scorers: Sequence[Scorer], metrics: Metrics | None = None) -> Task:
    """One task with a sample per task and arm.

    Raises:
        BadInput: the data, the search or a role cannot be had; nothing has been called by then.
    """
    dataset = load(chosen.dataset, chosen.data_dir, chosen.reports)
    _tell(dataset)
    rows = select(dataset.tasks, chosen.subset, chosen.shard, chosen.language)
    samples = [_sample(row, arm, dataset, several=len(arms) > 1) for row in rows for arm in _order(row, arms)]
    solver = deep_research(
        date=chosen.date,
        search=_search(chosen, dataset),
        limits=chosen.limits.model_dump(),
        budgets=chosen.budgets.model_dump(),
        summarizer=chosen.profile.summarizer,
    )
    roles = check_roles(chosen, arms)
    return Task(
        dataset=MemoryDataset(samples, name=dataset.name),
        setup=seat_user(user_context=chosen.user_context, user_model=chosen.profile.user),
        solver=solver,
        scorer=list(scorers),
        metrics=metrics,
        config=RETRIES,
        continue_on_fail=True,
        viewer=samples_view(),
        version=TASK_VERSION,
        metadata=_made_by(chosen, arms, dataset) | {"roles": roles},
    )


def check_roles(chosen: Choices, arms: Sequence[Arm]) -> dict[str, str]:
    """Make exactly the roles that these arms use, so that a missing key stops the run before any sample.

    Returns:
        The model of each role that is not played by the evaluated model.

    Raises:
        BadInput: a role cannot be made, with the provider's reason; or Inspect was started without a model.
    """
    _check_there_is_a_model()
    roles = {"summarizer": chosen.profile.summarizer}
    if any(arm.user == "simulated" for arm in arms):
        roles["user"] = chosen.profile.user
    return {role: _played_by(role, default) for role, default in roles.items()}


def _check_there_is_a_model() -> None:
    try:
        evaluated = str(get_model())
    except ValueError:  # the task is made before any run, as a Python caller may: nothing is known yet
        return
    if evaluated == NO_MODEL:
        raise BadInput(f"There is no model to evaluate; give --model, such as openai/gpt-5.1, or {OFFLINE} offline.")


def _played_by(role: str, default: str) -> str:
    try:
        # One made earlier in this process could stand for a key that is gone by now.
        return str(get_model(role=role, default=default, memoize=False))
    except Exception as cannot:  # a provider raises what it likes when its key or package is missing
        reason = " ".join(_MARKUP.sub("", str(cannot)).split()).removeprefix("ERROR: ").rstrip(".")
        raise BadInput(
            f"The role {role} is played by {default}, which cannot be made ({reason}); "
            f"set what is missing, or play it offline with --model-role {role}={OFFLINE}."
        ) from cannot


def _search(chosen: Choices, dataset: Dataset) -> str:
    """The search with the dataset's own corpus named by its place."""
    if chosen.search != "corpus":
        return chosen.search
    if dataset.corpus is None:
        raise BadInput(f"dataset {dataset.name} has no corpus of its own; give -T search=corpus:PATH or search=tavily.")
    return f"corpus:{dataset.corpus}"


def _order(row: ResearchTask, arms: Sequence[Arm]) -> list[Arm]:
    """The arms of a task next to each other, rotated by the task's id: no arm is always the first to be run."""
    turn = sum(row.id.encode()) % len(arms)
    return [*arms[turn:], *arms[:turn]]


def _sample(row: ResearchTask, arm: Arm, dataset: Dataset, *, several: bool) -> Sample:
    sample = to_sample(row, dataset)
    extra: dict[str, Any] = {"arm": arm.name}
    if arm.opening == "source_query":
        sample.input = row.source_query
    if arm.opening == "volunteered":
        extra["given"] = "\n".join(_preferences(row))
    if arm.reference == "another":
        extra["user_reference"] = _another(row, dataset).report
    sample.metadata = {**(sample.metadata or {}), **extra}
    if several:
        sample.id = f"{row.id}.{arm.name}"
    return sample


def _preferences(row: ResearchTask) -> list[str]:
    """What the user of a task prefers, at each point that the report answers; "unknown" must not pass for "none"."""
    points = [point for point in row.ambiguity if point.answerable is not False]
    known = [point.preference for point in points if point.preference is not None]
    if len(known) < len(points):
        raise BadInput(
            f"arm 'volunteered' states every preference, and task {row.id!r} has {len(points) - len(known)} of "
            f"{len(points)} that nobody has read in its report; leave the arm out or choose other tasks."
        )
    return known


def _tell(dataset: Dataset) -> None:
    """Say on stderr what was left out of a dataset."""
    for notice in dataset.joined.notices if dataset.joined else ():
        click.echo(f"{dataset.name}: {notice}", err=True)


def _another(row: ResearchTask, dataset: Dataset) -> ResearchTask:
    """The next task of the same language with another query, in the order of the dataset, the first after the last."""
    place = dataset.tasks.index(row)
    turned = [*dataset.tasks[place:], *dataset.tasks[:place]]
    others = [other for other in turned if other.language == row.language and other.query != row.query]
    if not others:
        raise BadInput(
            f"arm 'mismatched' needs two tasks in {row.language}, and dataset {dataset.name} has one; leave it out."
        )
    return others[0]


def _made_by(chosen: Choices, arms: Sequence[Arm], dataset: Dataset) -> dict[str, Any]:
    return {
        "suite": f"idrbench-inspect {version('idrbench-inspect')}",
        "schema": SCHEMA,
        "profile": chosen.profile.name,
        "arms": [arm.name for arm in arms],
        "dataset": dataset.name,
        "dataset_revision": dataset.revision,
        "dataset_joined": dataset.joined.model_dump(mode="json") if dataset.joined else None,
        "prompts_sha256": prompts_sha256(),
        "search": chosen.search,
        "user_context": chosen.user_context,
        "date": chosen.date,
        "limits": chosen.limits.model_dump(),
        "budgets": chosen.budgets.model_dump(),
    }
