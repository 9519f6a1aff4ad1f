"""Where the tokens of a text lie, for two kinds of tokenizer.

`OfModel` is a model's own, as the `tokenizers` library holds it. `Qwen3` is the vocabulary of the Qwen3 models, which
ships in a package and stands for the tokenizer of embedders that have no public one.
"""

from importlib.metadata import version
from typing import TYPE_CHECKING

from idrbench_inspect.units.tokenizers import Vocabulary

if TYPE_CHECKING:
    from tokenizers import Tokenizer as Fast


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


class Qwen3:
    r"""The tokenizer of the Qwen3 models, from a vocabulary that ships in a package.

    It reads text in Unicode's composed form (NFC); spans are those of the text as given.

    Example:
        >>> Qwen3().spans("cafe\u0301 龘")
        [(0, 2), (2, 5), (5, 7), (6, 7), (6, 7)]
    """

    def __init__(self) -> None:
        self.name = f"qwen3 (quicktok-v1 {version('quicktok-v1')})"
        self._vocabulary = Vocabulary("qwen3")

    def spans(self, text: str) -> list[tuple[int, int]]:
        """The `(start, end)` of each token in characters; a lone surrogate is counted as U+FFFD."""
        starts, ends = self._vocabulary.spans(text).T.tolist()
        return list(zip(starts, ends, strict=True))
