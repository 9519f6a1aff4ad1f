"""Which of the things that a query leaves open an agent asked about: how it is counted."""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from idrbench_inspect.records import STAGES, Stage

Otherwise = Literal["unlabelled", "stated", "trivial"]
"""A question about no labelled point: valid all the same, already answered by query or reply, or of no consequence."""

OTHERWISE: tuple[Otherwise, ...] = get_args(Otherwise)


Ids = Collection[str]

OF_REPORT = ("points_answerable", "points_answered", "points_answered_share")
"""What is unknown as long as nobody has read the paired report for what it says on each point."""


@dataclass(frozen=True, slots=True)
class Point:
    """One thing that a query leaves open, as it is labelled."""

    id: str
    dimension: str
    question: str
    alternatives: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """What one question asks about: points by id, or `otherwise`; exactly one of the two."""

    points: tuple[str, ...] = ()
    otherwise: Otherwise | None = None

    def __post_init__(self) -> None:
        if bool(self.points) == (self.otherwise is not None):
            raise ValueError("a question asks about points, or otherwise, exactly one of them")


@dataclass(frozen=True, slots=True)
class Turn:
    """One exchange: its questions, and the points on which its reply states a preference."""

    stage: Stage | None
    asked: tuple[Asked, ...]
    states: tuple[str, ...] = ()


def found_counts(
    points: Ids | None, turns: Sequence[Turn], *, staged: bool, unanswerable: Ids = (), unjudged: Ids = ()
) -> dict[str, float]:
    """How many points were asked about and answered, and what the questions were about.

    Args:
        points: Ids of the labelled points; `None` where nobody has labelled the query, which is not "none".
        turns: All delivered exchanges of one run, in order.
        staged: Whether the agent has stages.
        unanswerable: Of the points, those that the paired report does not answer: no user has anything in mind there.
        unjudged: Of the points, those that nobody has looked for in the paired report.

    Returns:
        `points`, `points_unjudged`, `points_answerable` (all but the unanswerable), `points_asked`, `points_answered`
        (of the answerable, asked about in a turn whose reply states a preference on it), `points_asked_share` (percent
        of all points), `points_answered_share` (percent of the answerable; both NaN without any), `first_asked_<stage>`
        (points by the stage in which they were first asked about; NaN for an agent without stages), `questions`, of
        these `questions_hitting` (a point) and those of each kind in `OTHERWISE`, and `questions_nothing_open`: all of
        them where none is open, else NaN. Any point unjudged makes those of `OF_REPORT` NaN. Without labels only
        `questions` is known.

    Example:
        >>> turns = [Turn("planning", (Asked(("p1",)), Asked(otherwise="trivial")), states=("p1", "p2"))]
        >>> found = found_counts(["p1", "p2"], turns, staged=True)
        >>> found["points_asked_share"], found["points_answered"], found["first_asked_planning"]
        (50.0, 1.0, 1.0)
    """
    hits = [(point, turn) for turn in turns for asked in turn.asked for point in asked.points]
    first = {point: turn.stage for point, turn in reversed(hits)}
    answered = {point for point, turn in hits if point in turn.states and point not in unanswerable}
    answerable = set(points or ()) - set(unanswerable)
    questions = [asked for turn in turns for asked in turn.asked]
    counts = {
        "points": float(len(points or ())),
        "points_unjudged": float(len(unjudged)),
        "points_answerable": float(len(answerable)),
        "points_asked": float(len(first)),
        "points_answered": float(len(answered)),
        "points_asked_share": _percent(len(first), len(points or ())),
        "points_answered_share": _percent(len(answered), len(answerable)),
        **{f"first_asked_{s}": float(sum(at == s for at in first.values())) if staged else math.nan for s in STAGES},
        "questions_hitting": float(sum(bool(asked.points) for asked in questions)),
        **{f"questions_{kind}": float(sum(asked.otherwise == kind for asked in questions)) for kind in OTHERWISE},
        "questions_nothing_open": math.nan if points else float(len(questions)),
    }
    unknown = counts if points is None else OF_REPORT if unjudged else ()
    counts |= dict.fromkeys(unknown, math.nan)
    return {**counts, "questions": float(len(questions))}


def _percent(part: int, whole: int) -> float:
    return 100 * part / whole if whole else math.nan
