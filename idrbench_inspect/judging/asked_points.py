"""What questions ask about: the judge reads a run's exchanges against the points that its query leaves open."""

from collections.abc import Callable, Sequence
from typing import Any

from inspect_ai.model import Model
from pydantic import BaseModel, ConfigDict, Field

from idrbench_inspect.judging.asking import ask, instrument, matched
from idrbench_inspect.judging.aspects import canonical
from idrbench_inspect.judging.store import Store, worth_keeping
from idrbench_inspect.metrics.asked_points import OTHERWISE, Asked, Otherwise, Point, Turn
from idrbench_inspect.prompting import Prompt, fence, notice, prompt, shuffled
from idrbench_inspect.records import Exchange, Record
from idrbench_inspect.replies import read_one_json
from idrbench_inspect.resources import sha256_of

ASKING = "asked_points"


class ReadQuestion(BaseModel):
    """One question in the judge's reply, the reason first: ids of points, or one word."""

    model_config = ConfigDict(strict=True)

    id: str
    reason: str = Field(min_length=1, pattern=r"\S")
    asks: list[str] = Field(min_length=1)


class ReadReply(BaseModel):
    """One reply of the person in the judge's, the reason first: ids of points, perhaps none."""

    model_config = ConfigDict(strict=True)

    id: str
    reason: str = Field(min_length=1, pattern=r"\S")
    states: list[str]


class AskedPoints(BaseModel):
    """The judge's reply."""

    questions: list[ReadQuestion]
    replies: list[ReadReply]


class _Rows(BaseModel):
    """A reply whose items are not looked at yet."""

    questions: list[dict[str, Any]]
    replies: list[dict[str, Any]]


class QuestionRead(Record):
    """What one question asks about: points by id, or `otherwise`, and why the judge says so."""

    points: tuple[str, ...]
    otherwise: Otherwise | None
    reason: str


class TurnRead(Record):
    """One exchange as the judge read it; `states` are the points on which its reply states a preference."""

    questions: tuple[QuestionRead, ...] = Field(min_length=1)
    states: tuple[str, ...] = ()
    reason: str | None = None

    def turn(self, exchange: Exchange) -> Turn:
        """What is counted of it."""
        asked = tuple(Asked(question.points, question.otherwise) for question in self.questions)
        return Turn(exchange.stage, asked, self.states)


class AskedReading(Record):
    """All exchanges of one run as the judge read them, in order."""

    turns: tuple[TurnRead, ...] = Field(min_length=1)


async def read_exchanges(
    judge: Model, query: str, points: Sequence[Point], exchanges: Sequence[Exchange], store: Store
) -> AskedReading:
    """One call of the judge on all exchanges of a run; the same exchanges are read once, whoever held them.

    Args:
        judge: Who reads; it sees neither the report nor the preferences.
        query: As the agent had it.
        points: The labelled points; with none, questions are told apart all the same.
        exchanges: At least one. A reply that gave nothing usable is not shown.
        store: Where readings are kept.

    Raises:
        NoReading: no reply of the judge reads every question after three attempts.
    """
    ids = _ids(exchanges)
    asked = _prompt(query, points, exchanges, ids)
    shown = sha256_of(canonical([asked.system, asked.user]))
    key = {**instrument(judge, ASKING).model_dump(mode="json"), "asked_sha256": shown}

    async def read() -> AskedReading:
        return await ask(judge, asked, AskedPoints, _reader([point.id for point in points], ids))

    return await store.once(key, AskedReading, read, on_disk=worth_keeping(judge))


Ids = list[tuple[list[str], str | None]]


def _ids(exchanges: Sequence[Exchange]) -> Ids:
    """For each exchange, the ids of its questions, and that of its reply where it is usable."""
    found: Ids = []
    number = 0
    for n, exchange in enumerate(exchanges, 1):
        questions = [f"q{number + place}" for place in range(1, len(exchange.questions) + 1)]
        number += len(questions)
        found.append((questions, f"r{n}" if exchange.status == "answered" else None))
    return found


def _prompt(query: str, points: Sequence[Point], exchanges: Sequence[Exchange], ids: Ids) -> Prompt:
    listed = "\n".join(_listed(query, point) for point in points)
    said = []
    for n, (exchange, (questions, reply)) in enumerate(zip(exchanges, ids, strict=True), 1):
        lines = [_line(f"s{n}", exchange.summary)] if exchange.summary.strip() else []
        lines += [_line(id_, text) for id_, text in zip(questions, exchange.questions, strict=True)]
        lines += [_line(reply, exchange.reply)] if reply else []
        said.append(fence("exchange", "\n".join(lines)))
    every = [id_ for questions, reply in ids for id_ in (*questions, *([reply] if reply else []))]
    return prompt(
        ASKING,
        query=fence("query", query),
        points=fence("points", listed) if listed else notice("no_points"),
        exchanges="\n\n".join(said),
        ids=", ".join(every),
    )


def _listed(query: str, point: Point) -> str:
    """A point with its alternatives in an order of their own: that of a dataset may tell which one is preferred."""
    choices = shuffled(point.alternatives, query, point.dimension)
    return _line(point.id, f"({point.dimension}) {point.question}: {' / '.join(choices)}")


def _line(id_: str, text: str) -> str:
    """On one line, so that no text can begin a line with an id that is not its own."""
    return f"{id_}: {' '.join(text.split())}"


def _reader(points: Sequence[str], ids: Ids) -> Callable[[str], AskedReading]:
    def read(text: str) -> AskedReading:
        rows = read_one_json(text, _Rows)
        questions, _ = matched(rows.questions, ReadQuestion, [id_ for named, _ in ids for id_ in named])
        replies, _ = matched(rows.replies, ReadReply, [reply for _, reply in ids if reply])
        turns = []
        for named, reply in ids:
            stated = replies[reply] if reply else None
            turns.append(
                TurnRead(
                    questions=tuple(_question(questions[id_], points) for id_ in named),
                    states=_known(stated.id, stated.states, points) if stated else (),
                    reason=stated.reason if stated else None,
                )
            )
        return AskedReading(turns=tuple(turns))

    return read


def _question(item: ReadQuestion, points: Sequence[str]) -> QuestionRead:
    words = [name.strip().casefold() for name in item.asks]
    otherwise: Otherwise | None = next((word for word in OTHERWISE if words == [word]), None)
    named = () if otherwise else _known(item.id, item.asks, points)
    return QuestionRead(points=named, otherwise=otherwise, reason=item.reason)


def _known(id_: str, named: Sequence[str], points: Sequence[str]) -> tuple[str, ...]:
    wanted = {point.casefold(): point for point in points}
    names = [name.strip().casefold() for name in named]
    if wrong := [name for name in names if name not in wanted]:
        allowed = f"{', '.join(points)} or, alone and for a question, one of {', '.join(OTHERWISE)}"
        raise ValueError(f"{id_}: {wrong[0]!r} is not one of {allowed}.")
    return tuple(dict.fromkeys(wanted[name] for name in names))
