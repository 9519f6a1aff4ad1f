"""Small datasets of rows of mini, a model that counts its calls, and the commands run over both."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any, ClassVar

from click.testing import CliRunner, Result
from inspect_ai.model import ChatMessage, GenerateConfig, ModelAPI, ModelOutput, modelapi
from inspect_ai.tool import ToolChoice, ToolInfo

from idrbench_inspect.cli import main
from idrbench_inspect.dataset.points import JudgedPoints, read_judged
from idrbench_inspect.providers.extractive import ExtractiveAPI

MINI = Path(__file__).parent.parent.parent / "datasets" / "mini"
COUNTING = "counting/extractive"
IDS = ("en-beekeeping", "en-indigo", "zh-tea")


class Counting(ExtractiveAPI):
    """The offline model under another name; it counts its calls, and breaks where a prompt holds `breaks_on`."""

    calls: ClassVar[int] = 0
    breaks_on: ClassVar[str] = ""

    async def generate(
        self, input: list[ChatMessage], tools: list[ToolInfo], tool_choice: ToolChoice, config: GenerateConfig
    ) -> ModelOutput:
        Counting.calls += 1
        if self.breaks_on and any(self.breaks_on in message.text for message in input):
            raise RuntimeError("the line is dead")
        return await super().generate(input, tools, tool_choice, config)


@modelapi(name="counting")
def counting() -> type[ModelAPI]:
    return Counting


def own(folder: Path, *ids: str) -> Path:
    """A dataset folder with the rows of mini of these ids, and their reports as files."""
    (folder / "reports").mkdir(parents=True)
    lines = (MINI / "tasks.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [row for row in map(json.loads, lines) if row["id"] in (ids or IDS)]
    (folder / "tasks.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    for row in rows:
        text = (MINI / row["report_file"]).read_text(encoding="utf-8")
        (folder / row["report_file"]).write_text(text, encoding="utf-8")
    return folder


def changed(folder: Path, task: str, **fields: Any) -> None:
    """Give a row other fields."""
    path = folder / "tasks.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    rows = [{**row, **fields} if row["id"] == task else row for row in rows]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")


def row_of(folder: Path, task: str) -> dict[str, Any]:
    lines = (folder / "tasks.jsonl").read_text(encoding="utf-8").splitlines()
    return next(row for row in map(json.loads, lines) if row["id"] == task)


def data(*arguments: str) -> tuple[Result, int]:
    """The command `idrbench data` with these arguments, and how many calls it made."""
    before = Counting.calls
    return CliRunner().invoke(main, ["data", *arguments]), Counting.calls - before


def judge(dataset: Path | str, out: Path, *more: str) -> tuple[Result, int]:
    return data("judge", str(dataset), "--model", COUNTING, "--out", str(out), *more)


_DYING = """
import os, signal, sys
from inspect_ai.model import modelapi
from idrbench_inspect.cli import main
from idrbench_inspect.providers.extractive import ExtractiveAPI

made = 0

@modelapi(name="counting")
class Dying(ExtractiveAPI):
    async def generate(self, **given):
        global made
        made += 1
        if made > int(sys.argv[1]):
            os.kill(os.getpid(), signal.SIGKILL)
        return await super().generate(**given)

main(["data", *sys.argv[2:]])
"""


def killed(calls: int, *arguments: str) -> None:
    """Run the command `idrbench data` in a process of its own, which is killed at the call after so many."""
    env = {**os.environ, "PYTHONPATH": str(MINI.parent.parent)}
    command = [sys.executable, "-c", _DYING, str(calls), *arguments]
    done = subprocess.run(command, env=env, capture_output=True, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr.decode()


def held(out: Path) -> dict[str, JudgedPoints]:
    return read_judged(out)
