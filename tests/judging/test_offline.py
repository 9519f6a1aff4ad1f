"""The whole instrument without key and network: the offline model writes, tags and grades the tasks of `mini`."""

from pathlib import Path
from statistics import mean

import pytest

from idrbench_inspect.dataset import ResearchTask, load
from idrbench_inspect.judging import AspectJudge, AspectSet, Coverage, Intent, read_aspects, write_aspects_file
from idrbench_inspect.providers import idrbench  # noqa: F401 - registers the provider

OFFLINE = "idrbench/extractive"
TASKS = load("mini").tasks


async def judged(task: ResearchTask, report: str) -> Coverage:
    grades = await AspectJudge(grader=OFFLINE).grades(Intent.of(task), task.report, report)
    (coverage,) = grades.coverages
    return coverage


@pytest.fixture
async def sets(tmp_path: Path) -> dict[str, AspectSet]:
    await write_aspects_file(TASKS, tmp_path / "aspects.jsonl", OFFLINE)
    return read_aspects(tmp_path / "aspects.jsonl")


async def test_every_task_has_its_aspects_in_its_language_with_what_the_short_query_hides(
    sets: dict[str, AspectSet],
) -> None:
    for task in TASKS:
        held = sets[task.id]
        assert 8 <= len(held.aspects) <= 20
        assert held.language == task.language
        tags = [aspect.tag for aspect in held.aspects]
        assert "hidden" in tags or not task.ambiguity
        assert set(tags) > {"hidden"} or task.compression > 0.8


@pytest.mark.parametrize("task", TASKS, ids=[task.id for task in TASKS])
async def test_the_reference_covers_its_own_aspects_and_other_reports_hardly(task: ResearchTask) -> None:
    own = await judged(task, task.report)
    assert own.repeats == (own.reference,)
    for other in TASKS:
        if other.query != task.query:
            assert mean((await judged(task, other.report)).repeats[0]) < 0.8 * mean(own.reference)


async def test_half_of_a_report_covers_less_and_the_same_twice_covers_the_same() -> None:
    task = TASKS[0]
    whole, half = await judged(task, task.report), await judged(task, task.report[: len(task.report) // 2])
    assert sum(half.repeats[0]) < sum(whole.repeats[0])
    assert (await judged(task, task.report * 2)).repeats == whole.repeats
