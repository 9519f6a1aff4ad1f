"""Which metrics each key of alignment has; a log that is scored again finds them by their names."""

from collections.abc import Iterable
from typing import Final

from inspect_ai.scorer import Metric, stderr

from idrbench_inspect.metrics.points import LEVELS
from idrbench_inspect.scorers.aligned_mean import aligned_mean, means_by_arm, means_by_group, tau_warnings
from idrbench_inspect.scorers.alignment_keys import (
    COMPARED,
    COVERAGE_KEYS,
    HEADLINE,
    SIMILARITY_KEYS,
    UNCONTAMINATED,
    UNIT_KEYS,
)
from idrbench_inspect.scorers.paired import own_gains
from idrbench_inspect.scorers.samples import samples

_F1: Final = tuple(f"{level}_f1" for level in LEVELS)
_OF_INSTRUMENTS: Final[dict[str, list[str] | None]] = {
    **{key: ["embedder"] for key in (*SIMILARITY_KEYS, "pooled_texts")},
    **{key: ["embedder", "tau", "segmentation"] for key in UNIT_KEYS},
    **{key: ["judge", "aspects"] for key in COVERAGE_KEYS},
    "average_alignment": None,
}
_PARTS: Final[dict[str, list[str] | None]] = {
    **_OF_INSTRUMENTS,
    **{name: _OF_INSTRUMENTS[key] for key, name in UNCONTAMINATED.items()},
}
"""What the values of a key depend on; a key that is not here depends on no instrument."""


def parts_of(key: str) -> list[str] | None:
    """What the values of a key depend on, as `aligned_mean` takes it; empty where it is no instrument."""
    return _PARTS.get(key, [])


def means(key: str) -> list[Metric]:
    """The mean of a key, which refuses mixed instruments where it depends on any, by arm where there are several.

    With the headline, over how many samples.
    """
    counted = [samples()] if key in HEADLINE or key in UNCONTAMINATED.values() else []
    return [aligned_mean(parts_of(key)), *counted, means_by_arm(parts_of(key))]


def alignment_metrics(keys: Iterable[str]) -> dict[str, list[Metric]]:
    """Means and standard errors, means by group of the average and the five, guards of the three F1s, and gains."""
    return {key: [*means(key), stderr(), *_by_group(key), *guards(key), *_gains(key)] for key in keys}


def guards(key: str) -> list[Metric]:
    """What watches over the threshold of an F1; nothing for other keys."""
    return [tau_warnings(key)] if key in _F1 else []


def _by_group(key: str) -> list[Metric]:
    return [means_by_group(parts_of(key))] if key in HEADLINE else []


def _gains(key: str) -> list[Metric]:
    return [own_gains(parts_of(key))] if key in COMPARED else []
