"""Files with one JSON object a line."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from idrbench_inspect.errors import BadInput


def json_rows(path: Path, wanted: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The objects of a file, each with its place (file and line) for messages; blank lines are passed over.

    Args:
        path: UTF-8, with or without a byte-order mark. Only a line feed ends a row, since JSON texts may hold U+2028.
        wanted: What the file should be, for messages: "a file of aspects".

    Raises:
        BadInput: there is no such file, it is not UTF-8, or a line is no JSON object.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise BadInput(f"{path} cannot be read ({error.strerror}); give the path of {wanted}.") from None
    except UnicodeDecodeError as error:
        raise BadInput(f"{path} is not UTF-8 (byte {error.start} cannot be read); save it as UTF-8.") from None
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        where = f"{path}, line {number}"
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise BadInput(f"{where}: not JSON ({error}); {wanted} has one JSON object a line.") from None
        if not isinstance(row, dict):
            raise BadInput(f"{where}: no JSON object; {wanted} has one a line.")
        yield where, row
