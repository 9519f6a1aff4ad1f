"""`idrbench data inject` and `accept`: make rows of detailed queries, and take those that people let through."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import anyio
import click

from idrbench_inspect.dataset.commands import data_options
from idrbench_inspect.dataset.given import COMMAND
from idrbench_inspect.dataset.tasks import Row
from idrbench_inspect.errors import BadInput
from idrbench_inspect.judging.asking import GRADER, OWN_MODELS
from idrbench_inspect.making.accepting import decided, rows_of, write_taken
from idrbench_inspect.making.commands import model_named, progress
from idrbench_inspect.making.from_dataset import given_queries
from idrbench_inspect.making.making_rows import Outcome, RowMaker, make_rows, planned
from idrbench_inspect.making.review import READERS, sheet_of
from idrbench_inspect.making.row_file import RowFile
from idrbench_inspect.making.runs import alone
from idrbench_inspect.making.targets import SPREAD, read_target, targets_of
from idrbench_inspect.making.wording import named


@click.command()
@click.argument("sources")
@click.option("--model", "name", required=True, help="Who writes, as Inspect names models.")
@click.option("--grader", help=f"Who judges; {GRADER} if not given, offline the model itself.")
@click.option("--out", required=True, metavar="FILE", help="File of rows to write; the review sheet lies beside it.")
@click.option("--target", default="0.5", show_default=True, help=f"Share to be cut away, 0.1 to 0.9, or {SPREAD}.")
@click.option("--seed", default=0, show_default=True, help="Of the spread.")
@data_options
@click.pass_context
def inject(context: click.Context, /, sources: str, name: str, grader: str | None, out: str, **given: Any) -> None:
    """Shorten the detailed queries of SOURCES, a dataset or a .jsonl file, into rows of a dataset, without a log.

    Rows that are in the file already are not made again. The last line says how many were made, rejected and errored.
    Exits with 1 if there is a source without a row.
    """
    path = Path(out).expanduser()
    aim = read_target(_number(given["target"]))
    _, queries = given_queries(sources, given["data_dir"], given["reports"], COMMAND)
    file = RowFile(path, Row)
    context.with_resource(alone(path))
    for notice in file.check():
        click.echo(notice, err=True)
    targets = targets_of(queries, aim, int(given["seed"]))
    plan = planned(file, queries, targets)
    writer = model_named(name, "injector")
    judge = model_named(grader or (name if name.startswith(OWN_MODELS) else GRADER), "grader", temperature=0.0)
    for sentence in plan:
        click.echo(sentence, err=True)
    outcomes = anyio.run(make_rows, queries, targets, RowMaker(path), (writer, judge), progress())
    click.echo(f"{path}, review sheet {sheet_of(path)}")
    click.echo(_counts(outcomes))
    context.exit(0 if all(outcome.row for outcome in outcomes.values()) else 1)


def _number(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def _counts(outcomes: dict[str, Outcome]) -> str:
    """One line: how many rows were made, and which sources have none, why."""
    resumed = sum(outcome.resumed for outcome in outcomes.values())
    said = []
    for kind in ("made", "rejected", "errored"):
        of_kind = {id_: outcome for id_, outcome in outcomes.items() if outcome.kind == kind}
        why = {id_: f"{one.reason}: {one.explanation}" for id_, one in of_kind.items() if one.row is None}
        there = f" ({resumed} of them {'was' if resumed == 1 else 'were'} there)" if kind == "made" and resumed else ""
        said.append(f"{kind} {len(of_kind)}{there}" + (f": {named(why)}" if why else ""))
    return ", ".join(said)


@click.command()
@click.argument("sheet")
@click.option("--out", required=True, metavar="FILE", help="File to write the rows to that were taken.")
@click.option("--rows", metavar="FILE", help="The rows that the sheet is about, if not beside it under its name.")
@click.pass_context
def accept(context: click.Context, sheet: str, out: str, rows: str | None) -> None:
    """Write the rows that people took on a filled-in review SHEET, with the queries and points as they want them.

    A query that a person wrote is checked for length and language again, not by a judge, and the row says that it was
    changed, by whom it was read, what a reader did not tick, and what was noted. The last line counts such rows. Exits
    with 1 if a row is undecided or cannot be taken.
    """
    place = Path(sheet).expanduser()
    source = rows_of(place) if rows is None else Path(rows).expanduser()
    if not place.is_file():
        raise BadInput(f"There is no sheet {place}; give the one beside the rows.")
    found = decided(place, source)
    if found.taken:
        write_taken(found.taken, Path(out).expanduser(), source)
    for line in found.outside:
        click.echo(f"  not read, since it stands in no block: {line}", err=True)
    for row, why in found.wrong.items():
        click.echo(f"  {row} cannot be taken: {why}", err=True)
    click.echo(
        f"{out if found.taken else 'nothing is written'}: taken {len(found.taken)}{_of_which(found.taken)}, "
        f"left out {_listed(found.refused)}, undecided {_listed(found.undecided)}, not to be taken {len(found.wrong)}"
    )
    context.exit(1 if found.undecided or found.wrong else 0)


def _of_which(taken: Sequence[Row]) -> str:
    """How many of the rows that were taken a person may want to look at once more, and what for."""
    reviews = [row.review for row in taken if row.review is not None]
    counts = {
        "read by one reader": sum(len(review.readers) < READERS for review in reviews),
        "with doubts": sum(bool(review.doubts) for review in reviews),
        "with notes": sum(bool(review.notes) for review in reviews),
        "with another query": sum(review.query_before is not None for review in reviews),
    }
    said = ", ".join(f"{count} {what}" for what, count in counts.items() if count)
    return f", of which {said} (see review)" if said else ""


def _listed(ids: tuple[str, ...]) -> str:
    return f"{len(ids)} ({', '.join(ids)})" if ids else "0"
