"""One run on one file: other runs are told that it is taken, and further epochs of a sample cost nothing."""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Generic, TypeVar
from weakref import WeakValueDictionary

import anyio
from filelock import FileLock, Timeout

from idrbench_inspect.errors import BadInput

T = TypeVar("T")

# Shared by the runs of a process: two models given to one `inspect eval` make no row twice.
_turns: WeakValueDictionary[tuple[Path, str], anyio.Lock] = WeakValueDictionary()


def ready(path: Path) -> None:
    """Make the folders above a file that is to be written, where they are missing.

    Raises:
        BadInput: they cannot be made.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(
            f"The folder {path.parent} for {path.name} cannot be made ({error.strerror}); give another file."
        ) from None


def taken(path: Path) -> FileLock:
    """Take a file for a run, so that no other process pays for the same rows; folders above it are made.

    Returns:
        The lock, held until it is released or collected, at the latest until the process ends, by a kill too. A process
        may take a file more than once.

    Raises:
        BadInput: a run of another process has the file, or nothing can be written there.
    """
    ready(path)
    place = path.resolve()
    lock = FileLock(place.with_name(f".{place.name}.run.lock"), timeout=0, thread_local=False, is_singleton=True)
    try:
        lock.acquire()
    except Timeout:
        raise BadInput(f"Another run is writing {path}; wait until it has ended, or give another out.") from None
    except OSError as error:
        raise BadInput(f"Nothing can be written to {path.parent} ({error.strerror}); give another out.") from None
    return lock


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Have a file to oneself, see `taken`, for the length of a block."""
    lock = taken(path)
    try:
        yield
    finally:
        lock.release()


class Run(Generic[T]):
    """A run of samples on a file, which it has as long as it is there.

    What came of a sample is there for its further epochs, which wait for it and ask nobody. An epoch that comes a
    second time is another attempt, and so is whatever comes after an attempt that broke.

    Args:
        path: The file.

    Raises:
        BadInput: as `taken`.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = taken(path)
        self._found: dict[str, T] = {}
        self._epochs: dict[str, set[int]] = {}

    async def once(self, name: str, epoch: int, make: Callable[[], Awaitable[T]]) -> T:
        """What came of a sample: as an epoch before had it, or made now.

        Args:
            name: The id of the sample.
            epoch: Which of its epochs asks.
            make: Makes it; what it raises goes to the one who asked, and the next one tries.
        """
        turn = _turns.setdefault((self._path, name), anyio.Lock())
        async with turn:
            if name not in self._found or epoch in self._epochs[name]:
                self._found[name], self._epochs[name] = await make(), set()
            self._epochs[name].add(epoch)
            return self._found[name]
