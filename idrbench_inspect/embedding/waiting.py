"""Waiting, on an event loop, for what threads do, without a thread for everyone who waits.

To start a thread, an event loop stands still until the new one has had its first turn, and every thread that computes
in Python makes it wait for a turn of its own: with hundreds of askers these add up to a good part of a second.
"""

import asyncio
from collections.abc import Collection
from concurrent.futures import Future
from threading import Lock
from typing import Any, TypeVar

from anyio import CapacityLimiter, to_thread

T = TypeVar("T")


def all_done(futures: Collection[Future[Any]]) -> Future[None]:
    """Done as soon as all `futures` are, whatever came of them; cancelling it does not touch them.

    Example:
        >>> one: Future[int] = Future()
        >>> both = all_done([one])
        >>> both.done(), one.cancel(), both.done()
        (False, True, True)
    """
    done: Future[None] = Future()
    done.set_running_or_notify_cancel()  # from here on nobody can cancel it, so that it can always be set
    pending = set(futures)
    lock = Lock()

    def finished(one: Future[Any]) -> None:
        with lock:
            pending.discard(one)
            last = not pending
        if last:
            done.set_result(None)

    for future in set(futures):
        future.add_done_callback(finished)
    if not futures:
        done.set_result(None)
    return done


async def outcome_of(future: Future[T]) -> T:
    """What comes of a future that a thread settles; whoever is cancelled meanwhile lets it go on if it has begun."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:  # trio, which has no bridge to such futures: a thread waits, by a limiter of its own
        return await to_thread.run_sync(future.result, abandon_on_cancel=True, limiter=CapacityLimiter(1))
    return await asyncio.wrap_future(future)
