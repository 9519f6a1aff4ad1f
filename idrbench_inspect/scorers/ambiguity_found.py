"""Was the ambiguity found? The questions that an agent asked, matched to what its query leaves open."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from inspect_ai.log import transcript
from inspect_ai.model import Model
from inspect_ai.scorer import Metric, Score, Scorer, Target, scorer, stderr
from inspect_ai.solver import TaskState

from idrbench_inspect.errors import BadInput
from idrbench_inspect.judging import GRADER, NoReading
from idrbench_inspect.judging.asked_points import ASKING, TurnRead, read_exchanges
from idrbench_inspect.judging.asking import OWN_MODELS, graders, instrument
from idrbench_inspect.judging.store import Store
from idrbench_inspect.metrics.asked_by_terms import asked_by_terms
from idrbench_inspect.metrics.asked_points import OTHERWISE, Point, Turn, found_counts
from idrbench_inspect.prompting import notice
from idrbench_inspect.records import STAGES, Exchange
from idrbench_inspect.scorers.aligned_mean import aligned_mean, means_by_arm, means_by_group
from idrbench_inspect.scorers.logged import entries, exchanges_of, run_of
from idrbench_inspect.scorers.paired import own_gains
from idrbench_inspect.scorers.parameters import refuse_unknown, refusing
from idrbench_inspect.scorers.reading import say_once
from idrbench_inspect.scorers.samples import flagged, samples

KEYS: Final[dict[str, str]] = {
    "points": "points: that the query leaves open, as labelled; NaN for a query without labels",
    "points_unjudged": "points: of them those that nobody has looked for in the paired report",
    "points_answerable": "points: of them those that the paired report answers; NaN with any unjudged",
    "points_asked": "points: of them asked about, at least once",
    "points_answered": "points: of the answerable asked about in a turn whose reply states a preference; NaN likewise",
    "points_asked_share": "percent: points_asked of points; NaN without any point",
    "points_answered_share": "percent: points_answered of points_answerable; NaN likewise, or without any",
    **{f"first_asked_{s}": f"points: first asked about in {s}; NaN for an agent without stages" for s in STAGES},
    "questions": "questions: put to the user, as they were listed",
    "questions_hitting": "questions: of them about at least one labelled point",
    "questions_unlabelled": "questions: of them valid, but about no labelled point",
    "questions_stated": "questions: of them answered already by the query or an earlier reply",
    "questions_trivial": "questions: of them without consequence",
    "questions_nothing_open": "questions: all of them where no point is open (over-asking); NaN where one is",
}
"""Every key with its unit. Every sample has every key; NaN says unknown or undefined."""

_OF_LABELS = ("points", "points_unjudged", "points_answerable")
MATCHES = ("judge", "terms")
_UNJUDGED = (
    "points_answered_share is unknown for tasks whose points nobody has looked for in the paired report "
    "(points_unjudged counts them): `idrbench data judge` has them read."
)

PARTS = ["match"]
"""What every key depends on."""

HEADLINE = ("points_asked_share", "points_answered_share")
"""Keys that say how many samples they rest on: those with a labelled point, and a reading."""


def means(key: str) -> list[Metric]:
    """The mean of a key, which refuses readings by a judge beside matches by words; by arm where there are several."""
    counted = [samples()] if key in HEADLINE else [flagged()] if key == "points_unjudged" else []
    return [aligned_mean(PARTS), *counted, means_by_arm(PARTS)]


def _metrics() -> dict[str, list[Metric]]:
    by_language = means_by_group(PARTS, ["language"])
    return {key: [*means(key), stderr(), by_language, own_gains(PARTS)] for key in KEYS}


@dataclass
class _Matched:
    """Turns by what they ask about; `None` and why where the judge gave no reading."""

    turns: list[Turn] | None
    made_by: str
    rows: list[dict[str, Any]] = field(default_factory=list)
    unscored: str | None = None
    reply: str = ""


@scorer(metrics=_metrics())
def ambiguity_found(match: str | None = None, grader: str | None = None, **unknown: Any) -> Scorer:
    """Which labelled points were asked about and answered, and what else was asked, in the keys and units of `KEYS`.

    The judge, the role `grader` (the first, where it is several), reads all exchanges of a sample in one call; it sees
    query, points, questions and replies, and neither report nor preferences. Equal exchanges are read once. Where it
    gives no reading, what depends on it is NaN, with the reason. Labels are what their readers saw: a question that
    hits none is not for that reason a bad one.

    Args:
        match: `judge`, or `terms` for a crude match by words, see `metrics.asked_by_terms`; if not given, `judge`, or
            `terms` where the grader is a model of this package, which cannot judge.
        grader: Who judges when the role is not bound; as in the run if not given.
        unknown: Taken so that a parameter that is none of its own is refused in a sentence, when the scorer is made.
    """
    refuse_unknown(unknown, "ambiguity_found", ("match", "grader"))
    with refusing():
        _check(match, grader)
    store = Store()

    async def score(state: TaskState, target: Target) -> Score:
        events, run = list(transcript().events), run_of(state)
        exchanges = exchanges_of(run, events)
        staged = run is not None or bool(entries(events, "settings"))
        points = points_of(state.metadata)
        judge = _judge(match, grader or state.metadata.get("instruments", {}).get("grader", GRADER))
        if judge is None:
            matched = _by_terms(_asked_in(state), points or [], exchanges)
        else:
            matched = await _by_judge(judge, _asked_in(state), points or [], (exchanges, store))
        value = _counted(state.metadata, points, (exchanges, matched), staged=staged)
        return _score(value, points, matched)

    return score


def _check(match: object, grader: object) -> None:
    if match is not None and match not in MATCHES:
        raise BadInput(f"match={match!r} is unknown; it is one of {', '.join(MATCHES)}: give one of them, or none.")
    if grader is not None and not (isinstance(grader, str) and grader.strip()):
        raise BadInput(f"grader={grader!r} names no model; give one, such as {GRADER}, or none.")


def points_of(metadata: Mapping[str, Any]) -> list[Point] | None:
    """The labelled points of a sample, numbered in order; `None` where its metadata have no labels."""
    if metadata.get("ambiguity") is None:
        return None
    return [
        Point(f"p{n}", str(point.get("dimension", "")), str(point["question"]), tuple(map(str, point["alternatives"])))
        for n, point in enumerate(metadata["ambiguity"], 1)
    ]


def _asked_in(state: TaskState) -> str:
    """What the agent knew at the start: what it was asked, and what the person volunteered."""
    return "\n\n".join(text for text in (state.input_text, state.metadata.get("given")) if text)


def _judge(match: str | None, default: str) -> Model | None:
    """The judge; `None` where terms are matched.

    Raises:
        BadInput: a judge is asked for that cannot judge.
    """
    if match == "terms":
        return None
    judge = graders(default)[0]
    if not str(judge).startswith(OWN_MODELS):
        return judge
    if match == "judge":
        raise BadInput(f"match=judge cannot be used with {judge}, which cannot judge; bind the role grader to another.")
    return None


def _by_terms(query: str, points: Sequence[Point], exchanges: Sequence[Exchange]) -> _Matched:
    asked = [(exchange.questions, exchange.reply if _says_something(exchange) else "") for exchange in exchanges]
    turns = asked_by_terms(query, points, asked)
    turns = [Turn(e.stage, turn.asked, turn.states) for e, turn in zip(exchanges, turns, strict=True)]
    return _Matched(turns, "terms", [_row(e, turn) for e, turn in zip(exchanges, turns, strict=True)])


async def _by_judge(
    judge: Model, query: str, points: Sequence[Point], asked: tuple[Sequence[Exchange], Store]
) -> _Matched:
    exchanges, store = asked
    made_by = instrument(judge, ASKING).digest()
    if not exchanges:
        return _Matched([], made_by)
    try:
        reading = await read_exchanges(judge, query, points, exchanges, store)
    except NoReading as none:
        return _Matched(None, made_by, unscored=f"{none.reason}: {none.explanation}", reply=none.reply)
    turns, rows = [], []
    for exchange, read in zip(exchanges, reading.turns, strict=True):
        turn = read.turn(exchange)
        # Whatever the judge says: these words state no preference.
        turn = turn if _says_something(exchange) else Turn(turn.stage, turn.asked)
        turns.append(turn)
        rows.append(_row(exchange, turn, read))
    return _Matched(turns, made_by, rows)


def _says_something(exchange: Exchange) -> bool:
    return exchange.status == "answered" and exchange.reply.strip() not in (notice("neutral_en"), notice("neutral_zh"))


def _row(exchange: Exchange, turn: Turn, read: TurnRead | None = None) -> dict[str, Any]:
    questions = [
        {"question": question, "asks": list(asked.points) or asked.otherwise}
        for question, asked in zip(exchange.questions, turn.asked, strict=True)
    ]
    for question, judged in zip(questions, read.questions if read else (), strict=False):
        question["reason"] = judged.reason
    row = {"stage": exchange.stage, "turn": exchange.turn, "questions": questions, "states": list(turn.states)}
    return row if read is None or read.reason is None else {**row, "reason": read.reason}


def _counted(
    metadata: Mapping[str, Any],
    points: Sequence[Point] | None,
    asked: tuple[Sequence[Exchange], _Matched],
    *,
    staged: bool,
) -> dict[str, float]:
    exchanges, matched = asked
    ids = None if points is None else [point.id for point in points]
    open_ones = dict(zip(ids or (), metadata.get("ambiguity") or (), strict=True))
    unanswerable = [id_ for id_, point in open_ones.items() if point.get("answerable") is False]
    unjudged = [id_ for id_, point in open_ones.items() if point.get("answerable") is None and not _preferred(point)]
    if unjudged:
        say_once(_UNJUDGED)
    counts = found_counts(ids, matched.turns or [], staged=staged, unanswerable=unanswerable, unjudged=unjudged)
    if matched.turns is None:
        counts = {key: value if key in _OF_LABELS else math.nan for key, value in counts.items()}
        counts["questions"] = float(sum(len(exchange.questions) for exchange in exchanges))
    return counts


def _preferred(point: Mapping[str, Any]) -> bool:
    """Does the row itself say what its paired report prefers, so that somebody has read it there?"""
    return point.get("preference") is not None


def _score(counts: Mapping[str, float], points: Sequence[Point] | None, matched: _Matched) -> Score:
    return Score(
        value={key: counts[key] for key in KEYS},
        explanation=_explained(counts, matched),
        metadata={
            "made_by": {"match": matched.made_by},
            "match": "terms" if matched.made_by == "terms" else "judge",
            "points": {point.id: f"({point.dimension}) {point.question}" for point in points or ()},
            "exchanges": matched.rows,
            **({"unscored": matched.unscored, "judge_reply": matched.reply} if matched.unscored else {}),
        },
    )


def _explained(counts: Mapping[str, float], matched: _Matched) -> str:
    asked = _count(counts["questions"], "question") if counts["questions"] else "No question"
    if matched.unscored:
        return f"{asked}; unscored: {matched.unscored}."
    if math.isnan(counts["points"]):
        return f"{asked}; the query has no labels, so what is open is unknown."
    points = counts["points"]
    found = f"{counts['points_asked']:.0f} of {_count(points, 'point')} asked about, {_answered(counts)}"
    if not counts["questions"]:
        return f"{asked} was put: {found}." if points else "No question was put, and nothing is open."
    kinds: dict[str, float] = {
        "about a point": counts["questions_hitting"],
        **{kind: counts[f"questions_{kind}"] for kind in OTHERWISE},
    }
    said = ", ".join(f"{number:.0f} {kind}" for kind, number in kinds.items() if number)
    by = " Matched by words alone." if matched.made_by == "terms" else ""
    return f"{found if points else 'Nothing is open'}; {asked}: {said}.{by}"


def _answered(counts: Mapping[str, float]) -> str:
    if unjudged := counts["points_unjudged"]:
        return f"answered ones unknown ({_count(unjudged, 'point')} never looked for in the paired report)"
    unanswerable = counts["points"] - counts["points_answerable"]
    cannot = f" ({unanswerable:.0f} cannot be, by the paired report)" if unanswerable else ""
    return f"{counts['points_answered']:.0f} answered{cannot}"


def _count(number: float, what: str) -> str:
    return f"{number:.0f} {what}{'' if number == 1 else 's'}"
