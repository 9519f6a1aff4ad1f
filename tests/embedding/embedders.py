"""Embedders for tests: bags of hashed words, exact and quick, and what can be done to them."""

import hashlib
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from idrbench_inspect.embedding.protocol import Identity, Matrix, unit

DIMENSION = 64


class Words:
    """A tokenizer whose tokens are runs of letters and digits, and single other characters."""

    name = "words"

    def __init__(self) -> None:
        self.longest = 0

    def spans(self, text: str) -> list[tuple[int, int]]:
        self.longest = max(self.longest, len(text))
        return [found.span() for found in re.finditer(r"\w+|[^\w\s]", text)]


class BagOfWords:
    """Counts words by their hash; it keeps what it was given, batch by batch.

    Args:
        max_tokens: Of its window.
        change: Applied to what it would give, with the texts it was given.
        revision: Of its identity.
    """

    device = "cpu"

    def __init__(
        self,
        max_tokens: int | None = None,
        change: Callable[[Sequence[str], Matrix], Matrix] | None = None,
        revision: str = "1",
    ) -> None:
        self.tokenizer = Words()
        self.identity = Identity(
            model="bag-of-words",
            revision=revision,
            dimension=DIMENSION,
            dtype="float32",
            max_tokens=max_tokens,
            tokenizer=self.tokenizer.name,
        )
        self.batches: list[list[str]] = []
        self._change = change

    @property
    def texts(self) -> list[str]:
        return [text for batch in self.batches for text in batch]

    def embed(self, texts: Sequence[str]) -> Matrix:
        self.batches.append(list(texts))
        counts = np.zeros((len(texts), DIMENSION), dtype=np.float32)
        for row, text in zip(counts, texts, strict=True):
            for start, end in self.tokenizer.spans(text):
                digest = hashlib.sha256(text[start:end].lower().encode()).digest()
                row[digest[0] % DIMENSION] += 1
        matrix = unit(counts)
        return matrix if self._change is None else self._change(texts, matrix)


def embed_in_process(folder: str, texts: list[str]) -> int:
    """Have `texts` embedded, one question each, with a cache in `folder`; how many vectors were made."""
    import asyncio  # noqa: PLC0415 -- for the process that this is sent to

    from idrbench_inspect.embedding.cache import Cache  # noqa: PLC0415 -- the same
    from idrbench_inspect.embedding.service import Embedding  # noqa: PLC0415 -- the same

    async def ask() -> int:
        embedding = Embedding(BagOfWords(), Cache(Path(folder)))
        for text in texts:
            await embedding.vectors([text])
        return embedding.counters.embedded

    return asyncio.run(ask())
