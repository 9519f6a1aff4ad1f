"""One `Embedding`, asked by many at once."""

import asyncio
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import NoReturn

import anyio
import numpy as np
import pytest

from idrbench_inspect.embedding.cache import Cache
from idrbench_inspect.embedding.protocol import Matrix
from idrbench_inspect.embedding.service import Embedding
from tests.embedding.embedders import DIMENSION, BagOfWords
from tests.embedding.gate import PATIENCE, Gate, until


@pytest.fixture
def gate() -> Iterator[Gate]:
    """A gate that is open at the end, whatever happens: the thread behind it serves all tests."""
    made = Gate()
    yield made
    made.open.set()


@contextmanager
def raising(broken: Exception) -> Iterator[Callable[[Sequence[str], Matrix], Matrix]]:
    """A change that raises as long as the context lasts."""
    state = {"broken": True}

    def change(texts: Sequence[str], matrix: Matrix) -> Matrix:
        if state["broken"]:
            raise broken
        return matrix

    yield change
    state["broken"] = False


async def test_many_samples_at_once_have_each_text_embedded_once(gate: Gate) -> None:
    embedder = BagOfWords(change=gate)
    embedding = Embedding(embedder)
    found = []

    async def sample(number: int) -> None:
        found.append(await embedding.vectors(["reference", f"report {number}", "common"]))

    async with anyio.create_task_group() as group:
        for number in range(8):
            group.start_soon(sample, number)
        await until(lambda: embedding.counters.joined == 14)
        gate.open.set()
    assert sorted(embedder.texts) == sorted(["reference", "common", *(f"report {number}" for number in range(8))])
    assert all(np.array_equal(vectors.matrix[0], found[0].matrix[0]) for vectors in found)


async def test_those_who_wait_take_no_thread_each(gate: Gate) -> None:
    embedding = Embedding(BagOfWords(change=gate))
    before = threading.active_count()
    async with anyio.create_task_group() as group:
        for number in range(50):
            group.start_soon(embedding.vectors, [f"text {number}"])
        await until(lambda: embedding.counters.distinct == 50)
        await until(gate.entered.is_set)
        waiting = threading.active_count()
        gate.open.set()
    assert waiting <= before + 3  # for questions, the cache and the model


async def test_other_tasks_go_on_while_the_embedder_works(gate: Gate) -> None:
    embedding = Embedding(BagOfWords(change=gate))
    ticks = 0

    async def ticker() -> None:
        nonlocal ticks
        await until(gate.entered.is_set)
        for _ in range(1000):
            ticks += 1
            await anyio.lowlevel.checkpoint()
        gate.open.set()  # were the loop blocked, the embedder would wait for this in vain

    async with anyio.create_task_group() as group:
        group.start_soon(ticker)
        await embedding.vectors(["one"])
    assert ticks == 1000


async def test_several_embedders_are_never_inside_at_once(gate: Gate) -> None:
    embeddings = [Embedding(BagOfWords(change=gate, revision=str(number))) for number in range(4)]
    async with anyio.create_task_group() as group:
        for embedding in embeddings:
            group.start_soon(embedding.vectors, ["one"])
        await until(lambda: all(embedding.counters.distinct for embedding in embeddings))
        gate.open.set()
    assert [embedding.counters.embedded for embedding in embeddings] == [1] * 4


async def test_an_asker_that_is_cancelled_does_not_take_the_text_from_another(gate: Gate) -> None:
    embedder = BagOfWords(change=gate)
    embedding = Embedding(embedder)
    first = asyncio.create_task(embedding.vectors(["shared"]))
    await until(gate.entered.is_set)
    second = asyncio.create_task(embedding.vectors(["shared"]))
    await until(lambda: embedding.counters.joined == 1)
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    gate.open.set()
    assert (await second).matrix.shape == (1, DIMENSION)
    assert embedder.texts == ["shared"]


async def test_the_one_who_asked_first_may_be_cancelled_while_its_texts_wait_in_the_queue(gate: Gate) -> None:
    embedding = Embedding(BagOfWords(change=gate))
    busy = asyncio.create_task(embedding.vectors(["busy"]))
    await until(gate.entered.is_set)
    first = asyncio.create_task(embedding.vectors(["shared", "unwanted"]))
    await until(lambda: embedding.counters.distinct == 3)
    second = asyncio.create_task(embedding.vectors(["shared"]))
    await until(lambda: embedding.counters.joined == 1)
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    gate.open.set()
    assert (await second).matrix.shape == (1, DIMENSION)
    await busy
    assert embedding.counters.embedded == 2  # nobody waited for the unwanted one


async def test_a_text_that_was_given_up_can_be_asked_for_again(gate: Gate) -> None:
    embedding = Embedding(BagOfWords(change=gate))
    busy = asyncio.create_task(embedding.vectors(["busy"]))
    await until(gate.entered.is_set)
    given_up = asyncio.create_task(embedding.vectors(["text"]))
    await until(lambda: embedding.counters.distinct == 2)
    given_up.cancel()
    with pytest.raises(asyncio.CancelledError):
        await given_up
    again = asyncio.create_task(embedding.vectors(["text"]))
    gate.open.set()
    assert (await again).matrix.shape == (1, DIMENSION)
    await busy


async def test_a_failure_reaches_every_asker_and_is_not_kept(gate: Gate) -> None:
    with raising(MemoryError("out of it")) as fail:
        embedder = BagOfWords(change=lambda texts, matrix: fail(texts, gate(texts, matrix)))
        embedding = Embedding(embedder)
        askers = [asyncio.create_task(embedding.vectors(["text"])) for _ in range(3)]
        await until(lambda: embedding.counters.joined == 2)
        gate.open.set()
        for asker in askers:
            with pytest.raises(MemoryError, match="out of it"):
                await asker
    assert (await embedding.vectors(["text"])).matrix.shape == (1, DIMENSION)
    assert (embedding.counters.failed, embedding.counters.embedded) == (1, 1)


async def test_a_cache_that_breaks_leaves_nobody_waiting(gate: Gate) -> None:
    class Broken(Cache):
        def read(self, *_: object) -> NoReturn:
            assert gate.open.wait(PATIENCE)
            raise RuntimeError("unknown")

    embedding = Embedding(BagOfWords(), Broken())
    askers = [asyncio.create_task(embedding.vectors(["text"])) for _ in range(3)]
    await until(lambda: embedding.counters.joined == 2)
    gate.open.set()
    with anyio.fail_after(PATIENCE):
        for asker in askers:
            with pytest.raises(RuntimeError, match="unknown"):
                await asker


def test_loops_may_follow_each_other(gate: Gate) -> None:
    embedding = Embedding(BagOfWords(change=gate))

    async def given_up() -> None:
        asking = asyncio.create_task(embedding.vectors(["one"]))
        await until(gate.entered.is_set)
        asking.cancel()

    asyncio.run(given_up())  # this loop is dead when its text is finished
    gate.open.set()
    for text in ("one", "two", "one"):
        assert asyncio.run(embedding.vectors([text])).matrix.shape == (1, DIMENSION)


def test_loops_may_run_side_by_side_and_share_what_is_in_flight(gate: Gate) -> None:
    embedder = BagOfWords(change=gate)
    embedding = Embedding(embedder)
    with ThreadPoolExecutor(4) as threads:
        runs = [threads.submit(lambda: asyncio.run(embedding.vectors(["one", "two"]))) for _ in range(4)]
        asyncio.run(until(lambda: embedding.counters.joined == 6))
        gate.open.set()
        assert {run.result(PATIENCE).matrix.shape for run in runs} == {(2, DIMENSION)}
    assert sorted(embedder.texts) == ["one", "two"]
