"""A sheet on which two people look over what a model has made: one block a row, added to; what they write stays."""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock

from idrbench_inspect.dataset.tasks import Injection, Row
from idrbench_inspect.formats import read_text
from idrbench_inspect.making.checks import LANGUAGE_NAMES
from idrbench_inspect.making.injecting import Try
from idrbench_inspect.making.row_file import PATIENCE, rewrite
from idrbench_inspect.making.sources import Source
from idrbench_inspect.making.targets import window

_HEAD = re.compile(r"^<!-- (row|no row) (\S+?)(?: ([0-9a-f]{16}))? -->$", re.MULTILINE)
ENDING = ".review.md"
QUESTIONS = (
    "subject and core objective of the source are kept",
    "nothing is added or narrowed",
    "it reads like something a person would write",
    "every point is left open by the query and settled by the quoted words",
    "the alternatives are plausible, and no point is missing",
)
READERS = 2
READER = "Reader {} (name, date):"
NOTES = "- notes:"
DECISION = "Decision:"
TAKE, EDIT, REFUSE = "take this row as it is", "take this row with the query below", "leave this row out"
LEFT_OUT = "Points to leave out (their numbers):"
EDITED = "Query as it should be (only for the second choice):"

HEAD = f"""# Review

Each block below shows one row: the detailed request (source), the short query that a model made of it, what the query
leaves out, the points that it leaves open, and what the checks said. Two people read each row, each by themselves.

1. Write your name behind "{READER.format(1)}" or the other one, and put an x into the box of each
   statement that holds: `- [x]`.
2. When both have read it, decide together: put an x into exactly one of the three boxes under "Decision".
   For the second one, write the better query under "{EDITED[:-1]}".
   It is checked again for length and language. To drop single points, write their numbers, with commas between
   them, behind "{LEFT_OUT}"
3. `idrbench data accept SHEET --out FILE` writes the rows that were taken. Rows without a decision are left out.

Change nothing else in a block: all other remarks belong behind "{NOTES}". Leave the lines that begin with
`<!--` alone, and no block twice. Blocks of new rows come at the end. Sources of which no row could be made stand here
too, with the reason; there is nothing to tick in them.
"""


def sheet_of(rows: Path) -> Path:
    """The sheet beside a file of rows: `tasks.jsonl` has `tasks.review.md`."""
    return rows.with_suffix(ENDING)


class ReviewSheet:
    """The sheet beside a file of rows. What readers write into it stays; it is always whole, whoever is killed."""

    def __init__(self, rows: Path) -> None:
        self.path = sheet_of(rows)

    def add(self, row: Row) -> None:
        """Add the block of a row, unless it is there, and take out what said that no row could be made of its source.

        A row that was made anew or changed in its file is another one and has a block of its own.
        """
        self._put(row.id, block(row), made_as(row))

    def add_failure(self, source: Source, target: float, why: str, tries: Sequence[Try] = ()) -> None:
        """Say that no row could be made of a source, in the place of what was said of it before.

        Args:
            source: Of which.
            target: The compression asked for.
            why: The reason, as a sentence.
            tries: The queries that were turned down.
        """
        self._put(source.id, _failure(source, target, why, tries), None)

    def _put(self, name: str, text: str, made: str | None) -> None:
        with FileLock(self.path.with_name(f".{self.path.name}.lock"), timeout=PATIENCE):
            content = sheet_text(self.path) if self.path.exists() else ""
            kept = content
            for failed in (part for part in blocks(content) if (part.kind, part.row) == ("no row", name)):
                kept = kept.replace(f"\n{failed.text}\n", "")
            if made is None or not any((part.row, part.made) == (name, made) for part in blocks(kept)):
                gap = "" if not kept or kept.endswith("\n") else "\n"
                kept = f"{kept if kept.strip() else HEAD}{gap}\n{text}\n"
            if kept != content:
                # A reason may quote half a surrogate pair, which no file in UTF-8 can hold.
                rewrite(self.path, kept.encode(errors="backslashreplace"))


def sheet_text(path: Path) -> str:
    """The text of a sheet, with the line ends of this project whatever editor it has been through.

    Raises:
        BadInput: it is not UTF-8.
    """
    return read_text(path).replace("\r\n", "\n")


@dataclass(frozen=True)
class Block:
    """A block of a sheet as it stands there: `made` is what `made_as` gave of the row, `None` where there is none."""

    kind: str
    row: str
    made: str | None
    text: str


def blocks(content: str) -> list[Block]:
    """The blocks of a sheet in order; one without its last line ends where the next one begins."""
    heads = list(_HEAD.finditer(content))
    found = []
    for n, head in enumerate(heads):
        limit = heads[n + 1].start() if n + 1 < len(heads) else len(content)
        # At the start of a line only: inside a text that the block quotes, the same words are not its end.
        end = content.find(f"\n{_end(head[2])}", head.end(), limit)
        stop = limit if end < 0 else end + 1 + len(_end(head[2]))
        found.append(Block(head[1], head[2], head[3], content[head.start() : stop]))
    return found


def made_as(row: Row) -> str:
    """16 hex digits of the hash of what a reader is shown of a row: by them a block belongs to it."""
    shown = row.model_dump_json(include={"id", "query", "source_query", "ambiguity", "injection"}, exclude_none=True)
    return hashlib.sha256(shown.encode()).hexdigest()[:16]


def block(row: Row) -> str:
    """What the sheet shows of a row: both texts, how they were checked, the points, and boxes to tick."""
    made = row.injection
    lines = [
        f"<!-- row {row.id} {made_as(row)} -->",
        f"## {row.id} ({row.language}, {_plain(row.topic)})",
        "",
        "Source:",
        "",
    ]
    lines += [*_quoted(row.source_query), "", "Query:", "", *_quoted(row.query), ""]
    lines += _checked(row, made) if made is not None else []
    lines += ["", "Points:" if row.ambiguity else "Points: none.", ""]
    for number, point in enumerate(row.ambiguity, 1):
        lines.append(f"{number}. {point.dimension}: {_plain(point.question)}")
        for choice in point.alternatives:
            lines.append(f"   - {_plain(choice)}{' (settled)' if choice == point.preference else ''}")
        lines.append(f'   - source: "{_plain(point.settled_by or "")}"')
    for reader in range(1, READERS + 1):
        lines += ["", READER.format(reader), "", *(f"- [ ] {question}" for question in QUESTIONS), NOTES]
    lines += ["", DECISION, "", *(f"- [ ] {choice}" for choice in (TAKE, EDIT, REFUSE))]
    return "\n".join([*lines, "", LEFT_OUT, "", EDITED, "", _end(row.id)])


def _checked(row: Row, made: Injection) -> list[str]:
    lowest, highest = window(len(row.source_query), made.target)
    return [
        f"- compression {made.compression:g}, target {made.target:g}: {len(row.query)} of {len(row.source_query)} "
        f"characters, {lowest} to {highest} wanted; attempt {made.attempts}, by {made.model}",
        f"- language: {LANGUAGE_NAMES[row.language]}, as the source",
        f"- judge ({made.judge}): objective kept and nothing added, because: {_plain(made.verdict_reason)}",
        f"- said to be left out: {_plain('; '.join(made.dropped)) or 'nothing'}",
    ]


def _failure(source: Source, target: float, why: str, tries: Sequence[Try]) -> str:
    lines = [f"<!-- no row {source.id} -->", f"## {source.id} ({source.language}, {_plain(source.topic)}): no row", ""]
    lines += ["Source:", "", *_quoted(source.source_query), "", f"- target {target:g}", f"- why: {_plain(why)}"]
    lines += [f"- turned down: {_plain(tried.query)} ({_plain(tried.wrong)})" for tried in tries]
    return "\n".join([*lines, "", _end(source.id)])


def _end(name: str) -> str:
    return f"<!-- end of {name} -->"


def _quoted(text: str) -> list[str]:
    return [f"> {line}" for line in text.splitlines()]


def _plain(text: str) -> str:
    return " ".join(text.replace("<!--", "‹!--").split())
