"""Do things at the same time, and let each come to its end."""

from collections.abc import Awaitable
from typing import TypeVar

import anyio

T = TypeVar("T")


async def together(*work: Awaitable[T]) -> list[T]:
    """The results of all, in the order given.

    Unlike Inspect's `collect`, a failing one does not cancel its siblings, and no span is written for each: hundreds of
    page reads would fill the log with them.

    Raises:
        Exception: the first failure in the order given, after all have ended; never a group of several.
    """
    done: dict[int, T] = {}
    failed: dict[int, Exception] = {}

    async def one(place: int, item: Awaitable[T]) -> None:
        try:
            done[place] = await item
        except Exception as error:  # handed on below, once the siblings have ended
            failed[place] = error

    async with anyio.create_task_group() as group:
        for place, item in enumerate(work):
            group.start_soon(one, place, item)
    if failed:
        raise failed[min(failed)]
    return [done[place] for place in range(len(work))]
