"""Lanes: the spans that become rows of the log viewer's timeline.

The timeline shows agent spans, and hides one that holds a single call when the span around it makes tool calls of its
own: it takes it for a helper. Two rules keep every lane in sight: what delegates makes its own calls in a lane beside
those it delegates to, and a lane inside a researcher stands inside the span of the tool whose work it is.
"""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from inspect_ai.util import span


def lane(name: str) -> AbstractAsyncContextManager[None]:
    """A row of the timeline; those with the same name beneath one row share a row."""
    return span(name, type="agent")


def records() -> AbstractAsyncContextManager[None]:
    """Where the records from which a run can be rebuilt are kept together, so that they are in nobody's way."""
    return lane("records")


@asynccontextmanager
async def work_of(tool: str, name: str) -> AsyncIterator[None]:
    """A lane for the work behind a call of `tool`; no row when nothing happens in it."""
    async with span(tool, type="tool"), lane(name):
        yield
