"""The reading of ambiguity points as an Inspect solver and scorer, and as a plain function for the command."""

from collections.abc import Callable, Sequence
from pathlib import Path

import anyio
from inspect_ai.dataset import Sample
from inspect_ai.model import Model
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, Value, mean, metric, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver

from idrbench_inspect.dataset import AmbiguityPoint, ResearchTask, TargetOrigin
from idrbench_inspect.dataset.points import JudgedPoints, differing
from idrbench_inspect.errors import reason_of
from idrbench_inspect.judging.asking import GRADER, NoReading, graders
from idrbench_inspect.making.plans import plan_of
from idrbench_inspect.making.reading_points import PointReader
from idrbench_inspect.making.row_file import RowFile
from idrbench_inspect.making.runs import Run
from idrbench_inspect.making.wording import another
from idrbench_inspect.records import Record
from idrbench_inspect.resources import new_path

OUTCOME = "idrbench:points"
KEYS = ("points", "answered", "answerable")
AT_ONCE = 8
"""Tasks that the command has judged side by side."""


@solver
def judge_ambiguity(out: str, grader: str = GRADER) -> Solver:
    """Judge the points of a sample's task and write the line to a file, unless it is there.

    Args:
        out: The file of judged points.
        grader: Who judges when the role `grader` is not bound.

    Raises:
        BadInput: another run is writing the file.
    """
    file = RowFile(new_path(out), JudgedPoints, "task")
    run = Run[tuple[JudgedPoints, str]](file.path)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        task = _task_of(state)
        try:
            judged, instead = await run.once(
                task.id, state.epoch, lambda: _judged(file, task, lambda: PointReader(graders(grader)[0]))
            )
        except NoReading as unread:
            state.store.set(OUTCOME, {"reason": unread.reason, "explanation": unread.explanation})
            return state
        state.store.set(OUTCOME, {"judged": judged.model_dump(mode="json"), "instead": instead})
        return state

    return solve


async def _judged(
    file: RowFile[JudgedPoints], task: ResearchTask, reader: Callable[[], PointReader]
) -> tuple[JudgedPoints, str]:
    """The line of a task, and, where it is put in the place of another, of what this one was: "another report"."""
    held = file.rows().get(task.id)
    differs = another(differing(held, task)) if held else ""
    if held and not differs:
        return held, ""
    read = await reader().read(task)
    return (file.replace(held, read), differs) if held else (file.add(read), "")


def sample_of_task(task: ResearchTask, dataset: str) -> Sample:
    """The sample of a task whose points are judged: the query as input, the paired report as target."""
    about = task.model_dump(mode="json", include={"language", "topic", "source_query", "target_origin", "ambiguity"})
    return Sample(
        id=task.id, input=task.query, target=task.report, metadata={"task": task.id, "dataset": dataset, **about}
    )


def _task_of(state: TaskState) -> ResearchTask:
    about = state.metadata
    return ResearchTask(
        id=about["task"],
        language=about["language"],
        topic=about["topic"],
        query=state.input_text,
        source_query=about["source_query"],
        target_origin=TargetOrigin.model_validate(about["target_origin"]),
        ambiguity=tuple(AmbiguityPoint.model_validate(point) for point in about["ambiguity"]),
        report=state.target.text,
    )


@metric
def total() -> Metric:
    """The sum over all tasks that have a reading; over epochs, of their means."""

    def compute(scores: list[SampleScore]) -> Value:
        return float(sum(sample.score.as_float() for sample in scores))

    return compute


@scorer(metrics={"points": [mean(), total()], "answered": [mean(), total()], "answerable": [mean()]})
def points_read() -> Scorer:
    """What the report of a task says on its points.

    Keys: `points` (a count), `answered` (how many of them the report answers), `answerable` (the share of these, 0 to
    1; NaN without any point). The metric `total` of the first two gives the counts of a run, as `idrbench data judge`
    prints them; the mean of `answerable` is one of shares, in which each task weighs the same.

    Unscored, with its reason, where the judge gave no reading.
    """

    async def score(state: TaskState, target: Target) -> Score:
        outcome = state.store.get(OUTCOME) or {}
        if "judged" not in outcome:
            reason = outcome.get("reason", "no_outcome")
            return Score.unscored(reason=reason, explanation=outcome.get("explanation", "The sample did not end."))
        points = JudgedPoints.model_validate(outcome["judged"]).points
        answered = [point.id for point in points if point.answerable]
        share = len(answered) / len(points) if points else float("nan")
        return Score(
            value=dict(zip(KEYS, (float(len(points)), float(len(answered)), share), strict=True)),
            explanation=f"The report answers {len(answered)} of {len(points)} points: {', '.join(answered) or 'none'}."
            + (f" In the place of a reading of {outcome['instead']}." if outcome.get("instead") else ""),
            metadata={"replaced": outcome.get("instead", "")},
        )

    return score


class Judged(Record):
    """What came of judging a dataset.

    Args:
        replaced: By task id, of what the line was whose place was taken: "another report".
        without: By task id, why there is no line of it as it is now; a line of it as it was stays.
    """

    replaced: dict[str, str]
    without: dict[str, str]


async def judge_dataset(
    tasks: Sequence[ResearchTask],
    path: Path,
    judge: Model,
    tell: Callable[[str], None] = lambda _: None,
    folder: Path | None = None,
) -> Judged:
    """Judge the points of tasks and write a line for each to a file.

    What is in it of these texts is not judged again; a line about an earlier query, report or points is replaced.

    Args:
        tasks: Of one dataset.
        path: The file, see `dataset.points`.
        judge: Who reads.
        tell: Is told of each task that is judged, when it is done.
        folder: Where readings are kept for later runs; by default the user's cache folder.

    Raises:
        BadInput: the file cannot be used; nothing has been called by then.
    """
    file = RowFile(path, JudgedPoints, "task")
    plan = plan_of(file, tasks)
    left = [task for task in tasks if task.id not in plan.stay]
    reader, room = PointReader(judge, folder), anyio.CapacityLimiter(AT_ONCE)
    replaced, without, ended = dict[str, str](), dict[str, str](), list[str]()

    async def one(task: ResearchTask) -> None:
        async with room:
            try:
                _, instead = await _judged(file, task, lambda: reader)
            except NoReading as unread:
                without[task.id] = str(unread)
            except Exception as broken:  # one task's broken call must not take what the others have paid for
                without[task.id] = reason_of(broken)
            else:
                replaced.update({task.id: instead} if instead else {})
        ended.append(task.id)
        tell(f"{len(ended)} of {len(left)}: {task.id} {'without a reading' if task.id in without else 'judged'}")

    async with anyio.create_task_group() as group:
        for task in left:
            group.start_soon(one, task)
    order = [task.id for task in tasks]
    return Judged(
        replaced={id_: replaced[id_] for id_ in order if id_ in replaced},
        without={id_: without[id_] for id_ in order if id_ in without},
    )
