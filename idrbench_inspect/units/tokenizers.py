"""Where the tokens of a text stand in it: what chunks are counted in.

"300 tokens" is 45 % more Chinese text in one vocabulary than in another, so a tokenizer has a name, and the name
belongs to every result. It should be the embedder's own.
"""

import re
from functools import cache
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from idrbench_inspect.errors import BadInput
from idrbench_inspect.units.composed import compose, origins

VOCABULARIES: Final = ("qwen3", "o200k_base", "cl100k_base")
"""The vocabularies that need no download; `qwen3` is that of Qwen3-Embedding."""


_COMPOSING: Final = ("qwen3",)
"""Those that read text in Unicode's composed form (NFC)."""

_SURROGATE = re.compile("[\ud800-\udfff]")


class Tokenizer(Protocol):
    """Cuts a text into tokens and says where they stand."""

    @property
    def name(self) -> str:
        """What a result calls it."""

    def spans(self, text: str) -> NDArray[np.int64]:
        """Half-open character spans of the tokens, in order; shape (tokens, 2).

        A character that several tokens share belongs whole to each of them, so that to cut at the ends of spans never
        breaks one. Blanks may lie in no token, nothing else may.
        """


class Vocabulary:
    """A byte-level vocabulary that ships with quicktok.

    Args:
        name: One of `VOCABULARIES`.

    Raises:
        BadInput: there is no such vocabulary.

    Example:
        >>> Vocabulary("qwen3").spans("Rents 上涨").tolist()
        [[0, 1], [1, 5], [5, 7], [7, 8]]
    """

    def __init__(self, name: str) -> None:
        if name not in VOCABULARIES:
            raise BadInput(f"there is no chunk tokenizer {name!r}; choose one of {', '.join(VOCABULARIES)}")
        self.name = name

    def spans(self, text: str) -> NDArray[np.int64]:
        """As `Tokenizer.spans`; a lone surrogate is counted as U+FFFD, a special token as the text it is.

        Raises:
            RuntimeError: the tokens do not add up to the text, as would happen if a release read text in another form.
        """
        readable = _SURROGATE.sub("\ufffd", text)
        read = compose(readable) if self.name in _COMPOSING else readable
        encoder, sizes = _vocabulary(self.name)
        tokens, _ = encoder.encode_batch([read], 1)
        octets = np.frombuffer(read.encode(), dtype=np.uint8)
        ends = np.cumsum(sizes[tokens])
        if octets.size != (ends[-1] if ends.size else 0):
            raise RuntimeError(f"the tokens of a text do not add up to it: {self.name} reads it in another form")
        character = np.cumsum((octets & 0xC0) != 0x80) - 1  # 0 for all bytes of the first
        first, last = character[ends - sizes[tokens]], character[ends - 1]
        if read == readable:
            return np.stack([first, last + 1], axis=1).astype(np.int64)
        starts, stops = origins(readable)
        return np.stack([starts[first], stops[last]], axis=1)


class FastTokenizer:
    """A tokenizer of the Hugging Face kind, given as an object, which is not changed.

    Args:
        name: What results call it, for instance the embedder's name with its revision.
        tokenizer: A `tokenizers.Tokenizer`, or a fast tokenizer of transformers or sentence-transformers that has one
            as its `backend_tokenizer`. Whatever length it is set to cut its input to, here it does not.

    Raises:
        BadInput: the object is neither, as are the slow tokenizers, which cannot say where their tokens stand.
    """

    def __init__(self, name: str, tokenizer: Any) -> None:
        own = getattr(tokenizer, "backend_tokenizer", tokenizer)
        if not hasattr(own, "no_truncation"):
            raise BadInput(
                f"the tokenizer {name!r} is a {type(tokenizer).__name__}, which cannot say where its tokens stand; "
                "give a fast tokenizer"
            )
        self.name = name
        self._tokenizer = type(own).from_str(own.to_str())
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()

    def spans(self, text: str) -> NDArray[np.int64]:
        """As `Tokenizer.spans`, without special tokens."""
        offsets = self._tokenizer.encode(text, add_special_tokens=False).offsets
        return np.array(offsets, dtype=np.int64).reshape(-1, 2)


@cache
def _vocabulary(name: str) -> tuple[Any, NDArray[np.int64]]:
    import quicktok  # noqa: PLC0415  # loading takes a quarter of a second, which a run without chunks need not pay

    encoder = quicktok.get_encoding(name)
    # `token_byte_values` is sorted by the bytes, whatever its documentation says, so every token is asked for by itself
    sizes = [len(encoder.decode_single_token_bytes(token)) for token in range(len(encoder.token_byte_values()))]
    return encoder, np.array(sizes, dtype=np.int64)
