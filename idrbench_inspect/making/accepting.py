"""The way back from a review sheet: which rows people took, and the queries and points as they want them."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from idrbench_inspect.dataset.tasks import Review, Row
from idrbench_inspect.dataset.texts import normal
from idrbench_inspect.errors import BadInput
from idrbench_inspect.making.checks import says, wrong_with
from idrbench_inspect.making.filled import Filled, left_out, read_block, unchanged
from idrbench_inspect.making.review import EDIT, ENDING, LEFT_OUT, REFUSE, TAKE, block, blocks, made_as, sheet_text
from idrbench_inspect.making.row_file import RowFile, rewrite
from idrbench_inspect.making.runs import ready
from idrbench_inspect.making.sources import Source
from idrbench_inspect.making.wording import counted
from idrbench_inspect.records import Record


class Decided(Record):
    """What a sheet says of a file of rows.

    Args:
        taken: In the order of the file, each with its review.
        refused: The ids of rows that were left out.
        undecided: The ids of rows with no box ticked under the decision.
        wrong: By row id, why it cannot be taken, in a sentence.
        outside: Lines below a block that belong to none.
    """

    taken: tuple[Row, ...]
    refused: tuple[str, ...]
    undecided: tuple[str, ...]
    wrong: dict[str, str]
    outside: tuple[str, ...]


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
    known: dict[tuple[str, str | None], list[str]] = {}
    content = sheet_text(sheet)
    for part in blocks(content):
        known.setdefault((part.row, part.made), []).append(part.text)
    taken, refused, undecided, wrong = list[Row](), list[str](), list[str](), dict[str, str]()
    for row in held.values():
        try:
            filled = _filled(row, known)
            if filled.decisions == [REFUSE]:
                refused.append(row.id)
                continue
            unchanged(filled, block(row))
            if filled.decisions:
                taken.append(_reviewed(row, filled))
            else:
                undecided.append(row.id)
        except ValueError as said:
            wrong[row.id] = str(said)
    return Decided(
        taken=tuple(taken), refused=tuple(refused), undecided=tuple(undecided), wrong=wrong, outside=_outside(content)
    )


def write_taken(taken: tuple[Row, ...], out: Path, rows: Path) -> None:
    """Write rows that were taken; a file of an earlier review may get more rows, but loses nothing.

    Raises:
        BadInput: the file is that of the rows themselves, or holds what no review has let through, or a row that is
            not among those taken or was changed since.
    """
    file = RowFile(out, Row)
    ready(out)
    file.check()
    if out.exists() and out.resolve() == rows.resolve():
        raise BadInput(f"{out} is the file that is reviewed; give another --out, so that both stay.")
    if unread := [row.id for row in file.rows().values() if row.review is None]:
        raise BadInput(f"{out} holds the row {unread[0]!r}, which no review let through; give another --out.")
    new = {row.id: row for row in taken}
    if lost := [id_ for id_, row in file.rows().items() if new.get(id_) != row]:
        raise BadInput(
            f"{out} holds the row {lost[0]!r}, which is not taken now or was changed there since; give another --out, "
            f"or take the row out of {out.name}."
        )
    rewrite(out, b"".join(f"{row.model_dump_json(exclude_none=True)}\n".encode() for row in taken))


def _outside(content: str) -> tuple[str, ...]:
    parts = [part.text for part in blocks(content)]
    rest = content[content.find(parts[0]) :] if parts else ""
    for part in parts:
        rest = rest.replace(part, "", 1)
    return tuple(line.strip() for line in rest.split("\n") if line.strip())


def _filled(row: Row, known: Mapping[tuple[str, str | None], Sequence[str]]) -> Filled:
    texts = known.get((row.id, made_as(row)))
    if not texts:
        raise ValueError(
            "the sheet shows it otherwise than the file of rows has it, or not at all; run inject again, which adds a "
            "block of it as it is."
        )
    if len(set(texts)) > 1:
        raise ValueError(f"its block stands {len(texts)} times on the sheet, and they differ; leave one.")
    return read_block(texts[0])


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
    if unsigned := [number for number in filled.readers if number not in readers and _said(filled, number)]:
        raise ValueError(f"reader {unsigned[0]} has not signed what stands there; write who has read it.")
    if bool(filled.query) != edits:
        said = "there is none; write it" if edits else f"one is written; tick {EDIT!r} or take it out"
        raise ValueError(f"the box ticked is {filled.decisions[0]!r}, and of a query as it should be, {said}.")
    leaving = left_out(filled)
    if unknown := [number for number in leaving if not 1 <= number <= len(row.ambiguity)]:
        raise ValueError(
            f"there is no point {unknown[0]} to leave out; it has {counted(len(row.ambiguity), 'point')}: correct it."
        )
    kept = [point for number, point in enumerate(row.ambiguity, 1) if number not in leaving]
    doubts = [f"{readers[number]}: {said}" for number in readers for said in filled.unticked.get(number, [])]
    review = Review(
        readers=tuple({normal(name): name for name in readers.values()}.values()),
        doubts=tuple(doubts),
        notes=tuple(f"{name}: {noted}" for number, name in readers.items() if (noted := filled.notes.get(number))),
        query_before=row.query if edits and filled.query != row.query else None,
        points_left_out=len(row.ambiguity) - len(kept),
    )
    changed = row.model_copy(update={"ambiguity": tuple(kept), "review": review})
    return _with_query(changed, filled) if edits else changed


def _said(filled: Filled, reader: int) -> bool:
    """Whether anything was ticked or noted in the place of a reader."""
    return bool(filled.ticked.get(reader) or filled.notes.get(reader))


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
