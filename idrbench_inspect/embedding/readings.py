"""From texts to checked vectors: cut, put into batches, embedded, looked at, and put together again.

What an embedder gives is checked before anything is done with it. A vector with NaN or without length is no similarity
of 0, and compared with others it would pass unseen, since every comparison with NaN is false.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from idrbench_inspect.embedding.batches import batches
from idrbench_inspect.embedding.protocol import Embedder, Matrix, NoReading
from idrbench_inspect.embedding.windows import Window, pooled, windows

OFF_UNIT = 1e-3


class Reading(NamedTuple):
    """The vector of a text, `[dimension]`, and whether it is the mean of several windows'."""

    vector: Matrix
    pooled: bool


Outcome = Reading | BaseException
Done = Callable[[dict[bytes, Outcome]], None]
Wanted = Callable[[bytes], bool]


@dataclass
class Work:
    """What embedding took: pieces put through, batches, texts tried again alone, and seconds inside the embedder."""

    pieces: int = 0
    batches: int = 0
    retried: int = 0
    seconds: float = 0.0

    def taken(self) -> dict[str, float]:
        """What there is by name, and begin at nothing again."""
        there = dict(vars(self))
        vars(self).update(vars(Work()))
        return there


@dataclass
class _Text:
    """A text on its way: its windows, and their vectors so far."""

    key: bytes
    windows: list[Window]
    found: dict[int, Matrix | BaseException] = field(default_factory=dict)

    def outcome(self) -> Outcome:
        vectors = [self.found[number] for number in range(len(self.windows))]
        for vector in vectors:
            if isinstance(vector, BaseException):
                return vector
        matrix = np.stack([vector for vector in vectors if isinstance(vector, np.ndarray)])
        vector = pooled(matrix, [window.tokens for window in self.windows])
        reason = fault(vector)
        return NoReading(f"the windows of a text: {reason}") if reason else Reading(vector, len(self.windows) > 1)


def read(embedder: Embedder, texts: Mapping[bytes, str], budget: int, wanted: Wanted, done: Done, work: Work) -> None:
    """Embed `texts`, telling what came of each as soon as it is known.

    Args:
        embedder: Called from this thread only.
        texts: By key; none is blank.
        budget: Tokens of one batch.
        wanted: Asked before each batch; a text that nobody waits for any more is left out.
        done: Told of texts that are finished: a reading, a `NoReading`, or whatever the embedder raised.
        work: Added to, before the texts that it was for are told.
    """
    cut: list[_Text] = []
    for key, text in texts.items():
        try:
            cut.append(_Text(key, windows(text, embedder.tokenizer, embedder.identity.max_tokens)))
        except Exception as broken:  # whatever a tokenizer raises is told to those who asked for this text
            done({key: broken})
    pieces = [(whole, number) for whole in cut for number in range(len(whole.windows))]
    for batch in batches([whole.windows[number].tokens for whole, number in pieces], budget):
        chosen = [pieces[index] for index in batch if wanted(pieces[index][0].key)]
        if not chosen:
            continue
        vectors = _batch(embedder, [whole.windows[number].text for whole, number in chosen], work)
        for (whole, number), vector in zip(chosen, vectors, strict=True):
            whole.found[number] = vector
        touched = {whole.key: whole for whole, _ in chosen}
        done({key: whole.outcome() for key, whole in touched.items() if len(whole.found) == len(whole.windows)})


def fault(vector: Matrix) -> str | None:
    """What is wrong with a vector, `[dimension]`; `None` if nothing is.

    Example:
        >>> fault(np.array([0.0, 0.0], dtype=np.float32))
        'a vector without length'
    """
    if not np.isfinite(vector).all():
        return "a vector with NaN or infinity"
    length = float(np.linalg.norm(vector.astype(np.float64)))
    if length == 0:
        return "a vector without length"
    return f"a vector of length {length:.4g}, wanted 1" if abs(length - 1) > OFF_UNIT else None


def _batch(embedder: Embedder, pieces: Sequence[str], work: Work) -> list[Matrix | BaseException]:
    """A vector, or why there is none, for each piece; what came out faulty in company is tried again alone."""
    work.batches += 1
    work.pieces += len(pieces)
    try:
        found = _embedded(embedder, pieces, work)
    except Exception as broken:  # whatever an embedder raises is told to those who asked for these texts
        return [broken] * len(pieces)
    return [
        _alone(embedder, piece, work) if isinstance(vector, str) else vector
        for piece, vector in zip(pieces, found, strict=True)
    ]


def _alone(embedder: Embedder, piece: str, work: Work) -> Matrix | BaseException:
    work.retried += 1
    try:
        (found,) = _embedded(embedder, [piece], work)
    except Exception as broken:  # as in `_batch`
        return broken
    if isinstance(found, str):
        return NoReading(
            f"{embedder.identity.model} gave {found}, for a text of {len(piece)} characters embedded alone"
        )
    return found


def _embedded(embedder: Embedder, pieces: Sequence[str], work: Work) -> list[Matrix | str]:
    """A vector, or what is wrong with what was given, for each piece."""
    began = time.perf_counter()
    try:
        given = embedder.embed(pieces)
    finally:
        work.seconds += time.perf_counter() - began
    wanted = (len(pieces), embedder.identity.dimension)
    if np.shape(given) != wanted:
        return [f"vectors of shape {np.shape(given)}, wanted {wanted}"] * len(pieces)
    return [fault(vector) or vector for vector in np.array(given, dtype=np.float32)]
