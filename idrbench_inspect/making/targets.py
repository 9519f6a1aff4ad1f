"""How much each query is to be compressed: one share for all, or the deciles spread over the set."""

import hashlib
import math
from collections.abc import Sequence
from typing import Any, Final

from idrbench_inspect.errors import BadInput
from idrbench_inspect.making.sources import Source

SPREAD: Final = "spread"
DECILES: Final = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
TOLERANCE: Final = 0.1
"""How far the compression reached may be from its target, in the same unit: ten points."""


def read_target(given: Any) -> float | None:
    """A target as given: a compression of 0.1 to 0.9, or `None` for `spread`.

    Raises:
        BadInput: it is neither.
    """
    if given == SPREAD:
        return None
    number = isinstance(given, int | float) and not isinstance(given, bool)
    if not number or not DECILES[0] <= given <= DECILES[-1]:
        raise BadInput(
            f"target={given!r} cannot be used: it is the share to be cut away, 0.1 to 0.9, or {SPREAD}; give one."
        )
    return round(float(given), 3)


def targets_of(sources: Sequence[Source], target: float | None, seed: int = 0) -> dict[str, float]:
    """The target of each query, by id.

    Args:
        sources: The whole set; a part of it would be spread otherwise.
        target: For all of them; `None` spreads the nine deciles: in each language every decile comes equally often, to
            within one, and within a topic no decile comes twice before every other has come.
        seed: Of the spread; the order of the set has no influence on it.
    """
    if target is not None:
        return {source.id: target for source in sources}
    found: dict[str, float] = {}
    for language in sorted({source.language for source in sources}):
        members = [source for source in sources if source.language == language]
        members.sort(key=lambda source: (source.topic, _drawn(seed, source.id), source.id))
        deciles = sorted(DECILES, key=lambda decile: _drawn(seed, f"{language}:{decile}"))
        found |= {source.id: deciles[n % len(deciles)] for n, source in enumerate(members)}
    return {source.id: found[source.id] for source in sources}


def _drawn(seed: int, name: str) -> str:
    return hashlib.sha256(f"{seed}:{name}".encode()).hexdigest()


def window(size: int, target: float) -> tuple[int, int]:
    """The fewest and the most characters of a query whose source has `size`; always fewer than the source has.

    Example:
        >>> window(200, 0.5), window(200, 0.1)
        ((80, 120), (160, 199))
    """
    lowest = math.ceil(round(size * (1 - target - TOLERANCE), 6))
    highest = math.floor(round(size * (1 - target + TOLERANCE), 6))
    return max(lowest, 1), min(highest, size - 1)
