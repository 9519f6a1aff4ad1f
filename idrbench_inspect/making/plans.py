"""What a maker's run is about to do, said before the first call: what stays, what is made again, and how many calls."""

from collections.abc import Sequence
from typing import Final

from idrbench_inspect.dataset import ResearchTask
from idrbench_inspect.dataset.points import JudgedPoints, differing
from idrbench_inspect.errors import BadInput
from idrbench_inspect.making.injecting import ATTEMPTS as QUERIES
from idrbench_inspect.making.row_file import RowFile
from idrbench_inspect.making.wording import another, counted, named
from idrbench_inspect.records import Record
from idrbench_inspect.replies import ATTEMPTS as ASKED

_TEXTS: Final = 3
"""Query, points and report: a reading that is of none of these is about another task."""

CALLS_PER_ROW: Final = (3, ASKED * (2 * QUERIES + 1))
"""Calls for one row of injection: where the first query is accepted, and where every reply is asked for again."""

CALLS_PER_TASK: Final = (1, ASKED)
"""The same for the points of one task."""


class JudgingPlan(Record):
    """What a run of the judge has before it.

    Args:
        stay: Tasks whose points have been read in these texts, by the judge's name.
        again: By task id, which of query, points and report have changed since: "another report".
        new: Tasks of which there is no line.
        calls: Tasks of `again` and `new` that have points: one without any costs no call.
        others: Lines about other tasks, which are left alone.
    """

    stay: dict[str, str]
    again: dict[str, str]
    new: tuple[str, ...]
    calls: int
    others: int

    def sentences(self, *, whole: bool = True) -> tuple[str, ...]:
        """The plan as a user is told it, a line each; `whole` as of `calls`."""
        said = []
        if self.stay:
            judges = ", ".join(sorted(set(self.stay.values())))
            have, stay = ("has", "its line stays") if len(self.stay) == 1 else ("have", "their lines stay")
            said.append(f"{counted(len(self.stay), 'task')} {have} been judged already (by {judges}); {stay}.")
        if self.again:
            lines = (
                "1 line is of other texts than now and is"
                if len(self.again) == 1
                else (f"{len(self.again)} lines are of other texts than now and are")
            )
            said.append(f"{lines} judged again: {named(self.again)}.")
        if self.others:
            lines = (
                "1 line is of another task and is left as it is"
                if self.others == 1
                else (f"{self.others} lines are of other tasks and are left as they are")
            )
            said.append(f"{lines}.")
        left = counted(len(self.again) + len(self.new), "task")
        return (*said, f"To judge: {left}, {calls(self.calls, CALLS_PER_TASK, whole=whole)}.")


def plan_of(file: RowFile[JudgedPoints], tasks: Sequence[ResearchTask]) -> JudgingPlan:
    """What is in a file of judged points of these tasks.

    Raises:
        BadInput: a line has the id of a task, but query, points and report are all others: it is of another dataset.
    """
    held = file.rows()
    stay, again, new = dict[str, str](), dict[str, str](), list[str]()
    for task in tasks:
        line = held.get(task.id)
        differs = differing(line, task) if line else ()
        if line is None:
            new.append(task.id)
        elif len(differs) == _TEXTS:
            raise BadInput(
                f"{file.path} holds a line of a task {task.id!r} that has nothing in common with this one (other "
                "query, points and report), as of another dataset; give another out, or take the line out."
            )
        elif differs:
            again[task.id] = another(differs)
        else:
            stay[task.id] = line.judge
    asked = {task.id for task in tasks if task.ambiguity}
    return JudgingPlan(
        stay=stay,
        again=again,
        new=tuple(new),
        calls=len(asked & {*again, *new}),
        others=len(set(held) - {task.id for task in tasks}),
    )


def calls(count: int, each: tuple[int, int], *, whole: bool = True) -> str:
    """How many model calls `count` things cost, `each` from the fewest to the most.

    Args:
        count: Of rows or tasks that are asked about.
        each: Calls for one.
        whole: Whether all of them are done, as the commands do. A task does not know what `--limit` leaves out.

    Example:
        >>> calls(2, (3, 27)), calls(0, (1, 3))
        ('6 model calls if every first reply is good, 54 at most', 'no model call')
        >>> calls(1, (1, 3), whole=False)
        '1 model call if every first reply is good, 3 at most (for all; fewer with --limit, no more with --epochs)'
    """
    fewest, most = each
    if not count:
        return "no model call"
    rest = "" if whole else " (for all; fewer with --limit, no more with --epochs)"
    return f"{counted(fewest * count, 'model call')} if every first reply is good, {most * count} at most{rest}"
