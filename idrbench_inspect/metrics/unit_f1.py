"""How well the units of two reports cover each other: precision, recall and F1 at a threshold.

A reference unit is recalled when its best match among the generated units reaches the threshold; a generated unit is
precise when its best match among the reference units does. Matching is many-to-one: omission costs little, and
repeating a whole report costs nothing, while a repeated unit counts in precision as often as it stands there. So unit
counts and `repetition_rate` belong beside every F1.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from threading import Lock
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

from idrbench_inspect.metrics.similarity import Vectors, checked_vectors
from idrbench_inspect.metrics.tau import Tau
from idrbench_inspect.metrics.undefined import Undefined

DENSE_ROWS: Final = 4_096
"""Up to so many units of either report the whole matrix is held; beyond, one block of rows at a time."""

BLOCK_ROWS: Final = 1_024


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """The units of one report against those of the other.

    Args:
        cosine: The best match's cosine, float32, shape (units,), -1 to 1; -1 where there is none.
        match: Its number among the other report's units, the first of equals; -1 where there is none, because the
            other report has no units, or because the unit's vector is zero.
    """

    cosine: NDArray[np.float32]
    match: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.match)

    def share(self, tau: Tau) -> float:
        """The share of units with a match at `tau`, 0 to 1; there must be units."""
        return float(np.mean(tau.reached(self.cosine) & (self.match >= 0)))


@dataclass(frozen=True, slots=True, eq=False)
class Matches:
    """The best match of every unit of two reports; all thresholds are answered from it."""

    reference: Side
    generated: Side


@dataclass(frozen=True, slots=True)
class UnitF1:
    """Fractions, 0 to 1, with the unit counts and the threshold that belong to them."""

    precision: float
    recall: float
    f1: float
    reference_units: int
    generated_units: int
    tau: Tau


def matches_from_matrix(cosines: NDArray[np.floating[Any]]) -> Matches:
    """The best matches in a matrix of cosines.

    Args:
        cosines: Shape (reference units, generated units), -1 to 1; either may be 0.

    Raises:
        ValueError: it has another shape, or a value that is no cosine.

    Example:
        >>> found = matches_from_matrix(np.array([[0.9, 0.1, 0.7], [0.2, 0.3, 0.1]]))
        >>> found.reference.match.tolist(), found.generated.match.tolist()
        ([0, 1], [0, 1, 0])
    """
    matrix = np.asarray(cosines, dtype=np.float32)
    if matrix.ndim != 2:
        raise ValueError(f"the cosines have shape {matrix.shape}; (reference units, generated units) was expected")
    if not (np.abs(matrix) <= 1 + 1e-3).all():
        raise ValueError("the matrix holds values that are no cosines: they must be between -1 and 1")
    search = _Search(*matrix.shape)
    search.add(0, matrix)
    return search.found()


def matches_from_vectors(reference: Vectors, generated: Vectors, *, dense_rows: int = DENSE_ROWS) -> Matches:
    """The best matches between two sets of unit vectors.

    A zero vector, which some embedders give to a unit whose words they do not know, matches nothing and is matched by
    nothing, wherever it stands; the unit still counts.

    Args:
        reference: Vectors of length 1 or 0, shape (units, dimensions); computed with in float32.
        generated: The same for the generated report.
        dense_rows: How many units the matrix is held for. Where the line is drawn changes no bit of the result, since
            the products are taken block by block on both sides of it.

    Raises:
        ValueError: a vector is not finite or has another length, or the dimensions differ.

    Example:
        >>> found = matches_from_vectors(np.eye(2), np.array([[0.6, 0.8], [0.0, 0.0]]))
        >>> found.generated.match.tolist(), found.generated.cosine.tolist()
        ([1, -1], [0.800000011920929, -1.0])
    """
    rows = checked_vectors(reference, "reference").astype(np.float32)
    columns = checked_vectors(generated, "generated").astype(np.float32)
    if rows.size and columns.size and rows.shape[1] != columns.shape[1]:
        raise ValueError(f"the reference has {rows.shape[1]} dimensions and the generated report {columns.shape[1]}")
    search = _Search(len(rows), len(columns))
    if len(rows) and len(columns):
        with _one_thread():
            _fill(search, rows, columns, dense_rows)
    return search.found()


def unit_f1(matches: Matches, tau: Tau) -> UnitF1 | Undefined:
    """Precision, recall and F1 at `tau`.

    Returns:
        Undefined when the reference has no units at this level: nothing can be near to it. All zero when only the
        generated report has none.

    Example:
        >>> unit_f1(matches_from_matrix(np.array([[0.9, 0.1, 0.7], [0.2, 0.3, 0.1]])), Tau(0.6, "raw")).recall
        0.5
    """
    if not len(matches.reference):
        return Undefined("the reference has no units at this level")
    recall = matches.reference.share(tau)
    precision = matches.generated.share(tau) if len(matches.generated) else 0.0
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return UnitF1(precision, recall, f1, len(matches.reference), len(matches.generated), tau)


def repetition_rate(units: Sequence[str]) -> float | Undefined:
    """The share of units that say again, word for word, what one before them said; 0 to 1.

    Example:
        >>> repetition_rate(["Rents rose.", "Wages fell.", "Rents rose.", "Rents rose."])
        0.5
    """
    return 1 - len(set(units)) / len(units) if units else Undefined("there are no units")


class _Search:
    """Running maxima over blocks of rows; the first of equals wins, as in a search of the whole matrix."""

    def __init__(self, rows: int, columns: int) -> None:
        self.row_best = np.full(rows, -np.inf, dtype=np.float32)
        self.row_match = np.full(rows, -1, dtype=np.int64)
        self.column_best = np.full(columns, -np.inf, dtype=np.float32)
        self.column_match = np.full(columns, -1, dtype=np.int64)

    def add(self, start: int, block: NDArray[np.float32]) -> None:
        if not block.size:
            return
        here = slice(start, start + len(block))
        self.row_match[here] = block.argmax(axis=1)
        self.row_best[here] = block.max(axis=1)
        best = block.max(axis=0)
        better = best > self.column_best
        self.column_best[better] = best[better]
        self.column_match[better] = start + block.argmax(axis=0)[better]

    def found(self) -> Matches:
        return Matches(_side(self.row_best, self.row_match), _side(self.column_best, self.column_match))


def _side(best: NDArray[np.float32], match: NDArray[np.int64]) -> Side:
    none = np.isneginf(best)
    return Side(np.where(none, np.float32(-1), np.clip(best, -1, 1)), np.where(none, -1, match))


_limiting = Lock()


@cache
def _libraries() -> ThreadpoolController:
    return ThreadpoolController()


@contextmanager
def _one_thread() -> Iterator[None]:
    """Matrix products by one thread, which gives the same last bits on any number of cores.

    Matrices are small: where other work has the cores, several threads wait for each other longer than they compute.
    The setting is the process's, so that two must not change it at a time.
    """
    with _limiting, _libraries().limit(limits=1, user_api="blas"):
        yield


def _fill(search: _Search, rows: NDArray[np.float32], columns: NDArray[np.float32], dense_rows: int) -> None:
    starts = range(0, len(rows), BLOCK_ROWS)
    blocks = (_cosines(rows[start : start + BLOCK_ROWS], columns) for start in starts)
    if max(len(rows), len(columns)) <= dense_rows:
        search.add(0, np.concatenate(list(blocks)))
        return
    for start, block in zip(starts, blocks, strict=True):
        search.add(start, block)


def _cosines(rows: NDArray[np.float32], columns: NDArray[np.float32]) -> NDArray[np.float32]:
    cosines = rows @ columns.T
    cosines[~rows.any(axis=1)] = -np.inf
    cosines[:, ~columns.any(axis=1)] = -np.inf
    return cosines
