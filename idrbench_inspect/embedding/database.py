"""One SQLite file of vectors, bounded in size, safe under several processes.

`diskcache` would be the library for this. It stands back because its last release is of 2023 and unpickles what lies in
its folder, because one text is one query and one transaction there, and because the work that remains would be ours all
the same: telling a broken file from a busy one, and looking at a vector before it is believed.
"""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from idrbench_inspect.embedding.protocol import Identity
from idrbench_inspect.embedding.readings import Reading, fault

BUSY_SECONDS = 10.0
_KEYS = 500  # SQLite takes a bounded number of parameters
_ROW_BYTES = 200  # of a row and its two indices, without the vector
_FULL = 0.9  # what eviction leaves of the limit, so that it is not due again at the next write

_TABLE = """
CREATE TABLE IF NOT EXISTS vectors (
    identity TEXT NOT NULL, text BLOB NOT NULL, vector BLOB NOT NULL, pooled INTEGER NOT NULL, used INTEGER NOT NULL,
    UNIQUE (identity, text)
)"""
_INDEX = "CREATE INDEX IF NOT EXISTS by_use ON vectors (used)"
_NOW = "SELECT coalesce(max(used), 0) + 1 FROM vectors"  # a clock that all processes share


def busy(broken: Exception) -> bool:
    """Whether an operation failed only because another process holds the file."""
    return primary_code(broken) in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}


def primary_code(broken: Exception) -> int | None:
    """SQLite's primary result code of an error, without what an extended one adds; `None` if it is not SQLite's."""
    code = getattr(broken, "sqlite_errorcode", None)
    return code & 0xFF if isinstance(code, int) else None


class Database:
    """An open file; its methods raise `sqlite3.Error`, and are called from one thread at a time.

    Vectors are kept as little-endian float32. `used` counts up with every use, whoever makes it: rows with the least
    are evicted first.

    Args:
        path: Made if it is not there; its folder must be.
        max_bytes: Of the pages in use.
    """

    def __init__(self, path: Path, max_bytes: int) -> None:
        self.max_bytes = max_bytes
        self._file = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
        try:
            self._file.execute("PRAGMA auto_vacuum = INCREMENTAL")  # only of use before the first table
            self._file.execute("PRAGMA journal_mode = WAL")
            self._file.execute("PRAGMA synchronous = NORMAL")
            self._file.execute("PRAGMA journal_size_limit = 16777216")
            with self._writing():
                self._file.execute(_TABLE)
                self._file.execute(_INDEX)
        except BaseException:  # whatever it was goes on; the file must not stay open behind it
            self._file.close()
            raise

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def read(self, identity: Identity, keys: Sequence[bytes]) -> dict[bytes, Reading]:
        """The readings that are kept of `keys`; one that is not a unit vector of the right size is as good as none."""
        found: dict[bytes, Reading] = {}
        rows: list[int] = []
        for start in range(0, len(keys), _KEYS):
            some = keys[start : start + _KEYS]
            chosen = self._file.execute(
                f"SELECT rowid, text, vector, pooled FROM vectors WHERE identity = ? AND text IN ({_places(some)})",
                (identity.digest(), *some),
            )
            for row, text, stored, pooled in chosen:
                vector = np.frombuffer(stored, dtype="<f4") if len(stored) % 4 == 0 else np.empty(0, np.float32)
                if vector.size == identity.dimension and fault(vector) is None:
                    found[text] = Reading(vector.astype(np.float32), bool(pooled))
                    rows.append(row)
        if rows:
            self._used(rows)
        return found

    def _used(self, rows: Sequence[int]) -> None:
        """Say that rows were used; if another process holds the file, it goes unsaid."""
        try:
            with self._writing():
                (now,) = self._file.execute(_NOW).fetchone()
                self._file.executemany("UPDATE vectors SET used = ? WHERE rowid = ?", [(now, row) for row in rows])
        except sqlite3.OperationalError as broken:
            if not busy(broken):
                raise

    def write(self, identity: Identity, readings: Mapping[bytes, Reading]) -> int:
        """Keep `readings`, and evict the least used if the file has grown over its limit; how many were kept."""
        name = identity.digest()
        with self._writing():
            (now,) = self._file.execute(_NOW).fetchone()
            self._file.executemany(
                "INSERT OR REPLACE INTO vectors (identity, text, vector, pooled, used) VALUES (?, ?, ?, ?, ?)",
                [(name, key, one.vector.astype("<f4").tobytes(), one.pooled, now) for key, one in readings.items()],
            )
        over = self._bytes() > self.max_bytes
        while over:
            with self._writing():
                gone = self._evict(identity.dimension * 4 + _ROW_BYTES)
            over = gone > 0 and self._bytes() > self.max_bytes
        self._file.execute("PRAGMA incremental_vacuum(1000)").fetchall()
        return len(readings)

    def _evict(self, row_bytes: int) -> int:
        """Delete as many of the least used rows as should do; how many went."""
        rows = max(1, int((self._bytes() - _FULL * self.max_bytes) / row_bytes))
        oldest = "SELECT rowid FROM vectors ORDER BY used, rowid LIMIT ?"
        return self._file.execute(f"DELETE FROM vectors WHERE rowid IN ({oldest})", (rows,)).rowcount

    def _bytes(self) -> int:
        """Bytes of the pages in use."""
        pages, free, size = (
            int(self._file.execute(f"PRAGMA {name}").fetchone()[0])
            for name in ("page_count", "freelist_count", "page_size")
        )
        return (pages - free) * size

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """One transaction, which waits for those of others instead of failing in its middle."""
        self._file.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:  # whatever it was goes on; a transaction must not stay open behind it
            self._file.rollback()
            raise
        self._file.execute("COMMIT")


def _places(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))
