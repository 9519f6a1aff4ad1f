"""A text that is longer than an embedder's window, cut into windows, so that nothing of it is dropped in silence.

Windows follow each other without overlap, begin where a token begins, and are as full as can be. The vector of the
whole is the mean of theirs, weighted by their tokens, scaled to length 1.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from idrbench_inspect.embedding.protocol import Matrix, NoReading, Tokenizer, is_blank, unit

SEGMENT = 65_536
"""Characters given to a tokenizer at once: it holds the whole interpreter while it lists the tokens it found."""


class Window(NamedTuple):
    """A piece of a text, and its tokens."""

    text: str
    tokens: int


def windows(text: str, tokenizer: Tokenizer, max_tokens: int | None) -> list[Window]:
    """The windows of `text`: one, the text itself, where it fits.

    Args:
        text: Not blank.
        tokenizer: The embedder's.
        max_tokens: Of one window; `None` is no limit.

    Returns:
        Joined, they are the text, but for windows that would be blank, which are left out.

    Raises:
        NoReading: the tokenizer finds no token in the text, or not even one character fits into a window.
    """
    starts = _starts(text, tokenizer)
    if not starts.size:
        raise NoReading(f"the tokenizer {tokenizer.name} finds no token in a text of {len(text)} characters")
    if max_tokens is None:
        return [Window(text, len(starts))]
    if len(starts) <= max_tokens:
        whole = Window(text, len(starts) if len(text) <= SEGMENT else len(tokenizer.spans(text)))
        if whole.tokens <= max_tokens:
            return [whole]
    found: list[Window] = []
    begin = first = 0
    while first < len(starts):
        window, begin, first = _next(text, starts, begin, first, (tokenizer, max_tokens))
        if window.tokens and not is_blank(window.text):
            found.append(window)
    return found


def pooled(matrix: Matrix, tokens: Sequence[int]) -> Matrix:
    """The vector of a text from the vectors of its windows.

    Args:
        matrix: `[windows, dimension]`.
        tokens: Of each window.

    Returns:
        `[dimension]`, of length 1, or 0 where the windows cancel each other out.

    Example:
        >>> pooled(np.eye(2, dtype=np.float32), [300, 400]).tolist()
        [0.6000000238418579, 0.800000011920929]
    """
    weighted = np.asarray(tokens, dtype=np.float64) @ matrix.astype(np.float64)
    return unit(weighted.astype(np.float32)) if len(tokens) > 1 else matrix[:1].reshape(-1)


def _next(
    text: str, starts: NDArray[np.int64], begin: int, first: int, limit: tuple[Tokenizer, int]
) -> tuple[Window, int, int]:
    """The window that begins at the character `begin`, token `first`, and where the one after it begins."""
    tokenizer, max_tokens = limit
    last = min(first + max_tokens, len(starts))
    while last > first:
        end = len(text) if last == len(starts) else int(starts[last])
        window = Window(text[begin:end], len(tokenizer.spans(text[begin:end])))
        if window.tokens <= max_tokens:  # a piece by itself may be read as more tokens than in its place
            return window, end, last
        last -= window.tokens - max_tokens
    raise NoReading(f"no piece of a text of {len(text)} characters fits into a window of {max_tokens} tokens")


def _starts(text: str, tokenizer: Tokenizer) -> NDArray[np.int64]:
    """Where each token begins; around the joints of a long text's segments they may differ from those of the whole.

    An array, because millions of tuples would keep the garbage collector, and with it every thread, busy.
    """
    found: list[NDArray[np.int64]] = [np.empty(0, dtype=np.int64)]
    begin = 0
    while begin < len(text):
        end = _segment_end(text, begin)
        found.append(begin + np.array([start for start, _ in tokenizer.spans(text[begin:end])], dtype=np.int64))
        begin = end
    return np.concatenate(found)


def _segment_end(text: str, begin: int) -> int:
    """Where a segment that begins at `begin` ends: before the last line or word that fits into it."""
    end = begin + SEGMENT
    if end >= len(text):
        return len(text)
    cuts = (text.rfind(mark, begin + SEGMENT // 2, end) for mark in ("\n", " "))
    return next((cut for cut in cuts if cut > 0), end)
