"""How far judges agree with each other, and a judge with itself."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from idrbench_inspect.metrics.undefined import Undefined

Level = Literal["interval", "ordinal"]


def krippendorff_alpha(ratings: ArrayLike, level: Level = "interval") -> float | Undefined:
    """Krippendorff's alpha: 1 for full agreement, 0 for what chance gives, below 0 for less.

    Klaus Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011). The package of that name is under the GPL,
    hence these lines.

    Args:
        ratings: Shape (judges, items); NaN where a judge did not rate an item. Items with one rating are left out.
        level: "interval" takes grades as numbers, "ordinal" as ranks.

    Returns:
        Undefined when no item has two ratings, or all ratings are the same, so that chance would agree too.

    Raises:
        ValueError: the shape is another, a rating is infinite, or there is no such level.

    Example:
        >>> round(krippendorff_alpha([[1, 2, 3, 4], [1, 2, 3, 5]]), 3)
        0.937
    """
    table = np.asarray(ratings, dtype=np.float64)
    if table.ndim != 2 or np.isinf(table).any():
        raise ValueError(f"ratings of shape {table.shape} must be finite and have the shape (judges, items)")
    if level not in get_args(Level):
        raise ValueError(f"level is {level!r}; it must be 'interval' or 'ordinal'")
    table = table[:, np.count_nonzero(~np.isnan(table), axis=0) > 1]
    values = np.unique(table[~np.isnan(table)])
    if len(values) < 2:
        return Undefined("no item has two ratings" if not len(values) else "all ratings are the same")
    counts = np.count_nonzero(table[:, :, None] == values, axis=0).astype(np.float64)  # (items, values)
    totals = counts.sum(axis=1)
    coincidences = np.einsum("iv,iw,i->vw", counts, counts, 1 / (totals - 1))
    coincidences -= np.diag((counts / (totals - 1)[:, None]).sum(axis=0))
    marginals = coincidences.sum(axis=0)
    expected = (np.outer(marginals, marginals) - np.diag(marginals)) / (marginals.sum() - 1)
    distances = _distances(values, marginals, level)
    return float(1 - (coincidences * distances).sum() / (expected * distances).sum())


def _distances(values: NDArray[Any], marginals: NDArray[Any], level: Level) -> NDArray[Any]:
    ranks = np.cumsum(marginals) - marginals / 2  # the middle of each value's ranks
    places: NDArray[Any] = values if level == "interval" else ranks
    squares: NDArray[Any] = np.square(np.subtract.outer(places, places))
    return squares


@dataclass(frozen=True, slots=True)
class Spread:
    """Repeated measurements of one thing, in their own unit.

    `deviation` is the sample standard deviation (n - 1); undefined for a single measurement, which is not 0.
    """

    n: int
    mean: float
    deviation: float | Undefined
    lowest: float
    highest: float


def spread(values: Sequence[float]) -> Spread | Undefined:
    """How far repeats lie apart.

    Args:
        values: Finite numbers, in any order.

    Returns:
        Undefined without any.

    Raises:
        ValueError: a value is not finite.

    Example:
        >>> spread([6.0, 8.0, 6.0, 8.0]).mean, round(spread([6.0, 8.0, 6.0, 8.0]).deviation, 3)
        (7.0, 1.155)
    """
    if not all(map(math.isfinite, values)):
        raise ValueError("a repeat is not finite; leave out what has no value and say how many")
    if not values:
        return Undefined("there are no repeats")
    mean = math.fsum(values) / len(values)
    squares = math.fsum((value - mean) ** 2 for value in values)
    deviation = math.sqrt(squares / (len(values) - 1)) if len(values) > 1 else Undefined("there is one repeat only")
    return Spread(len(values), mean, deviation, min(values), max(values))
