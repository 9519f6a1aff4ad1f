"""Preferences read from the paired report: does it answer an ambiguity point, in which words, and what was wanted?"""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

from inspect_ai.model import Model
from pydantic import BaseModel, ConfigDict, Field

from idrbench_inspect.dataset import AmbiguityPoint, ResearchTask
from idrbench_inspect.dataset.points import OTHER, JudgedPoint, JudgedPoints, sha256_of_points
from idrbench_inspect.dataset.texts import language_of
from idrbench_inspect.judging.asking import ask, instrument, read_items
from idrbench_inspect.judging.store import Store, worth_keeping
from idrbench_inspect.making.checks import LANGUAGE_NAMES, quotes, stands_in, storable
from idrbench_inspect.prompting import fence, prompt, shuffled
from idrbench_inspect.records import Language
from idrbench_inspect.resources import sha256_of

READING = "points"

_SHORTEST_SPAN = 4
_LETTERS = "ABC"
_FIRST_PERSON = re.compile(r"\b(?:I|I['’]\w+|me|my|mine|we|we['’]\w+|our|us)\b|我|咱", re.IGNORECASE)


class PointReading(BaseModel):
    """One point in the reply, the reason first."""

    model_config = ConfigDict(strict=True)

    id: str
    reason: str = Field(min_length=1, pattern=r"\S")
    answerable: Literal["yes", "no"]
    span: str = ""
    preference: str = ""
    alternative: str = ""


class PointReadings(BaseModel):
    """The judge's reply."""

    points: list[PointReading]


class PointReader:
    """Reads points, each task once per report and judge; what was read is kept for later runs.

    Args:
        judge: Who reads.
        folder: Where to keep readings; by default the user's cache folder.
    """

    def __init__(self, judge: Model, folder: Path | None = None) -> None:
        self._judge = judge
        self._store = Store(folder)

    async def read(self, task: ResearchTask) -> JudgedPoints:
        """All points of a task; of one without any, none, and without a call.

        Raises:
            NoReading: no reply has a checked reading of every point after three attempts.
        """
        key = {
            **instrument(self._judge, READING).model_dump(mode="json"),
            "task": task.id,
            "query_sha256": sha256_of(task.query),
            "report_sha256": sha256_of(task.report),
            "points_sha256": sha256_of_points(task.ambiguity),
            "shown_sha256": sha256_of(listed(task)),
        }
        kept = bool(task.ambiguity) and worth_keeping(self._judge)
        return await self._store.once(key, JudgedPoints, lambda: _judged(task, self._judge), on_disk=kept)


async def _judged(task: ResearchTask, judge: Model) -> JudgedPoints:
    made_by = instrument(judge, READING)
    return JudgedPoints(
        task=task.id,
        points=await _read(task, judge) if task.ambiguity else (),
        query_sha256=sha256_of(task.query),
        report_sha256=sha256_of(task.report),
        points_sha256=sha256_of_points(task.ambiguity),
        judge=made_by.model,
        settings=made_by.settings,
        prompt_sha256=str(made_by.prompt_sha256),
    )


async def _read(task: ResearchTask, judge: Model) -> tuple[JudgedPoint, ...]:
    asked = prompt(
        READING,
        query=fence("query", task.query),
        points=fence("points", listed(task)),
        report=fence("report", task.report),
        language=LANGUAGE_NAMES[task.language],
    )
    return await ask(judge, asked, PointReadings, _reader(task))


def listed(task: ResearchTask) -> str:
    """A task's points as the prompt shows them, with ids and lettered alternatives, and no preference.

    The alternatives stand in an order of their own, since that of a dataset may tell which one is preferred.
    """
    lines = []
    for number, point in enumerate(task.ambiguity, 1):
        lines.append(f"p{number} [{point.dimension}] {_line(point.question)}")
        shown = zip(_LETTERS, _choices(task, point), strict=False)
        lines += [f"  {letter}: {_line(text)}" for letter, text in shown]
    return "\n".join(lines)


def _choices(task: ResearchTask, point: AmbiguityPoint) -> tuple[str, ...]:
    """The alternatives as lettered A, B, C."""
    return shuffled(point.alternatives, task.id, point.dimension)


def _line(text: str) -> str:
    return " ".join(text.split())


def _reader(task: ResearchTask) -> Callable[[str], tuple[JudgedPoint, ...]]:
    points = {f"p{number}": point for number, point in enumerate(task.ambiguity, 1)}

    def read(text: str) -> tuple[JudgedPoint, ...]:
        items, _ = read_items(text, PointReading, list(points), "points")
        storable(*(said for item in items.values() for said in (item.reason, item.span, item.preference)))
        wrong = [
            f"{id_}: {said}"
            for id_, item in items.items()
            for said in _wrong_with(item, points[id_], task.report, task.language)
        ]
        if wrong:
            raise ValueError("; ".join(wrong[:4]) + ".")
        return tuple(_point(item, points[id_], _choices(task, points[id_])) for id_, item in items.items())

    return read


def _wrong_with(item: PointReading, point: AmbiguityPoint, report: str, language: Language) -> list[str]:
    if item.answerable == "no":
        given = any(text.strip() for text in (item.span, item.preference, item.alternative))
        return ["it is not answerable, so span, preference and alternative must be empty"] if given else []
    found = []
    if len("".join(item.span.split())) < _SHORTEST_SPAN:
        found.append("the span is missing or too short to show anything")
    elif not stands_in(item.span, report):
        found.append("the span does not stand in the report, letter for letter")
    if not _FIRST_PERSON.search(item.preference):
        found.append("the preference is missing or not in the first person")
    elif language_of(item.preference) not in {language, None}:
        found.append(f"the preference is not in {LANGUAGE_NAMES[language]}")
    elif quotes(item.preference, item.span, language):
        found.append("the preference quotes the span; put it in other words")
    letters = [*_LETTERS[: len(point.alternatives)], OTHER]
    if item.alternative.strip() not in letters:
        found.append(f"alternative is {item.alternative!r}; it must be one of {', '.join(letters)}")
    return found


def _point(item: PointReading, point: AmbiguityPoint, choices: Sequence[str]) -> JudgedPoint:
    reason = _line(item.reason)
    if item.answerable == "no":
        return JudgedPoint(id=item.id, question=point.question, reason=reason, answerable=False)
    letter = item.alternative.strip()
    return JudgedPoint(
        id=item.id,
        question=point.question,
        reason=reason,
        answerable=True,
        span=item.span.strip(),
        preference=_line(item.preference),
        alternative=OTHER if letter == OTHER else choices[_LETTERS.index(letter)],
    )
