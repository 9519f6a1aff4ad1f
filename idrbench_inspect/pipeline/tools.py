"""The tools that our own agents are offered, described in `prompts/notices.yaml`, and how their calls are answered.

The work behind a turn's calls (researchers, searches) is done at once, before the calls are answered one by one in
their order: results are numbered by the order of the calls and never by arrival, and every call id gets exactly one
reply, whatever the call looks like.
"""

from collections import defaultdict, deque
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from inspect_ai.model import ChatMessageAssistant, ChatMessageTool, execute_tools
from inspect_ai.tool import ToolCall, ToolCallError, ToolDef, ToolError, ToolInfo, ToolParams
from inspect_ai.util import JSONSchema

from idrbench_inspect.prompting import notice

UNCUT = 10**9
"""Bytes of a tool reply; Inspect's default of 16 KiB would cut findings in silence."""


class Prepared:
    """Replies that are ready before their calls are carried out, taken in the order of the calls."""

    def __init__(self) -> None:
        self._ready: dict[str, deque[str]] = defaultdict(deque)

    def add(self, key: str, reply: str) -> None:
        """Have `reply` ready for the next call with this key."""
        self._ready[key].append(reply)

    def take(self, key: str) -> str:
        """The next reply for this key.

        Raises:
            ToolError: none is ready, because the call's arguments are not of the asked form.
        """
        if not self._ready[key]:
            raise ToolError("the arguments are not of the asked form")
        return self._ready[key].popleft()


def topic_of(call: ToolCall) -> str | None:
    """The sub-topic of a `conduct_research` call; `None` when it cannot be read."""
    topic = call.arguments.get("topic") if _readable(call) else None
    return topic if isinstance(topic, str) and topic.strip() and set(call.arguments) == {"topic"} else None


def queries_of(call: ToolCall) -> tuple[str, ...] | None:
    """The queries of a `search` call; `None` when they cannot be read."""
    queries = call.arguments.get("queries") if _readable(call) else None
    if not isinstance(queries, list) or set(call.arguments) != {"queries"}:
        return None
    return tuple(queries) if all(isinstance(q, str) for q in queries) else None


def supervisor_tools(prepared: Prepared) -> list[ToolDef]:
    """`conduct_research`, `think` and `research_complete`."""

    async def conduct_research(topic: str) -> str:
        return prepared.take(topic)

    return [_tool(conduct_research, topic=JSONSchema(type="string")), _think(), _complete()]


def researcher_tools(prepared: Prepared) -> list[ToolDef]:
    """`search`, `think` and `research_complete`."""

    async def search(queries: list[str]) -> str:
        return prepared.take("\0".join(queries))

    return [_tool(search, queries=JSONSchema(type="array", items=JSONSchema(type="string"))), _think(), _complete()]


def infos(tools: Sequence[ToolDef]) -> list[ToolInfo]:
    """The tools as a model call takes them."""
    return [ToolInfo(name=t.name, description=t.description, parameters=t.parameters) for t in tools]


async def answer_calls(message: ChatMessageAssistant, tools: Sequence[ToolDef]) -> list[ChatMessageTool]:
    """One reply per call of `message`, in order; a call that cannot be carried out is told what is wrong with it."""
    done = await execute_tools([message], list(tools), max_output=UNCUT)
    replies = [reply for reply in done.messages if isinstance(reply, ChatMessageTool)]
    return [_corrected(reply, tools) for reply in replies]


def _corrected(reply: ChatMessageTool, tools: Sequence[ToolDef]) -> ChatMessageTool:
    if reply.error is None:
        return reply
    known = [tool.name for tool in tools]
    if reply.function not in known:
        said = notice("unknown_tool", tool=reply.function or "", known=", ".join(known))
    else:
        said = notice("malformed_call", error=" ".join(reply.error.message.split())[:500])
    return ChatMessageTool(
        content=said,
        tool_call_id=reply.tool_call_id,
        function=reply.function,
        error=ToolCallError(type=reply.error.type, message=said),
    )


def _readable(call: ToolCall) -> bool:
    return call.parse_error is None


def _think() -> ToolDef:
    async def think(reflection: str) -> str:
        return notice("thought")

    return _tool(think, reflection=JSONSchema(type="string"))


def _complete() -> ToolDef:
    async def research_complete() -> str:
        return notice("complete")

    return _tool(research_complete)


def _tool(execute: Callable[..., Coroutine[Any, Any, str]], **parameters: JSONSchema) -> ToolDef:
    name = execute.__name__
    described: dict[str, Any] = {
        key: schema.model_copy(update={"description": notice(f"tool_{name}_{key}")})
        for key, schema in parameters.items()
    }
    return ToolDef(
        execute,
        name=name,
        description=notice(f"tool_{name}"),
        parameters=ToolParams(properties=described, required=list(described)),
    )
