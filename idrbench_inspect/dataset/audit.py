"""Go over a dataset and name all that is wrong: errors, for which `load` refuses it, and warnings.

What other rooms read of its folder, a corpus and aspects, is theirs to look at.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from idrbench_inspect.dataset.given import ANYWHERE, Given, Place
from idrbench_inspect.dataset.joining import Joined, Sources, joined_row, queries_alone, sources
from idrbench_inspect.dataset.loading import load, other_reports, report_of, report_place, tasks_file
from idrbench_inspect.dataset.points import POINTS
from idrbench_inspect.dataset.points_audit import audited_points
from idrbench_inspect.dataset.public import Lacking
from idrbench_inspect.dataset.reading import NO_TASK, BadRow, read_row, second_users, twice
from idrbench_inspect.dataset.report_files import audited_report, unread
from idrbench_inspect.dataset.row_audit import AnyRow, alike, stated, texts
from idrbench_inspect.dataset.subsets import SUBSETS, Subsets, audited_subsets, incomplete
from idrbench_inspect.dataset.tasks import PublicRow, ResearchTask, Row, TaskFields
from idrbench_inspect.errors import BadInput
from idrbench_inspect.formats import decoded, filled_lines, read_bytes
from idrbench_inspect.problems import Problem, of_bytes, of_file
from idrbench_inspect.records import Language, Record


class Audited(Record):
    """One readable row.

    Args:
        id: The row's.
        language: As stated.
        topic: As stated.
        query: The short query.
        source_query: The detailed one; empty where it is not known or does not fit the row.
        compression: As measured, or as stated if the source is not known.
        left_out: Whether there is no report for it, so that it is no task.
        second_user: Whether it is another user's task with the query of a first one.
        chosen: Whether some run takes it: a task of a first user, or of a subset.
    """

    id: str
    language: Language
    topic: str
    query: str
    source_query: str
    compression: float
    left_out: bool
    second_user: bool
    chosen: bool


class Audit(Record):
    """What was found in a dataset; `joined` is `None` where nothing is joined.

    `ids` are those of all rows, of unreadable ones too, and `None` where one is not known; `notices` is what a user
    should know before a run, such as which subsets are incomplete for want of reports. `unchecked` says what the rows
    could not be compared with, and why; it is empty where everything was looked at.
    """

    name: str
    rows: tuple[Audited, ...]
    problems: tuple[Problem, ...]
    joined: Joined | None = None
    ids: tuple[str, ...] | None = None
    notices: tuple[str, ...] = ()
    unchecked: str = ""

    @property
    def errors(self) -> tuple[Problem, ...]:
        """The problems for which the dataset is refused."""
        return tuple(problem for problem in self.problems if problem.kind == "error")


@dataclass
class _Found:
    """What has been found so far in a dataset in `folder`, which is the dataset itself or holds its file."""

    folder: Path
    is_folder: bool
    complete: bool
    problems: list[Problem]
    audited: list[Audited] = field(default_factory=list)
    tasks: dict[str, ResearchTask] = field(default_factory=dict)
    asked: list[tuple[AnyRow, str]] = field(default_factory=list)
    report_files: set[Path] = field(default_factory=set)

    def look_at(self, row: AnyRow, public: Sources | None, in_subset: bool) -> None:
        """Add one row and what is wrong with it."""
        whole, report, wrong = self._with_report(row, public)
        source, second = _source(row, public), getattr(row, "second_user_of", None) is not None
        self.problems += [*wrong, *stated(row, public), *texts(row, source, report)]
        self.asked.append((row, source))
        self.audited.append(
            Audited(
                id=row.id,
                language=row.language,
                topic=row.topic,
                query=row.query,
                source_query="" if whole is None else source,
                compression=row.compression if whole is None else whole.compression,
                left_out=self.complete and whole is None and not wrong,
                second_user=second,
                chosen=in_subset or not second,
            )
        )
        if whole is not None and not wrong:
            fields = {name: getattr(whole, name) for name in TaskFields.model_fields}
            self.tasks[row.id] = ResearchTask(**fields, report=report)

    def notices(self, joined: Joined | None, subsets: Subsets) -> Iterator[str]:
        """What to know before a run: of what was joined, and of each subset that is not whole."""
        yield from joined.notices if joined else ()
        left_out = [row.id for row in self.audited if row.left_out]
        yield from (said for name, named in subsets.items() if (said := incomplete(name, named, left_out)))

    def _with_report(self, row: AnyRow, public: Sources | None) -> tuple[Row | None, str, Sequence[Problem]]:
        """The row with its source query, its report, and what is wrong with either."""
        if isinstance(row, PublicRow):
            task, problems = joined_row(row, public) if public else (None, [])
            return task, (task.report or "") if task else "", problems
        try:
            if path := report_place(row, self.folder, self.is_folder):
                self.report_files.add(path)
            report, _ = report_of(row, self.folder, self.is_folder)
        except BadInput as missing:
            return row, "", [Problem(row=row.id, field="report", sentence=missing.message)]
        if path is not None:
            self.problems += audited_report(path, self.folder, row.id)
        return row, report, []


def audit(name_or_path: str, data_dir: str | None = None, reports: str | None = None, place: Place = ANYWHERE) -> Audit:
    """Look at everything in a dataset that `load` reads.

    Args:
        name_or_path: As of `load`.
        data_dir: As of `load`.
        reports: As of `load`.
        place: As of `load`.

    Returns:
        All problems, in the order of the rows. There is an error among them exactly if `load` refuses the dataset,
        as far as the public files can be had.

    Raises:
        BadInput: there is no such dataset, or the user's reports cannot be had.
    """
    name, file, is_folder = tasks_file(name_or_path)
    content = read_bytes(file)
    try:
        rows, ids, wrong = _rows(decoded(content, file.name))
    except BadInput as unreadable:
        return Audit(name=name, rows=(), problems=(*of_bytes(content), of_file(unreadable.message)))
    any_public = any(isinstance(row, PublicRow) for row in rows)
    public, unchecked = _public(Given(data_dir, reports, place)) if any_public else (None, "")
    found = _Found(file.parent, is_folder, not unchecked, [*of_bytes(content), *wrong])
    found.problems += second_users(rows, lambda name: ids is None or name in ids)
    found.problems += _of_reports(public, rows)
    subsets, wrong = audited_subsets(file.with_name(SUBSETS), ids) if _there(file, SUBSETS, is_folder) else ({}, [])
    members = {task for named in subsets.values() for task in named}
    for row in rows:
        found.look_at(row, public, row.id in members)
    found.problems += [*alike(found.asked), *wrong]
    joined = public.joined if public else None
    if not unchecked and _there(file, POINTS, is_folder) and (points := file.with_name(POINTS)).is_file():
        found.problems += audited_points(points, found.tasks, ids, given_reports=other_reports(joined))
    if is_folder:
        found.problems += unread(file.parent, found.report_files, [row.id for row in rows], ids)
    if not unchecked and not any(problem.kind == "error" for problem in found.problems):
        joined, refused = _as_a_whole(name_or_path, Given(data_dir, reports, place), joined)
        found.problems += refused
    return Audit(
        name=name,
        rows=tuple(found.audited),
        problems=tuple(found.problems),
        joined=joined,
        ids=ids,
        notices=tuple(found.notices(joined, subsets)),
        unchecked=unchecked,
    )


def _as_a_whole(name: str, given: Given, joined: Joined | None) -> tuple[Joined | None, list[Problem]]:
    """What only the whole shows: rows of two kinds, no row with a report, parameters without a meaning."""
    try:
        return load(name, given.data_dir, given.reports, given.place).joined, []
    except BadInput as refused:
        return joined, [of_file(refused.message)]


def _public(given: Given) -> tuple[Sources | None, str]:
    """What public rows are joined with, as far as it can be had, and what they are not compared with, and why."""
    try:
        return sources(given), ""
    except Lacking as lacking:
        said = lacking.message
    try:
        return queries_alone(given, fetch=False), f"The rows were not compared with their reports. {said}"
    except Lacking:
        return None, f"The rows were compared neither with their source queries nor with their reports. {said}"


def _there(file: Path, name: str, is_folder: bool) -> bool:
    return is_folder and file.with_name(name).exists()


def _rows(text: str) -> tuple[list[AnyRow], tuple[str, ...] | None, list[Problem]]:
    """The rows, the ids of all, unreadable ones too (`None` where one is not known), and what is wrong with them.

    Raises:
        BadInput: one sentence says what is wrong with the file as a whole.
    """
    rows: dict[str, AnyRow] = {}
    broken: list[str | None] = []
    problems: list[Problem] = []
    for number, line in filled_lines(text):
        try:
            row = read_row(line, number)
        except BadRow as unreadable:
            problems += unreadable.problems
            broken.append(unreadable.name)
            continue
        if row.id in rows:
            problems.append(twice(row.id))
        else:
            rows[row.id] = row
    if not rows and not problems:
        raise BadInput(NO_TASK)
    if not rows and len(problems) > 1 and _spread(text):
        raise BadInput("the JSON is spread over several lines; write each task as one object on one line.")
    named = [name for name in broken if name is not None]
    return list(rows.values()), (*rows, *named) if len(named) == len(broken) else None, problems


def _spread(text: str) -> bool:
    """Whether a JSON value that begins in the first line ends in a later one."""
    try:
        _, end = json.JSONDecoder().raw_decode(text.strip())
    except (ValueError, RecursionError):
        return False
    return "\n" in text.strip()[:end]


def _of_reports(public: Sources | None, rows: Sequence[AnyRow]) -> Iterator[Problem]:
    """What is wrong with the lines of reports, and with the bytes and the use of the user's file of them."""
    if public is None:
        return
    yield from public.problems
    if public.joined.reports is None:
        return
    file = public.joined.reports
    yield from of_bytes(read_bytes(Path(file)), file)
    asked = {row.source_id for row in rows if isinstance(row, PublicRow)}
    if unused := [name for name in public.reports if name not in asked]:
        said = f"{len(unused)} of {len(public.reports)} reports are of no row of this dataset and are not used: "
        yield of_file(f"{said}{', '.join(unused)}.", file, "warning")


def _source(row: AnyRow, public: Sources | None) -> str:
    """The source query of a row, whether it has a report or not; empty when it is not known."""
    if isinstance(row, Row):
        return row.source_query
    return str(public.queries.get(row.source_id, {}).get("prompt", "")) if public else ""
