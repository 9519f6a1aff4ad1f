"""Shortened: how every stage answers a context overflow, by cutting the longest texts and never dropping one."""

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from idrbench_inspect.errors import UnusableReply

T = TypeVar("T")

SMALLEST = 200
"""Characters; texts cut shorter than this would say nothing, and the overflow has another cause."""


async def shortened(ask: Callable[[int], Awaitable[T]], texts: Sequence[str]) -> T:
    """Ask with whole texts; on a context overflow cut each to half of the longest, and again.

    Every attempt is strictly shorter than the one before; what `ask` puts around the texts stays whole.

    Args:
        ask: Makes the call with every text cut to this many characters.
        texts: What may be cut.

    Raises:
        UnusableReply: another fault than overflow, or an overflow that cutting does not cure.
    """
    characters = max(map(len, texts), default=0)
    while True:
        try:
            return await ask(characters)
        except UnusableReply as unusable:
            characters //= 2
            if unusable.fault != "overflow" or characters < SMALLEST:
                raise
