"""Text into index terms, the same for a document and for a query, in English and Chinese.

Words are folded (width, case, accents); a run of CJK characters becomes its overlapping pairs, since it has no spaces
to cut at. English endings are left to the index's own stemmer.
"""

import re
import unicodedata
from itertools import pairwise

_CJK = "\u3005\u3007\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\U00020000-\U0003ffff"
_RUN = re.compile(rf"([{_CJK}]+)|[^\W_{_CJK}]+")
_ACCENTS = re.compile("[\u0300-\u036f]")
_STOP = frozenset(
    """
    a about an and any are as at be been but by can could did do does for from had has have how i if in into is it its
    me my of on or our s should so some t than that the their them then there these they this those to us was we were
    what when where which who whom whose why will with would you your
    的 了 是 在 和 与 及 或 吗 呢 吧 我 你 什么 为什 为何 如何 怎么 怎样 哪些 哪个 哪里 以及 及其 并且 或者 是否
    我们 你们 他们 这个 那个 这些 那些 一个 一些 可以 请问 有关 关于
    """.split()
)


def terms(text: str) -> list[str]:
    """The terms of `text` in order, repeats kept; empty for a text without a letter or digit.

    Example:
        >>> terms("Cafés in 上海市, 猫!")
        ['cafes', 'in', '上海', '海市', '猫']
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    plain = unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFD", folded)))
    found: list[str] = []
    for match in _RUN.finditer(plain):
        run = match[1]
        found.extend([match[0]] if run is None or len(run) == 1 else map("".join, pairwise(run)))
    return found


def match_expression(query: str) -> str:
    """`query` as an FTS5 expression: any of its distinct terms, without stop words unless it has nothing else.

    A term is letters and digits between quotes, so nothing in the query is read as syntax. A lone CJK character also
    stands for the pairs that begin with it. Empty for a query without a letter or digit.

    Example:
        >>> match_expression('What is NEAR("猫", tides)?')
        '"near" OR "猫"* OR "tides"'
    """
    every = list(dict.fromkeys(terms(query)))
    telling = [term for term in every if term not in _STOP] or every
    return " OR ".join(f'"{term}"*' if re.fullmatch(f"[{_CJK}]", term) else f'"{term}"' for term in telling)
