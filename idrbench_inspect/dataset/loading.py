"""Find a dataset by name or path, and put its rows, reports and subsets together."""

import hashlib
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

from inspect_ai.dataset import Sample
from pydantic import Field

from idrbench_inspect.dataset.given import ANYWHERE, Given, Place
from idrbench_inspect.dataset.joining import Joined, join
from idrbench_inspect.dataset.points import POINTS, Merged, merged, unknown_in
from idrbench_inspect.dataset.reading import check_second_users, read_rows
from idrbench_inspect.dataset.subsets import SUBSETS, incomplete, read_subsets
from idrbench_inspect.dataset.tasks import ResearchTask, Row, TaskFields
from idrbench_inspect.errors import BadInput
from idrbench_inspect.formats import read_text
from idrbench_inspect.records import Record
from idrbench_inspect.resources import given_path, sha256, shipped

_TASKS = "tasks.jsonl"
_ASPECTS = "aspects.jsonl"


class Dataset(Record):
    """A dataset as loaded.

    Args:
        name: The shipped name, or the last part of the path.
        at: What loads it again: the shipped name, or the absolute path.
        revision: Hex SHA-256 of the content (tasks, subsets, aspects, reports, corpus); of the tasks file when that is
            all.
        folder: Where it lies.
        corpus: The folder of its closed corpus; `None` when it has none.
        aspects: The file of its aspects; `None` when it has none.
        tasks: All tasks, in the order of the file; at least one.
        joined: What was added from public files and from the user's; `None` for a dataset that has everything.
        subsets: The ids of each frozen subset, those of rows that were left out too.
        unread: The ids of tasks that no judge has looked at, though there is a file of judged points.
    """

    name: str
    at: str
    revision: str
    folder: Path
    corpus: Path | None
    aspects: Path | None = None
    tasks: tuple[ResearchTask, ...] = Field(min_length=1)
    joined: Joined | None = None
    subsets: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    unread: tuple[str, ...] = ()

    def notices(self, subset: str | None = None) -> tuple[str, ...]:
        """What a user should know before a run over a subset, or over all tasks, a sentence each."""
        if self.joined is None:
            return ()
        lacking = incomplete(subset, self.subsets.get(subset, ()), self.joined.left_out) if subset else None
        return (*self.joined.notices, *([lacking] if lacking else ()))


def load(
    name_or_path: str, data_dir: str | None = None, reports: str | None = None, place: Place = ANYWHERE
) -> Dataset:
    """Load a dataset by name or path.

    Args:
        name_or_path: A folder of the shipped `datasets/`, such as `mini`; otherwise the path of a dataset folder or of
            a `.jsonl` file, relative to the working directory, `~` expanded. A shipped name goes before a path.
        data_dir: For rows with `source_id`: a folder with copies of the public files; fetched if not given.
        reports: For rows with `source_id`: a file of `{"id", "article"}` lines to pair them with, in place of the
            public references; rows without one are left out.
        place: Where this is asked for, for messages.

    Raises:
        BadInput: there is no such dataset, or something in it cannot be used; a file and a line are named.
    """
    name, at, file, is_folder = _locate(str(name_or_path))
    folder = file.parent
    subsets_file, corpus, aspects = folder / SUBSETS, folder / "corpus", folder / _ASPECTS
    rows = read_rows(file)
    check_second_users(file, rows)
    subsets = read_subsets(subsets_file, [row.id for row in rows]) if is_folder and subsets_file.exists() else {}
    parts = [file, *(part for part in (subsets_file, aspects, corpus) if is_folder and part.exists())]
    whole, joined = join(file, rows, Given(data_dir, reports, place))
    tasks, report_files = tasks_of(whole, folder, is_folder, subsets)
    parts += report_files
    read = Merged(tuple(tasks))
    if is_folder and (points := folder / POINTS).is_file():
        read = merged(tasks, points, [row.id for row in rows], given_reports=other_reports(joined))
        parts.append(points)
    return Dataset(
        name=name,
        at=at,
        revision=_joined(_revision(folder, parts), joined),
        folder=folder,
        corpus=corpus if is_folder and corpus.is_dir() else None,
        aspects=aspects if is_folder and aspects.is_file() else None,
        tasks=read.tasks,
        joined=_unjudged(joined, read),
        subsets=subsets,
        unread=read.unread,
    )


def tasks_file(name_or_path: str) -> tuple[str, Path, bool]:
    """A dataset's name, its file of tasks, and whether it is a folder.

    Raises:
        BadInput: there is no such dataset.
    """
    name, *_, file, is_folder = _locate(str(name_or_path))
    return name, file, is_folder


def tasks_of(
    rows: Iterable[Row], folder: Path, is_folder: bool, subsets: Mapping[str, Collection[str]] | None = None
) -> tuple[list[ResearchTask], list[Path]]:
    """The tasks of rows, each with its report, and the files that reports are in.

    Args:
        rows: Joined rows, in order.
        folder: In which the dataset lies.
        is_folder: Whether that is the dataset, and not one file in it.
        subsets: The ids of each frozen subset.

    Raises:
        BadInput: a row has no report, or an empty one.
    """
    tasks, files = [], []
    for row in rows:
        report, file = report_of(row, folder, is_folder)
        files += [file] if file else []
        member = tuple(subset for subset, ids in (subsets or {}).items() if row.id in ids)
        fields = {field: getattr(row, field) for field in TaskFields.model_fields}
        tasks.append(ResearchTask(**fields, report=report, subsets=member))
    return tasks, files


def to_sample(task: ResearchTask, dataset: Dataset) -> Sample:
    """The Inspect sample of a task: the query as input, the paired report as target (never shown to the agent)."""
    return Sample(
        id=task.id,
        input=task.query,
        target=task.report,
        metadata={
            "task": task.id,
            "language": task.language,
            "topic": task.topic,
            "query": task.query,
            "source_query": task.source_query,
            "compression": task.compression,
            "ambiguity": [point.model_dump(mode="json") for point in task.ambiguity],
            "target_origin": task.target_origin.model_dump(mode="json"),
            "second_user_of": task.second_user_of,
            "dataset": dataset.name,
            "dataset_at": dataset.at,
            "dataset_revision": dataset.revision,
            **({"dataset_with": dataset.joined.given} if dataset.joined else {}),
        },
    )


def _locate(name: str) -> tuple[str, str, Path, bool]:
    """The dataset's name, what loads it again, its file of tasks, and whether it is a folder."""
    root = shipped("datasets")
    names = sorted(file.parent.name for file in root.glob(f"*/{_TASKS}"))
    if name in names:
        return name, name, root / name / _TASKS, True
    path = given_path(name)
    if name.strip() and path.is_dir():
        if not (path / _TASKS).is_file():
            raise BadInput(
                f"The folder {name} has no {_TASKS}: a dataset folder needs one; give the path of one that has."
            )
        return path.resolve().name, str(path.resolve()), path / _TASKS, True
    if name.strip() and path.is_file():
        if path.suffix != ".jsonl":
            raise BadInput(
                f"{name} is not a .jsonl file: give a dataset folder, or a file with one JSON object a line."
            )
        return path.stem, str(path.resolve()), path, False
    raise BadInput(_unknown(name, names))


def _unknown(name: str, names: Sequence[str]) -> str:
    known = f"the shipped datasets are {', '.join(names) or 'none'}"
    if re.search(r"[/\\~]|\.jsonl$", name):
        return f"There is nothing at {name}: give the path of a dataset folder or .jsonl file, or a name ({known})."
    return f"There is no dataset {name!r}: {known}; give one of these, or the path of a dataset folder or .jsonl file."


def report_of(row: Row, folder: Path, is_folder: bool) -> tuple[str, Path | None]:
    """The report of a row that has one of its own, and the file that it is in.

    Args:
        row: The row.
        folder: In which the dataset lies.
        is_folder: Whether that is the dataset, and not one file in it.

    Raises:
        BadInput: it has none, or an empty one.
    """
    path = report_place(row, folder, is_folder)
    if path is None:
        return _filled(row.report or "", row.id, "its field report"), None
    return _filled(read_text(path).replace("\r\n", "\n"), row.id, str(path)), path


def report_place(row: Row, folder: Path, is_folder: bool) -> Path | None:
    """The file that a row's report is in, whatever it holds; `None` where the report is in the row.

    Raises:
        BadInput: there is none, or it may not be used.
    """
    if row.report is not None and row.report_file is not None:
        raise BadInput(f"The task {row.id!r} has a report and a report_file; leave one of them out.")
    if row.report is not None:
        return None
    if row.report_file is None and not is_folder:
        raise BadInput(
            f"The task {row.id!r} has no report: a row of a .jsonl dataset must carry one; add the field report."
        )
    name = row.report_file or f"reports/{row.id}.md"
    if Path(name).is_absolute() or ".." in Path(name).parts:
        raise BadInput(
            f"The task {row.id!r} has the report_file {name!r}: it must lie inside the dataset; move it there."
        )
    path = folder / name
    if not path.is_file():
        raise BadInput(f"The task {row.id!r} has no report: there is no file {path}; add it, or the field report.")
    return path


def _filled(report: str, task: str, place: str) -> str:
    if not report.strip():
        raise BadInput(f"The task {task!r} has an empty report ({place}); fill it.")
    if "\0" in report:
        raise BadInput(f"The task {task!r} has a report with the character NUL ({place}); take it out.")
    return report


def _revision(folder: Path, parts: Sequence[Path]) -> str:
    if len(parts) == 1:
        return sha256(parts[0])
    lines = (f"{part.relative_to(folder).as_posix()} {sha256(part)}\n" for part in parts)
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def other_reports(joined: Joined | None) -> bool:
    """Whether tasks are paired with reports that are not the public ones."""
    return joined is not None and (joined.reports is not None or not joined.pinned)


def _unjudged(joined: Joined | None, read: Merged) -> Joined | None:
    """With the tasks that are unknown after the judged points came in: of the rows' own readings, and of these."""
    if joined is None:
        return None
    of_another = {*joined.unjudged, *read.elsewhere}
    unjudged = tuple(task.id for task in read.tasks if task.id in of_another and unknown_in(task))
    return joined.model_copy(update={"unjudged": unjudged})


def _joined(revision: str, joined: Joined | None) -> str:
    return revision if joined is None else hashlib.sha256(f"{revision}\n{joined.revision}".encode()).hexdigest()
