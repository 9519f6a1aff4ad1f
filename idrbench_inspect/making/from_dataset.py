"""What makers take from a dataset: its tasks without what was judged before, or nothing but its detailed queries.

`dataset.load` wants everything that a run needs. Makers do not: whoever judges again must get past a `points.jsonl`
that no longer fits, and whoever shortens queries needs no reports.
"""

import hashlib
from pathlib import Path

from idrbench_inspect.dataset import Joined, ResearchTask
from idrbench_inspect.dataset.given import ANYWHERE, Given, Place
from idrbench_inspect.dataset.joining import UNKNOWN, Sources, join, queries_alone, source_of, sources
from idrbench_inspect.dataset.loading import report_of, tasks_file, tasks_of
from idrbench_inspect.dataset.reading import check_second_users, read_rows
from idrbench_inspect.dataset.tasks import PublicRow, Row
from idrbench_inspect.errors import BadInput
from idrbench_inspect.making.sources import Source, read_sources
from idrbench_inspect.problems import shown
from idrbench_inspect.records import Record
from idrbench_inspect.resources import given_path


class ToJudge(Record):
    """The tasks of a dataset with their points as its rows have them, whatever `points.jsonl` says.

    Args:
        name: As of the dataset.
        revision: The hash of its tasks and of what they were joined with; reports of its own are hashed task by task.
        tasks: All of them, second users too.
        joined: What was added from public files and from the user's.
    """

    name: str
    revision: str
    tasks: tuple[ResearchTask, ...]
    joined: Joined | None = None

    @property
    def notices(self) -> tuple[str, ...]:
        """What a user should know; that preferences are unknown is no news to whoever is about to read them."""
        return self.joined.model_copy(update={"unjudged": ()}).notices if self.joined else ()


def tasks_to_judge(
    name_or_path: str, data_dir: str | None = None, reports: str | None = None, place: Place = ANYWHERE
) -> ToJudge:
    """The tasks of a dataset, without looking at its judged points.

    Args:
        name_or_path: As of `dataset.load`, and so are the others.
        data_dir: See there.
        reports: See there.
        place: See there.

    Raises:
        BadInput: there is no such dataset, or something in it cannot be used; a file and a line are named.
    """
    name, file, is_folder = tasks_file(name_or_path)
    rows = read_rows(file)
    check_second_users(file, rows)
    whole, joined = join(file, rows, Given(data_dir, reports, place))
    tasks, _ = tasks_of(whole, file.parent, is_folder)
    content = file.read_bytes() + (joined.revision.encode() if joined else b"")
    return ToJudge(name=name, revision=hashlib.sha256(content).hexdigest(), tasks=tuple(tasks), joined=joined)


def given_queries(
    name_or_path: str, data_dir: str | None = None, reports: str | None = None, place: Place = ANYWHERE
) -> tuple[str, tuple[Source, ...]]:
    """The detailed queries of a dataset, see `queries_of`, or of a `.jsonl` file of sources, see `read_sources`.

    Returns:
        The name of the set, and its queries in order; at least one.

    Raises:
        BadInput: there is no such set, or something in it cannot be used; the file and the line are named.
    """
    path = given_path(str(name_or_path))
    if path.suffix == ".jsonl" and path.is_file() and (lines := read_sources(path)):
        for name, value in ((place.data_dir, data_dir), (place.reports, reports)):
            if value is not None:
                raise BadInput(f"{path} has source queries of its own, so {name} has no meaning; leave it out.")
        return path.stem, lines
    return queries_of(str(name_or_path), Given(data_dir, reports, place))


def queries_of(name_or_path: str, given: Given) -> tuple[str, tuple[Source, ...]]:
    """The detailed queries of a dataset (second users left out: they ask in the words of the first), in order.

    Reports are taken along where they are there, and never wanted: of the public files, the queries alone are read.

    Args:
        name_or_path: As of `dataset.load`.
        given: For rows with `source_id`. `data_dir`: a folder with a copy of the public queries; fetched if not given.
            `reports`: a file of `{"id", "article"}` lines, which the rows then carry.

    Returns:
        The name of the dataset, and its queries; at least one.

    Raises:
        BadInput: there is no such dataset, or something in it cannot be used; a file and a line are named.
    """
    name, file, is_folder = tasks_file(name_or_path)
    rows = read_rows(file)
    check_second_users(file, rows)
    of_public = [row for row in rows if isinstance(row, PublicRow)]
    if not of_public:
        join(file, rows, given)  # which refuses both for rows that have their own
        first = [row for row in rows if isinstance(row, Row) and row.second_user_of is None]
        return name, tuple(_of_row(row, file.parent, is_folder) for row in first)
    if len(of_public) < len(rows):
        raise BadInput(f"{file} has rows with a source_id and rows without; give all of them one, or none.")
    found = queries_alone(given) if given.reports is None else sources(given)
    if found.problems:
        raise BadInput(shown(found.problems[0]))
    return name, tuple(_of_public(row, found, file) for row in of_public)


def _of_row(row: Row, folder: Path, is_folder: bool) -> Source:
    there = row.report is not None or row.report_file is not None
    there = there or (is_folder and (folder / f"reports/{row.id}.md").is_file())
    return Source(
        id=row.id,
        language=row.language,
        topic=row.topic,
        source_query=row.source_query,
        target_origin=row.target_origin,
        report=report_of(row, folder, is_folder)[0] if there else None,
    )


def _of_public(row: PublicRow, found: Sources, file: Path) -> Source:
    text, problems = source_of(row, found)
    if problems:
        raise BadInput(f"{file}: the task {row.id!r}: {problems[0].sentence}")
    report = found.reports.get(row.source_id)
    return Source(
        id=row.id,
        language=row.language,
        topic=row.topic,
        source_query=text,
        target_origin=UNKNOWN if report is None else found.origin,
        report=report,
    )
