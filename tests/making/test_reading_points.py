"""Preferences from the paired report: a checked span, a wish in other words, and "not answered" as a proper finding."""

from pathlib import Path
from typing import Any

import pytest
from inspect_ai.model import get_model

from idrbench_inspect.dataset import ResearchTask, load
from idrbench_inspect.dataset.points import JudgedPoints, fits
from idrbench_inspect.judging import NoReading
from idrbench_inspect.making.reading_points import PointReader
from tests.judging.scripted import Grader
from tests.making.scripted import READ, REPORT, TASK, answered, points, unanswered


async def read(grader: Grader, folder: Path, task: ResearchTask = TASK) -> JudgedPoints:
    return await PointReader(grader.model(), folder).read(task)


async def test_a_point_is_answered_with_span_wish_and_alternative_or_not_at_all(tmp_path: Path) -> None:
    grader = Grader(**{READ: [points(unanswered(), answered())]})
    judged = await read(grader, tmp_path)
    first, second = judged.points
    assert (first.id, first.answerable, first.alternative) == ("p1", True, "the years since 1990")
    assert (first.span, first.preference) == (
        "roofs built in Norway since 1990",
        "I only want recent roofs, from 1990 on.",
    )
    assert (second.id, second.answerable, second.span, second.preference) == ("p2", False, None, None)
    assert fits(judged, TASK) is None


async def test_the_judge_sees_query_report_and_points_and_nothing_of_what_is_known(tmp_path: Path) -> None:
    grader = Grader(**{READ: [points(answered(), unanswered())]})
    await read(grader, tmp_path)
    (call,) = grader.calls
    assert (call.block("query"), call.block("report")) == (TASK.query, REPORT)
    assert call.block("points").splitlines()[:2] == ["p1 [time] Which years to cover", "  A: the years since 1990"]
    assert "CANARY" not in call.text
    assert TASK.source_query not in call.text
    assert REPORT not in call.outside_fences


@pytest.mark.parametrize(
    ("bad", "wrong"),
    [
        (answered(span="roofs built in Sweden since 1990"), "the span does not stand in the report"),
        (answered(span=""), "the span is missing"),
        (answered(preference="Recent roofs."), "not in the first person"),
        (answered(preference=""), "not in the first person"),
        (answered(preference="我只要一九九〇年以后的。"), "not in English"),
        (answered(preference="I want roofs built in Norway since 1990."), "quotes the span"),
        (answered(alternative="C"), "must be one of A, B, other"),
        (answered(alternative=""), "must be one of A, B, other"),
        (answered(answerable="maybe"), "answerable"),
        (answered(answerable="no"), "must be empty"),
        (answered(reason=" "), "reason"),
        (answered(id="p9"), "missing: p1"),
    ],
)
async def test_a_reading_that_does_not_hold_is_asked_for_again(tmp_path: Path, bad: dict[str, Any], wrong: str) -> None:
    grader = Grader(**{READ: [points(bad, unanswered()), points(answered(), unanswered())]})
    judged = await read(grader, tmp_path)
    assert judged.points[0].span == "roofs built in Norway since 1990"
    assert wrong in grader.calls[1].messages[-1].text


async def test_a_span_that_is_never_verbatim_is_no_reading(tmp_path: Path) -> None:
    with pytest.raises(NoReading, match="does not stand in the report"):
        await read(Grader(**{READ: [points(answered(span="made up"), unanswered())]}), tmp_path)


async def test_another_choice_than_those_offered_is_other(tmp_path: Path) -> None:
    judged = await read(Grader(**{READ: [points(answered(alternative="other"), unanswered())]}), tmp_path)
    assert judged.points[0].alternative == "other"


async def test_a_task_without_points_costs_nothing(tmp_path: Path) -> None:
    grader = Grader()
    judged = await read(grader, tmp_path, TASK.model_copy(update={"ambiguity": ()}))
    assert (judged.points, grader.calls) == ((), [])


async def test_what_was_read_is_kept_until_report_points_or_judge_change(tmp_path: Path) -> None:
    grader = Grader(**{READ: [points(answered(), unanswered())]})
    first = await PointReader(grader.paid(), tmp_path).read(TASK)
    assert await PointReader(grader.paid(), tmp_path).read(TASK) == first
    assert len(grader.calls) == 1
    await PointReader(grader.paid(), tmp_path).read(TASK.model_copy(update={"report": f"{REPORT}\nMore."}))
    await PointReader(grader.paid("another"), tmp_path).read(TASK)
    less = TASK.ambiguity[0].model_copy(update={"alternatives": ("the years since 1990", "all years")})
    await PointReader(grader.paid(), tmp_path).read(TASK.model_copy(update={"ambiguity": (less, TASK.ambiguity[1])}))
    assert len(grader.calls) == 4


def turned(task: ResearchTask) -> ResearchTask:
    """The same points, each with its alternatives the other way round."""
    points = [point.model_copy(update={"alternatives": point.alternatives[::-1]}) for point in task.ambiguity]
    return task.model_copy(update={"ambiguity": tuple(points)})


async def test_the_order_of_alternatives_in_a_dataset_reaches_neither_prompt_nor_reading(tmp_path: Path) -> None:
    grader = Grader(**{READ: [points(answered(), unanswered())]})
    judged = await read(grader, tmp_path)
    again = await read(grader, tmp_path / "other", turned(TASK))
    assert judged == again
    assert grader.calls[0].block("points") == grader.calls[1].block("points")
    assert fits(judged, turned(TASK)) is None


async def test_offline_the_order_of_alternatives_changes_no_reading(tmp_path: Path) -> None:
    reader = PointReader(get_model("idrbench/extractive"), tmp_path)
    for task in load("mini").tasks:
        judged = await reader.read(task)
        renamed = turned(task).model_copy(update={"id": f"{task.id}-x"})  # lettered in another order
        other = await PointReader(get_model("idrbench/extractive"), tmp_path).read(renamed)
        assert [(p.answerable, p.alternative) for p in judged.points] == [
            (p.answerable, p.alternative) for p in other.points
        ]
