"""The vectors of texts, for any number of samples scored at once.

All embedding is done by one thread of the process, since models are neither safe nor faster when entered twice. Hashing
and putting together have one, and reading the cache has one, however many ask: every thread that computes makes the
event loop wait for its turn. Nothing is bound to a loop: several may run one after another, or at once.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from threading import Lock

import numpy as np

from idrbench_inspect.embedding.cache import Cache
from idrbench_inspect.embedding.in_flight import Answer, Ask, InFlight
from idrbench_inspect.embedding.protocol import Embedder, Identity, NoReading, Vectors, is_blank
from idrbench_inspect.embedding.readings import Outcome, Reading, Work, read
from idrbench_inspect.embedding.waiting import all_done, outcome_of

BATCH_TOKENS = 16_384


@dataclass(frozen=True)
class Counters:
    """What an `Embedding` has done so far.

    Args:
        asked: Texts in all questions.
        distinct: The same, each counted once per question.
        joined: Distinct texts that another question was having embedded already.
        cached: Distinct texts found in the cache.
        embedded: Texts whose vector was made.
        failed: Texts whose vector could not be made.
        pooled: Of the embedded, those longer than the window.
        pieces: Texts and windows given to the embedder.
        batches: In how many calls, not counting the retries.
        retried: Pieces tried again alone.
        seconds: Spent inside the embedder.
    """

    asked: int = 0
    distinct: int = 0
    joined: int = 0
    cached: int = 0
    embedded: int = 0
    failed: int = 0
    pooled: int = 0
    pieces: int = 0
    batches: int = 0
    retried: int = 0
    seconds: float = 0.0


# One thread of the process for each kind of work; it is started by the first piece of work.
_desk = ThreadPoolExecutor(1, "embedding-desk")  # takes questions and puts answers together; waits for nothing
_shelf = ThreadPoolExecutor(1, "embedding-shelf")  # reads caches
_worker = ThreadPoolExecutor(1, "embedding")  # runs all embedders


class Embedding:
    """An embedder with its cache, to be asked by any number of tasks.

    Args:
        embedder: Called from one thread, one batch at a time.
        cache: Where vectors are kept; in memory if it is not given.
        batch_tokens: Of one batch, padding included; a longer text is a batch of its own.
    """

    def __init__(self, embedder: Embedder, cache: Cache | None = None, batch_tokens: int = BATCH_TOKENS) -> None:
        self.embedder = embedder
        self.batch_tokens = batch_tokens
        self._cache = Cache() if cache is None else cache
        self._in_flight = InFlight()
        self._counters = Counters()
        self._counting = Lock()

    @property
    def identity(self) -> Identity:
        """What the vectors come from."""
        return self.embedder.identity

    @property
    def counters(self) -> Counters:
        """What has been done so far."""
        return self._counters

    async def vectors(self, texts: Sequence[str]) -> Vectors:
        """The unit vectors of `texts`, in their order; equal texts have equal vectors, bit by bit.

        Args:
            texts: Any number; lone surrogates count as U+FFFD.

        Raises:
            ValueError: a text is blank: it has no vector, and its similarity to any other is 0 by convention.
            NoReading: a vector could not be had though the embedder was tried with its text alone.
            Exception: whatever the embedder raised; every asker of the same text is given it, and it is not cached.
        """
        ask = Ask()
        try:
            keys, answers = await outcome_of(_desk.submit(self._asked, ask, tuple(texts)))
            await outcome_of(all_done(answers.values()))
            return await outcome_of(_desk.submit(self._gathered, [answers[key] for key in keys]))
        finally:
            self._in_flight.leave(ask)

    def _asked(self, ask: Ask, texts: Sequence[str]) -> tuple[list[bytes], dict[bytes, Answer]]:
        """The key of each text, and the answer to each key, which is seen to."""
        keys = []
        by_key: dict[bytes, str] = {}
        for text in texts:
            if is_blank(text):
                raise ValueError("a blank text has no vector: give it the similarity 0 instead of asking for it")
            readable, encoded = _readable(text)
            keys.append(hashlib.sha256(encoded).digest())
            by_key.setdefault(keys[-1], readable)
        answers, mine = self._in_flight.join(ask, list(by_key))
        self._count(asked=len(texts), distinct=len(by_key), joined=len(answers) - len(mine))
        if mine:
            _shelf.submit(self._guarded, self._begin, {key: by_key[key] for key in mine})
        return [key for key in keys if key in answers], answers

    def _guarded(self, step: Callable[[Mapping[bytes, str]], None], texts: Mapping[bytes, str]) -> None:
        """Carry out a step; whatever breaks it is told to all who wait for its texts, so that nobody waits for ever."""
        try:
            step(texts)
        except BaseException as broken:  # handed on to the askers, who raise it
            for key in texts:
                self._in_flight.settle(key, broken)

    def _begin(self, texts: Mapping[bytes, str]) -> None:
        """Answer from the cache, and have the rest embedded."""
        found = self._cache.read(self.identity, list(texts))
        self._count(cached=len(found))
        for key, reading in found.items():
            self._in_flight.settle(key, reading)
        rest = {key: text for key, text in texts.items() if key not in found}
        if rest:
            _worker.submit(self._guarded, self._embed, rest)

    def _embed(self, texts: Mapping[bytes, str]) -> None:
        """In the worker: embed what is still waited for."""
        waited_for = {key: text for key, text in texts.items() if self._in_flight.wanted(key)}
        work = Work()
        told = partial(self._finished, work)
        read(self.embedder, waited_for, self.batch_tokens, self._in_flight.wanted, told, work)
        self._count(**work.taken())

    def _finished(self, work: Work, outcomes: dict[bytes, Outcome]) -> None:
        """In the worker: count, keep what is good, then tell the askers; in this order, so that later ones find it."""
        self._count(**work.taken())
        good = {key: outcome for key, outcome in outcomes.items() if isinstance(outcome, Reading)}
        if good:
            self._cache.write(self.identity, good)
        self._count(
            embedded=len(good),
            failed=len(outcomes) - len(good),
            pooled=sum(reading.pooled for reading in good.values()),
        )
        for key, outcome in outcomes.items():
            self._in_flight.settle(key, outcome)

    def _gathered(self, answers: Sequence[Answer]) -> Vectors:
        """Broken machinery is raised before a missing reading: it says more."""
        outcomes = [answer.result() for answer in answers]
        failures = [outcome for outcome in outcomes if not isinstance(outcome, Reading)]
        for failure in sorted(failures, key=lambda failure: isinstance(failure, NoReading)):
            raise failure
        readings = [outcome for outcome in outcomes if isinstance(outcome, Reading)]
        matrix = np.empty((len(readings), self.identity.dimension), dtype=np.float32)
        for row, reading in zip(matrix, readings, strict=True):
            row[:] = reading.vector
        return Vectors(matrix, tuple(reading.pooled for reading in readings), self.identity)

    def _count(self, **more: float) -> None:
        with self._counting:
            self._counters = replace(
                self._counters, **{name: getattr(self._counters, name) + value for name, value in more.items()}
            )


def _readable(text: str) -> tuple[str, bytes]:
    """The text without lone surrogates, and its bytes."""
    try:
        return text, text.encode()
    except UnicodeEncodeError:
        readable = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        return readable, readable.encode()
