"""Model replies: look at how each ended, parse, validate, ask again with the error, then fail loudly.

A provider reports a context overflow, a cut and a refusal as ordinary outputs; `fault_of` reads them from the stop
reason. Every model call goes through one of `ask_text`, `ask_report`, `ask_json`, `ask_read` and `ask_tools`. Transient
errors (429, 5xx, a dropped connection) are retried below this, by Inspect.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, TypeVar

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    GenerateConfig,
    Model,
    ModelOutput,
    ResponseSchema,
)
from inspect_ai.tool import ToolInfo
from inspect_ai.util import json_schema
from pydantic import BaseModel, ValidationError

from idrbench_inspect.errors import ReplyFault, UnusableReply
from idrbench_inspect.prompting import Prompt, notice

ATTEMPTS = 3
T = TypeVar("T", bound=BaseModel)
R = TypeVar("R")

_BY_STOP_REASON: dict[str, ReplyFault] = {"model_length": "overflow", "max_tokens": "cut", "content_filter": "refused"}


def opening(prompt: Prompt) -> list[ChatMessage]:
    """A prompt as the system and user message that open a conversation."""
    return [ChatMessageSystem(content=prompt.system), ChatMessageUser(content=prompt.user)]


def fault_of(output: ModelOutput) -> ReplyFault | None:
    """What is wrong with an output, by its stop reason and content; `None` when it can be used.

    A reply that holds only reasoning, or no choice at all, counts as empty.
    """
    if output.empty:
        return "empty"
    fault = _BY_STOP_REASON.get(output.stop_reason)
    if fault is None and not output.message.tool_calls and not output.completion.strip():
        return "empty"
    return fault


def role_of(model: Model) -> str:
    """The role a model plays, for messages; its name when it plays none."""
    return model.role or str(model)


async def ask_text(
    model: Model,
    messages: Sequence[ChatMessage],
    *,
    longest: int | None = None,
    read: Callable[[str], str] = str.strip,
) -> str:
    """A plain text reply.

    Args:
        model: Who is asked.
        messages: The conversation; it is not changed.
        longest: Characters beyond which a reply counts as unusable.
        read: Takes from the reply what counts; a reply of which nothing is left is empty.

    Raises:
        UnusableReply: overflow at once; cut, refused, empty or too long after three attempts.
    """
    conversation = list(messages)
    for attempt in range(1, ATTEMPTS + 1):
        output = await model.generate(conversation)
        fault = fault_of(output)
        text = read(output.completion)
        if fault is None and not text:
            fault = "empty"
        if fault is None and longest is not None and len(text) > longest:
            fault = "too long"
        if fault is None:
            return text
        _give_up(model, fault, output, attempt)
        conversation = [*messages, ChatMessageUser(content=notice(f"reask_{fault.replace(' ', '_')}"))]
    raise AssertionError("unreachable: the last attempt returns or raises")


async def ask_report(model: Model, messages: Sequence[ChatMessage]) -> tuple[str, bool]:
    """A long text reply; one that is cut at the output limit is continued, at most twice.

    Returns:
        The text, and whether it is still cut.

    Raises:
        UnusableReply: overflow at once; empty or refused after three attempts.
    """
    conversation, parts = list(messages), list[str]()
    for attempt in range(1, ATTEMPTS + 1):
        output = await model.generate(conversation)
        fault = fault_of(output)
        said = output.completion
        if fault is None and not said.strip():
            fault = "empty"
        if fault is None or (fault == "cut" and said.strip()):
            parts.append(said)
            if fault is None or attempt == ATTEMPTS:
                return "".join(parts).strip(), fault is not None
            on = ChatMessageUser(content=notice("go_on"))
            conversation = [*messages, ChatMessageAssistant(content="".join(parts)), on]
        elif parts:
            return "".join(parts).strip(), True
        else:
            _give_up(model, fault, output, attempt)
            conversation = [*messages, ChatMessageUser(content=notice(f"reask_{fault}"))]
    raise AssertionError("unreachable: the last attempt returns or raises")


async def ask_json(model: Model, prompt: Prompt, schema: type[T]) -> T:
    """A structured reply: the provider is given the JSON schema, and what comes back is validated all the same.

    Raises:
        UnusableReply: overflow at once; otherwise after three attempts, the later ones told what was wrong.
    """
    return await ask_read(model, prompt, schema, lambda text: read_json(text, schema))


async def ask_read(
    model: Model,
    prompt: Prompt,
    schema: type[BaseModel],
    read: Callable[[str], R],
    *,
    config: GenerateConfig | None = None,
    roomier: bool = False,
) -> R:
    """What `read` takes from a structured reply.

    Args:
        model: Who is asked.
        prompt: What is asked.
        schema: The form that the provider is given.
        read: Takes the result from a reply's text; its `ValueError` tells the next attempt what was wrong.
        config: Settings of these calls, before those of the model.
        roomier: A reply cut before its first word, all of it spent on reasoning, is asked for again with twice the
            output limit.

    Raises:
        UnusableReply: overflow at once; otherwise after three attempts, the later ones told what was wrong.
    """
    start = opening(prompt)
    conversation = list(start)
    settings = (config or GenerateConfig()).merge(GenerateConfig(response_schema=_asked_form(schema)))
    for attempt in range(1, ATTEMPTS + 1):
        output = await model.generate(conversation, config=settings)
        fault = fault_of(output)
        error = ""
        if fault is None:
            try:
                return read(output.completion)
            except ValueError as unreadable:
                fault, error = "malformed", _one_line(unreadable)
        _give_up(model, fault, output, attempt, error)
        said: list[ChatMessage] = [ChatMessageAssistant(content=output.completion)] if output.completion.strip() else []
        if roomier and fault == "cut" and not said:
            settings = settings.merge(GenerateConfig(max_tokens=_more_room(output, settings, model)))
        wrong = notice(f"reask_{fault}", error=error) if fault == "malformed" else notice(f"reask_{fault}")
        conversation = [*start, *said, ChatMessageUser(content=wrong)]
    raise AssertionError("unreachable: the last attempt returns or raises")


async def ask_tools(model: Model, messages: Sequence[ChatMessage], tools: Sequence[ToolInfo]) -> ChatMessageAssistant:
    """A reply that may call tools.

    Raises:
        UnusableReply: overflow at once; cut, refused or empty after three attempts.
    """
    conversation = list(messages)
    for attempt in range(1, ATTEMPTS + 1):
        output = await model.generate(conversation, tools=list(tools))
        fault = fault_of(output)
        if fault is None:
            return _told_apart(output.message)
        _give_up(model, fault, output, attempt)
        conversation = [*messages, ChatMessageUser(content=notice(f"reask_{fault}"))]
    raise AssertionError("unreachable: the last attempt returns or raises")


def _told_apart(message: ChatMessageAssistant) -> ChatMessageAssistant:
    """The message with every call id once: some providers number the calls of each message from 0, or all alike."""
    seen: set[str] = set()
    for n, call in enumerate(message.tool_calls or []):
        if call.id in seen or not call.id:
            call.id = f"{call.id}_{n}"
        seen.add(call.id)
    return message


def read_json(text: str, schema: type[T]) -> T:
    """The first JSON object in `text` that fits `schema`, inside a code fence or between prose.

    The texts "false" and "no", and 0, read as false. What lies inside an object that is cut off is not taken for it.

    Raises:
        ValueError: no object is there, or none fits; the message says what is wrong with the first object, or with the
            first opening brace when nothing could be read as an object.
    """
    return next(_fitting(text, schema))


def read_one_json(text: str, schema: type[T]) -> T:
    """The JSON object in `text` that fits `schema`, where no other one fits: a draft or a quotation is no verdict.

    Raises:
        ValueError: as `read_json`; or two objects fit that are not equal.
    """
    first, *others = _fitting(text, schema)
    if any(other != first for other in others):
        raise ValueError("there is more than one JSON object of the asked form.")
    return first


def _fitting(text: str, schema: type[T]) -> Iterator[T]:
    """The objects that fit, in order; at least one, or `ValueError`."""
    decoder = json.JSONDecoder()
    broken: ValueError | None = None
    unfit: ValueError | None = None
    fits = False
    start = text.find("{")
    while start != -1:
        try:
            found, end = decoder.raw_decode(text, start)
        except json.JSONDecodeError as error:
            broken = broken or ValueError(f"not JSON: {error}.")
            start = -1 if _cut_off(error) else text.find("{", start + 1)
            continue
        except RecursionError:
            raise ValueError("not JSON: nested too deep.") from None
        start = text.find("{", end)
        try:
            fit = schema.model_validate(found)
        except ValidationError as error:
            unfit = unfit or ValueError(_explain(error))
            continue
        fits = True
        yield fit
    if not fits:
        raise unfit or broken or ValueError("there is no JSON object.")


def _give_up(model: Model, fault: ReplyFault, output: ModelOutput, attempt: int, error: str = "") -> None:
    if fault == "overflow" or attempt == ATTEMPTS:
        detail = error or _one_line(output.completion or output.error or "no text")
        raise UnusableReply(role_of(model), fault, detail, output.completion)


def _more_room(output: ModelOutput, settings: GenerateConfig, model: Model) -> int | None:
    """Twice the output limit that a reply was cut at; `None` where neither a setting nor the usage tells it."""
    set_by_hand = settings.max_tokens or model.config.max_tokens or 0
    return 2 * max(set_by_hand, output.usage.output_tokens if output.usage else 0) or None


def _cut_off(error: json.JSONDecodeError) -> bool:
    return error.pos >= len(error.doc.rstrip()) or error.msg.startswith("Unterminated string")


def _explain(error: ValidationError) -> str:
    parts = (f"{'.'.join(map(str, e['loc'])) or 'object'}: {e['msg']}" for e in error.errors()[:4])
    return "; ".join(parts) + "."


def _one_line(value: Any) -> str:
    return " ".join(str(value).split())[:300]


@cache
def _asked_form(schema: type[BaseModel]) -> ResponseSchema:
    return ResponseSchema(name=_snake(schema.__name__), json_schema=json_schema(schema))


def _snake(name: str) -> str:
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in name).lstrip("_")
