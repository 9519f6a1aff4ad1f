"""A report into the units that are compared: sentences, paragraphs and chunks.

The same rules for a generated report and for its reference:

* Headings, rules, code and HTML give no unit and are no part of the chunks; neither are lists of sources (see
  `references`). Citations and addresses are taken out of what remains (see `plain`).
* A sentence is cut from one line of a paragraph, list item or quote; a table's body row is one, cells joined by "; ".
* A paragraph is one in the text or in a quote, or a whole list with all it holds, or a whole table.
* A chunk is a window over the tokens of all paragraphs, joined by blank lines.
* What has fewer than three words is no unit, unless it has two and ends like a sentence; a CJK character is half a
  word. Labels ("Advantages:") are none, though they stay in their paragraph and chunk.
* What is said twice is two units: precision counts it twice. `metrics.unit_f1.repetition_rate` shows how much that is.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from typing import Final, Literal, get_args

from idrbench_inspect.errors import BadInput
from idrbench_inspect.units.chunks import check_chunking, chunk_spans
from idrbench_inspect.units.normal import normalised
from idrbench_inspect.units.reading import read_body, read_raw
from idrbench_inspect.units.sentences import is_unit, word_count
from idrbench_inspect.units.tokenizers import Tokenizer
from idrbench_inspect.units.traced import Traced

UnitsKind = Literal["body", "raw"]

CHUNK_TOKENS: Final = 300
CHUNK_OVERLAP: Final = 50
RULES: Final = 2
"""Raised with every change that can move a unit."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A text and where it stands: `report[start:end]` holds its words, and what was taken out from between them."""

    text: str
    start: int
    end: int

    def __post_init__(self) -> None:
        if not (self.text.strip() and 0 <= self.start < self.end):
            raise ValueError(f"{self.text[:40]!r} at {self.start}:{self.end} is no unit")


@dataclass(frozen=True, slots=True)
class LeftOut:
    """How many blocks and candidates gave no unit, by reason.

    `reference_sections` were found by their heading, `reference_blocks` by their looks. `unclosed` counts fences and
    comments without an end, which are read as text. `short` sentences had too few words.
    """

    headings: int = 0
    rules: int = 0
    code: int = 0
    html: int = 0
    reference_sections: int = 0
    reference_blocks: int = 0
    unclosed: int = 0
    short: int = 0


@dataclass(frozen=True, slots=True)
class Segments:
    """The units of one report, in order, and what made them.

    A level without units is empty: a report that says nothing, not an error. `headings` are no units, and are kept for
    display. `tokens` are those of the text that was cut into chunks, by the tokenizer named. `made_by` identifies all
    rules and settings, for the keys of caches. `words` are those of the text that was cut, `words_in_html` those that a
    reader sees in HTML blocks, which were left out; a CJK character counts as half a word.
    """

    sentences: tuple[Unit, ...]
    paragraphs: tuple[Unit, ...]
    chunks: tuple[Unit, ...]
    headings: tuple[Unit, ...]
    left_out: LeftOut
    tokens: int
    made_by: str
    words: float = 0.0
    words_in_html: float = 0.0


def segment(
    report: str,
    tokenizer: Tokenizer,
    *,
    chunk_tokens: int = CHUNK_TOKENS,
    chunk_overlap: int = CHUNK_OVERLAP,
    units: UnitsKind = "body",
) -> Segments:
    r"""The units of a Markdown report.

    Args:
        report: Any text. Empty and broken ones give what they hold, perhaps nothing; none raises.
        tokenizer: What chunks are counted in.
        chunk_tokens: Tokens of a chunk.
        chunk_overlap: Tokens that a chunk shares with the one before.
        units: "body" as described above. "raw" leaves nothing out: headings, lists of sources, code and HTML are
            paragraphs, every line is cut into sentences, all marks and citations stay, chunks are cut from the report
            as written, and a unit needs one word. It shows how much of a score lies in that; with it, any two reports
            match in their rules and source lists.

    Raises:
        BadInput: the chunks would make no progress, or `units` is neither.

    Example:
        >>> from idrbench_inspect.units.tokenizers import Vocabulary
        >>> report = "# Rents\n\nRents rose by 4 % [1]. Wages did not.\n\n## Sources\n[1] A: https://a.example"
        >>> found = segment(report, Vocabulary("qwen3"))
        >>> [unit.text for unit in found.sentences], report[found.sentences[0].start : found.sentences[0].end]
        (['Rents rose by 4 %.', 'Wages did not.'], 'Rents rose by 4 % [1].')
        >>> found.left_out.headings, found.left_out.reference_sections
        (1, 1)
    """
    check_chunking(chunk_tokens, chunk_overlap)
    if units not in get_args(UnitsKind):
        raise BadInput(f"units is {units!r}; it must be 'body' or 'raw': give one of them.")
    text = normalised(report)
    reading = read_body(text) if units == "body" else read_raw(text)
    spans = tokenizer.spans(reading.stream.text)
    pieces = [reading.stream.cut(start, end) for start, end in chunk_spans(spans, chunk_tokens, chunk_overlap)]
    return Segments(
        sentences=(sentences := _units(reading.sentences, units)),
        paragraphs=_units(reading.paragraphs, units),
        chunks=_units(pieces, units),
        headings=_units(reading.headings, "raw"),
        left_out=LeftOut(**reading.left_out, short=len(reading.sentences) - len(sentences)),
        tokens=len(spans),
        made_by=f"{segmentation_version()} {units} {tokenizer.name} {chunk_tokens}/{chunk_overlap}",
        words=word_count(reading.stream.text),
        words_in_html=reading.in_html,
    )


def _units(candidates: Iterable[Traced], units: UnitsKind) -> tuple[Unit, ...]:
    """Those that are enough for a unit."""
    filled = (candidate.stripped() for candidate in candidates)
    if units == "body":
        return tuple(Unit(one.text, *one.span()) for one in filled if is_unit(one.text))
    return tuple(Unit(one.text, *one.span()) for one in filled if word_count(one.text) > 0)


@cache
def segmentation_version() -> str:
    """The rules of this room and the releases of the libraries whose rules it uses.

    Example:
        >>> segmentation_version().split()[0]
        'rules-2'
    """
    libraries = (f"{name}-{version(name)}" for name in ("markdown-it-py", "nupunkt"))
    return " ".join((f"rules-{RULES}", *libraries))
