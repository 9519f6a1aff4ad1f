"""Requests of no known kind: a valid instance of whatever schema is asked for, or sentences that answer best."""

import re
from collections.abc import Callable
from typing import Any

from inspect_ai.tool import ToolInfo
from inspect_ai.util import JSONSchema

from idrbench_inspect.prompting import fenced, notice
from idrbench_inspect.providers.reading import best_first, full_sentences, rarity, sentences, share, terms, unique
from idrbench_inspect.providers.request import Request
from idrbench_inspect.providers.roles_writing import in_order, scored

_SCALE = re.compile(r"\b(\d{1,3})\s*(?:-|–|to|and|到|至)\s*(\d{1,3})\b")
_SAID = 3


def best_sentences(request: Request) -> str:
    """The sentences of the material, or of the messages where nothing is fenced, that best match the last question."""
    material = [text for _, text in request.blocks if text]
    for result in request.results:
        material += [text for _, text in fenced(result.text)] or [result.text]
    last = next((m.text for m in reversed(request.messages) if m.role == "user"), "")
    asked = request.block("question") or request.plain.strip() or last
    every = unique(s for text in material or [request.user] for s in full_sentences(text) or sentences(text))
    found = best_first(every, scored(every, dict.fromkeys(terms(asked), 1.0), rarity(every)), _SAID)
    return " ".join(in_order(found or every[:1], every)) or notice("nothing")


def instance(schema: JSONSchema, request: Request) -> Any:
    """A valid value of a schema: every required field, numbers by likeness, the first of each choice.

    Args:
        schema: What is asked. A number lies on `minimum`..`maximum`, else on the scale that the prompt names, else on
            0 to 1 (a whole number: 0 to 5).
        request: Numbers stand for the share of terms that the two longest blocks have in common.
    """
    return _value(schema, request)


def _value(schema: JSONSchema, request: Request) -> Any:
    if schema.anyOf or schema.enum:
        return _value(schema.anyOf[0], request) if schema.anyOf else (schema.enum or [None])[0]
    if schema.properties is not None or schema.type == "object":
        wanted = schema.required if schema.required is not None else list(schema.properties or {})
        return {
            key: _value((schema.properties or {})[key], request) for key in wanted if key in (schema.properties or {})
        }
    if schema.type == "array":
        return _items(schema.items or JSONSchema(type="string"), request)
    kind = schema.type[0] if isinstance(schema.type, list) else schema.type
    plain: dict[str | None, Callable[[JSONSchema, Request], Any]] = {
        "integer": _number,
        "number": _number,
        "boolean": lambda _, asked: likeness(asked) >= 0.5,
        "null": lambda *_: None,
    }
    return plain.get(kind, _text)(schema, request)


def _items(item: JSONSchema, request: Request) -> list[Any]:
    if item.type != "string" or item.enum:
        return [_value(item, request)]
    longest = max((text for _, text in request.blocks), key=len, default=request.user)
    return unique(full_sentences(longest) or sentences(longest))[:_SAID] or [notice("nothing")]


def _number(schema: JSONSchema, request: Request) -> float | int:
    whole = schema.type == "integer"
    low, high = _scale(request.plain + request.system, (0.0, 5.0 if whole else 1.0))
    low = schema.minimum if schema.minimum is not None else low
    high = schema.maximum if schema.maximum is not None else max(low, high)
    value = low + likeness(request) * (high - low)
    return round(value) if whole else round(value, 4)


def _scale(text: str, default: tuple[float, float]) -> tuple[float, float]:
    found = [(float(a), float(b)) for a, b in _SCALE.findall(text) if int(a) < int(b)]
    return found[0] if found else default


def likeness(request: Request) -> float:
    """The share, 0 to 1, of the terms of the second longest block that the longest one holds; 0 without two.

    Which of the two has fewer distinct terms counts as the second.
    """
    texts = sorted((text for _, text in request.blocks), key=len, reverse=True)[:2]
    if len(texts) < 2:
        return 0.0
    first, second = (unique(terms(text)) for text in texts)
    return share(first, second) if len(first) <= len(second) else share(second, first)


def _text(schema: JSONSchema, request: Request) -> str:
    texts = sorted((text for _, text in request.blocks), key=len, reverse=True)[:2]
    if len(texts) == 2:
        text = f"{round(100 * likeness(request))} % of the terms of the shorter text are in the longer one."
    else:
        text = best_sentences(request)
    lowest, highest = schema.minLength or 0, schema.maxLength
    return text.ljust(lowest, ".")[:highest]


def arguments(tool: ToolInfo, request: Request) -> dict[str, Any]:
    """Valid arguments for a tool that is none of the known ones; its texts are the sentences that answer best."""
    shown = tool.parameters
    schema = JSONSchema(type="object", properties=dict(shown.properties), required=shown.required)
    found: dict[str, Any] = instance(schema, request)
    texts = [
        key for key, value in shown.properties.items() if value.type == "string" and not value.enum and key in found
    ]
    return {**found, **{key: best_sentences(request) for key in texts}}
