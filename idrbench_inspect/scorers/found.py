"""What measuring one sample comes to, before it is a score."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from idrbench_inspect.metrics.undefined import Undefined


@dataclass
class Found:
    """Values by key, and what belongs to them.

    Args:
        values: By key; a key that is not there is NaN in the score.
        measures: Those of the five that were measured, fractions or undefined.
        unscored: By measure, or "control", why keys have no value.
        made_by: By part (embedder, tau, segmentation, judge), what would make another value differ.
        metadata: For the score.
        warnings: Sentences for the score's explanation.
    """

    values: dict[str, float] = field(default_factory=dict)
    measures: dict[str, float | Undefined] = field(default_factory=dict)
    unscored: dict[str, str] = field(default_factory=dict)
    made_by: dict[str, str] = field(default_factory=dict)
    metadata: dict[str, Any] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)

    def measured(self, measure: str, value: float | Undefined) -> None:
        """Keep one of the five, with its reason where it is undefined."""
        self.measures[measure] = value
        if isinstance(value, Undefined):
            self.unscored[measure] = value.reason

    def complete(self, keys: Iterable[str]) -> dict[str, float]:
        """The values of all `keys`, NaN where there is none."""
        return {key: self.values.get(key, math.nan) for key in keys}


def together(parts: Iterable[Found]) -> Found:
    """Several findings about one sample as one; of metadata and counts of one name, the values are put together."""
    whole = Found()
    for part in parts:
        whole.values |= part.values
        whole.measures |= part.measures
        whole.unscored |= part.unscored
        whole.made_by |= part.made_by
        whole.warnings += [warning for warning in part.warnings if warning not in whole.warnings]
        for name, value in part.metadata.items():
            known = whole.metadata.get(name, {})
            whole.metadata[name] = {**known, **value} if isinstance(value, dict) else value
    return whole
