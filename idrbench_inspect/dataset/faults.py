"""Faults that pydantic finds in the records of a dataset, in plain words: what was got, and what was wanted."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, get_args

from pydantic import BaseModel

from idrbench_inspect.formats import short

HEX = r"^[0-9a-f]{64}$"
NUMBERED = r"^p[1-9][0-9]?$"
_PATTERNS = {HEX: "64 hex digits in small letters", NUMBERED: "p1 to p99"}
_KINDS = {
    "string_type": "it must be text",
    "string_unicode": "it must not hold half a surrogate pair",
    "tuple_type": "it must be a list",
    "list_type": "it must be a list",
    "model_type": "it must be a JSON object",
    "dict_type": "it must be a JSON object",
    "bool_type": "it must be true or false",
    "bool_parsing": "it must be true or false",
    "too_short": "it must have at least {min_length} items",
    "too_long": "it must have at most {max_length} items",
}


def field_of(error: Mapping[str, Any]) -> str:
    """The field of one of pydantic's errors, with dots; empty where it is the whole record."""
    return ".".join(str(part) for part in error["loc"])


def explained(error: Mapping[str, Any], kind: type[BaseModel], whole: str = "") -> str:
    """One of pydantic's errors, as part of a sentence.

    Args:
        error: As `ValidationError.errors()` gives it.
        kind: The record that did not validate.
        whole: What `kind` is called where its fields are listed, such as "a row's".
    """
    field = field_of(error)
    if error["type"] == "missing":
        return f"the field {field} is missing"
    if error["type"] == "extra_forbidden":
        owner, *_ = _records_at(kind, error["loc"][:-1])
        fields = f"{whole or 'the'} fields" if owner is kind else "the fields"
        return f"the field {field} is not known ({fields} are {', '.join(owner.model_fields)})"
    wanted = _wanted(error)
    if error["type"] == "value_error" and isinstance(error["input"], Mapping):  # of a whole row or point
        return wanted
    return f"the field {field} is {short(error['input'])}, {wanted}" if field else wanted


def _wanted(error: Mapping[str, Any]) -> str:
    context = error.get("ctx", {})
    if error["type"] == "string_pattern_mismatch" and context["pattern"] in _PATTERNS:
        return f"it must be {_PATTERNS[context['pattern']]}"
    if error["type"] in _KINDS:
        return _KINDS[error["type"]].format(**context)
    return str(error["msg"]).removeprefix("Value error, ").replace("Input should be", "it must be")


def _records_at(kind: type[BaseModel], path: Sequence[str | int]) -> list[type[BaseModel]]:
    """The record that a path of field names and places in lists leads to, from `kind` on."""
    found = [kind]
    for part in path:
        if isinstance(part, str):
            found = [*_records_in(found[0].model_fields[part].annotation)]
    return found


def _records_in(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for part in get_args(annotation):
        yield from _records_in(part)
