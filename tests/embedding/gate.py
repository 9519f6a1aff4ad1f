"""Tests in which something waits for something else, without clocks."""

import threading
from collections.abc import Callable, Sequence

import anyio

from idrbench_inspect.embedding.protocol import Matrix

PATIENCE = 60.0
"""Seconds after which a test that waits in vain fails."""


class Gate:
    """Holds an embedder inside a call until it is opened; it is an error to be inside twice."""

    def __init__(self) -> None:
        self.open = threading.Event()
        self.entered = threading.Event()
        self._inside = threading.Lock()

    def __call__(self, texts: Sequence[str], matrix: Matrix) -> Matrix:
        assert self._inside.acquire(blocking=False), "entered twice"
        self.entered.set()
        assert self.open.wait(PATIENCE)
        self._inside.release()
        return matrix


async def until(condition: Callable[[], bool]) -> None:
    """Let everything else go on until `condition` holds."""
    with anyio.fail_after(PATIENCE):
        while not condition():
            await anyio.lowlevel.checkpoint()
