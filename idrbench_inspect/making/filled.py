"""What people have written into a block of a review sheet, and whether they wrote it where it is read."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from idrbench_inspect.formats import short
from idrbench_inspect.making.review import DECISION, EDITED, LEFT_OUT, NOTES, READER, READERS

_BOX = re.compile(r"[-*+] \[\s*([xX✓✔]?)\s*\] (.*)")
_NUMBERS = re.compile(r"\d+(?:\s*[,，、]\s*\d+)*")
_READERS = {READER.format(number): number for number in range(1, READERS + 1)}


@dataclass
class Filled:
    """What people have written into a block.

    Args:
        readers: Who signed, by number; empty where nobody did.
        ticked: How many statements a reader ticked, by number.
        unticked: Those that the reader did not tick.
        notes: What a reader noted, on one line.
        decisions: The choices ticked.
        left_out: What stands behind the numbers of points to leave out.
        query: As it should be; empty where there is none.
        shown: Everything else: what the block shows people to read, line by line.
    """

    readers: dict[int, str] = field(default_factory=dict)
    ticked: dict[int, int] = field(default_factory=dict)
    unticked: dict[int, list[str]] = field(default_factory=dict)
    notes: dict[int, str] = field(default_factory=dict)
    decisions: list[str] = field(default_factory=list)
    left_out: str = ""
    query: str = ""
    shown: list[str] = field(default_factory=list)


def read_block(text: str) -> Filled:
    """What stands in a block, as `review.Block` has its text, filled in or not."""
    found = Filled()
    *lines, end = text.split("\n")
    for head, tail, body in _sections(lines):
        found.shown += [head] if head else []
        if head in _READERS:
            found.readers[_READERS[head]] = tail
            _read_reader(found, _READERS[head], body)
        elif head == DECISION:
            boxes = [_box(found, line) for line in (tail, *body)]
            found.decisions += [told for ticked, told in filter(None, boxes) if ticked]
        elif head == EDITED:
            found.query = "\n".join(line.strip().removeprefix(">").strip() for line in (tail, *body)).strip()
        else:
            found.left_out = tail
            found.shown += filter(None, map(_plain, body))
    found.shown.append(end.strip())
    return found


def _sections(lines: Sequence[str]) -> Iterator[tuple[str, str, list[str]]]:
    """The parts of a block, the first without a head: its heading, what stands behind it, the lines below."""
    head, tail, body = "", "", list[str]()
    for line in lines:
        new = next((one for one in (*_READERS, DECISION, LEFT_OUT, EDITED) if line.startswith(one)), None)
        if new is None or head == EDITED:
            body.append(line)
            continue
        yield head, tail, body
        head, tail, body = new, line.removeprefix(new).strip(), []
    yield head, tail, body


def _read_reader(found: Filled, reader: int, body: Sequence[str]) -> None:
    marks = [n for n, line in enumerate(body) if _plain(line).startswith(NOTES)]
    start = marks[0] if marks else len(body)
    boxes = [box for line in body[:start] if (box := _box(found, line))]
    found.ticked[reader] = sum(ticked for ticked, _ in boxes)
    found.unticked[reader] = [told for ticked, told in boxes if not ticked]
    if marks:
        found.shown.append(NOTES)
        found.notes[reader] = _plain(" ".join([_plain(body[start]).removeprefix(NOTES), *body[start + 1 :]]))


def _box(found: Filled, line: str) -> tuple[bool, str] | None:
    """Whether a box is ticked, and what it says; anything else goes to what is shown."""
    bare = _plain(line)
    box = _BOX.fullmatch(bare)
    if bare:
        found.shown.append(f"- [ ] {box[2]}" if box else bare)
    return (bool(box[1]), box[2]) if box else None


def _plain(line: str) -> str:
    """A line as it is compared: editors change blanks and the marks of lists."""
    return re.sub(r"^[*+] ", "- ", " ".join(line.split()))


def left_out(filled: Filled) -> list[int]:
    """The numbers of the points to leave out.

    Raises:
        ValueError: something else stands there; the message says what.
    """
    if filled.left_out and not _NUMBERS.fullmatch(filled.left_out):
        raise ValueError(
            f"behind {LEFT_OUT!r} stands {short(filled.left_out)}; write numbers separated by commas, such as 1, 3."
        )
    return [int(number) for number in re.findall(r"\d+", filled.left_out)]


def unchanged(filled: Filled, block: str) -> None:
    """See that a block still shows what it was written to show.

    Args:
        filled: The block as it stands on the sheet.
        block: Its text as it was written there.

    Raises:
        ValueError: it does not; the message says where, and where to write instead.
    """
    wanted, got = read_block(block).shown, filled.shown
    if wanted == got:
        return
    n = next((n for n, (one, other) in enumerate(zip(wanted, got, strict=False)) if one != other), len(got))
    missing = n >= len(got) or got[n] in wanted[n:]
    said = f"no longer says {short(wanted[n])}" if missing and n < len(wanted) else f"says {short(got[n])}"
    raise ValueError(
        f"its block was changed where it {said}; write another query behind {EDITED!r}, points to drop behind "
        f"{LEFT_OUT!r}, all else behind {NOTES!r}, and undo the change."
    )
