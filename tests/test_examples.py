"""The examples run as they are written."""

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.model import ChatMessage, GenerateConfig, ModelOutput, ModelUsage, get_model
from inspect_ai.tool import ToolChoice, ToolInfo

from tests import door_runs as doors

EXAMPLES = Path(__file__).parent.parent / "examples"
ASKED = {"questions": ["Which countries do you care about?"], "summary": "I have read your request."}


def asks_then_submits(
    input: list[ChatMessage], tools: list[ToolInfo], choice: ToolChoice, config: GenerateConfig
) -> ModelOutput:
    assert {tool.name for tool in tools} == {"ask_user", "submit"}
    said = input[-1]
    name, given = ("submit", {"answer": f"You said: {said.text}"}) if said.role == "tool" else ("ask_user", ASKED)
    output = ModelOutput.for_tool_call("mockllm/model", name, given)
    output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    return output


def test_an_agent_of_another_make_asks_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(EXAMPLES.parent)
    model = get_model("mockllm/model", custom_outputs=asks_then_submits)
    log = doors.run(
        "examples/react_agent.py", model=model, model_roles={"user": doors.OFFLINE}, sample_id=doors.QUICK[0]
    )
    sample = doors.only(log)
    (asked,) = doors.prompts(sample, "user")
    assert str(sample.target) in asked
    assert ASKED["questions"][0] in asked
    assert "Britain and France" in sample.output.completion
    assert doors.scored(sample)["turns"] == 1
    agent = [call for call in doors.calls(sample) if call.role != "user"]
    assert not any(str(sample.target) in call.model_dump_json() for call in agent)


def command_in(file: Path) -> tuple[str, dict[str, Any]]:
    """The task and the task arguments of the one command in a Markdown file."""
    (block,) = re.findall(r"```bash\n(.*?)```", file.read_text(encoding="utf-8"), re.DOTALL)
    words = shlex.split(block.replace("\\\n", " "))
    assert words[:2] == ["inspect", "eval"]
    assert words[3:5] == ["--model", doors.OFFLINE]
    assert words[5::2] == ["-T"] * len(words[5::2])
    return words[2], dict(word.split("=", 1) for word in words[6::2])


@pytest.mark.parametrize(
    ("file", "arms"),
    [
        ("compare_arms.md", {"autonomous", "interactive", "placebo", "volunteered"}),
        ("own_dataset/README.md", {"autonomous", "interactive"}),
    ],
)
def test_a_documented_command_runs(file: str, arms: set[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(EXAMPLES.parent)
    monkeypatch.setenv("PWD", str(EXAMPLES.parent))  # as a shell sets it
    task, args = command_in(EXAMPLES / file)
    log = doors.run(task, task_args=args)
    assert {doors.record(sample).arm for sample in doors.samples(log)} == arms
    assert all(doors.record(sample).cited for sample in doors.samples(log))
    printed = {name for score in (log.results.scores if log.results else []) for name in score.metrics}
    assert all(any(f"gain:{arm}-autonomous" in name for name in printed) for arm in arms - {"autonomous"})
