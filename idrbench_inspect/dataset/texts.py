"""What can be seen of a text without understanding it: its normal form, its language."""

import re
import unicodedata

from idrbench_inspect.records import Language

_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
CHINESE = 0.2
"""A text is taken for Chinese from this share of Han characters among its letters on: the public queries that are
Chinese have 0.45 to 1, the English ones 0."""


def normal(text: str) -> str:
    r"""A text for comparison: NFKC, small letters, each run of whitespace one space, none at the ends.

    Example:
        >>> normal(" Ｈeat\n pumps ") == normal("heat pumps")
        True
    """
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def share_of_han(text: str) -> float | None:
    """Han characters over all letters, 0 to 1; `None` for a text without letters.

    Example:
        >>> share_of_han("GPT 模型"), share_of_han("42")
        (0.4, None)
    """
    letters = sum(character.isalpha() for character in text)
    return len(_HAN.findall(text)) / letters if letters else None


def language_of(text: str) -> Language | None:
    """`zh` or `en` by the share of Han characters; `None` for a text without letters, which may be either.

    Example:
        >>> language_of("Heat pumps (热泵) in Europe"), language_of("热泵 COP 是多少？"), language_of("42")
        ('en', 'zh', None)
    """
    share = share_of_han(text)
    return None if share is None else "zh" if share >= CHINESE else "en"
