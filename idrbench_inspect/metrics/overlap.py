"""How much of one text's wording is in another: leakage, not alignment.

All of it works on the same tokens for both languages (`words`). Two unrelated long reports already share a third of
their characters in order, so read every figure beside the same figure against other texts.
"""

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from rapidfuzz.distance import Indel, LCSseq

from idrbench_inspect.metrics.undefined import Undefined

_WORD = re.compile(
    r"[a-z0-9]+|[\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)


def words(text: str) -> list[str]:
    """Lower-cased runs of ASCII letters and digits, and one token for each CJK character; not stemmed.

    Example:
        >>> words("GDP rose 3.5%, 增长了")
        ['gdp', 'rose', '3', '5', '增', '长', '了']
    """
    return _WORD.findall(text.lower())


@dataclass(frozen=True, slots=True)
class RougeL:
    """Fractions, 0 to 1, of the longest common subsequence of words."""

    precision: float
    recall: float
    f1: float


def rouge_l(reference: str, candidate: str) -> RougeL | Undefined:
    """ROUGE-L (Lin 2004), beta 1, over whole texts.

    `rouge-score` is not used: it drops every Chinese character, and takes two thousand times as long on a report.

    Returns:
        Undefined when the reference has no words; zeros when only the candidate has none. Swapping the two swaps
        precision and recall.

    Example:
        >>> rouge_l("rents rose in 2019", "rents fell in 2019").f1
        0.75
    """
    wanted, given = _numbered(words(reference), words(candidate))
    if not wanted:
        return Undefined("the reference has no words")
    if not given:
        return RougeL(0.0, 0.0, 0.0)
    common = LCSseq.similarity(wanted, given)
    return RougeL(common / len(given), common / len(wanted), 2 * common / (len(wanted) + len(given)))


def longest_common_words(one: str, other: str) -> int:
    """The length, in words, of the longest run of words that stands in both texts; 0 without any. Symmetric.

    Example:
        >>> longest_common_words("I care about rents in Kyoto", "They asked about rents in Osaka")
        3
    """
    shorter, longer = sorted(_numbered(words(one), words(other)), key=len)
    row = np.zeros(len(longer) + 1, dtype=np.int64)
    against = np.array(longer, dtype=np.int64)
    longest = 0
    for word in shorter:
        row[1:] = np.where(against == word, row[:-1] + 1, 0)
        longest = max(longest, int(row.max()))
    return longest


def shared_ngram_share(text: str, other: str, n: int = 8) -> float | Undefined:
    """The share of the words of `text` that stand in a run of `n` words which `other` holds too; 0 to 1. Asymmetric.

    Args:
        text: What is covered, for instance a reply.
        other: What covers it, for instance the report that must not leak.
        n: Words of a run, at least 1.

    Returns:
        Undefined when `text` has fewer than `n` words, since it could not be covered; 0 when only `other` has.

    Raises:
        ValueError: `n` is below 1.

    Example:
        >>> shared_ngram_share("so they say rents rose", "as they say rents fell", n=3)
        0.6
    """
    if n < 1:
        raise ValueError(f"n is {n}; a run has at least 1 word")
    said, held = words(text), words(other)
    if len(said) < n:
        return Undefined(f"the text has {len(said)} words, and a run has {n}")
    known = {tuple(held[start : start + n]) for start in range(len(held) - n + 1)}
    covered = bytearray(len(said))
    for start in range(len(said) - n + 1):
        if tuple(said[start : start + n]) in known:
            covered[start : start + n] = b"\1" * n
    return sum(covered) / len(said)


def normalised_lcs(one: str, other: str) -> float | Undefined:
    """2 L / (m + n) for the longest common subsequence of characters; 0 to 1. Symmetric.

    For short texts: two unrelated reports have some 0.34.

    Returns:
        Undefined when both are empty.

    Example:
        >>> round(normalised_lcs("abcd", "xbxd"), 2)
        0.5
    """
    if not (one or other):
        return Undefined("both texts are empty")
    return float(Indel.normalized_similarity(one, other))


def unique_word_share(reference: str, continuation: str) -> float | Undefined:
    """The share of the different words of `reference` that `continuation` holds; 0 to 1. Asymmetric.

    Returns:
        Undefined when the reference has no words.

    Example:
        >>> unique_word_share("rents rose and rents fell", "rents fell")
        0.5
    """
    wanted = set(words(reference))
    if not wanted:
        return Undefined("the reference has no words")
    return len(wanted & set(words(continuation))) / len(wanted)


@dataclass(frozen=True, slots=True)
class TfIdf:
    """Weights of words in a named corpus: raw counts times ln((1 + n) / (1 + df)) + 1, vectors of length 1.

    Fitted on the two texts that are compared, every word they share would weigh the same: hence a corpus. Words that it
    does not hold count for nothing.

    Args:
        corpus: Its name, for the result.
        documents: How many it has.
        frequencies: By word, in how many documents it stands.
    """

    corpus: str
    documents: int
    frequencies: Counter[str]

    @classmethod
    def fit(cls, corpus: str, documents: Sequence[str]) -> "TfIdf":
        """The weights of the words of `documents`.

        Raises:
            ValueError: there are none.
        """
        if not documents:
            raise ValueError(f"the corpus {corpus!r} has no documents")
        return cls(corpus, len(documents), Counter(word for text in documents for word in set(words(text))))

    def cosine(self, reference: str, continuation: str) -> float | Undefined:
        """The cosine of two texts, 0 to 1. Symmetric but where one has no word of the corpus.

        Returns:
            Undefined when the reference has no word of the corpus; 0 when only the continuation has none.

        Example:
            >>> TfIdf.fit("two", ["rents rose", "rents fell"]).cosine("rents rose", "rents")
            0.5797386715376657
        """
        wanted, given = self._vector(reference), self._vector(continuation)
        if not wanted:
            return Undefined(f"no word of the reference stands in the corpus {self.corpus!r}")
        if not given:
            return 0.0
        product = math.fsum(weight * given.get(word, 0.0) for word, weight in wanted.items())
        return min(1.0, product / (math.hypot(*wanted.values()) * math.hypot(*given.values())))

    def _vector(self, text: str) -> dict[str, float]:
        counts = Counter(word for word in words(text) if word in self.frequencies)
        return {
            word: count * (math.log((1 + self.documents) / (1 + self.frequencies[word])) + 1)
            for word, count in counts.items()
        }


def _numbered(one: Sequence[str], other: Sequence[str]) -> tuple[list[int], list[int]]:
    """The same number for the same word in both: what is compared is words, never their hashes."""
    numbers = {word: number for number, word in enumerate(dict.fromkeys([*one, *other]))}
    return [numbers[word] for word in one], [numbers[word] for word in other]
