"""Whole runs of the front doors on the mini set with the offline model, each made once, and how to read their logs."""

import json
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

from inspect_ai import Task, eval
from inspect_ai.event import ModelEvent
from inspect_ai.log import EvalLog, EvalSample, read_eval_log
from inspect_ai.model import ChatMessage, GenerateConfig, ModelAPI, ModelOutput, modelapi
from inspect_ai.tool import ToolChoice, ToolInfo

from idrbench_inspect.log_events import payloads
from idrbench_inspect.providers.extractive import ExtractiveAPI
from idrbench_inspect.records import ResearchRun

OFFLINE = "idrbench/extractive"
MINI = Path(__file__).parent.parent / "datasets" / "mini"
QUICK = ("en-bicycle-history", "en-urban-tree-planting", "zh-high-speed-rail", "zh-tea")
"""The subset `quick`: enough for what a run must do, whatever the task."""

FIRST = {"profile": "mini", "subset": "quick", "shard": "1/4"}
"""One task of the set, `en-bicycle-history`."""


class Breaking(ExtractiveAPI):
    """The offline model, except that a call whose prompt holds a word of `on` raises."""

    on: ClassVar[tuple[str, ...]] = ()

    async def generate(
        self, input: list[ChatMessage], tools: list[ToolInfo], tool_choice: ToolChoice, config: GenerateConfig
    ) -> ModelOutput:
        if any(word in message.text for word in self.on for message in input):
            raise RuntimeError("this call breaks")
        return await super().generate(input, tools, tool_choice, config)


@modelapi(name="breaking")
def breaking() -> type[ModelAPI]:
    return Breaking


def run(task: Task | str, status: str = "success", **options: Any) -> EvalLog:
    (log,) = eval(task, **{"model": OFFLINE, "display": "log", "log_dir": "memory://doors", **options})
    assert log.status == status, log.error
    return whole(log)


def whole(log: EvalLog) -> EvalLog:
    """The log as written, with the long texts in their places: prompts are attachments in the log that `eval` gives."""
    return read_eval_log(log.location, resolve_attachments="full")


@cache
def mini(door: str, again: int = 0, **args: Any) -> EvalLog:
    """The log of `door` over the subset `quick`; `again` asks for another run of the same."""
    return run(f"idrbench_inspect/{door}", task_args={"profile": "mini", "subset": "quick", **args})


def door(name: str, **args: Any) -> EvalLog:
    """The log of `door` over one task."""
    return run(f"idrbench_inspect/{name}", task_args={**FIRST, **args})


def samples(log: EvalLog) -> list[EvalSample]:
    assert log.samples
    return log.samples


def only(log: EvalLog) -> EvalSample:
    (sample,) = samples(log)
    return sample


def record(sample: EvalSample) -> ResearchRun:
    assert sample.error is None, sample.error.message
    return ResearchRun.model_validate(sample.store["idrbench:run"])


def reports(log: EvalLog) -> dict[str, str | None]:
    return {record(sample).query_id: record(sample).report for sample in samples(log)}


def calls(sample: EvalSample, *roles: str) -> list[ModelEvent]:
    """The model calls of the sample, of some roles if they are named."""
    found = [event for event in sample.events if isinstance(event, ModelEvent)]
    return [event for event in found if not roles or event.role in roles]


def prompts(sample: EvalSample, *roles: str) -> list[str]:
    """What each call was shown, as one text."""
    return ["\n".join(message.text for message in call.input) for call in calls(sample, *roles)]


def scored(sample: EvalSample, scorer: str = "interaction_cost") -> dict[str, float]:
    assert sample.scores is not None
    value = sample.scores[scorer].value
    assert isinstance(value, dict)
    return {key: float(number) for key, number in value.items() if isinstance(number, int | float)}


def settings(sample: EvalSample) -> dict[str, Any]:
    (found,) = payloads(sample.events, "settings")
    return found


def rows() -> Iterator[dict[str, Any]]:
    """The rows of the subset `quick`, with their reports."""
    for line in (MINI / "tasks.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["id"] in QUICK:
            yield {**row, "report": (MINI / row.pop("report_file")).read_text(encoding="utf-8")}


def write_rows(file: Path, given: list[dict[str, Any]]) -> Path:
    """A `.jsonl` dataset of these rows."""
    lines = [json.dumps({k: v for k, v in row.items() if k != "report_file"}, ensure_ascii=False) for row in given]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


def copy_of_mini(folder: Path) -> Path:
    shutil.copytree(MINI, folder)
    return folder
