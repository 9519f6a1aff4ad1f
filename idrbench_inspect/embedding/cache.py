"""The cache of vectors: in the user's cache folder, or in memory where that cannot be written.

It never fails a run. A broken file is set aside, a folder that cannot be written is replaced by memory, both with one
warning; a file that another process holds too long is passed over. All of it blocks: it is called off the event loop.

`IDRBENCH_EMBEDDING_CACHE` names another folder, or is `off` for memory only; `IDRBENCH_EMBEDDING_CACHE_MB` is the
limit in megabytes.
"""

import logging
import os
import sqlite3
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import TypeVar

from platformdirs import user_cache_path

from idrbench_inspect.embedding.database import Database, busy, primary_code
from idrbench_inspect.embedding.protocol import Identity
from idrbench_inspect.embedding.readings import Reading
from idrbench_inspect.errors import BadInput, reason_of
from idrbench_inspect.resources import given_path

FOLDER = "IDRBENCH_EMBEDDING_CACHE"
MEGABYTES = "IDRBENCH_EMBEDDING_CACHE_MB"
OFF = "off"
FILE = "vectors-1.sqlite3"
"""The number changes with whatever changes the vector of a text of one identity, such as how windows are cut."""

MAX_BYTES = 2 * 1024**3
"""Some 500,000 vectors of 1,024 numbers: about twice the 1,500 reports of a full run."""
MEMORY_BYTES = 256 * 1024**2
SMALLEST = 65_536

_BROKEN = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR}  # ERROR: a table of another shape
_ATTEMPTS = 3

_log = logging.getLogger(__name__)
T = TypeVar("T")


class Memory:
    """Vectors of this process, the least used evicted first."""

    def __init__(self, max_bytes: int = MEMORY_BYTES) -> None:
        self.max_bytes = max_bytes
        self._kept: OrderedDict[tuple[str, bytes], Reading] = OrderedDict()
        self._bytes = 0

    def read(self, identity: Identity, keys: Sequence[bytes]) -> dict[bytes, Reading]:
        """The readings that are kept of `keys`."""
        name = identity.digest()
        found = {key: self._kept[name, key] for key in keys if (name, key) in self._kept}
        for key in found:
            self._kept.move_to_end((name, key))
        return found

    def write(self, identity: Identity, readings: Mapping[bytes, Reading]) -> None:
        """Keep `readings`."""
        name = identity.digest()
        for key, reading in readings.items():
            if (name, key) not in self._kept:
                self._bytes += reading.vector.nbytes
            self._kept[name, key] = reading
        while self._bytes > self.max_bytes:
            _, gone = self._kept.popitem(last=False)
            self._bytes -= gone.vector.nbytes


class Cache:
    """Vectors by embedder and text, for any number of threads and processes.

    Args:
        folder: Where the file is kept; made when it is first needed. `None` keeps vectors in memory.
        max_bytes: Of the file, at least 65,536.

    Raises:
        BadInput: the limit is too small.
    """

    def __init__(self, folder: Path | None = None, max_bytes: int = MAX_BYTES) -> None:
        if max_bytes < SMALLEST:
            raise BadInput(f"The embedding cache is limited to {max_bytes} bytes, and needs at least {SMALLEST}.")
        self._path = None if folder is None else folder / FILE
        self._max_bytes = max_bytes
        self._lock = Lock()
        self._open: Database | None = None
        self._inode: int | None = None
        self._memory = Memory()

    def read(self, identity: Identity, keys: Sequence[bytes]) -> dict[bytes, Reading]:
        """The readings that are kept of `keys`, SHA-256 of texts."""
        with self._lock:
            found = self._from_file(lambda file: file.read(identity, keys)) or {}
            return {**self._memory.read(identity, [key for key in keys if key not in found]), **found}

    def write(self, identity: Identity, readings: Mapping[bytes, Reading]) -> None:
        """Keep `readings`."""
        with self._lock:
            if not self._from_file(lambda file: file.write(identity, readings)):
                self._memory.write(identity, readings)

    def close(self) -> None:
        """Close the file; it is opened again by the next use."""
        with self._lock:
            self._closed()

    def _from_file(self, use: Callable[[Database], T]) -> T | None:
        """What `use` gives; `None` where there is no file to be used."""
        for _ in range(_ATTEMPTS):
            if self._path is None:
                return None
            try:
                return use(self._opened(self._path))
            except (sqlite3.Error, OSError) as broken:
                if busy(broken):
                    return None
                self._closed()
                if primary_code(broken) in _BROKEN:
                    self._set_aside(self._path, broken)
                else:
                    self._without_file(broken)
        if self._path is not None:
            self._without_file(RuntimeError("its file broke again and again"))
        return None

    def _opened(self, path: Path) -> Database:
        if self._open is None:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._inode = path.stat().st_ino if path.exists() else None
            self._open = Database(path, self._max_bytes)
            self._inode = path.stat().st_ino
        return self._open

    def _closed(self) -> None:
        if self._open is not None:
            self._open.close()
        self._open = None

    def _set_aside(self, path: Path, broken: Exception) -> None:
        """Move a broken file out of the way, unless another process has done it already; one such file is kept."""
        try:
            if path.stat().st_ino != self._inode:
                return
            for ending in ("-wal", "-shm", ""):  # a journal left behind would be read into the new file
                old = path.with_name(path.name + ending)
                if old.exists():
                    old.replace(path.with_name(f"{path.name}.broken{ending}"))
        except OSError as failed:
            self._without_file(failed)
        else:
            _log.warning("The embedding cache %s was broken (%s) and is begun anew.", path, reason_of(broken))

    def _without_file(self, broken: Exception) -> None:
        _log.warning(
            "The embedding cache %s cannot be used (%s); vectors are kept in memory and made anew in the next run. "
            "Name another folder in %s.",
            *(self._path, reason_of(broken), FOLDER),
        )
        self._path = None


def users_cache(folder: str | None = None) -> Cache:
    """The cache of this user.

    Args:
        folder: Where it is kept, or `off` for memory only; as the environment says, or else the user's cache folder.

    Raises:
        BadInput: the limit in the environment is not a number, or too small.
    """
    megabytes = os.environ.get(MEGABYTES) or str(MAX_BYTES // 1024**2)
    if not (megabytes.isascii() and megabytes.isdigit()):
        raise BadInput(f"{MEGABYTES} is {megabytes!r}, and must be a whole number of megabytes.")
    named = folder or os.environ.get(FOLDER) or str(user_cache_path("idrbench_inspect") / "embedding")
    return Cache(None if named == OFF else given_path(named), int(megabytes) * 1024**2)
