"""Where the tokens of a text lie, for two kinds of tokenizer.

`OfModel` is a model's own, as the `tokenizers` library holds it. `Qwen3` is the vocabulary of the Qwen3 models, which
ships in a package and stands for the tokenizer of embedders that have no public one.
"""

import re
import unicodedata
from functools import cache
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from tokenizers import Tokenizer as Fast

# Characters that never join with the one before them under NFC, so that normalising can be done from one to the next.
_APART = "\x00-\x7f\u3400-\u9fff"
_RUN = re.compile(f"[{_APART}]?[^{_APART}]+|[{_APART}]")


class OfModel:
    """The tokenizer of a model.

    Args:
        name: As results give it.
        fast: Copied, because a model's own switches truncation on whenever it is used, and would then cut in silence.
    """

    def __init__(self, name: str, fast: "Fast") -> None:
        self.name = name
        self.special = fast.num_special_tokens_to_add(False)
        self._fast = type(fast).from_str(fast.to_str())
        self._fast.no_truncation()
        self._fast.no_padding()

    def spans(self, text: str) -> list[tuple[int, int]]:
        """The `(start, end)` of each token in characters."""
        # A batch of one: `encode` would keep every other thread waiting meanwhile.
        offsets: list[tuple[int, int]] = self._fast.encode_batch([text], add_special_tokens=False)[0].offsets
        return offsets


@cache
def _qwen3() -> tuple[Any, NDArray[np.int64]]:
    """The encoder, and the length in bytes of each token."""
    import quicktok  # noqa: PLC0415 -- loading takes a while, which a run that embeds nothing need not pay

    encoder = quicktok.get_encoding("qwen3")
    ordinary = range(len(encoder.token_byte_values()))  # the special ones come after them
    return encoder, np.array([len(encoder.decode_single_token_bytes(token)) for token in ordinary], dtype=np.int64)


class Qwen3:
    r"""The tokenizer of the Qwen3 models.

    It reads text in Unicode's composed form (NFC); spans are those of the text as given.

    Example:
        >>> Qwen3().spans("cafe\u0301 龘")
        [(0, 2), (2, 5), (5, 7), (6, 7), (6, 7)]
    """

    def __init__(self) -> None:
        self.name = f"qwen3 (quicktok-v1 {version('quicktok-v1')})"

    def spans(self, text: str) -> list[tuple[int, int]]:
        """The `(start, end)` of each token in characters.

        Raises:
            UnicodeEncodeError: the text holds lone surrogates.
        """
        composed = unicodedata.normalize("NFC", text)
        encoder, lengths = _qwen3()
        tokens, _ = encoder.encode_batch([composed], threads=1)
        ends = np.cumsum(lengths[tokens])
        octets = np.frombuffer(composed.encode(), dtype=np.uint8)
        if (ends[-1] if ends.size else 0) != octets.size:
            raise RuntimeError(
                "the tokens of a text do not add up to it: quicktok normalises it in another way than NFC"
            )
        char = np.cumsum((octets & 0xC0) != 0x80) - 1
        first, last = char[ends - lengths[tokens]], char[ends - 1]
        if composed != text:
            starts, stops = _origins(text)
            return list(zip(starts[first].tolist(), stops[last].tolist(), strict=True))
        return list(zip(first.tolist(), (last + 1).tolist(), strict=True))


def _origins(text: str) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For each character of the composed text, the start and end of what it stands for in `text`.

    Characters of a run that composing changes stand for the whole run.
    """
    starts: list[int] = []
    stops: list[int] = []
    for found in _RUN.finditer(text):
        run = found[0]
        composed = unicodedata.normalize("NFC", run)
        if composed == run:
            starts.extend(range(found.start(), found.end()))
            stops.extend(range(found.start() + 1, found.end() + 1))
        else:
            starts.extend([found.start()] * len(composed))
            stops.extend([found.end()] * len(composed))
    return np.array(starts, dtype=np.int64), np.array(stops, dtype=np.int64)
