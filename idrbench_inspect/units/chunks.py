"""Windows over the tokens of a text."""

import numpy as np
from numpy.typing import NDArray

from idrbench_inspect.errors import BadInput


def check_chunking(size: int, overlap: int) -> None:
    """Refuse windows that make no progress; call it when a task is built.

    Args:
        size: Tokens of a window, at least 1.
        overlap: Tokens that a window shares with the one before, at least 0 and less than `size`.

    Raises:
        BadInput: they are not.
    """
    if size < 1:
        raise BadInput(f"chunk_tokens is {size}; a chunk needs at least 1 token: give more.")
    if not 0 <= overlap < size:
        raise BadInput(
            f"chunk_overlap is {overlap}; it must be at least 0 and less than chunk_tokens ({size}): give another."
        )


def windows(tokens: int, size: int, overlap: int) -> list[tuple[int, int]]:
    """Half-open windows of `size` over `tokens` tokens, each `size - overlap` behind the one before.

    The last one reaches the end, and is the only one that does: none lies within another.

    Example:
        >>> windows(520, 300, 50), windows(550, 300, 50), windows(551, 300, 50)
        ([(0, 300), (250, 520)], [(0, 300), (250, 550)], [(0, 300), (250, 550), (500, 551)])
    """
    check_chunking(size, overlap)
    step = size - overlap
    starts = range(0, max(tokens - overlap, 1), step) if tokens > 0 else ()
    return [(start, min(start + size, tokens)) for start in starts]


def chunk_spans(spans: NDArray[np.int64], size: int, overlap: int) -> list[tuple[int, int]]:
    """Character spans of the windows over tokens that stand at `spans`, shape (tokens, 2); see `windows`."""
    return [(int(spans[a, 0]), int(spans[b - 1, 1])) for a, b in windows(len(spans), size, overlap)]
