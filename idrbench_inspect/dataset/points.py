"""Ambiguity points as a judge read them in the paired reports, and how they come into a dataset.

`points.jsonl` in a dataset folder has one task a line: `task`, `points` (each with `id`, `question`, `reason`,
`answerable`, and, where the report answers it, `span`, `preference` and `alternative`; in order), `query_sha256`,
`report_sha256`, `points_sha256`, `judge`, `settings` and `prompt_sha256`.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Self

from pydantic import Field, JsonValue, ValidationError, model_validator

from idrbench_inspect.dataset.faults import HEX, NUMBERED, explained, field_of
from idrbench_inspect.dataset.tasks import AmbiguityPoint, ResearchTask, Text
from idrbench_inspect.errors import BadInput
from idrbench_inspect.formats import filled_lines, json_object, read_text
from idrbench_inspect.problems import Problem, counted, place, shown
from idrbench_inspect.records import Record
from idrbench_inspect.resources import sha256_of

POINTS = "points.jsonl"
OTHER = "other"
"""The alternative of a report that shows none of those that were named."""

_Sha256 = Annotated[str, Field(pattern=HEX)]


class JudgedPoint(Record):
    """What a report says on one point.

    Args:
        id: `p1` for the first point of a task, and so on.
        question: What is open, for whoever reads the file.
        reason: Why the judge thinks so.
        answerable: Whether the report answers the question; one that it does not answer is left out of denominators.
        span: Words of the report that show it.
        preference: The wish behind it, in the first person.
        alternative: The alternative that the report shows, as worded in the task, or `other`.
    """

    id: str = Field(pattern=NUMBERED)
    question: Text
    reason: Text
    answerable: bool
    span: Text | None = None
    preference: Text | None = None
    alternative: Text | None = None

    @model_validator(mode="after")
    def _whole(self) -> Self:
        given = [value is not None for value in (self.span, self.preference, self.alternative)]
        if not (all(given) if self.answerable else not any(given)):
            raise ValueError("an answerable point has span, preference and alternative, and any other has none of them")
        return self


class JudgedPoints(Record):
    """All points of one task, as read in one report by one judge; the hashes say of which texts they are."""

    task: Text
    points: tuple[JudgedPoint, ...]
    query_sha256: _Sha256
    report_sha256: _Sha256
    points_sha256: _Sha256
    judge: Text
    settings: dict[str, JsonValue] = Field(default_factory=dict)
    prompt_sha256: _Sha256


def sha256_of_points(points: Sequence[AmbiguityPoint]) -> str:
    """The hash of what is asked: dimension, question and alternatives, in any order, of each point; no preference."""
    asked = [[point.dimension, point.question, *sorted(point.alternatives)] for point in points]
    return sha256_of(json.dumps(asked, ensure_ascii=False, separators=(",", ":")))


@dataclass(frozen=True)
class Merged:
    """Tasks with what a judge read in their reports.

    Args:
        tasks: All of them, in order.
        elsewhere: The ids of those whose points were read in another report than they have, and are unknown.
        unread: The ids of those with points that no judge has looked at.
    """

    tasks: tuple[ResearchTask, ...]
    elsewhere: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()


def merged(tasks: Sequence[ResearchTask], file: Path, known: Collection[str], *, given_reports: bool = False) -> Merged:
    """The tasks with what a judge read in their reports, which goes before what their rows say.

    Args:
        tasks: In order, which is kept.
        file: The judged points; tasks that it does not name stay as they are.
        known: The ids of all rows, those without a report too.
        given_reports: Whether the user has paired the tasks with other reports; then what was read in another report
            does not count, is no mistake, and is named under `elsewhere`.

    Raises:
        BadInput: a line cannot be used, or is about another query, report or points than the task has.
    """
    judged = read_judged(file)
    if unknown := sorted(set(judged) - set(known)):
        raise BadInput(f"{file} names {unknown[0]!r}, which is no task's id; correct it.")
    read = tuple(_with(task, judged.get(task.id), file, given_reports=given_reports) for task in tasks)
    elsewhere = [
        task.id for task in read if task.id in judged and fits(judged[task.id], task) == "report" and unknown_in(task)
    ]
    return Merged(read, tuple(elsewhere), unread_in(read, judged))


def unknown_in(task: ResearchTask) -> bool:
    """Whether there is a point of which neither a judge nor the row says what the report shows."""
    return any(point.answerable is None and point.preference is None for point in task.ambiguity)


def unread_in(tasks: Iterable[ResearchTask], judged: Collection[str]) -> tuple[str, ...]:
    """The ids of tasks with points that no judge has looked at, as after a run of the judge that broke off."""
    return tuple(
        task.id for task in tasks if task.id not in judged and any(point.answerable is None for point in task.ambiguity)
    )


def unread_points(tasks: Sequence[ResearchTask], unread: Collection[str]) -> str | None:
    """What to know of tasks that nobody has judged while others are, as a sentence; `None` where there is none.

    Args:
        tasks: Those that are looked at.
        unread: As of `Merged`.
    """
    lacking = [task.id for task in tasks if task.id in unread]
    if not lacking:
        return None
    of_all = f"of {counted(sum(bool(task.ambiguity) for task in tasks), 'task', 'tasks')} with points"
    return (
        f"Nobody has judged {len(lacking)} {of_all}: {POINTS} has no line on {', '.join(lacking)}, so it is unknown "
        "which points their reports answer; judge them with `idrbench data judge` and this file as --out."
    )


def read_judged(file: Path) -> dict[str, JudgedPoints]:
    """The lines of a file of judged points, by task id.

    Raises:
        BadInput: a line cannot be used, or a task occurs twice; the line is named.
    """
    found: dict[str, JudgedPoints] = {}
    for judged in judged_lines(read_text(file), str(file)):
        if isinstance(judged, Problem):
            raise BadInput(shown(judged))
        found[judged.task] = judged
    return found


def judged_lines(text: str, file: str) -> Iterator[JudgedPoints | Problem]:
    """Every line of a file of judged points, or what is wrong with it; of a task's second line only this."""
    seen: set[str] = set()
    for number, line in filled_lines(text):
        here = place(f"line {number}", file=file)
        try:
            judged = JudgedPoints.model_validate(json_object(line))
        except ValidationError as error:
            first = error.errors()[0]
            said = f"{explained(first, JudgedPoints)}; correct the line."
            yield here.model_copy(update={"field": field_of(first), "sentence": said})
            continue
        except ValueError as error:
            yield here.model_copy(update={"sentence": str(error)})
            continue
        if judged.task in seen:
            said = f"the task {judged.task!r} occurs twice; leave one line of it."
            yield here.model_copy(update={"field": "task", "sentence": said})
            continue
        seen.add(judged.task)
        yield judged


def fits(judged: JudgedPoints, task: ResearchTask) -> str | None:
    """The first of query, points and report that a reading is not of; `None` where it is of all three.

    Example:
        A reading of an earlier version of a report gives `"report"`.
    """
    return next(iter(differing(judged, task)), None)


def differing(judged: JudgedPoints, task: ResearchTask) -> tuple[str, ...]:
    """All of query, points and report that a reading is not of, in this order."""
    wanted = {
        "query": (judged.query_sha256, sha256_of(task.query)),
        "points": (judged.points_sha256, sha256_of_points(task.ambiguity)),
        "report": (judged.report_sha256, sha256_of(task.report)),
    }
    return tuple(name for name, (of_file, of_task) in wanted.items() if of_file != of_task)


def misfit(judged: JudgedPoints, task: ResearchTask) -> str | None:
    """Why a reading cannot be put to a task, as a sentence; `None` where it can."""
    again = "judge it again with `idrbench data judge` and this file as --out, or take its line out."
    differs = fits(judged, task)
    if differs is not None or len(judged.points) != len(task.ambiguity):
        named = {"points": "other points", None: "another number of points"}.get(differs, f"another {differs}")
        return f"the task {task.id!r} was judged with {named} than it has; {again}"
    ids = [point.id for point in judged.points]
    if ids != [f"p{number}" for number in range(1, len(ids) + 1)]:
        return (
            f"the points of the task {task.id!r} are {', '.join(ids)}, and must be p1 to p{len(ids)} in order; {again}"
        )
    return None


def _with(task: ResearchTask, judged: JudgedPoints | None, file: Path, *, given_reports: bool) -> ResearchTask:
    if judged is None:
        return task
    if fits(judged, task) == "report" and given_reports:
        return task
    if wrong := misfit(judged, task):
        raise BadInput(f"{file}: {wrong}")
    points = tuple(_read_in(point, read) for point, read in zip(task.ambiguity, judged.points, strict=True))
    return task.model_copy(update={"ambiguity": points})


def _read_in(point: AmbiguityPoint, read: JudgedPoint) -> AmbiguityPoint:
    said = {"answerable": read.answerable, "preference": read.preference, "shown_in": read.span}
    return point.model_copy(update=said)
