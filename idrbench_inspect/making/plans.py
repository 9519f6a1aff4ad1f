"""What a maker's run is about to do, said before the first call: what stays, what is made again, and how many calls."""

from collections.abc import Mapping, Sequence
from typing import Final

from idrbench_inspect.dataset import ResearchTask
from idrbench_inspect.dataset.points import JudgedPoints, differing
from idrbench_inspect.errors import BadInput
from idrbench_inspect.making.injecting import ATTEMPTS as QUERIES
from idrbench_inspect.making.row_file import RowFile
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
        again: By task id, which of query, points and report have changed since.
        new: Tasks of which there is no line.
        calls: Tasks of `again` and `new` that have points: one without any costs no call.
        others: Lines about other tasks, which are left alone.
    """

    stay: dict[str, str]
    again: dict[str, str]
    new: tuple[str, ...]
    calls: int
    others: int

    def sentences(self) -> tuple[str, ...]:
        """The plan as a user is told it, a line each."""
        said = []
        if self.stay:
            judges = ", ".join(sorted(set(self.stay.values())))
            said.append(f"{len(self.stay)} tasks have been judged already (by {judges}); their lines stay.")
        if self.again:
            again = named({task: f"another {differs}" for task, differs in self.again.items()})
            said.append(f"{len(self.again)} lines are of other texts than now and are judged again: {again}.")
        if self.others:
            said.append(f"{self.others} lines are of other tasks and are left as they are.")
        return (*said, f"To judge: {len(self.again) + len(self.new)} tasks, {calls(self.calls, CALLS_PER_TASK)}.")


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
            again[task.id] = " and ".join(differs)
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


def calls(count: int, each: tuple[int, int]) -> str:
    """How many model calls `count` things cost, `each` from the fewest to the most.

    Example:
        >>> calls(2, (3, 27)), calls(0, (1, 3))
        ('6 model calls if every first reply is good, 54 at most', 'no model call')
    """
    fewest, most = each
    return (
        f"{fewest * count} model calls if every first reply is good, {most * count} at most"
        if count
        else "no model call"
    )


def named(reasons: Mapping[str, str]) -> str:
    """Ids with a reason each, on one line.

    Example:
        >>> named({"a": "It is blank.", "b": "no report"})
        'a (It is blank); b (no report)'
    """
    return "; ".join(f"{id_} ({' '.join(reason.split()).rstrip('.')})" for id_, reason in reasons.items())
