"""Tokens of what a user reads and writes, by one tokenizer for every model and language."""

from functools import cache
from typing import Any

ENCODING = "cl100k_base"


@cache
def _encoder() -> Any:
    import quicktok  # noqa: PLC0415 -- loading takes half a second, which a run that counts nothing need not pay

    return quicktok.get_encoding(ENCODING)


def count_tokens(text: str) -> int:
    """Tokens of `text` in `ENCODING`; a special token such as `<|endoftext|>` counts as the ordinary text it is.

    Args:
        text: Any text. Lone surrogates count as U+FFFD.

    Returns:
        At least 0; the empty text has none.

    Example:
        >>> count_tokens("hello world")
        2
    """
    readable = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return int(_encoder().count(readable))
