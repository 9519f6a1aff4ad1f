"""A text that remembers where each of its characters came from."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray


class Edit(NamedTuple):
    """The characters `start:end` of a text, and what shall stand there instead."""

    start: int
    end: int
    text: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Traced:
    """A text and, for each of its characters, the half-open span of the source that it stands for.

    Args:
        text: The text.
        starts: Source offset of the first character that each character stands for; shape (len(text),).
        ends: Source offset behind the last one. A separator that the source does not hold has an empty span.
    """

    text: str
    starts: NDArray[np.int32]
    ends: NDArray[np.int32]

    @classmethod
    def of(cls, source: str, start: int, end: int) -> Self:
        """The characters `start:end` of `source` as they are."""
        places = np.arange(start, end, dtype=np.int32)
        return cls(source[start:end], places, places + 1)

    def cut(self, start: int, end: int) -> "Traced":
        """The characters `start:end` of this text."""
        return Traced(self.text[start:end], self.starts[start:end], self.ends[start:end])

    def stripped(self) -> "Traced":
        """Without blanks at either end."""
        start = len(self.text) - len(self.text.lstrip())
        return self.cut(start, max(start, len(self.text.rstrip())))

    def lines(self) -> list["Traced"]:
        """The lines that are not blank, stripped."""
        found, start = [], 0
        for line in self.text.split("\n"):
            if line.strip():
                found.append(self.cut(start, start + len(line)).stripped())
            start += len(line) + 1
        return found

    def edited(self, edits: Iterable[Edit]) -> "Traced":
        """The text after `edits`, which are in order and do not overlap; what is new stands for what it replaces."""
        texts: list[str] = []
        starts: list[NDArray[np.int32]] = []
        ends: list[NDArray[np.int32]] = []
        done = 0
        for start, end, new in edits:
            texts += (self.text[done:start], new)
            starts += (self.starts[done:start], np.repeat(self.starts[start], len(new)))
            ends += (self.ends[done:start], np.repeat(self.ends[end - 1], len(new)))
            done = end
        if not texts:
            return self
        return Traced(
            "".join([*texts, self.text[done:]]),
            np.concatenate([*starts, self.starts[done:]]),
            np.concatenate([*ends, self.ends[done:]]),
        )

    def span(self) -> tuple[int, int]:
        """The source span from the first to the last character; the text must not be empty.

        Example:
            >>> rows = [Traced.of("| a | b |", 2, 3), Traced.of("| a | b |", 6, 7)]
            >>> joined(rows, "; ").text, joined(rows, "; ").span()
            ('a; b', (2, 7))
        """
        return int(self.starts[0]), int(self.ends[-1])


def joined(parts: Sequence[Traced], separator: str) -> Traced:
    """The parts that are not empty, one after the other, with `separator` between them."""
    filled = [part for part in parts if part.text]
    if len(filled) < 2:
        return filled[0] if filled else Traced.of("", 0, 0)
    starts: list[NDArray[np.int32]] = []
    ends: list[NDArray[np.int32]] = []
    for part in filled:
        between = np.repeat(part.starts[0], len(separator) if starts else 0)
        starts += (between, part.starts)
        ends += (between, part.ends)
    return Traced(separator.join(part.text for part in filled), np.concatenate(starts), np.concatenate(ends))
