"""`idrbench/extractive`: a model without weights that reads what it is given and answers with extracts from it.

It plays every role of the pipeline offline and always alike. It tells what is asked from the call alone: the offered
tools, the name of the response schema, or the kinds of fenced blocks in the prompt. It holds nothing between calls.
"""

import hashlib
import json
from collections.abc import Callable, Sequence
from typing import Any

from anyio import CapacityLimiter, to_thread
from anyio.lowlevel import RunVar
from inspect_ai.model import ChatCompletionChoice as Choice
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    ModelUsage,
    StopReason,
)
from inspect_ai.tool import ToolCall, ToolChoice, ToolFunction, ToolInfo

from idrbench_inspect.errors import BadInput
from idrbench_inspect.providers.reading import count_tokens
from idrbench_inspect.providers.request import Request
from idrbench_inspect.providers.roles_answering import condensed, self_reply, user_reply
from idrbench_inspect.providers.roles_grading import aspect_grades, aspect_tags, aspect_texts
from idrbench_inspect.providers.roles_injecting import injection_verdict, open_points, underspecified
from idrbench_inspect.providers.roles_other import arguments, best_sentences, instance
from idrbench_inspect.providers.roles_planning import clarification, research_brief, verdict
from idrbench_inspect.providers.roles_points import point_readings
from idrbench_inspect.providers.roles_reporting import report
from idrbench_inspect.providers.roles_research import Call, research, supervise
from idrbench_inspect.providers.roles_writing import page_summary, write_up

NAME = "extractive"

_BY_SCHEMA: dict[str, Callable[[Request], dict[str, Any]]] = {
    "research_brief": research_brief,
    "verdict": verdict,
    "clarification": clarification,
    "page_summary": page_summary,
    "aspect_texts": aspect_texts,
    "aspect_tags": aspect_tags,
    "aspect_grades": aspect_grades,
    "underspecified_query": underspecified,
    "injection_verdict": injection_verdict,
    "open_points": open_points,
    "point_readings": point_readings,
}


class ExtractiveAPI(ModelAPI):
    """The provider `idrbench`, whose one model is `extractive`.

    Usage counts one token per Chinese character and one per four other characters: of all messages with their tool
    calls, and of the tool definitions, as input; of the reply as output. `max_tokens` cuts a text reply.

    Raises:
        BadInput: another model name.
    """

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig = GenerateConfig(),  # noqa: B008 - the signature that Inspect asks of a provider
        **model_args: Any,
    ) -> None:
        if model_name != NAME:
            raise BadInput(f"There is no model {model_name!r} under idrbench; use idrbench/{NAME}.")
        super().__init__(model_name, base_url, api_key, [], config)

    async def generate(
        self, input: list[ChatMessage], tools: list[ToolInfo], tool_choice: ToolChoice, config: GenerateConfig
    ) -> ModelOutput:
        """Answer one call; see the module for how the asked role is told. All of it is computed off the event loop."""
        return await to_thread.run_sync(_answer, input, tools, tool_choice, config, limiter=_one_at_a_time())

    async def count_text_tokens(self, text: str) -> int:
        """Tokens of a text by the provider's own count; nothing is downloaded."""
        return count_tokens(text)


_places: RunVar[CapacityLimiter] = RunVar("idrbench_inspect.extractive")


def _one_at_a_time() -> CapacityLimiter:
    """Of the running event loop: threads that compute in Python only make it and each other wait."""
    try:
        return _places.get()
    except LookupError:
        made = CapacityLimiter(1)
        _places.set(made)
        return made


def _answer(
    messages: list[ChatMessage], tools: list[ToolInfo], tool_choice: ToolChoice, config: GenerateConfig
) -> ModelOutput:
    request = Request(messages)
    used = _count_input(messages, tools)
    calls = _calls(request, tools, tool_choice)
    if calls:
        return _output("", _marked(calls, messages), "tool_calls", used)
    text = _unsaid(_text(request, tools, config), messages)
    stop: StopReason = "stop"
    if config.max_tokens is not None and count_tokens(text) > config.max_tokens:
        text, stop = _cut(text, config.max_tokens), "max_tokens"
    return _output(text, [], stop, used)


def _output(text: str, calls: list[ToolCall], stop: StopReason, used: int) -> ModelOutput:
    made = count_tokens(text) + sum(count_tokens(_call_text(call)) for call in calls)
    message = ChatMessageAssistant(content=text, tool_calls=calls or None, model=NAME, source="generate")
    return ModelOutput(
        model=NAME,
        choices=[Choice(message=message, stop_reason=stop)],
        usage=ModelUsage(input_tokens=used, output_tokens=made, total_tokens=used + made),
    )


def _calls(request: Request, tools: Sequence[ToolInfo], choice: ToolChoice) -> list[Call]:
    """The tool calls of this turn; none where a text is due."""
    offered = {tool.name: tool for tool in tools}
    if choice == "none" or not offered:
        return []
    if isinstance(choice, ToolFunction) and choice.name in offered:
        return [(choice.name, arguments(offered[choice.name], request))]
    role = next((r for name, r in (("conduct_research", supervise), ("search", research)) if name in offered), None)
    turn = role(request) if role else None
    if turn and turn.calls:
        return turn.calls
    if turn and "research_complete" in offered:
        return [("research_complete", {})]
    last = "submit" if "submit" in offered else next(iter(offered)) if choice == "any" else ""
    return [(last, arguments(offered[last], request))] if last else []


def _text(request: Request, tools: Sequence[ToolInfo], config: GenerateConfig) -> str:
    asked = config.response_schema
    if asked is not None:
        role = _BY_SCHEMA.get(asked.name)
        return json.dumps(role(request) if role else instance(asked.json_schema, request), ensure_ascii=False)
    return best_sentences(request) if tools else _text_role(request)(request)


def _unsaid(text: str, messages: Sequence[ChatMessage]) -> str:
    """What is left of a text whose opening is the last thing said; the whole otherwise."""
    said = next((m.text for m in reversed(messages) if isinstance(m, ChatMessageAssistant)), "")
    return text.removeprefix(said) if said and said != text else text


def _text_role(request: Request) -> Callable[[Request], str]:
    """Which plain text is asked, by the kinds of blocks in the prompt."""
    if request.has("reference"):
        return user_reply if request.has("question") else condensed
    if request.has("question") and request.has("query"):
        return self_reply
    if request.has("topic"):
        return write_up
    if request.has("finding") or (request.has("query") and request.has("brief")):
        return report
    return best_sentences


def _marked(calls: Sequence[Call], messages: Sequence[ChatMessage]) -> list[ToolCall]:
    """The calls with ids that follow from the conversation and their place."""
    said = "\0".join(_message_text(message) for message in messages)
    mark = hashlib.sha256(said.encode()).hexdigest()[:16]
    return [
        ToolCall(id=f"call_{mark}_{place}", function=function, arguments=given)
        for place, (function, given) in enumerate(calls)
    ]


def _message_text(message: ChatMessage) -> str:
    calls = message.tool_calls or () if isinstance(message, ChatMessageAssistant) else ()
    return "\n".join([message.role, message.text, *map(_call_text, calls)])


def _call_text(call: ToolCall) -> str:
    return f"{call.function} {json.dumps(call.arguments, ensure_ascii=False, sort_keys=True)}"


def _count_input(messages: Sequence[ChatMessage], tools: Sequence[ToolInfo]) -> int:
    shown = [_message_text(message) for message in messages]
    shown += [tool.model_dump_json(exclude={"options"}, exclude_none=True) for tool in tools]
    return sum(map(count_tokens, shown))


def _cut(text: str, most: int) -> str:
    """The longest opening of a text that counts at most `most` tokens."""
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if count_tokens(text[:middle]) <= most else (low, middle - 1)
    return text[:low]
