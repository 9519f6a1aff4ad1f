"""Which of the things that a query leaves open an agent asked about: counts, and a match by words alone."""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from idrbench_inspect.metrics.term_overlap import content_terms
from idrbench_inspect.records import STAGES, Stage

Otherwise = Literal["unlabelled", "stated", "trivial"]
"""A question about no labelled point: valid all the same, already answered by query or reply, or of no consequence."""

OTHERWISE: tuple[Otherwise, ...] = get_args(Otherwise)

SHARE = 0.2
"""Of the terms that a question brings in, or of the point's if these are fewer, those that both must have at least."""

FEWEST = 2
"""Terms that both must have at least, whatever the share."""

NAMES: dict[str, str] = {
    "scope": "scope cover include kinds 范围 涵盖 包括",
    "time": "time period years dates era century decade 时间 时期 年代 时段 年份",
    "region": "region country countries place area world 地区 国家 地域 区域",
    "audience": "audience reader read readership listeners 读者 听众 受众",
    "emphasis": "emphasis emphasise emphasize focus side weight priority 重点 侧重 突出",
    "structure": "structure arrange arrangement order format layout sections 结构 编排 顺序 形式 体例",
}
"""Words that name a dimension of ambiguity: a question with one of them asks about the points of that dimension."""


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


def found_counts(points: Collection[str] | None, turns: Sequence[Turn], *, staged: bool) -> dict[str, float]:
    """How many points were asked about and answered, and what the questions were about.

    Args:
        points: Ids of the labelled points; `None` where nobody has labelled the query, which is not "none".
        turns: All delivered exchanges of one run, in order.
        staged: Whether the agent has stages.

    Returns:
        `points`, `points_asked`, `points_answered` (asked about in a turn whose reply states a preference on it), the
        shares of the last two, `points_asked_share` and `points_answered_share` (percent of all points; NaN without
        any), `first_asked_<stage>` (points by the stage in which they were first asked about; NaN for an agent without
        stages), `questions`, of these `questions_hitting` (a point), `questions_unlabelled`, `questions_stated` and
        `questions_trivial`, and `questions_nothing_open`: all of them where there is no point, else NaN. Without labels
        what depends on points is NaN.

    Example:
        >>> turns = [Turn("planning", (Asked(("p1",)), Asked(otherwise="trivial")), states=("p1", "p2"))]
        >>> found = found_counts(["p1", "p2"], turns, staged=True)
        >>> found["points_asked_share"], found["points_answered"], found["first_asked_planning"]
        (50.0, 1.0, 1.0)
    """
    first: dict[str, Stage | None] = {}
    answered: set[str] = set()
    for turn in turns:
        hit = [point for asked in turn.asked for point in asked.points]
        for point in hit:
            first.setdefault(point, turn.stage)
        answered.update(point for point in hit if point in turn.states)
    questions = [asked for turn in turns for asked in turn.asked]
    by_kind = {f"questions_{kind}": float(sum(asked.otherwise == kind for asked in questions)) for kind in OTHERWISE}
    counts = {
        "points": float(len(points or ())),
        "points_asked": float(len(first)),
        "points_answered": float(len(answered)),
        "points_asked_share": _percent(len(first), len(points or ())),
        "points_answered_share": _percent(len(answered), len(points or ())),
        **{f"first_asked_{s}": float(sum(at == s for at in first.values())) if staged else math.nan for s in STAGES},
        "questions_hitting": float(sum(bool(asked.points) for asked in questions)),
        **by_kind,
        "questions_nothing_open": math.nan if points else float(len(questions)),
    }
    if points is None:
        counts = dict.fromkeys(counts, math.nan)
    return {**counts, "questions": float(len(questions))}


def asked_by_terms(query: str, points: Sequence[Point], turns: Sequence[tuple[Sequence[str], str]]) -> list[Turn]:
    """What questions ask about, by the words that they bring in; crude, without a model, and the same every time.

    A question brings in its content terms but those of the query. It asks about every point whose dimension it names
    (`NAMES`), and about every point with which it shares at least `FEWEST` of them and at least the share `SHARE`.
    Otherwise it is `stated` where at least half of its own terms stand in the query or in earlier replies, `trivial`
    where it has no terms, and else `unlabelled`. A reply states a preference on a point that its turn asks about if it
    has one term of the point that the query does not have.

    Args:
        query: As the agent had it.
        points: The labelled points.
        turns: Questions and reply of each exchange; a reply that gives nothing usable is empty.

    Returns:
        The turns, without their stages.

    Example:
        >>> points = [Point("p1", "time", "Which period to cover", ("the nineteenth century", "the present day"))]
        >>> asked_by_terms("Tell me about bees.", points, [(["Which years?"], "Only the nineteenth century.")])
        [Turn(stage=None, asked=(Asked(points=('p1',), otherwise=None),), states=('p1',))]
    """
    known = set(content_terms(query))
    own = {point.id: set(content_terms("; ".join((point.question, *point.alternatives)))) - known for point in points}
    names = {point.id: set(content_terms(NAMES.get(point.dimension, ""))) for point in points}
    said = set(known)
    found = []
    for questions, reply in turns:
        given = set(content_terms(reply))
        asked = []
        for terms in (set(content_terms(question)) for question in questions):
            brought = terms - known
            hit = tuple(id_ for id_ in own if names[id_] & terms or _near(brought, own[id_]))
            asked.append(Asked(hit) if hit else Asked(otherwise=_otherwise(terms, said)))
        states = dict.fromkeys(id_ for one in asked for id_ in one.points if given & own[id_])
        found.append(Turn(None, tuple(asked), tuple(states)))
        said |= given
    return found


def _near(brought: set[str], own: set[str]) -> bool:
    return len(brought & own) >= max(FEWEST, SHARE * min(len(brought), len(own)))


def _otherwise(terms: set[str], said: set[str]) -> Otherwise:
    if not terms:
        return "trivial"
    return "stated" if 2 * len(terms & said) >= len(terms) else "unlabelled"


def _percent(part: int, whole: int) -> float:
    return 100 * part / whole if whole else math.nan
