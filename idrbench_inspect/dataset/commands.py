"""`idrbench data`: look at a dataset, and fetch what the hundred tasks are joined with."""

from collections import Counter

import click

from idrbench_inspect.dataset import public
from idrbench_inspect.dataset.audit import Audit, Audited, audit
from idrbench_inspect.dataset.fetching import kept
from idrbench_inspect.records import LANGUAGES


@click.group()
def data() -> None:
    """Datasets: check one, fetch the public files."""


@data.command()
@click.argument("name_or_path", default="idrbench")
@click.option("--data-dir", metavar="DIR", help="Folder with copies of the public files, in place of fetching them.")
@click.option("--reports", metavar="FILE", help="Reports to pair with, in place of the public references.")
@click.pass_context
def check(context: click.Context, name_or_path: str, data_dir: str | None, reports: str | None) -> None:
    """Check a dataset: a shipped name, a folder or a .jsonl file; idrbench if none is named.

    Prints what is in it and every problem by row, and exits with 1 if there is any.
    """
    found = audit(name_or_path, data_dir, reports)
    for line in (*_contents(found), *_problems(found)):
        click.echo(line)
    context.exit(1 if found.problems else 0)


@data.command()
def fetch() -> None:
    """Fetch the public files of the hundred tasks, once, and check them."""
    for file in (public.QUERIES, public.REFERENCES):
        copy = kept(file)
        click.echo(f"{public.kept_in() / file.name}: {len(copy.content):,} bytes, git blob hash {copy.blob}, as pinned")


def _contents(found: Audit) -> list[str]:
    """Rows, languages, topics, and how many queries of each language are compressed by how much."""
    rows = found.rows
    left_out = sum(row.left_out for row in rows)
    lines = [
        f"{found.name}: {len(rows)} rows" + (f", {left_out} of them left out for want of a report" if left_out else "")
    ]
    lines.append("languages: " + _counts([row.language for row in rows]))
    topics = [row.topic for row in rows]
    lines.append(f"topics ({len(set(topics))}): " + _counts(topics))
    if found.joined is not None:
        lines += [f"joined with {name}, {digest}" for name, digest in found.joined.files.items()]
        lines += found.joined.notices
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
    if not found.problems:
        return ["problems: none"]
    lines = [f"problems: {len(found.errors)} errors, {len(found.problems) - len(found.errors)} warnings"]
    for problem in found.problems:
        place = ", ".join(part for part in (problem.row or "file", problem.field) if part)
        lines.append(f"  {problem.kind} ({place}): {problem.sentence}")
    return lines
