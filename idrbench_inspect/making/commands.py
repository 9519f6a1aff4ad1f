"""`idrbench data judge`: read the preferences at ambiguity points from the paired reports."""

from pathlib import Path

import anyio
import click
from inspect_ai.model import GenerateConfig, get_model

from idrbench_inspect.dataset import load
from idrbench_inspect.dataset.points import JudgedPoints, read_judged
from idrbench_inspect.errors import BadInput
from idrbench_inspect.judging.asking import GRADER
from idrbench_inspect.making.judging_points import judge_dataset
from idrbench_inspect.making.row_file import RowFile


@click.command()
@click.argument("name_or_path")
@click.option("--model", "name", default=GRADER, show_default=True, help="Who judges, as Inspect names models.")
@click.option(
    "--out", required=True, metavar="FILE", help="File to write; as points.jsonl in a dataset folder it is used."
)
@click.option("--data-dir", metavar="DIR", help="Folder with copies of the public files, in place of fetching them.")
@click.option("--reports", metavar="FILE", help="Reports to pair with, in place of the public references.")
@click.pass_context
def judge(
    context: click.Context, name_or_path: str, name: str, out: str, data_dir: str | None, reports: str | None
) -> None:
    """Judge which ambiguity points of a dataset its paired reports answer, and how.

    Tasks that are in the file already are not judged again. Exits with 1 if the judge gave no reading of a task.
    """
    path = Path(out).expanduser()
    # Before the dataset is loaded, which reads the file too where it lies in its folder.
    for notice in RowFile(path, JudgedPoints, "task").check():
        click.echo(notice, err=True)
    dataset = load(name_or_path, data_dir, reports)
    try:
        model = get_model(name, role="grader", config=GenerateConfig(temperature=0.0))
    except Exception as cannot:  # a provider raises what it likes when its key or package is missing
        reason = " ".join(str(cannot).split()).rstrip(".")
        raise BadInput(f"The model {name} cannot be made ({reason}); set what is missing, or give another.") from cannot
    without = anyio.run(judge_dataset, dataset.tasks, path, model)
    points = [p for judged in (read_judged(path) if path.exists() else {}).values() for p in judged.points]
    answered = sum(point.answerable for point in points)
    click.echo(f"{path}: {len(dataset.tasks) - len(without)} of {len(dataset.tasks)} tasks, {len(points)} points")
    click.echo(f"answered by their reports: {answered}, left out of the denominator: {len(points) - answered}")
    for task, reason in without.items():
        click.echo(f"  no reading of {task}: {reason}", err=True)
    context.exit(1 if without else 0)
