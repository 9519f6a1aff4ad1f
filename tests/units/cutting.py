"""Reports into units, with words for tokens."""

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from idrbench_inspect.units.segment import Segments, Unit, segment


class Words:
    """What stands between blanks is a token."""

    name = "words"

    def spans(self, text: str) -> NDArray[np.int64]:
        return np.array([one.span() for one in re.finditer(r"\S+", text)], dtype=np.int64).reshape(-1, 2)


def cut(report: str, **settings: Any) -> Segments:
    return segment(report, Words(), **settings)


def texts(units: tuple[Unit, ...]) -> list[str]:
    return [unit.text for unit in units]
