"""What the measures read: reports and their units as vectors, through one embedder; all heavy work in threads."""

import logging
from collections.abc import Sequence
from functools import cache, partial
from threading import Lock
from typing import Any

import numpy as np
from anyio import to_thread
from numpy.typing import NDArray

from idrbench_inspect.embedding.named import embedding_named
from idrbench_inspect.embedding.protocol import Tokenizer, Vectors
from idrbench_inspect.embedding.service import Embedding
from idrbench_inspect.metrics.unit_f1 import Matches, matches_from_vectors
from idrbench_inspect.scorers.instruments import Instruments
from idrbench_inspect.units.segment import Segments, Unit, segment

_log = logging.getLogger(__name__)
_loading = Lock()


def embedding_of(chosen: Instruments) -> Embedding:
    """The embedder of these instruments, loaded once in a process; it takes seconds, so not on an event loop.

    Raises:
        BadInput: there is no such embedder, or it cannot be loaded.
    """
    with _loading:
        return embedding_named(chosen.embedder, chosen.device)


class _Spans:
    """An embedder's tokenizer as the room that cuts units wants it."""

    def __init__(self, own: Tokenizer) -> None:
        self.name = own.name
        self._own = own

    def spans(self, text: str) -> NDArray[np.int64]:
        return np.array(self._own.spans(text), dtype=np.int64).reshape(-1, 2)


class Reader:
    """Reads texts by one embedder and one set of rules."""

    def __init__(self, embedding: Embedding, chosen: Instruments) -> None:
        self.embedding = embedding
        self.chosen = chosen
        self.threshold = chosen.threshold
        self._spans = _Spans(embedding.embedder.tokenizer)

    async def segments(self, report: str) -> Segments:
        """The units of a report."""
        cut = partial(
            segment,
            report,
            self._spans,
            chunk_tokens=self.chosen.chunk_tokens,
            chunk_overlap=self.chosen.chunk_overlap,
            units=self.chosen.units,
        )
        return await to_thread.run_sync(cut)

    async def vectors(self, texts: Sequence[str]) -> Vectors:
        """The vectors of texts that are not blank; any number of them.

        Raises:
            NoReading: a vector could not be had.
        """
        return await self.embedding.vectors(texts)

    async def units(self, units: Sequence[Unit]) -> Vectors:
        """The vectors of units; see `vectors`."""
        return await self.vectors([unit.text for unit in units])

    async def matches(self, reference: Vectors, generated: Vectors) -> Matches:
        """The best match of every unit of two reports."""
        return await to_thread.run_sync(matches_from_vectors, reference.matrix, generated.matrix)

    def described(self) -> dict[str, Any]:
        """The embedder and the threshold, for the metadata of a score."""
        tau = self.threshold
        return {
            "embedder": {**self.embedding.identity.model_dump(mode="json"), "device": self.embedding.embedder.device},
            "tau": {
                "value": tau.tau.value,
                "scale": tau.tau.scale,
                "cosine": tau.tau.cosine,
                "calibrated": tau.calibrated,
                "basis": tau.basis,
            },
        }

    def pooled(self, what: str, *read: Vectors) -> tuple[int, list[str]]:
        """How many of the texts were longer than the window, and what is to be said about it, in the log once."""
        count = sum(sum(vectors.pooled) for vectors in read)
        if not count:
            return 0, []
        window = self.embedding.identity.max_tokens
        said = f"{what}: longer than the embedder's window of {window} tokens, pooled from several"
        say_once(f"{said}; they are not comparable with those of an embedder with a longer one.")
        return count, [f"{count} of {said}"]


@cache
def say_once(sentence: str) -> None:
    """Warn, once in a process."""
    _log.warning("%s", sentence)
