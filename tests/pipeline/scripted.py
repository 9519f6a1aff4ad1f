"""Whole runs of the pipeline, offline: each role is played by a function of its call, and every call is kept."""

import inspect
import json
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Any

from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.event import ModelEvent, ToolEvent
from inspect_ai.log import EvalLog, EvalSample
from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageTool,
    Model,
    ModelOutput,
    ModelUsage,
    StopReason,
    get_model,
)
from inspect_ai.solver import Solver
from inspect_ai.tool import ToolCall, ToolChoice, ToolInfo

from idrbench_inspect.errors import SearchFailed
from idrbench_inspect.pipeline.solver import RUN_KEY, deep_research
from idrbench_inspect.prompting import fenced
from idrbench_inspect.records import AGENT_ROLES, ResearchRun
from idrbench_inspect.search import Result, Results, Search
from idrbench_inspect.user.seat import seat_user

DATE = "2026-01-15"
QUERY = "What should a beginner know about keeping bees?"
TOPICS = ("hives", "honey", "winter")
REFERENCE = "Bees for a cold town, with the weight on winter."

Said = ModelOutput | ChatMessageAssistant | str | dict[str, Any] | Sequence[ToolCall] | Exception
Play = Callable[["Call"], Said | Awaitable[Said]]


@dataclass(frozen=True)
class Call:
    """One model call as the model got it; `number` counts the calls of its role from 1."""

    role: str
    number: int
    messages: tuple[ChatMessage, ...]
    tools: tuple[str, ...]

    @property
    def text(self) -> str:
        return "\n".join(message.text for message in self.messages)

    @property
    def system(self) -> str:
        return self.messages[0].text

    @property
    def user(self) -> str:
        return self.messages[1].text

    def block(self, kind: str) -> str:
        """The first fenced block of a kind, "" if there is none."""
        return next((text for _, text in fenced(self.text, kind)), "")

    @property
    def replies(self) -> list[ChatMessageTool]:
        return [message for message in self.messages if isinstance(message, ChatMessageTool)]


_ids: Iterator[int] = count(1)


def call(function: str, **arguments: Any) -> ToolCall:
    return ToolCall(id=f"call-{next(_ids)}", function=function, arguments=arguments)


def delegate(*topics: str) -> list[ToolCall]:
    return [call("conduct_research", topic=topic) for topic in topics]


def look_up(*queries: str) -> list[ToolCall]:
    return [call("search", queries=list(queries))]


def done() -> list[ToolCall]:
    return [call("research_complete")]


def not_json(function: str) -> ToolCall:
    """A call whose arguments could not be parsed, as a provider hands it over."""
    return ToolCall(id=f"call-{next(_ids)}", function=function, arguments={}, parse_error="arguments are not JSON")


def output(said: Said, stop: StopReason = "stop") -> ModelOutput:
    if isinstance(said, ModelOutput):
        return said
    if isinstance(said, ChatMessageAssistant):
        message = said
    elif isinstance(said, str | dict):
        message = ChatMessageAssistant(content=said if isinstance(said, str) else json.dumps(said), source="generate")
    else:
        assert not isinstance(said, Exception)
        message = ChatMessageAssistant(content="", tool_calls=list(said), source="generate")
        stop = "tool_calls"
    choices = [ChatCompletionChoice(message=message, stop_reason=stop)]
    usage = ModelUsage(input_tokens=10, output_tokens=5, total_tokens=15)
    return ModelOutput(model="mockllm/model", choices=choices, usage=usage)


def overflow() -> ModelOutput:
    return output("the prompt is too long: maximum context length exceeded", "model_length")


def in_turn(*replies: Said) -> Play:
    """The replies one after the other, and the last again and again; a repeated tool call gets an id of its own."""

    def play(call: Call) -> Said:
        said = replies[min(call.number, len(replies)) - 1]
        if call.number <= len(replies) or not isinstance(said, list):
            return said
        return [replace(again, id=f"call-{next(_ids)}") for again in said]

    return play


def _researcher(call: Call) -> Said:
    return done() if call.replies else look_up(call.block("topic"))


def _summarizer(call: Call) -> Said:
    title, _, text = call.block("page").partition("\n")
    return {"summary": f"Summary of {title}. {text[-200:]}", "key_excerpts": []}


def _compressor(call: Call) -> Said:
    shown = len(fenced(call.text, "source"))
    return " ".join(f"{call.block('topic')} fact {n} [{n}]." for n in range(1, shown + 1))


def _reporter(call: Call) -> Said:
    facts = [text.partition("\n\n")[2] for _, text in fenced(call.user, "finding")]
    return "# Bees\n\n" + ("\n\n".join(facts) or "Nothing was found.")


_ORDINARY: dict[str, Play] = {
    "planner": in_turn({"research_brief": "I want to know how to keep bees."}),
    "supervisor": in_turn(delegate(*TOPICS), done()),
    "researcher": _researcher,
    "summarizer": _summarizer,
    "compressor": _compressor,
    "reporter": _reporter,
    "evaluator": in_turn({"rationale": "Enough is known.", "ask": False}),
    "questioner": lambda call: {
        "summary": f"State {call.number}.",
        "question": f"Which years, {call.number}?",
        "second_question": "",
    },
    "user": lambda call: f"Mostly winter, reply {call.number}.",
    "model": in_turn("I would guess."),
}

ASKING: dict[str, Play] = {"evaluator": in_turn({"rationale": "It would change the research.", "ask": True})}


class Script:
    """Models by role: an ordinary run, but for the roles that are given a play of their own."""

    def __init__(self, **plays: Play) -> None:
        self.plays = {**_ORDINARY, **plays}
        self.calls: list[Call] = []

    def of(self, role: str) -> list[Call]:
        return [call for call in self.calls if call.role == role]

    def model(self, role: str) -> Model:
        async def play(
            input: list[ChatMessage], tools: list[ToolInfo], tool_choice: ToolChoice, config: Any
        ) -> ModelOutput:
            call = Call(role, len(self.of(role)) + 1, tuple(input), tuple(tool.name for tool in tools))
            self.calls.append(call)
            said = self.plays[role](call)
            said = await said if inspect.isawaitable(said) else said
            if isinstance(said, Exception):
                raise said
            return output(said)

        return get_model(f"mockllm/{role}", custom_outputs=play, memoize=False)

    def roles(self) -> dict[str, str | Model]:
        return {role: self.model(role) for role in (*AGENT_ROLES, "summarizer", "user")}


class ScriptedSearch:
    """Finds one page per query, whose address follows from the query, unless it is told otherwise."""

    name = "scripted"
    identity = "scripted:1"

    def __init__(self, find: Callable[[str], Sequence[Result]] | None = None, fail: Sequence[str] = ()) -> None:
        self.find = find or (lambda query: [page(query)])
        self.fail = fail
        self.queries: list[str] = []

    async def search(self, query: str, results: int) -> Results:
        self.queries.append(query)
        if "*" in self.fail or query in self.fail:
            raise SearchFailed(query, "the provider is down")
        return Results(query, query, tuple(self.find(query))[:results])


def page(name: str, text: str | None = None, missing: str | None = None) -> Result:
    url = f"https://{'-'.join(name.split())}.example.org/page"
    return Result(url, f"About {name}", f"All that is known about {name}." if text is None else text, missing)


@dataclass(frozen=True)
class Ran:
    """One sample, run to its end."""

    log: EvalLog
    sample: EvalSample
    script: Script
    queries: list[str] = field(default_factory=list)

    @property
    def run(self) -> ResearchRun:
        return ResearchRun.model_validate(self.sample.store[RUN_KEY])

    @property
    def report(self) -> str:
        assert self.run.report is not None
        return self.run.report

    @property
    def model_events(self) -> list[ModelEvent]:
        return [event for event in self.sample.events if isinstance(event, ModelEvent)]

    def tool_events(self, function: str) -> list[ToolEvent]:
        return [e for e in self.sample.events if isinstance(e, ToolEvent) and e.function == function]


def sample(arm: str = "interactive", **metadata: Any) -> Sample:
    return Sample(id="bees", input=QUERY, target=REFERENCE, metadata={"language": "en", "arm": arm, **metadata})


def run(
    script: Script | None = None,
    search: Search | None = None,
    *,
    arm: str = "autonomous",
    solver: Solver | None = None,
    log_dir: Path | None = None,
    user_context: str = "full",
    metadata: dict[str, Any] | None = None,
    options: dict[str, Any] | None = None,
    **chosen: Any,
) -> Ran:
    """Run one sample. `options` are those of `eval`, `chosen` those of `deep_research`."""
    script = script or Script()
    search = search or ScriptedSearch()
    task = Task(
        dataset=[sample(arm, **(metadata or {}))],
        setup=seat_user(user_context=user_context, user_model="mockllm/user"),
        solver=solver or deep_research(date=DATE, search=search, **chosen),
    )
    log = eval(
        task,
        model=script.model("model"),
        model_roles=script.roles(),
        display="log",
        log_dir=str(log_dir) if log_dir else "memory://logs",
        **(options or {}),
    )[0]
    assert log.samples, log.error
    return Ran(log, log.samples[0], script, getattr(search, "queries", []))
