"""Files with one JSON object a line."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from idrbench_inspect.errors import BadInput
from idrbench_inspect.formats import decoded, filled_lines, json_object


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
        try:
            row = json_object(line)
        except ValueError as error:
            raise BadInput(f"{where}: {error}") from None
        yield where, row
