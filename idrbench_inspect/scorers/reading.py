"""What the measures read: reports and their units as vectors, through one embedder; all heavy work off the loop."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from threading import Lock
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from idrbench_inspect.embedding.named import embedding_named
from idrbench_inspect.embedding.protocol import Tokenizer, Vectors
from idrbench_inspect.embedding.service import Embedding
from idrbench_inspect.scorers.aside import aside
from idrbench_inspect.scorers.instruments import Instruments
from idrbench_inspect.units.segment import Segments, Unit, UnitsKind, segment

CUT_REFERENCES: Final = 128
"""References whose units are kept: those of a run of a hundred tasks, some 20 MB."""

_log = logging.getLogger(__name__)
_loading = Lock()


def embedding_of(chosen: Instruments) -> Embedding:
    """The embedder of these instruments, loaded once in a process; it takes seconds, so not on an event loop.

    Its tokenizer and what cuts sentences are loaded with it, so that no sample waits for them.

    Raises:
        BadInput: there is no such embedder, or it cannot be loaded.
    """
    with _loading:
        embedding = embedding_named(chosen.embedder, chosen.device)
        segment("The first sentence is English. So is the second.", _Spans(embedding.embedder.tokenizer))
        return embedding


class _Spans:
    """An embedder's tokenizer as the room that cuts units wants it."""

    def __init__(self, own: Tokenizer) -> None:
        self.name = own.name
        self._own = own

    def spans(self, text: str) -> NDArray[np.int64]:
        return np.array(self._own.spans(text), dtype=np.int64).reshape(-1, 2)


@dataclass(frozen=True)
class _Cutting:
    """How reports are cut; the tokenizer is the object itself, since two may share a name."""

    tokenizer: Tokenizer
    chunk_tokens: int
    chunk_overlap: int
    units: UnitsKind

    def cut(self, report: str) -> Segments:
        return segment(
            report,
            _Spans(self.tokenizer),
            chunk_tokens=self.chunk_tokens,
            chunk_overlap=self.chunk_overlap,
            units=self.units,
        )


@lru_cache(CUT_REFERENCES)
def _cut_once(reference: str, cutting: _Cutting) -> Segments:
    """The units of a reference, which many samples share."""
    return cutting.cut(reference)


@dataclass(frozen=True)
class Cut:
    """A report, its target and the references of other tasks, each as its units."""

    report: Segments
    target: Segments
    others: tuple[Segments, ...]


class Reader:
    """Reads texts by one embedder and one set of rules."""

    def __init__(self, embedding: Embedding, chosen: Instruments) -> None:
        self.embedding = embedding
        self.chosen = chosen
        self.threshold = chosen.threshold
        tokenizer = embedding.embedder.tokenizer
        self._cutting = _Cutting(tokenizer, chosen.chunk_tokens, chosen.chunk_overlap, chosen.units)

    async def cut(self, report: str, target: str, others: Sequence[str]) -> Cut:
        """The units of a report, and those of references, which are cut once for all samples."""
        return await aside(self._cut, report, target, others)

    def _cut(self, report: str, target: str, others: Sequence[str]) -> Cut:
        references = [_cut_once(text, self._cutting) for text in (target, *others)]
        return Cut(self._cutting.cut(report), references[0], tuple(references[1:]))

    async def vectors(self, texts: Sequence[str]) -> Vectors:
        """The vectors of texts that are not blank; any number of them.

        Raises:
            NoReading: a vector could not be had.
        """
        return await self.embedding.vectors(texts)

    async def units(self, units: Sequence[Unit]) -> Vectors:
        """The vectors of units; see `vectors`."""
        return await self.vectors([unit.text for unit in units])

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
