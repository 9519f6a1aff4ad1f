"""Go over what a judge read in the reports (`points.jsonl`), and name all that does not fit the tasks."""

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from idrbench_inspect.dataset.points import (
    OTHER,
    POINTS,
    JudgedPoint,
    JudgedPoints,
    fits,
    judged_lines,
    misfit,
    unread_in,
    unread_points,
)
from idrbench_inspect.dataset.tasks import AmbiguityPoint, ResearchTask
from idrbench_inspect.dataset.texts import normal
from idrbench_inspect.errors import BadInput
from idrbench_inspect.formats import decoded, read_bytes
from idrbench_inspect.problems import Kind, Problem, of_bytes, of_file, of_text, place


def audited_points(
    file: Path, tasks: Mapping[str, ResearchTask], known: Collection[str] | None, *, given_reports: bool = False
) -> Iterator[Problem]:
    """All that is wrong with a file of judged points: errors, for which `merged` refuses it, and warnings.

    Args:
        file: The file.
        tasks: The tasks that have a report, by id, as their rows say.
        known: The ids of all rows; `None` where one is not known.
        given_reports: As of `merged`.
    """
    try:
        content = read_bytes(file)
        text = decoded(content, file.name)
    except BadInput as unreadable:
        yield of_file(unreadable.message, POINTS)
        return
    yield from of_bytes(content, POINTS)
    lines = list(judged_lines(text, POINTS))
    for judged in lines:
        if isinstance(judged, Problem):
            yield judged
        elif known is not None and judged.task not in known:
            yield _said(judged.task, "task", "there is no task of that id; correct it, or take the line out.")
        elif judged.task in tasks:
            yield from _of_task(judged, tasks[judged.task], given_reports=given_reports)
    readable = [judged.task for judged in lines if not isinstance(judged, Problem)]
    if len(readable) == len(lines):  # a line that cannot be read may be about any task
        said = unread_points([*tasks.values()], unread_in(tasks.values(), readable))
        yield from [of_file(said, POINTS, "warning")] if said else []


def _of_task(judged: JudgedPoints, task: ResearchTask, *, given_reports: bool) -> Iterator[Problem]:
    if fits(judged, task) == "report" and given_reports:
        said = "it was judged with another report than the one paired here, and is not used; judge it again."
        yield _said(task.id, "report_sha256", said, "warning")
        return
    if wrong := misfit(judged, task):
        yield _said(task.id, "", wrong)
        return
    for number, (read, point) in enumerate(zip(judged.points, task.ambiguity, strict=True)):
        field = f"points.{number}"
        for name, said in _of_point(read, point, task.report):
            yield _said(task.id, f"{field}.{name}", said, "warning")
        for name in ("question", "reason", "span", "preference"):
            here = place(task.id, f"{field}.{name}", POINTS)
            yield from of_text(getattr(read, name) or "", f"the {name}", here)


def _of_point(read: JudgedPoint, point: AmbiguityPoint, report: str) -> Iterator[tuple[str, str]]:
    if read.question != point.question:
        yield "question", f"the question of the task's point is {point.question!r}; look at both."
    if read.span is not None and "".join(read.span.split()) not in "".join(report.split()):
        yield "span", "the span does not stand in the paired report, whitespace aside; quote it, or judge it again."
    if read.alternative is not None and normal(read.alternative) not in map(normal, (*point.alternatives, OTHER)):
        known = ", ".join(map(repr, (*point.alternatives, OTHER)))
        yield "alternative", f"it is {read.alternative!r}, which is no alternative of the point ({known}); correct it."


def _said(task: str, field: str, sentence: str, kind: Kind = "error") -> Problem:
    return Problem(row=task, field=field, sentence=sentence, kind=kind, file=POINTS)
