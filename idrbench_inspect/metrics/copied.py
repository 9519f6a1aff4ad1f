"""How much of a report stands word for word in a page: whether an agent has read the report that it is measured by.

Layout says nothing about copying. Both texts are read without marks, tags, links, addresses and citations, the report
without headings and source list too, and then word by word; so other headings, line breaks or citations hide nothing.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from idrbench_inspect.metrics.overlap import words
from idrbench_inspect.metrics.undefined import Undefined
from idrbench_inspect.units.markup import BREAK
from idrbench_inspect.units.normal import normalised
from idrbench_inspect.units.plain import plain
from idrbench_inspect.units.reading import read_body
from idrbench_inspect.units.traced import Traced

RUN_WORDS = 8
"""Words of the shortest run that counts as copied, in a report of mostly words.

By `benchmarks/contamination.py` on 100 reports of two systems: with shorter runs (5 words, 10 characters) facts that
independent reports share come to 1.9 % of a report, and in `mini` to 5.4 %; with longer ones (24, 48) every copy of a
Chinese report in which one character of 25 was changed is missed.
"""

RUN_CHARACTERS = 16
"""The same in a report of mostly Chinese characters, each of which is a word here."""

LIMIT = 5.0
"""Percent of the report's words from which on a page counts as a copy.

Measured likewise. Without copying, the highest overlap is 0.8 % (100 pairs of reports on the same question; 0 for 1,000
on other questions), and 1.7 % between reports and documents of `mini` (216 pairs). Every page that held a tenth of a
report in any of eight forms was found, and 30 % (English) to 48 % (Chinese) of those that held a twentieth; of openings
of 2,000 characters, the least that the pipeline keeps of a page, 94 % and 100 %. At 10 % these were 32 to 35 % of the
tenths, no twentieth, and 50 % and 98 % of the openings. What a report quotes from one source is less (3.7 % in its
longest quotation), but a table that it takes over whole may be more (up to 20 %, over 5 % in 10 of 100), and so may
all quotations of a report together (17 %; over 5 % in 17 of 100): look at the run that is named. A copy in the other
Chinese script is not found (1.1 % on average, 4.7 % at most).
"""

_SUPERSCRIPT = re.compile("[⁰¹²³⁴-⁹]+")
_ESCAPED = re.compile(r"\\u([0-9a-fA-F]{4})")
_ESCAPED_BREAK = re.compile(r"(?<!\\)\\[nrt]")
_BREAK = re.compile(BREAK, re.IGNORECASE)
_LIST_NUMBER = re.compile(r"^[ ]*\d{1,3}[.)][ ]+", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Copied:
    """What of a report stands in a page.

    Args:
        share: Of the report's words, those in a run that the page holds too; 0 to 1.
        longest: Words of the longest such run; 0 where none is long enough to count.
        run: Its words, joined by blanks.
    """

    share: float
    longest: int
    run: str


def report_words(report: str) -> list[str]:
    r"""The words of a Markdown report's body: without headings, source lists and citations.

    Example:
        >>> report_words("# Rents\n\nRents **rose** [3].\n\n## Sources\n\n[3] A: https://a.example")
        ['rents', 'rose']
    """
    return _words(read_body(normalised(report)).stream.text)


def page_words(page: str) -> list[str]:
    r"""The words of a page in whatever form: Markdown, HTML, plain, or a JSON file with its escapes.

    Example:
        >>> page_words('{"article": "## Rents\\n\\nRents <b>rose</b> [3]. \\u79df\\u91d1"}')
        ['article', 'rents', 'rents', 'rose', '租', '金']
    """
    text = _ESCAPED_BREAK.sub("\n", _ESCAPED.sub(lambda found: chr(int(found[1], 16)), page))
    text = _LIST_NUMBER.sub("", _BREAK.sub("\n", normalised(text)))
    return _words(plain(Traced.of(text, 0, len(text))).text)


def run_length(report: Sequence[str], in_words: int = RUN_WORDS, in_characters: int = RUN_CHARACTERS) -> int:
    """The length of a run that counts in this report, by whether most of its words are Chinese characters.

    Example:
        >>> run_length(["rents", "rose"]), run_length(["租", "金", "up"])
        (8, 16)
    """
    return in_characters if sum(not word.isascii() for word in report) > len(report) / 2 else in_words


def copied(report: Sequence[str], page: Sequence[str], n: int) -> Copied | Undefined:
    """What of the report's words stands in the page, in runs of at least `n` words. Asymmetric.

    Args:
        report: As of `report_words`.
        page: As of `page_words`.
        n: Words of the shortest run that counts, at least 1.

    Returns:
        Undefined where the report has fewer than `n` words.

    Raises:
        ValueError: `n` is below 1.

    Example:
        >>> copied("so they say rents rose".split(), "as they say rents fell".split(), 3)
        Copied(share=0.6, longest=3, run='they say rents')
    """
    if n < 1:
        raise ValueError(f"n is {n}; a run has at least 1 word")
    if len(report) < n:
        return Undefined(f"the report has {len(report)} words, and a run has {n}")
    places: dict[tuple[str, ...], list[int]] = {}
    for start in range(len(page) - n + 1):
        places.setdefault(tuple(page[start : start + n]), []).append(start)
    covered, longest, end = bytearray(len(report)), 0, 0
    open_runs: dict[int, int] = {}  # by where a run stands in the page, how many of its openings were passed
    for start in range(len(report) - n + 1):
        found = places.get(tuple(report[start : start + n]), [])
        open_runs = {place: open_runs.get(place - 1, 0) + 1 for place in found}
        if found:
            covered[start : start + n] = b"\1" * n
            length = max(open_runs.values()) + n - 1
            longest, end = (length, start + n) if length > longest else (longest, end)
    return Copied(sum(covered) / len(report), longest, " ".join(report[end - longest : end]))


def _words(text: str) -> list[str]:
    return words(unicodedata.normalize("NFKC", _SUPERSCRIPT.sub("", text)))
