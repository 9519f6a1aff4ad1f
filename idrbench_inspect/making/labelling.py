"""Ambiguity points: what a query leaves open and its source settles, in words quoted from the source."""

from collections.abc import Callable
from typing import Literal, get_args

from inspect_ai.model import Model
from pydantic import BaseModel, Field, ValidationError

from idrbench_inspect.dataset import AmbiguityPoint
from idrbench_inspect.dataset.texts import language_of, normal
from idrbench_inspect.errors import first_fault
from idrbench_inspect.making.checks import LANGUAGE_NAMES, says, stands_in
from idrbench_inspect.making.paid import NOTHING, Paid
from idrbench_inspect.making.sources import Source
from idrbench_inspect.prompting import fence, prompt, shuffled
from idrbench_inspect.records import Record
from idrbench_inspect.replies import ask_read, read_one_json

LABELLING = "inject_points"

MOST = 6

Dimension = Literal["scope", "time", "region", "audience", "emphasis", "structure"]


class OpenPoint(BaseModel):
    """One point in the reply, the words of the source first."""

    quote: str = Field(pattern=r"\w")
    dimension: Dimension
    question: str
    alternatives: list[str] = Field(min_length=2, max_length=3)
    settled: str


class OpenPoints(BaseModel):
    """The reply of the labelling call; there may be no point."""

    points: list[OpenPoint] = Field(max_length=MOST)


class Labelled(Record):
    """The points as they are kept."""

    points: tuple[AmbiguityPoint, ...]


async def label(source: Source, query: str, labeller: Model, paid: Paid = NOTHING) -> tuple[AmbiguityPoint, ...]:
    """The points that a query leaves open, at most six, perhaps none.

    Each quotes the source, as `settled_by`, in words that the query does not have; its preference is the alternative
    that these settle. The order of the alternatives does not tell which that is.

    Raises:
        UnusableReply: no points that hold after three attempts.
    """
    asked = prompt(
        LABELLING,
        source_query=fence("source_query", source.source_query),
        query=fence("query", query),
        most=MOST,
        dimensions=", ".join(get_args(Dimension)),
        language=LANGUAGE_NAMES[source.language],
    )
    labelled = await paid.once(
        labeller, (asked, 0), Labelled, lambda: ask_read(labeller, asked, OpenPoints, _reader(source, query))
    )
    return labelled.points


def _reader(source: Source, query: str) -> Callable[[str], Labelled]:
    def read(text: str) -> Labelled:
        points = read_one_json(text, OpenPoints).points
        wrong = [
            f"point {n}: {said}" for n, point in enumerate(points, 1) for said in _wrong_with(point, source, query)
        ]
        if len({normal(point.question) for point in points}) < len(points):
            wrong.append("two points ask the same question")
        if wrong:
            raise ValueError("; ".join(wrong[:4]) + ".")
        return Labelled(points=tuple(_point(point, source) for point in points))

    return read


def _wrong_with(point: OpenPoint, source: Source, query: str) -> list[str]:
    found = []
    if not stands_in(point.quote, source.source_query):
        found.append("the quote does not stand in the full request, letter for letter")
    elif says(query, point.quote):
        found.append("the quote stands in the short request too, which therefore leaves nothing open")
    if normal(point.settled) not in map(normal, point.alternatives):
        found.append("settled is none of the alternatives")
    if language_of(" ".join([point.question, *point.alternatives])) not in {source.language, None}:
        found.append(f"question and alternatives are not in {LANGUAGE_NAMES[source.language]}")
    try:
        _point(point, source)
    except ValidationError as error:
        found.append(first_fault(error)[1])
    return found


def _point(point: OpenPoint, source: Source) -> AmbiguityPoint:
    # Whoever labels tends to name first what the source settles, and a model that is shown the list would learn it.
    given = (" ".join(text.split()) for text in point.alternatives)
    alternatives = shuffled(given, source.id, point.dimension)
    settled = [text for text in alternatives if normal(text) == normal(point.settled)]
    return AmbiguityPoint(
        dimension=point.dimension,
        question=" ".join(point.question.split()),
        alternatives=alternatives,
        preference=settled[0] if settled else None,
        settled_by=" ".join(point.quote.split()),
    )
