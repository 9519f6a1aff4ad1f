"""Calls of the extractive model as the pipeline makes them: real templates, real fences, Inspect's own `generate`."""

import json
from collections.abc import Sequence
from typing import Any, TypeVar

from inspect_ai.model import (
    ChatMessage,
    ChatMessageTool,
    GenerateConfig,
    ModelOutput,
    ResponseSchema,
    get_model,
)
from inspect_ai.tool import ToolInfo, ToolParams
from inspect_ai.util import JSONSchema, json_schema
from pydantic import BaseModel

from idrbench_inspect.prompting import fence, notice, prompt
from idrbench_inspect.providers import idrbench  # noqa: F401 - registers the provider
from idrbench_inspect.replies import opening

T = TypeVar("T", bound=BaseModel)
NEUTRAL = {"en": notice("neutral_en"), "zh": notice("neutral_zh")}
TEXT = JSONSchema(type="string")


class ResearchBrief(BaseModel):
    research_brief: str


class Verdict(BaseModel):
    rationale: str
    ask: bool


class Clarification(BaseModel):
    summary: str
    question: str
    second_question: str


class PageSummary(BaseModel):
    summary: str
    key_excerpts: list[str]


NAMES = {
    ResearchBrief: "research_brief",
    Verdict: "verdict",
    Clarification: "clarification",
    PageSummary: "page_summary",
}


def tool(name: str, **parameters: JSONSchema) -> ToolInfo:
    return ToolInfo(
        name=name, description=name, parameters=ToolParams(properties=parameters, required=list(parameters))
    )


SUPERVISOR = [tool("conduct_research", topic=TEXT), tool("think", reflection=TEXT), tool("research_complete")]
RESEARCHER = [tool("search", queries=JSONSchema(type="array", items=TEXT)), *SUPERVISOR[1:]]


async def call(messages: Sequence[ChatMessage], tools: Sequence[ToolInfo] = (), **config: Any) -> ModelOutput:
    output = await get_model("idrbench/extractive").generate(
        list(messages), tools=list(tools), config=GenerateConfig(**config)
    )
    assert output.usage is not None
    assert output.usage.input_tokens > 0
    assert output.usage.total_tokens == output.usage.input_tokens + output.usage.output_tokens
    assert output.stop_reason == ("tool_calls" if output.message.tool_calls else "stop")
    return output


async def text(template: str, **fields: Any) -> str:
    return (await call(opening(prompt(template, **fields)))).completion


async def structured(template: str, schema: type[T], **fields: Any) -> T:
    asked = ResponseSchema(name=NAMES[schema], json_schema=json_schema(schema))
    output = await call(opening(prompt(template, date="2026-01-01", **fields)), response_schema=asked)
    return schema.model_validate(json.loads(output.completion))


def dialogue(*turns: tuple[str, str]) -> str:
    if not turns:
        return notice("no_dialogue")
    return fence("dialogue", "\n\n".join(f"Team: {asked}\nPerson: {said}" for asked, said in turns))


def clarified(*replies: str) -> str:
    return f"{notice('clarifications')}\n{fence('clarifications', chr(10).join(replies))}" if replies else ""


def source(number: int, title: str, body: str) -> str:
    return fence("source", f"[{number}] {title}\nhttps://example.org/{number}\n\n{body}")


def tool_reply(output: ModelOutput, place: int, content: str) -> ChatMessageTool:
    made = (output.message.tool_calls or [])[place]
    return ChatMessageTool(content=content, tool_call_id=made.id, function=made.function)
