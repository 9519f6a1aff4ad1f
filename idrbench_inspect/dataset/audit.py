"""Go over a dataset and name all that is wrong, row by row: errors, for which `load` refuses it, and warnings."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import Literal

from rapidfuzz import fuzz

from idrbench_inspect.dataset.joining import Joined, Sources, joined_row, sources
from idrbench_inspect.dataset.loading import load, own_report, tasks_file
from idrbench_inspect.dataset.reading import BadRow, Problem, decoded, filled_lines, read_row, twice
from idrbench_inspect.dataset.tasks import PublicRow, Row
from idrbench_inspect.dataset.texts import language_of, normal, trouble
from idrbench_inspect.errors import BadInput
from idrbench_inspect.records import Language, Record

ALIKE = 0.9
"""Two texts are near-duplicates from this `rapidfuzz.fuzz.ratio` of their normal forms on, 0 to 1."""

SHORTEST, LONGEST = 0.1, 0.9
"""The compression of public rows should lie between these."""


class Audited(Record):
    """One readable row: `compression` as measured, or as stated if it has no source; `left_out` if it has no report."""

    id: str
    language: Language
    topic: str
    compression: float
    left_out: bool


class Audit(Record):
    """What was found in a dataset; `joined` is `None` where nothing is joined."""

    name: str
    rows: tuple[Audited, ...]
    problems: tuple[Problem, ...]
    joined: Joined | None = None

    @property
    def errors(self) -> tuple[Problem, ...]:
        """The problems for which the dataset is not loaded."""
        return tuple(problem for problem in self.problems if problem.kind == "error")


def audit(name_or_path: str, data_dir: str | None = None, reports: str | None = None) -> Audit:
    """Look at everything in a dataset.

    Args:
        name_or_path: As of `load`.
        data_dir: As of `load`.
        reports: As of `load`.

    Returns:
        All problems, in the order of the rows. There is an error among them exactly if `load` refuses the dataset.

    Raises:
        BadInput: there is no such dataset, or the public files or the reports cannot be had or read.
    """
    name, file, is_folder = tasks_file(name_or_path)
    content = file.read_bytes()
    problems = list(_bytes(content))
    try:
        rows, found = _rows(decoded(content, file.name))
    except BadInput as unreadable:
        return Audit(name=name, rows=(), problems=(*problems, _of_file(unreadable.message)))
    problems += found
    public = sources(data_dir, reports) if any(isinstance(row, PublicRow) for row in rows) else None
    asked: list[tuple[Row | PublicRow, str]] = []
    audited: list[Audited] = []
    for row in rows:
        task, report, found = _with_report(row, public, (file.parent, is_folder))
        problems += found
        problems += _stated(row, public)
        source = _source(row, public)
        problems += _texts(row, source, report)
        asked.append((row, source))
        audited.append(_audited(row, task, left_out=task is None and not found))
    problems += _alike(asked)
    joined = public.joined if public else None
    if not any(problem.kind == "error" for problem in problems):
        try:  # for what only the whole shows: subsets, second users, rows of two kinds
            joined = load(name_or_path, data_dir, reports).joined
        except BadInput as refused:
            problems.append(_of_file(refused.message))
    return Audit(name=name, rows=tuple(audited), problems=tuple(problems), joined=joined)


def _rows(text: str) -> tuple[list[Row | PublicRow], list[Problem]]:
    rows: dict[str, Row | PublicRow] = {}
    problems: list[Problem] = []
    for number, line in filled_lines(text):
        try:
            row = read_row(line, number)
        except BadRow as broken:
            problems += broken.problems
            continue
        if row.id in rows:
            problems.append(twice(row.id))
        else:
            rows[row.id] = row
    return list(rows.values()), problems


def _with_report(
    row: Row | PublicRow, public: Sources | None, place: tuple[Path, bool]
) -> tuple[Row | None, str, list[Problem]]:
    """The row with its source query, its report, and what is wrong with either."""
    if isinstance(row, PublicRow):
        assert public is not None
        task, problems = joined_row(row, public)
        return task, (task.report or "") if task else "", problems
    try:
        return row, own_report(row, *place), []
    except BadInput as missing:
        return row, "", [Problem(row=row.id, field="report", sentence=missing.message)]


def _source(row: Row | PublicRow, public: Sources | None) -> str:
    """The source query of a row, whether it has a report or not; empty when it is not known."""
    if isinstance(row, Row):
        return row.source_query
    return str(public.queries.get(row.source_id, {}).get("prompt", "")) if public else ""


def _audited(row: Row | PublicRow, task: Row | None, *, left_out: bool) -> Audited:
    compression = row.compression if task is None else task.compression
    return Audited(id=row.id, language=row.language, topic=row.topic, compression=compression, left_out=left_out)


def _bytes(content: bytes) -> Iterator[Problem]:
    if content.startswith(b"\xef\xbb\xbf"):
        yield _of_file(
            "the file begins with a byte-order mark, which other readers take for data; leave it out.", "warning"
        )
    if b"\r" in content:
        yield _of_file("the file has carriage returns (Windows line ends); save it with line feeds alone.", "warning")


def _stated(row: Row | PublicRow, public: Sources | None) -> Iterator[Problem]:
    """What a row says of its own that others say otherwise."""
    if not isinstance(row, PublicRow) or public is None:
        return
    topic = public.queries.get(row.source_id, {}).get("topic", row.topic)
    if topic != row.topic:
        said = f"the topic is {row.topic!r}, that of the public query {topic!r}; look at both."
        yield Problem(row=row.id, field="topic", sentence=said, kind="warning")
    if not SHORTEST <= row.compression <= LONGEST:
        said = (
            f"the query is compressed by {row.compression:g}, which is outside of {SHORTEST} to {LONGEST}; reword it."
        )
        yield Problem(row=row.id, field="compression", sentence=said, kind="warning")


def _texts(row: Row | PublicRow, source: str, report: str) -> Iterator[Problem]:
    texts = {"query": row.query, "source_query": source, "report": report}
    for field, text in texts.items():
        for character in trouble(text):
            said = f"the {field} holds {character}, at which other readers break lines; write a space or a line feed."
            yield Problem(row=row.id, field=field, sentence=said, kind="warning")
        if language_of(text) not in {None, row.language}:
            said = f"the {field} reads as {language_of(text)}, and the row says {row.language}; look at both."
            yield Problem(row=row.id, field=field, sentence=said, kind="warning")
    if normal(row.query) == normal(source):
        said = "the query says what the source query says, so nothing is left to ask for; shorten it."
        yield Problem(row=row.id, field="query", sentence=said, kind="warning")


def _alike(asked: Sequence[tuple[Row | PublicRow, str]]) -> Iterator[Problem]:
    """Pairs of different users' queries or source queries that are nearly the same."""
    users = [(row.id, getattr(row, "second_user_of", None) or row.id) for row, _ in asked]
    forms = [(normal(row.query), normal(source)) for row, source in asked]
    for one, other in combinations(range(len(asked)), 2):
        if users[one][1] == users[other][1]:
            continue
        for field, first, second in zip(("query", "source_query"), forms[one], forms[other], strict=True):
            ratio = fuzz.ratio(first, second, score_cutoff=100 * ALIKE) / 100
            if first and ratio >= ALIKE:
                said = f"the {field} is nearly that of {users[one][0]!r} (ratio {ratio:.2f}); reword one of them."
                yield Problem(row=users[other][0], field=field, sentence=said, kind="warning")


def _of_file(sentence: str, kind: Literal["error", "warning"] = "error") -> Problem:
    return Problem(row="", field="", sentence=sentence, kind=kind)
