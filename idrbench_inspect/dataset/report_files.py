"""Go over the files of a dataset's folder besides those with a form of their own: reports, and what nobody reads."""

from collections.abc import Collection, Iterator
from pathlib import Path

from rapidfuzz import fuzz

from idrbench_inspect.dataset.points import POINTS
from idrbench_inspect.dataset.subsets import SUBSETS
from idrbench_inspect.problems import Problem, of_bytes, of_file

FILES = ("tasks.jsonl", "aspects.jsonl", POINTS, SUBSETS)
FOLDERS = ("reports", "corpus")
SIMILAR = 85
"""A name is taken for a mistake for another from this `rapidfuzz.fuzz.ratio` on: "subsets.yml", not "labels.jsonl"."""


def audited_report(file: Path, folder: Path, row: str) -> Iterator[Problem]:
    """Warnings about the bytes of one row's report file."""
    for problem in of_bytes(file.read_bytes(), file.relative_to(folder).as_posix()):
        yield problem.model_copy(update={"row": row})


def unread(
    folder: Path, read: Collection[Path], readable: Collection[str], rows: Collection[str] | None
) -> Iterator[Problem]:
    """Warnings about files that nobody reads although their place or name says that they should be.

    Args:
        folder: Of the dataset.
        read: The report files of its rows.
        readable: The ids of the rows that can be read; of the reports of others nothing is known.
        rows: The ids of all its rows; `None` where one is not known.
    """
    reports = folder / "reports"
    for file in sorted(reports.glob("*.md") if reports.is_dir() else ()):
        known = file.stem in readable or (rows is not None and file.stem not in rows)
        if file not in read and known and file.is_file() and not file.name.startswith("."):
            why = "its row names another report" if file.stem in readable else "no row has that id"
            said = f"no row reads this report ({why}); rename it, or take it out."
            yield of_file(said, file.relative_to(folder).as_posix(), "warning")
    for path in sorted(folder.iterdir()):
        if path.name in FILES and path.name != SUBSETS and not path.is_file():
            yield of_file("this is no file, so it is not read; put a file there, or take it out.", path.name, "warning")
        elif path.name in FOLDERS and not path.is_dir():
            said = "this is no folder, so it is not read; make it one, or take it out."
            yield of_file(said, path.name, "warning")
        elif meant := _meant(path):
            yield of_file(f"nobody reads this; if {meant} is meant, rename it.", path.name, "warning")


def _meant(path: Path) -> str | None:
    """The name of a file or folder that is read, and that is not there, for a name that is nearly it."""
    names = FOLDERS if path.is_dir() else FILES
    if path.name.startswith(".") or path.name in (*FILES, *FOLDERS):
        return None
    lacking = [name for name in names if not path.with_name(name).exists()]
    return next((name for name in lacking if fuzz.ratio(path.name.casefold(), name) >= SIMILAR), None)
