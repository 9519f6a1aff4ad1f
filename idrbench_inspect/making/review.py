"""A sheet on which two people look over what a model has made: one block a row, added to and never written anew."""

import os
import re
from pathlib import Path

from filelock import FileLock

from idrbench_inspect.dataset.tasks import Row
from idrbench_inspect.making.row_file import PATIENCE, append

_BLOCK = re.compile(rb"^<!-- row (\S+) -->$", re.MULTILINE)
_END = "<!-- end of {} -->"

HEAD = """# Review

Two readers each look at every row and tick what holds, before the rows are used. What does not hold is corrected in the
file of rows, or the row is taken out of it. Blocks of new rows are added at the end; what stands here is left alone.
"""

QUESTIONS = (
    "subject and core objective of the source are kept",
    "nothing is added or narrowed",
    "it reads like something a person would write",
    "every point is left open by the query and settled by the quoted words",
    "the alternatives are plausible, and no point is missing",
)
READERS = 2


class ReviewSheet:
    """The sheet beside a file of rows: `tasks.jsonl` has `tasks.review.md`. What readers write into it stays."""

    def __init__(self, rows: Path) -> None:
        self.path = rows.with_suffix(".review.md")

    def add(self, row: Row) -> None:
        """Add the block of a row, unless it is there; a block that was not written to its end is written anew."""
        with FileLock(self.path.with_name(f".{self.path.name}.lock"), timeout=PATIENCE):
            content = self.path.read_bytes() if self.path.exists() else b""
            whole = self._without_torn(content)
            if row.id.encode() in _BLOCK.findall(whole):
                return
            head = b"" if whole.strip() else HEAD.encode()
            gap = b"" if not whole or whole.endswith(b"\n") else b"\n"
            append(self.path, head + gap + f"\n{block(row)}\n".encode())

    def _without_torn(self, content: bytes) -> bytes:
        last = next(reversed(list(_BLOCK.finditer(content))), None)
        # At the start of a line only: inside a text that the block quotes, the same words are not its end.
        if last is None or b"\n" + _END.format(last[1].decode()).encode() in content[last.end() :]:
            return content
        kept = content[: last.start()].rstrip(b"\n") + b"\n"
        os.truncate(self.path, len(kept))
        return kept


def block(row: Row) -> str:
    """What the sheet shows of a row: both texts, how they were checked, the points, and boxes to tick."""
    made = row.injection
    lines = [f"<!-- row {row.id} -->", f"## {row.id} ({row.language}, {row.topic})", "", "Source:", ""]
    lines += [*_quoted(row.source_query), "", "Query:", "", *_quoted(row.query), ""]
    if made is not None:
        lines += [
            f"- compression {made.compression:g}, target {made.target:g}: {len(row.query)} of "
            f"{len(row.source_query)} characters, attempt {made.attempts}, by {made.model}",
            f"- judge ({made.judge}): {_plain(made.verdict_reason)}",
            f"- said to be left out: {_plain('; '.join(made.dropped)) or 'nothing'}",
        ]
    lines += ["", "Points:" if row.ambiguity else "Points: none.", ""]
    for number, point in enumerate(row.ambiguity, 1):
        lines.append(f"{number}. {point.dimension}: {_plain(point.question)}")
        for choice in point.alternatives:
            lines.append(f"   - {_plain(choice)}{' (settled)' if choice == point.preference else ''}")
        lines.append(f'   - source: "{_plain(point.settled_by or "")}"')
    for reader in range(1, READERS + 1):
        lines += [
            "",
            f"Reader {reader} (name, date):",
            "",
            *(f"- [ ] {question}" for question in QUESTIONS),
            "- notes:",
        ]
    return "\n".join([*lines, "", _END.format(row.id)])


def _quoted(text: str) -> list[str]:
    return [f"> {line}" for line in text.splitlines()]


def _plain(text: str) -> str:
    return " ".join(text.replace("<!--", "‹!--").split())
