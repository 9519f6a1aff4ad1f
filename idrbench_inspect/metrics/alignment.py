"""The average alignment score: five measures, never fewer."""

import math
from collections.abc import Mapping
from typing import Final

from idrbench_inspect.metrics.undefined import Undefined

MEASURES: Final = ("report_similarity", "sentence_f1", "paragraph_f1", "chunk_f1", "llm_acs")
"""The five of the average, in the order of tables."""


def average_alignment(measures: Mapping[str, float | Undefined]) -> float | Undefined:
    """The unweighted mean of the five measures.

    Alignment is nearness to one user's target, not quality.

    Args:
        measures: Exactly `MEASURES`, each a fraction, 0 to 1, or undefined.

    Returns:
        A fraction, 0 to 1; undefined as soon as one measure is. A mean of fewer would be another quantity.

    Raises:
        ValueError: other measures are named, or one is not a fraction.

    Example:
        >>> average_alignment(dict(zip(MEASURES, (0.9, 0.4, 0.6, 0.8, 0.8), strict=True)))
        0.7
    """
    if set(measures) != set(MEASURES):
        raise ValueError(f"the average is of {', '.join(MEASURES)}; got {', '.join(sorted(measures)) or 'nothing'}")
    missing = {name: value for name in MEASURES if isinstance(value := measures[name], Undefined)}
    if missing:
        return Undefined("; ".join(f"no {name}: {value.reason}" for name, value in missing.items()))
    known = {name: value for name, value in measures.items() if not isinstance(value, Undefined)}
    if wrong := {name: value for name, value in known.items() if not 0 <= value <= 1}:
        raise ValueError(f"{wrong} are not fractions between 0 and 1")
    return math.fsum(known.values()) / len(MEASURES)
