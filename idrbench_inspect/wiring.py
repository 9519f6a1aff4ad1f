"""Wiring: from choices and arms to one Inspect task. The front doors call this and do nothing else."""

from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

import click
from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import GenerateConfig
from inspect_ai.scorer import Metric, Scorer

from idrbench_inspect.arms import Arm
from idrbench_inspect.articles import given_articles, left_out, not_scored, read_articles
from idrbench_inspect.choices import Choices
from idrbench_inspect.dataset import Dataset, ResearchTask, load, select, to_sample
from idrbench_inspect.dataset.given import Place
from idrbench_inspect.dataset.points import unread_points
from idrbench_inspect.errors import BadInput
from idrbench_inspect.pipeline.solver import deep_research
from idrbench_inspect.preflight import check_instruments, check_roles, measured_by, parted, played_by, settled
from idrbench_inspect.records import SCHEMA
from idrbench_inspect.resources import given_path, prompts_sha256, sha256
from idrbench_inspect.scorers.ambiguity_found import ambiguity_found
from idrbench_inspect.scorers.arms_run import ARMS
from idrbench_inspect.scorers.contamination import contamination
from idrbench_inspect.scorers.instruments import Instruments
from idrbench_inspect.scorers.interaction_cost import interaction_cost
from idrbench_inspect.scorers.report_alignment import report_alignment
from idrbench_inspect.user.seat import seat_user
from idrbench_inspect.viewing import samples_view

Metrics = dict[str, list[Metric]]

TASK_VERSION = "3-A"
"""`N-X`: N rises with any change that moves a number, X with any change of parameters or of the log's form."""

RETRIES = GenerateConfig(max_retries=8, attempt_timeout=600)
"""Defaults for a model call; `--max-retries` and `--attempt-timeout` override them."""


def build(chosen: Choices, arms: Sequence[Arm], metrics: Metrics | None = None) -> Task:
    """One task with a sample per task and arm, scored by contamination, alignment, cost, and what questions found.

    Args:
        chosen: What was chosen.
        arms: At least one.
        metrics: In place of the scorers' own.

    Raises:
        BadInput: the data, the search, a role, the embedder or the aspects cannot be had; no model was called by then.
    """
    unchosen = chosen.dataset == chosen.profile.dataset
    dataset, rows = _chosen(
        chosen, Place(otherwise="run other tasks offline with -T profile=mini and no dataset=" if unchosen else "")
    )
    _tell(dataset, *(said for said in (unread_points(rows, dataset.unread), parted(len(rows), len(arms))) if said))
    instruments = settled(chosen.instruments, dataset)
    named = [arm.name for arm in arms]
    samples = [_sample(row, arm, dataset, named) for row in rows for arm in _order(row, arms)]
    for sample in samples:
        measured_by(sample, instruments, chosen.blocked)
    solver = deep_research(
        date=chosen.date,
        search=_search(chosen, dataset),
        limits=chosen.limits.model_dump(),
        budgets=chosen.budgets.model_dump(),
        summarizer=chosen.profile.summarizer,
    )
    roles = check_roles(chosen, arms)
    check_instruments(instruments, rows, dataset)
    asks = any(arm.user for arm in arms)
    return Task(
        dataset=MemoryDataset(samples, name=dataset.name),
        setup=seat_user(user_context=chosen.user_context, user_model=chosen.profile.user),
        solver=solver,
        scorer=_scorers(instruments, asks=asks),
        metrics=metrics,
        config=RETRIES,
        continue_on_fail=True,
        viewer=samples_view(asks=asks),
        version=TASK_VERSION,
        metadata=_made_by(chosen, arms, dataset) | {"roles": roles, "instruments": instruments.model_dump(mode="json")},
    )


def build_reports(chosen: Choices, file: str) -> Task:
    """One task with a sample per task of the dataset, whose reports come from a file; no agent's model is called.

    Raises:
        BadInput: the data, the file, the judge, the embedder or the aspects cannot be had, or no report fits a sample.
    """
    dataset, rows = _chosen(chosen, Place(reports="targets="))
    articles = read_articles(file, (*(row.id for row in dataset.tasks), *left_out(dataset)))
    if notice := not_scored(articles, rows, dataset):
        _tell(dataset, notice)
    if not any(row.id in articles for row in rows):
        raise BadInput(f"{file} holds no report on any task that was chosen ({len(rows)}); choose others.")
    instruments = settled(chosen.instruments, dataset)
    roles = {"grader": played_by("grader", chosen.profile.grader)}
    check_instruments(instruments, rows, dataset)
    samples = [to_sample(row, dataset) for row in rows]
    for sample in samples:
        measured_by(sample, instruments, chosen.blocked)
    made_by = {**_about(chosen, dataset), "reports_sha256": sha256(given_path(file))}
    return Task(
        dataset=MemoryDataset(samples, name=dataset.name),
        solver=given_articles(file),
        scorer=[contamination(), _alignment(instruments)],
        config=RETRIES,
        continue_on_fail=True,
        viewer=samples_view(cost=False, asks=False),
        version=TASK_VERSION,
        metadata=made_by | {"roles": roles, "instruments": instruments.model_dump(mode="json")},
    )


def _scorers(instruments: Instruments, *, asks: bool) -> list[Scorer]:
    """In order: alignment says what contamination found, and cost counts the calls of the others."""
    asking = [ambiguity_found(grader=instruments.grader)] if asks else []
    return [contamination(), _alignment(instruments), *asking, interaction_cost()]


def _alignment(instruments: Instruments) -> Scorer:
    return report_alignment(**instruments.model_dump(exclude_none=True))


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


def _sample(row: ResearchTask, arm: Arm, dataset: Dataset, named: Sequence[str]) -> Sample:
    sample = to_sample(row, dataset)
    extra: dict[str, Any] = {"arm": arm.name}
    if arm.opening == "source_query":
        sample.input = row.source_query
    if arm.opening == "volunteered":
        extra["given"] = "\n".join(_preferences(row))
    if arm.reference == "another":
        extra["user_reference"] = _another(row, dataset).report
    if len(named) > 1:
        extra[ARMS] = list(named)  # so that the metrics know of an arm that has no value
        sample.id = f"{row.id}.{arm.name}"
    sample.metadata = {**(sample.metadata or {}), **extra}
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


def _chosen(chosen: Choices, place: Place) -> tuple[Dataset, tuple[ResearchTask, ...]]:
    """The dataset and the tasks of a run; what was left out is said on stderr."""
    dataset = load(chosen.dataset, chosen.data_dir, chosen.reports, place)
    _tell(dataset, *dataset.notices(chosen.subset))
    return dataset, select(dataset.tasks, chosen.subset, chosen.shard, chosen.language, dataset.subsets)


def _tell(dataset: Dataset, *notices: str) -> None:
    for notice in notices:
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


def _about(chosen: Choices, dataset: Dataset) -> dict[str, Any]:
    return {
        "suite": f"idrbench-inspect {version('idrbench-inspect')}",
        "schema": SCHEMA,
        "profile": chosen.profile.name,
        "blocked_domains": list(chosen.blocked.entries),
        "dataset": dataset.name,
        "dataset_revision": dataset.revision,
        "dataset_joined": dataset.joined.model_dump(mode="json") if dataset.joined else None,
        "prompts_sha256": prompts_sha256(),
    }


def _made_by(chosen: Choices, arms: Sequence[Arm], dataset: Dataset) -> dict[str, Any]:
    return {
        **_about(chosen, dataset),
        "arms": [arm.name for arm in arms],
        "search": chosen.search,
        "user_context": chosen.user_context,
        "date": chosen.date,
        "limits": chosen.limits.model_dump(),
        "budgets": chosen.budgets.model_dump(),
    }
