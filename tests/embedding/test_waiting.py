import asyncio
from concurrent.futures import Future

import pytest

from idrbench_inspect.embedding.waiting import all_done, outcome_of


async def test_what_comes_of_a_future_is_given_or_raised() -> None:
    good: Future[int] = Future()
    bad: Future[int] = Future()
    good.set_result(3)
    bad.set_exception(MemoryError("out of it"))
    assert await outcome_of(good) == 3
    with pytest.raises(MemoryError, match="out of it"):
        await outcome_of(bad)


async def test_to_wait_for_several_is_to_wait_for_the_last_whatever_comes_of_them() -> None:
    several: list[Future[int]] = [Future() for _ in range(3)]
    waiting = asyncio.create_task(outcome_of(all_done(several)))
    several[1].set_exception(MemoryError("out of it"))
    several[0].set_result(1)
    await asyncio.sleep(0)
    assert not waiting.done()
    several[2].cancel()
    await waiting


async def test_to_wait_for_none_is_not_to_wait() -> None:
    assert all_done([]).done()
    await outcome_of(all_done([]))


async def test_a_future_that_is_there_twice_is_waited_for_once() -> None:
    one: Future[int] = Future()
    both = all_done([one, one])
    assert not both.done()
    one.set_result(1)
    await outcome_of(both)
    assert both.done()


async def test_whoever_gives_up_waiting_leaves_the_futures_to_others() -> None:
    shared: Future[int] = Future()
    waiting = asyncio.create_task(outcome_of(all_done([shared])))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    shared.set_result(1)  # would raise, had it been cancelled
    assert shared.result() == 1
