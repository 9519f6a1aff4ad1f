"""The way back from a review sheet: which rows people took, and the queries and points as they want them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from idrbench_inspect.dataset.tasks import Review, Row
from idrbench_inspect.errors import BadInput
from idrbench_inspect.making.checks import says, wrong_with
from idrbench_inspect.making.review import (
    DECISION,
    EDIT,
    EDITED,
    ENDING,
    LEFT_OUT,
    READER,
    READERS,
    REFUSE,
    TAKE,
    Block,
    blocks,
    made_as,
    sheet_text,
)
from idrbench_inspect.making.row_file import RowFile, rewrite
from idrbench_inspect.making.sources import Source
from idrbench_inspect.records import Record

_BOX = re.compile(r"^\s*[-*] \[\s*([xX✓✔]?)\s*\] (.*?)\s*$")
_NUMBER = re.compile(r"\d+")


class Decided(Record):
    """What a sheet says of a file of rows.

    Args:
        taken: In the order of the file, each with its review.
        refused: The ids of rows that were left out.
        undecided: The ids of rows with no box ticked under the decision.
        wrong: By row id, why it cannot be taken, in a sentence.
    """

    taken: tuple[Row, ...]
    refused: tuple[str, ...]
    undecided: tuple[str, ...]
    wrong: dict[str, str]


@dataclass
class Filled:
    """What people have written into a block."""

    readers: dict[int, str] = field(default_factory=dict)
    unticked: dict[int, list[str]] = field(default_factory=dict)
    decisions: list[str] = field(default_factory=list)
    left_out: list[int] = field(default_factory=list)
    query: str = ""


def rows_of(sheet: Path) -> Path:
    """The file of rows that a sheet belongs to.

    Raises:
        BadInput: there is no such sheet, or its name does not say.
    """
    if not sheet.is_file():
        raise BadInput(f"There is no sheet {sheet}; give the {ENDING} file beside the rows.")
    rows = sheet.with_name(f"{sheet.name.removesuffix(ENDING)}.jsonl")
    if not sheet.name.endswith(ENDING) or not rows.is_file():
        raise BadInput(f"The rows of {sheet} are not beside it as {rows.name}; give them as --rows FILE.")
    return rows


def decided(sheet: Path, rows: Path) -> Decided:
    """What was decided on each row.

    Args:
        sheet: As `inject` left it beside the rows, filled in.
        rows: The file of rows, which stays as it is, but for a last line that was not written to its end.

    Raises:
        BadInput: sheet or rows cannot be read.
    """
    file = RowFile(rows, Row)
    file.check()
    held = file.rows()
    if not held:
        raise BadInput(f"{rows} holds no row; give the file that the sheet is about.")
    known = {(block.row, block.made): block for block in blocks(sheet_text(sheet))}
    taken, refused, undecided, wrong = list[Row](), list[str](), list[str](), dict[str, str]()
    for row in held.values():
        try:
            filled = _filled(row, known)
            if not filled.decisions:
                undecided.append(row.id)
            elif filled.decisions == [REFUSE]:
                refused.append(row.id)
            else:
                taken.append(_reviewed(row, filled))
        except ValueError as said:
            wrong[row.id] = str(said)
    return Decided(taken=tuple(taken), refused=tuple(refused), undecided=tuple(undecided), wrong=wrong)


def write_taken(taken: tuple[Row, ...], out: Path, rows: Path) -> None:
    """Write rows that were taken, in the place of those of an earlier review.

    Raises:
        BadInput: the file is that of the rows themselves, or holds what no review has let through.
    """
    file = RowFile(out, Row)
    file.check()
    if out.exists() and out.resolve() == rows.resolve():
        raise BadInput(f"{out} is the file that is reviewed; give another --out, so that both stay.")
    if unread := [row.id for row in file.rows().values() if row.review is None]:
        raise BadInput(f"{out} holds the row {unread[0]!r}, which no review let through; give another --out.")
    rewrite(out, b"".join(f"{row.model_dump_json(exclude_none=True)}\n".encode() for row in taken))


def _filled(row: Row, known: Mapping[tuple[str, str | None], Block]) -> Filled:
    block = known.get((row.id, made_as(row)))
    if block is None:
        raise ValueError(
            "the sheet shows it otherwise than the file of rows has it, or not at all; run inject again, which adds a "
            "block of it as it is."
        )
    return read_block(block.text)


def read_block(text: str) -> Filled:
    """What stands in a block besides what was written there for people to read."""
    found, reader, place = Filled(), 0, ""
    query: list[str] = []
    heads = {READER.format(number): number for number in range(1, READERS + 1)}
    for line in text.split("\n")[:-1]:
        signed = next((head for head in heads if line.startswith(head)), None)
        if signed:
            reader, place = heads[signed], "reader"
            found.readers[reader] = line.removeprefix(signed).strip()
        elif line.startswith(DECISION):
            place = "decision"
        elif line.startswith(LEFT_OUT) and place == "decision":
            found.left_out = [int(number) for number in _NUMBER.findall(line.removeprefix(LEFT_OUT))]
        elif line.startswith(EDITED) and place == "decision":
            place = "query"
            query.append(line.removeprefix(EDITED))
        elif place == "query":
            query.append(line.removeprefix(">"))
        elif box := _BOX.match(line):
            _note_box(found, reader, place, (bool(box[1]), box[2]))
    found.query = "\n".join(part.strip() for part in query).strip()
    return found


def _note_box(found: Filled, reader: int, place: str, box: tuple[bool, str]) -> None:
    ticked, told = box
    if place == "decision" and ticked:
        found.decisions.append(told)
    elif place == "reader" and not ticked:
        found.unticked.setdefault(reader, []).append(told)


def _reviewed(row: Row, filled: Filled) -> Row:
    """The row as people want it.

    Raises:
        ValueError: what they wrote does not hold; the message says what, and what to do.
    """
    readers = {number: name for number, name in filled.readers.items() if name}
    edits = filled.decisions == [EDIT]
    if filled.decisions not in ([TAKE], [EDIT]):
        raise ValueError("more than one box is ticked under the decision, or one that is not known; tick one.")
    if not readers:
        raise ValueError("no reader has signed; write who has read it.")
    if bool(filled.query) != edits:
        said = "there is none; write it" if edits else f"one is written; tick {EDIT!r} or take it out"
        raise ValueError(f"the box ticked is {filled.decisions[0]!r}, and of a query as it should be, {said}.")
    if unknown := [number for number in filled.left_out if not 1 <= number <= len(row.ambiguity)]:
        raise ValueError(f"there is no point {unknown[0]} to leave out; it has {len(row.ambiguity)}.")
    kept = [point for number, point in enumerate(row.ambiguity, 1) if number not in filled.left_out]
    doubts = [f"{readers[number]}: {said}" for number in readers for said in filled.unticked.get(number, [])]
    review = Review(
        readers=tuple(readers.values()),
        doubts=tuple(doubts),
        query_before=row.query if edits and filled.query != row.query else None,
        points_left_out=len(row.ambiguity) - len(kept),
    )
    changed = row.model_copy(update={"ambiguity": tuple(kept), "review": review})
    return _with_query(changed, filled) if edits else changed


def _with_query(row: Row, filled: Filled) -> Row:
    """The row with the query that a person wrote, checked as a model's is, but for the judge."""
    source = Source(id=row.id, language=row.language, topic=row.topic, source_query=row.source_query)
    made = row.injection
    if made is None:
        raise ValueError("it does not say for which target it was made, so that a new query cannot be checked.")
    if found := wrong_with(filled.query, source, made.target):
        raise ValueError(f"the query as it should be: {' '.join(found)}")
    for number, point in enumerate(row.ambiguity, 1):
        if point.settled_by and says(filled.query, point.settled_by):
            raise ValueError(
                f"the query as it should be settles the point {point.question!r} (number {number} of those that are "
                f"kept) itself; put its number behind {LEFT_OUT!r}."
            )
    reached = round(1 - len(filled.query) / len(row.source_query), 3)
    return row.model_copy(update={"query": filled.query, "injection": made.model_copy(update={"compression": reached})})
