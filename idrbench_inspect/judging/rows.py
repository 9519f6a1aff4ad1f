"""Files with one JSON object a line."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from idrbench_inspect.errors import BadInput
from idrbench_inspect.formats import Twice, decoded, filled_lines, from_json


def json_rows(path: Path, wanted: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The objects of a file, each with its place (file and line) for messages; blank lines are passed over.

    Args:
        path: UTF-8, with or without a byte-order mark. Only a line feed ends a row, since JSON texts may hold U+2028.
        wanted: What the file should be, for messages: "a file of aspects".

    Raises:
        BadInput: there is no such file, it is not UTF-8, or a line is no JSON object or has a name twice in one.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise BadInput(f"{path} cannot be read ({error.strerror}); give the path of {wanted}.") from None
    for number, line in filled_lines(decoded(content, str(path))):
        where = f"{path}, line {number}"
        yield where, json_row(line, where, wanted)


def json_row(line: str, where: str, wanted: str) -> dict[str, Any]:
    """One object on one line.

    Raises:
        BadInput: it is none, or has a name twice in one object; `where` begins the message.
    """
    try:
        row = from_json(line)
    except Twice as twice:
        raise BadInput(f"{where}: {twice}") from None
    except ValueError as error:
        raise BadInput(f"{where}: not JSON ({error}); {wanted} has one JSON object a line.") from None
    if not isinstance(row, dict):
        raise BadInput(f"{where}: no JSON object; {wanted} has one a line.")
    return row
