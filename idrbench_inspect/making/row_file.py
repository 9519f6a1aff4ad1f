"""A file of rows that grows by whole rows, and from which a run goes on that broke off."""

import glob
import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Generic, TypeVar

from filelock import FileLock
from pydantic import ValidationError

from idrbench_inspect.errors import BadInput, first_fault
from idrbench_inspect.records import Record

R = TypeVar("R", bound=Record)

PATIENCE = 60.0
"""Seconds that a process waits for another one that is writing a row."""


class RowFile(Generic[R]):
    """One JSON object a line, each with an id of its own; nothing is read or written before it is asked for.

    Several samples and several processes may add rows at once: under a lock beside the file, each in one write that is
    on the disk before it counts. The first row of an id stays, unless another is put in its place by `replace`.

    Args:
        path: The file; it may not be there yet.
        kind: What a row is.
        key: The first field of `kind`, which holds the id.
    """

    def __init__(self, path: Path, kind: type[R], key: str = "id") -> None:
        self.path = path
        self._kind, self._key = kind, key
        self._rows: dict[str, R] = {}
        self._state: tuple[int, ...] | None = None

    def check(self) -> list[str]:
        """Read the file, and drop a last line that was not written to its end.

        Returns:
            A sentence on what was dropped, if anything was.

        Raises:
            BadInput: the file cannot be used, or its folder is not there; it is left as it is then.
        """
        if not self.path.parent.is_dir():
            raise BadInput(
                f"There is no folder {self.path.parent} for {self.path.name}; make it, or give another file."
            )
        if self.path.is_dir():
            raise BadInput(f"{self.path} is a folder; give the path of a file.")
        with self._lock():
            return self._read()

    def rows(self) -> Mapping[str, R]:
        """All rows by id, those that other processes have added meanwhile too.

        Raises:
            BadInput: the file cannot be used.
        """
        with self._lock():
            self._read()
        return dict(self._rows)

    def add(self, row: R) -> R:
        """Add a row at the end, unless there is one of its id by now.

        Returns:
            The row that stands in the file.

        Raises:
            BadInput: the file cannot be used any more.
        """
        with self._lock():
            self._read()
            name = str(getattr(row, self._key))
            if name in self._rows:
                return self._rows[name]
            return self._appended(name, row)

    def replace(self, held: R, row: R) -> R:
        """Put a row in the place of one of the same id; every other line stays as it is, byte for byte.

        The file is written beside and moved into its place, so that whoever is killed meanwhile leaves the old one.

        Returns:
            The row that stands in the file: another one where a third was put into the place of `held` meanwhile.

        Raises:
            BadInput: the file cannot be used any more.
        """
        with self._lock():
            self._read()
            name = str(getattr(row, self._key))
            if self._rows.get(name) != held:
                return self._rows.get(name) or self._appended(name, row)
            lines = self.path.read_bytes().split(b"\n")
            kept = [_line(row).rstrip(b"\n") if self._is(line, held) else line for line in lines]
            rewrite(self.path, b"\n".join(kept))
            self._rows[name] = row
            self._state = _state(self.path)
        return row

    def _appended(self, name: str, row: R) -> R:
        append(self.path, _line(row))
        self._rows[name] = row
        self._state = _state(self.path)
        return row

    def _is(self, line: bytes, held: R) -> bool:
        return bool(line.strip()) and self._kind.model_validate_json(line) == held

    def _lock(self) -> FileLock:
        return FileLock(self.path.with_name(f".{self.path.name}.lock"), timeout=PATIENCE)

    def _read(self) -> list[str]:
        if self._state is not None and _state(self.path) == self._state:
            return []
        content = self.path.read_bytes() if self.path.exists() else b""
        whole, torn = content[: content.rfind(b"\n") + 1], content[content.rfind(b"\n") + 1 :]
        self._rows = {}
        for number, line in enumerate(whole.split(b"\n"), 1):
            self._take(line, number)
        said = self._mend(torn, whole) if torn else []
        self._state = _state(self.path)
        return said

    def _take(self, line: bytes, number: int) -> None:
        if not line.strip():
            return
        where = f"{self.path}, line {number}"
        try:
            row = self._kind.model_validate_json(line)
        except ValidationError as error:
            field, wrong = first_fault(error)
            raise BadInput(
                f"{where}: {f'the field {field}: ' if field else ''}{wrong}; give a file that this task has "
                "written, or a new one."
            ) from None
        name = str(getattr(row, self._key))
        if name in self._rows:
            raise BadInput(f"{where}: {name!r} occurs twice; leave one line of it.")
        self._rows[name] = row

    def _mend(self, torn: bytes, whole: bytes) -> list[str]:
        """What stands behind the last line end: a row whose line end is missing, or the beginning of one."""
        number = whole.count(b"\n") + 1
        try:
            self._kind.model_validate_json(torn)
        except ValidationError:
            opening = f'{{"{self._key}":'.encode()
            if not (torn.startswith(opening) or opening.startswith(torn)):
                raise BadInput(
                    f"{self.path}, line {number} is no row; give a file that this task has written, or a new one."
                ) from None
            os.truncate(self.path, len(whole))
            return [f"{self.path}, line {number} was not written to its end and is dropped; it is made again."]
        self._take(torn, number)
        append(self.path, b"\n")
        return []


def append(path: Path, content: bytes) -> None:
    """Add to the end of a file, made if it is not there; on the disk when this returns."""
    with path.open("ab", buffering=0) as file:
        file.write(content)
        os.fsync(file.fileno())


def rewrite(path: Path, content: bytes) -> None:
    """Give a file another content, all at once: whoever reads it, or is killed, has the old one or the new one.

    Under a lock of the caller's: what somebody who was killed left beside the file is taken away first.
    """
    for left in path.parent.glob(f".{glob.escape(path.name)}.*.new"):
        left.unlink()
    handle, new = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".new")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(handle)
        if path.exists():
            shutil.copymode(path, new)
        else:
            os.chmod(new, 0o644)
        os.replace(new, path)  # of a closed file: Windows renames no open one
    except BaseException:
        os.unlink(new)
        raise


def _line(row: Record) -> bytes:
    return f"{row.model_dump_json(exclude_none=True)}\n".encode()


def _state(path: Path) -> tuple[int, ...]:
    """What changes when a file does; a file that is not there has none."""
    if not path.exists():
        return ()
    now = path.stat()
    return now.st_ino, now.st_size, now.st_mtime_ns
