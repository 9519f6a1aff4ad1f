"""Replies: read strictly, asked for again with the reason, given up loudly. Only the model is scripted."""

from collections.abc import Sequence

import pytest
from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageUser,
    ContentReasoning,
    GenerateConfig,
    Model,
    ModelOutput,
    ModelUsage,
    StopReason,
    get_model,
)
from inspect_ai.tool import ToolChoice, ToolInfo
from pydantic import BaseModel, ConfigDict, Field

from idrbench_inspect.errors import UnusableReply
from idrbench_inspect.prompting import Prompt, notice
from idrbench_inspect.replies import (
    ask_json,
    ask_report,
    ask_text,
    ask_tools,
    fault_of,
    opening,
    read_json,
    read_one_json,
)

PROMPT = Prompt(system="You decide.", user="Ask?")
GOOD = '{"rationale": "because", "ask": true}'


class Verdict(BaseModel):
    model_config = ConfigDict(extra="forbid")

    rationale: str = Field(min_length=1)
    ask: bool


def said(text: str, stop: StopReason = "stop", error: str | None = None) -> ModelOutput:
    output = ModelOutput.from_content("mockllm/model", text, stop_reason=stop, error=error)
    output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    return output


def called() -> ModelOutput:
    output = ModelOutput.for_tool_call("mockllm/model", "think", {"reflection": "x"}, content="")
    output.usage = ModelUsage()
    return output


def reasoned() -> ModelOutput:
    message = ChatMessageAssistant(content=[ContentReasoning(reasoning="hm")])
    return ModelOutput(model="m", choices=[ChatCompletionChoice(message=message)], usage=ModelUsage())


NO_CHOICE = ModelOutput(model="m", choices=[], usage=ModelUsage())


class Scripted:
    """A model that gives `outputs` in order and keeps what it was asked."""

    def __init__(self, *outputs: ModelOutput) -> None:
        self.outputs = list(outputs)
        self.inputs: list[Sequence[ChatMessage]] = []
        self.configs: list[GenerateConfig] = []
        self.model: Model = get_model("mockllm/model", custom_outputs=self._next, memoize=False)

    def _next(
        self, messages: list[ChatMessage], tools: list[ToolInfo], choice: ToolChoice, config: GenerateConfig
    ) -> ModelOutput:
        self.inputs.append(list(messages))
        self.configs.append(config)
        return self.outputs.pop(0)

    @property
    def roles(self) -> list[list[str]]:
        return [[message.role for message in messages] for messages in self.inputs]


# ---------------------------------------------------------------------------------------------------------- read_json


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        f"```json\n{GOOD}\n```",
        f"Here it is: {GOOD} and {{that}} is all {{}}.",
        f"The set {{a, b}} and {{}} first.\n{GOOD}",
        f'An example {{"ask": "maybe"}}, now the answer: {GOOD}',
        f"\ufeff \n{GOOD}\n",
        f"[{GOOD}]",
        '{"rationale": "a \\"{brace}\\" inside", "ask": true}',
    ],
)
def test_the_object_is_found(text: str) -> None:
    assert read_json(text, Verdict).ask is True


@pytest.mark.parametrize("value", ["false", '"false"', '"False"', '"No"', '"no"', "0", '"0"'])
def test_no_is_never_read_as_yes(value: str) -> None:
    assert read_json(f'{{"rationale": "r", "ask": {value}}}', Verdict).ask is False


@pytest.mark.parametrize("value", ["2", '"no, since"', '"maybe"', '""', "null", "[]", "[true]", "-1", '"No."'])
def test_what_is_neither_yes_nor_no_is_refused(value: str) -> None:
    with pytest.raises(ValueError, match=r"^ask: .*\.$"):
        read_json(f'{{"rationale": "r", "ask": {value}}}', Verdict)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "there is no JSON object"),
        ("true", "there is no JSON object"),
        (GOOD[:-1], "not JSON"),
        ('{"rationale": "becau', "not JSON"),
        ('{"first": {"rationale": "r", "ask": true}, "rest": ', "not JSON"),
        ("{rationale: r, ask: true}", "not JSON"),
        ('{"rationale": "r"}', "ask: Field required"),
        ('{"rationale": "r", "ask": true, "why": 1}', "why: Extra inputs are not permitted"),
        ('{"ask": 7} {"answer": 1}', "ask: Input should be a valid boolean"),
        ('{"rationale": "\\ud800", "ask": true, "x": ', "not JSON"),
        ('{"a":' * 100_000, "nested too deep"),
    ],
)
def test_what_does_not_fit_is_refused_with_the_first_reason(text: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        read_json(text, Verdict)


def test_a_draft_or_a_quotation_beside_the_verdict_makes_it_no_verdict() -> None:
    assert read_one_json(f"{GOOD} {GOOD} {{}}", Verdict).ask is True
    with pytest.raises(ValueError, match="more than one JSON object"):
        read_one_json(f'{GOOD} {{"rationale": "later", "ask": false}}', Verdict)


# ----------------------------------------------------------------------------------------------------------- fault_of


@pytest.mark.parametrize(
    ("output", "fault"),
    [
        (said("x"), None),
        (called(), None),
        (said(" \n"), "empty"),
        (reasoned(), "empty"),
        (NO_CHOICE, "empty"),
        (said("x", "model_length"), "overflow"),
        (said("x", "max_tokens"), "cut"),
        (said("", "content_filter"), "refused"),
        (said("x", "unknown"), None),
    ],
)
def test_a_fault_is_read_from_the_stop_reason_and_the_content(output: ModelOutput, fault: str | None) -> None:
    assert fault_of(output) == fault


# ----------------------------------------------------------------------------------------------------------- ask_json


async def test_the_schema_is_asked_for_and_the_reply_validated() -> None:
    script = Scripted(said(f"```\n{GOOD}\n```"))
    assert await ask_json(script.model, PROMPT, Verdict) == Verdict(rationale="because", ask=True)
    asked = script.configs[0].response_schema
    assert asked is not None
    assert asked.name == "verdict"
    assert script.roles == [["system", "user"]]


async def test_a_wrong_key_is_asked_for_again_with_the_error() -> None:
    script = Scripted(said('{"ask": true, "reason": "r"}'), said(GOOD))
    assert (await ask_json(script.model, PROMPT, Verdict)).ask is True
    assert script.roles[1] == ["system", "user", "assistant", "user"]
    assert "rationale: Field required" in script.inputs[1][-1].text
    assert "reason: Extra inputs are not permitted." in script.inputs[1][-1].text
    assert script.inputs[1][-2].text == '{"ask": true, "reason": "r"}'


@pytest.mark.parametrize("output", [said(""), said("\n"), reasoned(), NO_CHOICE, said("", "content_filter"), called()])
async def test_an_empty_reply_is_asked_for_again_without_an_empty_message(output: ModelOutput) -> None:
    script = Scripted(output, said(GOOD))
    assert (await ask_json(script.model, PROMPT, Verdict)).ask is True
    assert "assistant" not in script.roles[1]
    assert all(message.text.strip() for message in script.inputs[1])


async def test_a_reply_with_text_and_a_tool_call_leaves_no_call_without_an_answer() -> None:
    output = ModelOutput.for_tool_call("mockllm/model", "think", {}, content="Let me think.")
    output.usage = ModelUsage()
    script = Scripted(output, said(GOOD))
    await ask_json(script.model, PROMPT, Verdict)
    assert not any(isinstance(m, ChatMessageAssistant) and m.tool_calls for m in script.inputs[1])


@pytest.mark.parametrize(
    ("output", "fault"),
    [
        (said('{"ask": 1'), "malformed"),
        (said(""), "empty"),
        (said(GOOD, "max_tokens"), "cut"),
        (said("I cannot", "content_filter"), "refused"),
    ],
)
async def test_three_attempts_and_no_more(output: ModelOutput, fault: str) -> None:
    script = Scripted(*[output] * 4)
    with pytest.raises(UnusableReply) as caught:
        await ask_json(script.model, PROMPT, Verdict)
    assert (caught.value.fault, len(script.inputs)) == (fault, 3)


async def test_each_attempt_shows_the_last_error_only() -> None:
    script = Scripted(said("earlier"), said("{later"), said(GOOD))
    await ask_json(script.model, PROMPT, Verdict)
    assert "later" in script.inputs[2][-2].text
    assert not any("earlier" in message.text for message in script.inputs[2][2:])


async def test_an_overflow_raises_at_once_whoever_asks() -> None:
    asked = opening(PROMPT)
    for ask in (
        lambda model: ask_json(model, PROMPT, Verdict),
        lambda model: ask_text(model, asked),
        lambda model: ask_report(model, asked),
        lambda model: ask_tools(model, asked, []),
    ):
        script = Scripted(said("prompt is too long", "model_length"), said(GOOD))
        with pytest.raises(UnusableReply, match="reply overflow: prompt is too long"):
            await ask(script.model)
        assert len(script.inputs) == 1


# ------------------------------------------------------------------------------------------- ask_text, _report, _tools


async def test_a_text_comes_back_trimmed_and_the_conversation_is_unchanged() -> None:
    messages: list[ChatMessage] = [ChatMessageUser(content="Hello?")]
    script = Scripted(said(""), said("  hello \n"))
    assert await ask_text(script.model, messages) == "hello"
    assert [message.text for message in messages] == ["Hello?"]
    assert notice("reask_empty") in script.inputs[1][-1].text


@pytest.mark.parametrize(
    ("output", "fault"), [(called(), "empty"), (said("four"), "too long"), (said("x", "max_tokens"), "cut")]
)
async def test_a_text_that_stays_unusable_raises(output: ModelOutput, fault: str) -> None:
    script = Scripted(*[output] * 3)
    with pytest.raises(UnusableReply) as caught:
        await ask_text(script.model, opening(PROMPT), longest=3)
    assert caught.value.fault == fault
    assert not script.outputs


async def test_a_cut_report_is_continued_and_says_whether_it_is_still_cut() -> None:
    script = Scripted(said("one ", "max_tokens"), said("two ", "max_tokens"), said("three"))
    assert await ask_report(script.model, opening(PROMPT)) == ("one two three", False)
    assert script.inputs[2][-2].text == "one two "
    script = Scripted(*[said("more ", "max_tokens")] * 3)
    assert await ask_report(script.model, opening(PROMPT)) == ("more more more", True)
    script = Scripted(said("one ", "max_tokens"), said("too long", "model_length"))
    assert await ask_report(script.model, opening(PROMPT)) == ("one", True)


async def test_a_report_of_nothing_is_no_report() -> None:
    script = Scripted(called(), said(""), reasoned())
    with pytest.raises(UnusableReply, match="empty"):
        await ask_report(script.model, opening(PROMPT))


async def test_tools_may_be_called_or_not() -> None:
    script = Scripted(said(""), called(), said("done"))
    reply = await ask_tools(script.model, opening(PROMPT), [])
    assert [call.function for call in reply.tool_calls or []] == ["think"]
    assert (await ask_tools(script.model, opening(PROMPT), [])).text == "done"


async def test_an_unusable_reply_names_who_gave_it() -> None:
    model = get_model("mockllm/model", role="evaluator", custom_outputs=[said("")] * 3, memoize=False)
    with pytest.raises(UnusableReply, match=r"^evaluator: reply empty: no text") as caught:
        await ask_json(model, PROMPT, Verdict)
    assert caught.value.role == "evaluator"
