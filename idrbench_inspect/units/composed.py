"""Where the characters of a text in Unicode's composed form (NFC) stand in the text as given."""

import re
import unicodedata

import numpy as np
from numpy.typing import NDArray

# Characters that never join with the one before them under NFC, so that composing can be done from one to the next.
_APART = "\x00-\x7f\u3400-\u9fff"
_RUN = re.compile(f"[{_APART}]?[^{_APART}]+|[{_APART}]")


def compose(text: str) -> str:
    r"""The composed form.

    Example:
        >>> len("cafe\u0301"), len(compose("cafe\u0301"))
        (5, 4)
    """
    return unicodedata.normalize("NFC", text)


def origins(text: str) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For each character of the composed form, the start and the end of what it stands for in `text`.

    Characters of a run that composing changes stand for the whole run.
    """
    starts: list[int] = []
    stops: list[int] = []
    for found in _RUN.finditer(text):
        composed = compose(found[0])
        if composed == found[0]:
            starts.extend(range(found.start(), found.end()))
            stops.extend(range(found.start() + 1, found.end() + 1))
        else:
            starts.extend([found.start()] * len(composed))
            stops.extend([found.end()] * len(composed))
    return np.array(starts, dtype=np.int64), np.array(stops, dtype=np.int64)
