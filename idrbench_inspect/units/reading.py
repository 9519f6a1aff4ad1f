"""What a report says, block by block, before its units are chosen: its body, or all of it as written."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from idrbench_inspect.units.blocks import Block, Part, parse
from idrbench_inspect.units.markup import UNSEEN
from idrbench_inspect.units.plain import plain
from idrbench_inspect.units.references import without_references
from idrbench_inspect.units.sentences import language_of, sentence_spans, word_count
from idrbench_inspect.units.traced import Traced, joined

_COUNTED_AS: Final = {
    "section": "reference_sections", "entries": "reference_blocks",
    "heading": "headings", "rule": "rules", "code": "code", "html": "html",
}  # fmt: skip

_UNSEEN = re.compile(UNSEEN, re.IGNORECASE | re.DOTALL)


@dataclass(slots=True)
class Reading:
    """The candidates for units, of whatever size, and how many blocks gave none, by the names of `segment.LeftOut`."""

    sentences: list[Traced] = field(default_factory=list)
    paragraphs: list[Traced] = field(default_factory=list)
    headings: list[Traced] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    in_html: float = 0.0
    """Words that a reader sees in HTML blocks, which give no unit."""
    stream: Traced = field(default_factory=lambda: Traced.of("", 0, 0))
    """The text that is cut into chunks."""


def read_body(text: str) -> Reading:
    """The paragraphs, lists and tables of a normalised report, without marks, citations, addresses and source lists."""
    markdown = parse(text)
    reading = Reading(left_out=Counter(unclosed=markdown.unclosed))
    for block, role in without_references(markdown.blocks, text):
        if role:
            reading.left_out[_COUNTED_AS.get(role, "")] += 1
        else:
            _read(reading, text, block)
    del reading.left_out[""]  # what lies in a section has been counted as the section
    reading.stream = joined(reading.paragraphs, "\n\n")
    return reading


def read_raw(text: str) -> Reading:
    """Every block of a normalised report as a paragraph, marks and all; the stream is the report itself."""
    markdown = parse(text)
    reading = Reading(left_out=Counter(unclosed=markdown.unclosed), stream=Traced.of(text, 0, len(text)))
    for block in markdown.blocks:
        lines = [line for part in block.parts for line in _as_written(text, part)]
        reading.paragraphs.append(joined(lines, "\n"))
        for line in lines:
            reading.sentences += _split([line])
    return reading


def _read(reading: Reading, text: str, block: Block) -> None:
    said: list[Traced] = []
    if block.kind == "rule":
        reading.left_out["rules"] += 1
    for part in block.parts:
        if part.kind in _COUNTED_AS:
            reading.left_out[_COUNTED_AS[part.kind]] += 1
            reading.headings += [plain(_together(text, part))] if part.kind == "heading" else []
            reading.in_html += _words_seen(_together(text, part).text) if part.kind == "html" else 0.0
        elif part.kind == "text":
            lines = plain(_together(text, part)).lines()
            said += lines
            reading.sentences += _split(lines)
        else:
            cells = [joined(plain(Traced.of(text, *span)).lines(), " ") for span in part.spans]
            row = joined(cells, "; ")
            said.append(row)
            reading.sentences += [row] if part.kind == "row" else []
    reading.paragraphs.append(joined(said, "\n"))


def _words_seen(html: str) -> float:
    """Words that a reader sees of HTML, counted as those of the text are."""
    seen = _UNSEEN.sub(" ", html)
    return word_count(plain(Traced.of(seen, 0, len(seen))).text)


def _together(text: str, part: Part) -> Traced:
    return joined([Traced.of(text, *span) for span in part.spans], "\n")


def _as_written(text: str, part: Part) -> list[Traced]:
    if part.kind in {"header", "row"}:
        return [Traced.of(text, part.spans[0][0], part.spans[-1][1])]
    return [Traced.of(text, *span) for span in part.spans]


def _split(lines: Sequence[Traced]) -> list[Traced]:
    """The sentences of the lines of one part, all split by the language of the part."""
    language = language_of("\n".join(line.text for line in lines))
    return [line.cut(*span) for line in lines for span in sentence_spans(line.text, language)]
