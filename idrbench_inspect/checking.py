"""`idrbench data check`: what the rooms that read a dataset find wrong with it, put together."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import click

from idrbench_inspect.dataset import Audit, audit
from idrbench_inspect.dataset.audit import Audited
from idrbench_inspect.dataset.commands import data_options
from idrbench_inspect.dataset.given import ANYWHERE, COMMAND, Place
from idrbench_inspect.dataset.loading import tasks_file
from idrbench_inspect.judging.audit import audited_aspects
from idrbench_inspect.problems import Problem, counted
from idrbench_inspect.records import LANGUAGES
from idrbench_inspect.search.audit import audited_corpus


def check_dataset(
    name_or_path: str, data_dir: str | None = None, reports: str | None = None, place: Place = ANYWHERE
) -> Audit:
    """All that is wrong with a dataset, its corpus and its aspects.

    Args:
        name_or_path: As of `dataset.load`.
        data_dir: As of `dataset.load`.
        reports: As of `dataset.load`.
        place: As of `dataset.load`.

    Returns:
        An audit with an error exactly if a run refuses the dataset: one with its own aspects, where it has any, and
        with `search=corpus`, where it has a corpus.

    Raises:
        BadInput: there is no such dataset, or the user's reports cannot be had.
    """
    found = audit(name_or_path, data_dir, reports, place)
    _, file, is_folder = tasks_file(name_or_path)
    more = _beside(file.parent, found) if is_folder else ()
    return found.model_copy(update={"problems": (*found.problems, *more)})


def _beside(folder: Path, found: Audit) -> Iterator[Problem]:
    rows = [row for row in found.rows if row.chosen and not row.left_out]
    corpus, aspects = folder / "corpus", folder / "aspects.jsonl"
    if corpus.is_dir():
        yield from audited_corpus(corpus, [row.id for row in found.rows if not row.second_user])
    if aspects.is_file():
        yield from audited_aspects(aspects, [row for row in rows if row.source_query], found.ids)


@click.command()
@click.argument("name_or_path", default="idrbench")
@data_options
@click.pass_context
def check(context: click.Context, name_or_path: str, data_dir: str | None, reports: str | None) -> None:
    """Check a dataset: a shipped name, a folder or a .jsonl file; idrbench if none is named.

    Prints what is in it and every problem by file, row and field, and exits with 1 if there is any, or if not
    everything could be looked at. An error is what a run refuses the dataset for.
    """
    found = check_dataset(name_or_path, data_dir, reports, COMMAND)
    for line in (*_contents(found), *_problems(found)):
        click.echo(line)
    context.exit(1 if found.problems or found.unchecked else 0)


def _contents(found: Audit) -> list[str]:
    """Rows, languages, topics, and how many queries of each language are compressed by how much."""
    rows = found.rows
    left_out = sum(row.left_out for row in rows)
    without = f", {left_out} of them left out for want of a report" if left_out else ""
    lines = [f"{found.name}: {counted(len(rows), 'row', 'rows')}{without}"]
    lines.append("languages: " + _counts([row.language for row in rows]))
    topics = [row.topic for row in rows]
    lines.append(f"topics ({len(set(topics))}): " + _counts(topics))
    if found.joined is not None:
        lines += [f"joined with {name}, {digest}" for name, digest in found.joined.files.items()]
    lines += found.notices
    return [*lines, *_histogram(rows)]


def _counts(values: list[str]) -> str:
    return ", ".join(f"{value} {count}" for value, count in Counter(values).most_common()) or "none"


def _histogram(rows: tuple[Audited, ...]) -> list[str]:
    """Tasks by language and tenth of compression; 1 is counted with the last tenth."""
    counts = Counter((row.language, min(int(row.compression * 10), 9)) for row in rows)
    lines = ["compression  " + "".join(f"{10 * tenth:>4}-{10 * tenth + 10:<3}" for tenth in range(10)) + " %"]
    for language in LANGUAGES:
        lines.append(f"{language:<13}" + "".join(f"{counts[language, tenth]:>6}  " for tenth in range(10)).rstrip())
    return lines


def _problems(found: Audit) -> list[str]:
    unchecked = [f"not everything was checked: {found.unchecked}"] if found.unchecked else []
    if not found.problems:
        return ["problems: none in what was checked", *unchecked] if unchecked else ["problems: none"]
    warnings = len(found.problems) - len(found.errors)
    lines = [f"problems: {counted(len(found.errors), 'error', 'errors')}, {counted(warnings, 'warning', 'warnings')}"]
    for problem in found.problems:
        where = ", ".join(part for part in (problem.file, problem.row, problem.field) if part) or "file of tasks"
        lines.append(f"  {problem.kind} ({where}): {problem.sentence}")
    return [*lines, *unchecked]
