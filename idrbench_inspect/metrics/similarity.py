"""How alike two reports are as wholes, by their embeddings."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from idrbench_inspect.metrics.undefined import Undefined

Vectors = NDArray[np.floating[Any]]

UNIT_LENGTH_TOLERANCE = 1e-3
"""How far a length may be from 1: float16 storage rounds this much at most."""


def normalised(cosine: float) -> float:
    """(1 + cos) / 2, 0 to 1: two unrelated texts get some 0.5, and more from embedders whose cosines sit high.

    Example:
        >>> normalised(0.6)
        0.8
    """
    return (1 + cosine) / 2


@dataclass(frozen=True, slots=True)
class Similarity:
    """Of two reports: `value` 0 to 1, and the raw cosine, -1 to 1, or why there is none."""

    value: float
    cosine: float | Undefined


def report_similarity(reference: Vectors | None, generated: Vectors | None) -> Similarity | Undefined:
    """(1 + cos) / 2 of the embeddings of two whole reports, each as written.

    Args:
        reference: A vector of length 1, shape (dimensions,); `None` for an empty report, which has no embedding: an
            embedder gives the empty text some vector, and a zero vector would make 0.5.
        generated: The same for the generated report.

    Returns:
        0 by definition when the generated report is empty; undefined when the reference is.

    Raises:
        ValueError: a vector is not finite or not of length 1, or their dimensions differ.

    Example:
        >>> report_similarity(np.array([1.0, 0.0]), np.array([0.6, 0.8]))
        Similarity(value=0.8, cosine=0.6)
        >>> report_similarity(np.array([1.0, 0.0]), None).value
        0.0
    """
    if reference is None:
        return Undefined("the reference report is empty")
    if generated is None:
        return Similarity(0.0, Undefined("the generated report is empty"))
    one = checked_vectors(np.atleast_2d(reference), "reference")[0]
    other = checked_vectors(np.atleast_2d(generated), "generated")[0]
    if len(one) != len(other):
        raise ValueError(f"the reference has {len(one)} dimensions and the generated report {len(other)}")
    if not (one.any() and other.any()):
        return Undefined("the embedder gave a zero vector for a report that is not empty")
    cosine = float(np.clip(one.astype(np.float64) @ other.astype(np.float64), -1, 1))
    return Similarity(normalised(cosine), cosine)


def checked_vectors(vectors: Vectors, whose: str) -> Vectors:
    """`vectors`, shape (units, dimensions), if each is finite and of length 1, or the zero vector.

    Raises:
        ValueError: one is not. The embedder is at fault, not the report.
    """
    if vectors.ndim != 2:
        raise ValueError(f"the {whose} vectors have shape {vectors.shape}; (units, dimensions) was expected")
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors, dtype=np.float64))
    wrong = ~((np.abs(lengths - 1) <= UNIT_LENGTH_TOLERANCE) | (lengths == 0))
    if wrong.any():
        number = int(np.argmax(wrong))
        raise ValueError(
            f"{whose} vector {number} has length {lengths[number]:.4g}; unit vectors were expected: normalise them"
        )
    return vectors
