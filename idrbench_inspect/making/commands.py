"""`idrbench data judge`: read the preferences at ambiguity points from the paired reports."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import anyio
import click
from inspect_ai.model import GenerateConfig, Model, get_model

from idrbench_inspect.dataset.commands import data_options
from idrbench_inspect.dataset.given import COMMAND
from idrbench_inspect.dataset.points import JudgedPoints, fits
from idrbench_inspect.errors import BadInput, cannot_be_made
from idrbench_inspect.judging.asking import GRADER
from idrbench_inspect.making.from_dataset import ToJudge, tasks_to_judge
from idrbench_inspect.making.judging_points import judge_dataset
from idrbench_inspect.making.plans import plan_of
from idrbench_inspect.making.row_file import RowFile
from idrbench_inspect.making.runs import alone
from idrbench_inspect.making.wording import counted, named


@click.command()
@click.argument("name_or_path")
@click.option("--model", "name", default=GRADER, show_default=True, help="Who judges, as Inspect names models.")
@click.option(
    "--out", required=True, metavar="FILE", help="File to write; as points.jsonl in a dataset folder it is used."
)
@data_options
@click.pass_context
def judge(
    context: click.Context, name_or_path: str, name: str, out: str, data_dir: str | None, reports: str | None
) -> None:
    """Judge which ambiguity points of a dataset its paired reports answer, and how.

    Tasks that are in the file already are not judged again, unless query, points or report have changed since: then
    the new reading takes the place of the old one. Exits with 1 if the judge gave no reading of a task.
    """
    path = Path(out).expanduser()
    given = tasks_to_judge(name_or_path, data_dir, reports, COMMAND)
    file = RowFile(path, JudgedPoints, "task")
    context.with_resource(alone(path))
    for notice in file.check():
        click.echo(notice, err=True)
    plan = plan_of(file, given.tasks)
    model = model_named(name, "grader", temperature=0.0)
    for sentence in (*given.notices, *plan.sentences()):
        click.echo(sentence, err=True)
    done = anyio.run(judge_dataset, given.tasks, path, model, progress())
    for line in _totals(file, given):
        click.echo(line)
    if done.replaced:
        click.echo(f"replaced: {len(done.replaced)}: {named(done.replaced)}")
    for task, reason in done.without.items():
        click.echo(f"  no reading of {task}: {reason}", err=True)
    context.exit(1 if done.without else 0)


def _totals(file: RowFile[JudgedPoints], given: ToJudge) -> list[str]:
    """What the file says of these tasks with these reports, and of nothing else."""
    held = file.rows()
    read = [held[task.id] for task in given.tasks if task.id in held and not fits(held[task.id], task)]
    points = [point for line in read for point in line.points]
    answered = sum(point.answerable for point in points)
    return [
        f"{file.path}: {len(read)} of {counted(len(given.tasks), 'task')}, {counted(len(points), 'point')}",
        f"answered by their reports: {answered}, left out of the denominator: {len(points) - answered}",
    ]


def progress() -> Callable[[str], None]:
    """What prints a line on stderr as often as it is given one, so that a long run is seen to go on."""
    return partial(click.echo, err=True)


def model_named(name: str, role: str, temperature: float | None = None) -> Model:
    """A model by Inspect's name for it.

    Raises:
        BadInput: it cannot be made, with the provider's reason.
    """
    try:
        # Fewer retries than a run of `inspect eval` has: nothing shows that this one waits, here for three minutes.
        config = GenerateConfig(temperature=temperature, max_retries=6, attempt_timeout=600)
        return get_model(name, role=role, config=config)
    except Exception as cannot:  # a provider raises what it likes when its key or package is missing
        raise BadInput(
            f"The model {name} cannot be made ({cannot_be_made(cannot)}); set what is missing, or give another."
        ) from cannot
