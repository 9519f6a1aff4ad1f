"""Put the public source query and a paired report to each row that has them in the public repository."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from idrbench_inspect.dataset import public
from idrbench_inspect.dataset.fetching import at_hand, kept
from idrbench_inspect.dataset.given import Given, Place
from idrbench_inspect.dataset.public import Copy, Lacking, PublicFile, local
from idrbench_inspect.dataset.reading import problems_of
from idrbench_inspect.dataset.report_lines import read_queries, read_reports
from idrbench_inspect.dataset.tasks import AmbiguityPoint, PublicRow, Row, TargetOrigin
from idrbench_inspect.errors import BadInput
from idrbench_inspect.formats import read_bytes
from idrbench_inspect.problems import Problem, counted, shown
from idrbench_inspect.records import Record
from idrbench_inspect.resources import given_path, sha256_of

UNKNOWN: Final = TargetOrigin(system="unknown", model_family="unknown")
"""Of a report that is not there, and of the public ones: their repository does not say which system wrote them."""

TOLERANCE: Final = 0.005
"""Of a stated compression: two decimals are enough."""


class Joined(Record):
    """What the rows of a dataset were joined with.

    Args:
        files: The hash of each file, by its name: `git:` and a git blob hash, or `sha256:`.
        pinned: Whether the public files are those of the pinned commit.
        data_dir: The user's folder that they were taken from, absolute; `None` for the fetched ones.
        reports: The user's file of reports, absolute; `None` for the public references.
        left_out: Rows without a report, which are no tasks.
        unjudged: Tasks whose preferences were read in another report, and are unknown for this one.
    """

    files: dict[str, str]
    pinned: bool
    data_dir: str | None = None
    reports: str | None = None
    left_out: tuple[str, ...] = ()
    unjudged: tuple[str, ...] = ()

    @property
    def revision(self) -> str:
        """What a dataset's revision depends on besides its own files."""
        return "".join(f"{name} {digest}\n" for name, digest in sorted(self.files.items()))

    @property
    def given(self) -> dict[str, str | None]:
        """What `load` has to be given, besides the name, to load the same again."""
        return {"data_dir": self.data_dir, "reports": self.reports}

    @property
    def notices(self) -> tuple[str, ...]:
        """What a user should know before a run, a sentence each."""
        said = []
        if self.left_out:
            rows = counted(len(self.left_out), "row has no report and is", "rows have no report and are")
            said.append(f"{rows} left out: {', '.join(self.left_out)}.")
        if self.unjudged:
            tasks = counted(len(self.unjudged), "task", "tasks")
            said.append(
                f"The preferences of {tasks} were read in another report than the one paired here, and are taken as "
                f"unknown: {', '.join(self.unjudged)}."
            )
        if not self.pinned:
            said.append(f"The public files come from {self.data_dir} and are not those of the pinned commit.")
        return tuple(said)


@dataclass(frozen=True)
class Sources:
    """What rows are joined with: public queries and reports by the public id, and where the reports come from.

    `problems` are those of the reports' lines, which are not among `reports` then.
    """

    queries: Mapping[str, Mapping[str, Any]]
    reports: Mapping[str, str]
    origin: TargetOrigin
    joined: Joined
    problems: tuple[Problem, ...] = ()


def sources(given: Given) -> Sources:
    """Read the public queries, and the public references or a file of other reports.

    Args:
        given: `data_dir`, a folder with copies of the public files; they are fetched, once, if it is not given.
            `reports`, a file of lines with `id` (a public query's, as text or number) and `article`; the public
            references are then not needed.

    Raises:
        Lacking: a public file cannot be had.
        BadInput: another file cannot, or the public queries cannot be read.
    """
    folder = _folder(given)
    place = None if given.reports is None else _given_file(given.reports, given.place)
    queries, *references = _copies([public.QUERIES, *([] if place else [public.REFERENCES])], folder, given.place)
    asked = read_queries(queries.content, public.QUERIES.name)
    files = {public.QUERIES.name: f"git:{queries.blob}"}
    if place is None:
        files[public.REFERENCES.name] = f"git:{references[0].blob}"
        found, name, pinned = references[0].content, public.REFERENCES.name, queries.pinned and references[0].pinned
        origin = UNKNOWN if references[0].pinned else _given_by(str(folder))
    else:
        found, name, pinned = read_bytes(place), str(place), queries.pinned
        files[place.name] = f"sha256:{hashlib.sha256(found).hexdigest()}"
        origin = _given_by(str(given.reports))
    joined = Joined(
        files=files,
        pinned=pinned,
        data_dir=None if folder is None else str(folder),
        reports=None if place is None else str(place),
    )
    reports, problems = read_reports(found, name, asked)
    return Sources(asked, reports, origin, joined, tuple(problems))


def queries_alone(given: Given, *, fetch: bool = True) -> Sources:
    """The public queries without any report, whatever `given.reports` says; without `fetch`, if they are at hand.

    Raises:
        Lacking: the file of queries cannot be had.
        BadInput: it cannot be read.
    """
    folder = _folder(given)
    if not (fetch or folder or at_hand(public.QUERIES)):
        raise Lacking(f"{public.QUERIES.name} is not at hand; fetch it first.")
    (queries,) = _copies([public.QUERIES], folder, given.place)
    joined = Joined(
        files={public.QUERIES.name: f"git:{queries.blob}"},
        pinned=queries.pinned,
        data_dir=None if folder is None else str(folder),
    )
    return Sources(read_queries(queries.content, public.QUERIES.name), {}, UNKNOWN, joined)


def join(file: Path, rows: Sequence[Row | PublicRow], given: Given) -> tuple[list[Row], Joined | None]:
    """The rows with source query and report in them; rows that need nothing are handed back as they are.

    Args:
        file: Where the rows come from, for messages.
        rows: Of one file.
        given: See `sources`.

    Raises:
        BadInput: rows of both kinds are mixed, a row does not fit its source, or no row has a report; or `data_dir`
            or `reports` is given for rows that have their own.
    """
    own = [row for row in rows if isinstance(row, Row)]
    if len(own) == len(rows):
        called = {given.place.data_dir: given.data_dir, given.place.reports: given.reports}
        if meaningless := [name for name, value in called.items() if value is not None]:
            raise BadInput(
                f"{file} has its own source queries and reports, so {meaningless[0]} has no meaning; leave it out."
            )
        return own, None
    if own:
        raise BadInput(
            f"{file}: the task {own[0].id!r} has no source_id, as others have; give all of them one, or none."
        )
    found = sources(given)
    if found.problems:
        raise BadInput(shown(found.problems[0]))
    kept_rows, left_out, unjudged = [], [], []
    for row in (row for row in rows if isinstance(row, PublicRow)):
        whole, problems = joined_row(row, found)
        if problems:
            raise BadInput(f"{file}: the task {row.id!r}: {problems[0].sentence}")
        if whole is None:
            left_out.append(row.id)
            continue
        kept_rows.append(whole)
        if whole.ambiguity != row.ambiguity:
            unjudged.append(row.id)
    if not kept_rows:
        raise BadInput(
            f"{found.joined.reports or public.REFERENCES.name} has no report for any task of {file} "
            f"({counted(len(rows), 'row', 'rows')}); give reports with the ids of the public queries."
        )
    return kept_rows, found.joined.model_copy(update={"left_out": tuple(left_out), "unjudged": tuple(unjudged)})


def joined_row(row: PublicRow, found: Sources) -> tuple[Row | None, list[Problem]]:
    """A row with its source query and report, or what does not fit; neither, when there is no report for it.

    Preferences that were read in another report than the one found are taken out.
    """
    source, problems = source_of(row, found)
    problems = problems or _misfits(row, found.queries[row.source_id], source)
    report = found.reports.get(row.source_id)
    if problems or report is None:
        return None, problems
    read_here = row.report_sha256 == sha256_of(report)
    fields = {name: getattr(row, name) for name in ("id", "language", "topic", "query")}
    try:
        return Row(
            **fields,
            ambiguity=row.ambiguity if read_here else tuple(_unjudged(point) for point in row.ambiguity),
            source_query=source,
            target_origin=found.origin,
            report=report,
        ), []
    except ValidationError as error:
        return None, problems_of(error, row.id, Row)


def source_of(row: PublicRow, found: Sources) -> tuple[str, list[Problem]]:
    """The text of a row's public query, and why the row cannot be joined with it: no query, a blank or another one."""
    source = str(found.queries.get(row.source_id, {}).get("prompt", ""))
    if row.source_id not in found.queries:
        return source, [_problem(row, "source_id", f"there is no public query {row.source_id!r}; correct source_id.")]
    if not source.strip():
        said = f"the public query {row.source_id!r} is blank; give a file of queries that has it."
        return source, [_problem(row, "source_id", said)]
    if (digest := sha256_of(source)) != row.source_sha256:
        said = f"the public query {row.source_id!r} has the SHA-256 {digest}, not {row.source_sha256}; correct the row."
        return source, [_problem(row, "source_sha256", said)]
    return source, []


def _misfits(row: PublicRow, line: Mapping[str, Any], source: str) -> list[Problem]:
    problems = []
    if line.get("language") not in {None, row.language}:
        said = f"the language is {row.language!r}, that of the public query {line['language']!r}; correct the row."
        problems.append(_problem(row, "language", said))
    measured = 1 - len(row.query) / len(source)
    if measured >= 0 and abs(measured - row.compression) > TOLERANCE + 1e-9:
        said = f"the compression is stated as {row.compression:g} and measured as {measured:.3f}; correct the row."
        problems.append(_problem(row, "compression", said))
    return problems


def _problem(row: PublicRow, field: str, said: str) -> Problem:
    return Problem(row=row.id, field=field, sentence=said)


def _unjudged(point: AmbiguityPoint) -> AmbiguityPoint:
    return point.model_copy(update={"preference": None, "shown_in": None, "answerable": None})


def _folder(given: Given) -> Path | None:
    return None if given.data_dir is None else given_path(given.data_dir).absolute()


def _copies(files: Sequence[PublicFile], folder: Path | None, place: Place) -> list[Copy]:
    return kept(files, place) if folder is None else local(files, folder, place.data_dir)


def _given_by(place: str) -> TargetOrigin:
    return TargetOrigin(system=f"given by the user: {place}", model_family="unknown")


def _given_file(name: str, place: Place) -> Path:
    path = given_path(name)
    if not name.strip() or not path.is_file():
        raise BadInput(
            f"There is no file of reports {name!r} ({place.reports}); give one with one {{id, article}} object a line."
        )
    return path.absolute()
