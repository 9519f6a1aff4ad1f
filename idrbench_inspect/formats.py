"""Files that people write, read strictly: UTF-8, one JSON object a line, YAML; no name twice in one object.

JSON and YAML readers take the last of two equal names without a word, so that half of a line that was edited by hand
would be lost in silence.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import yaml

from idrbench_inspect.errors import BadInput


class Twice(ValueError):
    """A name occurs twice in one object; the message says which and what to do."""


def read_text(path: Path) -> str:
    """A file's text in UTF-8, without a byte-order mark; line ends are left as they are.

    Raises:
        BadInput: it cannot be read, or is not UTF-8.
    """
    return decoded(read_bytes(path), str(path))


def read_bytes(path: Path) -> bytes:
    """A file's content.

    Raises:
        BadInput: it cannot be read, such as a folder.
    """
    try:
        return path.read_bytes()
    except OSError as error:
        raise BadInput(f"{path} cannot be read ({error.strerror}); put a file there that can.") from None


def decoded(content: bytes, name: str) -> str:
    """The text of `content`, as `read_text` gives that of a file named `name`.

    Raises:
        BadInput: it is not UTF-8.
    """
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInput(f"{name} is not UTF-8 (byte {error.start} cannot be read); save it as UTF-8.") from None


def filled_lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines that hold something, numbered from 1.

    Only a line feed ends one: `splitlines` would also break at U+2028 and U+0085, which JSON strings may hold.
    """
    return ((number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip())


def from_json(text: str) -> Any:
    """A JSON value.

    Raises:
        Twice: one of its objects has a name twice.
        ValueError: it is not JSON; the message is the reader's own.

    Example:
        >>> from_json('{"id": 1, "id": 2}')
        Traceback (most recent call last):
        idrbench_inspect.formats.Twice: the field id occurs twice in one object; leave one of them out.
    """
    try:
        return json.loads(text, object_pairs_hook=_once)
    except RecursionError as error:
        raise ValueError(str(error)) from None


def json_object(line: str) -> dict[str, Any]:
    """One JSON object on one line, with no name twice.

    Raises:
        ValueError: it is not one; the message is a sentence.
    """
    try:
        fields = from_json(line)
    except Twice:
        raise
    except json.JSONDecodeError as error:  # whose own message would call this line 1
        why = f"{error.msg} at character {error.pos + 1}"
        raise ValueError(f"not JSON ({why}); a row must be one JSON object on one line.") from None
    except ValueError as error:
        raise ValueError(f"not JSON ({error}); a row must be one JSON object on one line.") from None
    if not isinstance(fields, dict):
        raise ValueError(f"got {short(fields)}, a row must be one JSON object; correct the row.")
    return fields


def short(value: Any) -> str:
    """A value as messages show it, in 60 characters at most."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def from_yaml(text: str) -> Any:
    """A YAML value whose scalars are all texts: 2024 and No stay what was written.

    Raises:
        Twice: one of its mappings has a name twice.
        ValueError: it is not YAML, or a name is no text; the message is on one line.
    """
    try:
        return yaml.load(text, Loader=_Texts)
    except (yaml.YAMLError, RecursionError) as error:
        raise ValueError(" ".join(str(error).split())) from None


class _Texts(yaml.BaseLoader):
    """The base loader keeps every scalar as text; this one takes no name twice, too."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        fields = super().construct_mapping(node, deep)
        if len(fields) < len(node.value):
            _refuse_twice([key.value for key, _ in node.value])
        return fields


def _once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        _refuse_twice(name for name, _ in pairs)
    return fields


def _refuse_twice(names: Iterable[str]) -> None:
    again = next(name for name, times in Counter(names).items() if times > 1)
    raise Twice(f"the field {again} occurs twice in one object; leave one of them out.")
