"""From a source to a row in a file and a block in the review sheet, whoever asks for it: the task or the command."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Literal

import anyio
from inspect_ai.model import Model

from idrbench_inspect.dataset.tasks import Row
from idrbench_inspect.errors import BadInput, reason_of
from idrbench_inspect.judging.asking import NoReading
from idrbench_inspect.making.checks import unreachable
from idrbench_inspect.making.injecting import NotMade, Try, inject
from idrbench_inspect.making.paid import Paid
from idrbench_inspect.making.plans import CALLS_PER_ROW, calls
from idrbench_inspect.making.review import ReviewSheet, sheet_of, sheet_text
from idrbench_inspect.making.row_file import RowFile
from idrbench_inspect.making.sources import Source
from idrbench_inspect.making.wording import counted
from idrbench_inspect.records import Record

AT_ONCE = 8
"""Sources that the command works on side by side."""


class Outcome(Record):
    """What came of a source.

    Args:
        kind: `made`, with its row; `rejected`, by our checks or the judge; `errored`, where the judge gave no reading
            or a call broke, so that nothing is known of the source.
        row: As it stands in the file.
        resumed: Whether it was there before.
        tries: Queries that were turned down.
        reason: Why there is no row, in a word.
        explanation: The same in a sentence.
    """

    kind: Literal["made", "rejected", "errored"]
    row: Row | None = None
    resumed: bool = False
    tries: tuple[Try, ...] = ()
    reason: str = ""
    explanation: str = ""


class RowMaker:
    """Makes rows of sources into a file; what is there is not made again.

    Args:
        path: The file; a review sheet is kept beside it.
    """

    def __init__(self, path: Path) -> None:
        self.file, self.sheet = RowFile(path, Row), ReviewSheet(path)

    async def make(self, source: Source, target: float, injector: Model, judge: Model) -> Outcome:
        """Make the row of a source, or say in the sheet why there is none.

        Raises:
            BadInput: the file holds a row of that id that was made from another text, or for another target.
            Exception: a call broke; the sheet says so.
        """
        paid = Paid.towards(self.file.path, source.id)
        if row := done_already(self.file, source, target):
            self.sheet.add(row)
            paid.forget()  # a run may have been killed after it had added the row
            return Outcome(kind="made", row=row, resumed=True)
        try:
            made, tries = await inject(source, target, injector, judge, paid)
        except NotMade as failed:
            self.sheet.add_failure(source, target, f"{failed}", failed.tries)
            paid.forget()
            return Outcome(kind="rejected", tries=failed.tries, reason=failed.reason, explanation=failed.explanation)
        except NoReading as unread:
            self.sheet.add_failure(source, target, f"the judge gave no reading, {unread}")
            return Outcome(kind="errored", reason=unread.reason, explanation=unread.explanation)
        except Exception as broken:  # raised again: the sheet names every source without a row
            self.sheet.add_failure(source, target, f"a call broke, {reason_of(broken)}")
            raise
        row = self.file.add(made)
        self.sheet.add(row)
        paid.forget()
        return Outcome(kind="made", row=row, tries=tries)


def done_already(file: RowFile[Row], source: Source, target: float) -> Row | None:
    """The row that a file holds of a source, which is not made again; `None` where it holds none.

    Raises:
        BadInput: its row of that id was made from another text, or for another target.
    """
    row = file.rows().get(source.id)
    if row is None:
        return None
    made = row.injection
    if made is None or (made.source_sha256, made.target) != (source.sha256, target):
        differs = "without this task" if made is None else f"from another text or for the target {made.target:g}"
        raise BadInput(
            f"{file.path} holds a row {source.id!r} that was made {differs}, and the target is {target:g} now; give "
            "another out, or take the row out."
        )
    return row


def planned(
    file: RowFile[Row], sources: Sequence[Source], targets: Mapping[str, float], *, whole: bool = True
) -> tuple[str, ...]:
    """What a run has before it, a line each, before the first call; `whole` as of `plans.calls`.

    Raises:
        BadInput: as `done_already`; or the review sheet cannot be read.
    """
    if (sheet := sheet_of(file.path)).exists():
        sheet_text(sheet)
    there = [row for source in sources if (row := done_already(file, source, targets[source.id]))]
    said = []
    if there:
        models = ", ".join(sorted({row.injection.model for row in there if row.injection}))
        are, stay = ("is", "it stays") if len(there) == 1 else ("are", "they stay")
        of_all = f"{len(there)} of {counted(len(sources), 'row')}"
        said.append(f"{file.path}: {of_all} {are} there, made by {models}; {stay}.")
    done = {row.id for row in there}
    left = [source for source in sources if source.id not in done]
    asked = sum(unreachable(source, targets[source.id]) is None for source in left)
    return (*said, f"To make: {counted(len(left), 'row')}, {calls(asked, CALLS_PER_ROW, whole=whole)}.")


async def make_rows(
    sources: Sequence[Source],
    targets: Mapping[str, float],
    maker: RowMaker,
    models: tuple[Model, Model],
    tell: Callable[[str], None] = lambda _: None,
) -> dict[str, Outcome]:
    """What came of each source, by its id, in order; one broken call does not take what the others have paid for.

    Args:
        sources: What is shortened.
        targets: The compression asked for, by id.
        maker: Where to.
        models: Who writes, and who judges.
        tell: Is told of each source when it is done, unless its row was there.
    """
    room = anyio.CapacityLimiter(AT_ONCE)
    found: dict[str, Outcome] = {}

    async def one(source: Source) -> None:
        async with room:
            try:
                found[source.id] = await maker.make(source, targets[source.id], *models)
            except Exception as broken:  # one broken call must not take what the others have paid for
                found[source.id] = Outcome(kind="errored", reason="broken", explanation=reason_of(broken))
        outcome = found[source.id]
        if not outcome.resumed:
            tell(f"{len(found)} of {len(sources)}: {source.id} {outcome.kind}")

    async with anyio.create_task_group() as group:
        for source in sources:
            group.start_soon(one, source)
    return {source.id: found[source.id] for source in sources}
