"""The solvers and scorers of making, used without the doors: side by side, scored again, and without a reading."""

import math
from pathlib import Path
from typing import Any

import anyio
from inspect_ai import Task, eval, score
from inspect_ai.dataset import Sample
from inspect_ai.log import EvalLog
from inspect_ai.model import ChatMessage, GenerateConfig, ModelAPI, ModelOutput, modelapi
from inspect_ai.tool import ToolChoice, ToolInfo

from idrbench_inspect.dataset import AmbiguityPoint, load, to_sample
from idrbench_inspect.dataset.points import read_judged
from idrbench_inspect.dataset.tasks import Row
from idrbench_inspect.making.from_dataset import given_queries
from idrbench_inspect.making.judging_points import judge_ambiguity, points_read
from idrbench_inspect.making.row_file import RowFile
from idrbench_inspect.making.solving import inject_ambiguity, injected, sample_of
from idrbench_inspect.making.sources import Source
from idrbench_inspect.providers.extractive import ExtractiveAPI
from tests.judging.scripted import Grader
from tests.making.scripted import READ, REPORT, TASK, answered, points, unanswered

OFFLINE = "idrbench/extractive"
AT_ONCE = 4


class Together(ExtractiveAPI):
    """The offline model, whose last call of each sample ends only when those of all samples have come."""

    waiting = 0
    all_there = anyio.Event()

    async def generate(
        self, input: list[ChatMessage], tools: list[ToolInfo], tool_choice: ToolChoice, config: GenerateConfig
    ) -> ModelOutput:
        if config.response_schema is not None and config.response_schema.name == "open_points":
            Together.waiting += 1
            if Together.waiting == AT_ONCE:
                Together.all_there.set()
            await Together.all_there.wait()
        return await super().generate(input, tools, tool_choice, config)


@modelapi(name="side-by-side")
def together() -> type[ModelAPI]:
    return Together


def run(task: Task, **options: Any) -> EvalLog:
    (log,) = eval(task, **{"model": OFFLINE, "display": "none", "log_dir": "memory://making", **options})
    assert log.status == "success", log.error
    return log


def values(log: EvalLog, scorer: str) -> list[Any]:
    return [(sample.scores or {})[scorer].value for sample in log.samples or ()]


def some() -> list[Source]:
    return list(given_queries("mini")[1][:AT_ONCE])


def test_samples_that_end_at_the_same_moment_leave_one_whole_row_each(tmp_path: Path) -> None:
    out = tmp_path / "rows.jsonl"
    samples = [sample_of(source, 0.5) for source in some()]
    task = Task(dataset=samples, solver=inject_ambiguity(str(out), OFFLINE), scorer=injected())
    run(task, model="side-by-side/extractive", max_samples=AT_ONCE, max_connections=AT_ONCE)
    assert RowFile(out, Row).check() == []
    assert set(RowFile(out, Row).rows()) == {source.id for source in some()}
    assert (tmp_path / "rows.review.md").read_text(encoding="utf-8").count("<!-- end of") == AT_ONCE


def test_a_source_in_two_epochs_is_written_once(tmp_path: Path) -> None:
    out = tmp_path / "rows.jsonl"
    task = Task(
        dataset=[sample_of(some()[0], 0.5)], solver=inject_ambiguity(str(out), OFFLINE), scorer=injected(), epochs=2
    )
    first, second = values(run(task), "injected")
    assert first == second
    assert len(out.read_text(encoding="utf-8").splitlines()) == 1


def test_a_log_scored_again_gives_the_same_values(tmp_path: Path) -> None:
    out = tmp_path / "rows.jsonl"
    too_short = Source(id="short", language="en", source_query="Moss?")
    samples = [sample_of(source, 0.5) for source in (some()[0], too_short)]
    log = run(Task(dataset=samples, solver=inject_ambiguity(str(out), OFFLINE), scorer=injected()))
    again = score(log, injected(), action="overwrite", display="none")
    made, not_made = values(again, "injected")
    assert made == values(log, "injected")[0]
    assert (made["accepted"], not_made["accepted"], not_made["attempts"]) == (1, 0, 0)
    assert math.isnan(not_made["compression"])


def judged(folder: Path, sample: Sample, grader: Grader) -> EvalLog:
    task = Task(dataset=[sample], solver=judge_ambiguity(str(folder / "points.jsonl")), scorer=points_read())
    return run(task, model_roles={"grader": grader.model()})


def sample() -> Sample:
    about = load("mini")
    return to_sample(TASK, about)


def test_the_share_of_answered_points_is_scored_and_the_line_written(tmp_path: Path) -> None:
    log = judged(tmp_path, sample(), Grader(**{READ: [points(answered(), unanswered())]}))
    assert values(log, "points_read") == [{"points": 2, "answered": 1, "answerable": 0.5}]
    assert read_judged(tmp_path / "points.jsonl")["moss"].points[0].span == "roofs built in Norway since 1990"
    assert REPORT not in str(values(log, "points_read"))


def test_a_task_without_points_has_no_share(tmp_path: Path) -> None:
    bare = to_sample(TASK.model_copy(update={"ambiguity": tuple[AmbiguityPoint, ...]()}), load("mini"))
    (value,) = values(judged(tmp_path, bare, Grader()), "points_read")
    assert value["points"] == 0
    assert math.isnan(value["answerable"])


def test_a_judge_that_invents_spans_leaves_no_line_and_the_sample_unscored(tmp_path: Path) -> None:
    log = judged(tmp_path, sample(), Grader(**{READ: [points(answered(span="made up"), unanswered())]}))
    assert math.isnan(values(log, "points_read")[0])
    assert not (tmp_path / "points.jsonl").exists()
