"""Where scorers compute, and how many samples do so at a time.

Every thread that computes in Python makes the event loop wait for a turn of its own, and every sample that has begun
holds its texts: so there is one thread of the process for cutting and matching, and a few places for samples. Nothing
is bound to a loop: several may run one after another, or at once, and each has its own places.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final, ParamSpec, TypeVar

from anyio import Semaphore
from anyio.lowlevel import RunVar

from idrbench_inspect.embedding.waiting import outcome_of

AT_ONCE: Final = 4
"""Samples measured at a time on one event loop: enough for an embedder to have work while one of them is cut."""

P = ParamSpec("P")
T = TypeVar("T")

_thread = ThreadPoolExecutor(1, "measuring")
_places: RunVar[Semaphore] = RunVar("idrbench_inspect.places")


def places() -> Semaphore:
    """The places of the running event loop; whoever measures holds one, and gives it back before waiting for a judge.

    To take one gives up the loop once, even where one is free.
    """
    try:
        return _places.get()
    except LookupError:
        made = Semaphore(AT_ONCE)
        _places.set(made)
        return made


async def aside(step: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """What `step` gives, computed in the one thread; what it raises is raised here.

    A step must wait for nothing that another step does.
    """
    return await outcome_of(_thread.submit(partial(step, *args, **kwargs)))
