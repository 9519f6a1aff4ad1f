"""What a measure returns when it has no reading."""

from dataclasses import dataclass
from typing import NoReturn


@dataclass(frozen=True, slots=True)
class Undefined:
    """No number, and why.

    It is neither 0 nor NaN, takes part in no arithmetic, and has no truth value, so that `value or 0` raises. A scorer
    turns it into an unscored sample with this reason; a mean leaves it out and counts it.

    Example:
        >>> Undefined("the reference has no sentences")
        Undefined(reason='the reference has no sentences')
    """

    reason: str

    def __bool__(self) -> NoReturn:
        raise TypeError(f"there is no value to test: {self.reason}")
