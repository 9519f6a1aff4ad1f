"""What an embedder is, and what it gives.

An `Embedder` turns texts into unit vectors and says what it is (`Identity`). The identity goes into every result and
into every key of the cache, and vectors of two identities are never compared. No instruction is put before a text, on
either side, so that similarity is the same both ways.

A blank text has no vector: some embedders give one of length 1 for it all the same, so the text is what is looked at.
Whoever compares texts gives a blank one the similarity 0.
"""

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from idrbench_inspect.errors import BadInput
from idrbench_inspect.records import Record

Matrix = NDArray[np.float32]
Dtype = Literal["float32", "bfloat16", "float16"]


class NoReading(RuntimeError):
    """An instrument without a reading: a text whose vector could not be had, and why.

    It is a sample without this score, not a similarity of 0.
    """


class Identity(Record):
    """Everything that decides which vector a text gets.

    `revision` is a commit hash, the version of a package that holds its own weights, or the hash of a local folder's
    content. `max_tokens` counts tokens of the text, without those a model adds; `None` is no limit. The device is not
    part of it: devices differ by less than the tolerance of the measures.
    """

    model: str = Field(min_length=1)
    revision: str = Field(min_length=1)
    dimension: int = Field(ge=1)
    dtype: Dtype
    max_tokens: int | None = Field(ge=1)
    tokenizer: str = Field(min_length=1)
    prompt: Literal["none"] = "none"


class Tokenizer(Protocol):
    """Where the tokens of a text lie; for cutting windows and chunks, and for counting."""

    @property
    def name(self) -> str:
        """The name as results give it."""
        ...

    def spans(self, text: str) -> list[tuple[int, int]]:
        """The `(start, end)` of each token in characters, in order.

        Where several tokens share one character, each has the span of that character.
        """
        ...


class Embedder(Protocol):
    """One embedding model, ready to use. It is called from one thread at a time."""

    @property
    def identity(self) -> Identity:
        """What the vectors come from."""
        ...

    @property
    def tokenizer(self) -> Tokenizer:
        """The model's own, or the one that stands for it."""
        ...

    @property
    def device(self) -> str:
        """Where it runs: `cpu`, `cuda`, `mps`, ..."""
        ...

    def embed(self, texts: Sequence[str]) -> Matrix:
        """Unit vectors of `texts`, `[n, dimension]`, in the order given.

        Args:
            texts: At least one; none is blank and none has more than `identity.max_tokens` tokens.
        """
        ...


@dataclass(frozen=True, eq=False)
class Vectors:
    """The vectors of some texts.

    Args:
        matrix: `[n, dimension]`, float32, rows of length 1, read-only.
        pooled: For each text, whether it is longer than the window, so that its vector is the mean of its windows'.
        identity: What the vectors come from.
    """

    matrix: Matrix
    pooled: tuple[bool, ...]
    identity: Identity

    def __post_init__(self) -> None:
        wanted = (len(self.pooled), self.identity.dimension)
        if self.matrix.shape != wanted or self.matrix.dtype != np.float32:
            raise ValueError(f"got vectors {self.matrix.dtype}{self.matrix.shape}, wanted float32{wanted}")
        self.matrix.flags.writeable = False


def one_identity(identities: Iterable[Identity]) -> Identity:
    """The identity that all of them have.

    Raises:
        BadInput: they differ, so that numbers made with them must not be compared or averaged.
        ValueError: there is none.
    """
    distinct = list(dict.fromkeys(identities))
    if not distinct:
        raise ValueError("no identity was given")
    if len(distinct) > 1:
        first, second = (identity.model_dump() for identity in distinct[:2])
        differing = ", ".join(
            f"{name} {first[name]} and {second[name]}" for name in first if first[name] != second[name]
        )
        raise BadInput(
            f"The results come from different embedders ({differing}), and similarities of two embedders cannot be "
            "compared; score all of them with one."
        )
    return distinct[0]


def is_blank(text: str) -> bool:
    r"""Whether a text has nothing to be read: no character but spaces, controls and invisible marks.

    Example:
        >>> [is_blank(text) for text in ("", " \n", "\u200b\ufeff", "。", "a")]
        [True, True, True, False, False]
    """
    return all(char.isspace() or unicodedata.category(char) in {"Cc", "Cf"} for char in text)


def unit(matrix: Matrix) -> Matrix:
    """Rows scaled to length 1, in float64 and back to float32; a row without length or with NaN stays as it is.

    Example:
        >>> unit(np.array([[3, 4], [0, 0]], dtype=np.float32)).tolist()
        [[0.6000000238418579, 0.800000011920929], [0.0, 0.0]]
    """
    exact = np.asarray(matrix, dtype=np.float64)
    lengths = np.linalg.norm(exact, axis=-1, keepdims=True)
    scaled = np.divide(exact, lengths, out=exact.copy(), where=np.isfinite(lengths) & (lengths > 0))
    rows: Matrix = scaled.astype(np.float32)
    return rows
