"""What one row of a dataset holds, checked field by field."""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Field, ValidationError, model_validator

from idrbench_inspect.errors import BadInput
from idrbench_inspect.records import Language, Record

_ID = re.compile(r"(?!\.)[A-Za-z0-9._-]{1,100}")


def _whole(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError("it must not hold half a surrogate pair") from None
    return text


def _not_blank(text: str) -> str:
    if not text.strip():
        raise ValueError("it must not be blank")
    return text


def _safe_name(text: str) -> str:
    if not _ID.fullmatch(text):
        raise ValueError("it names files, so it must be 1 to 100 of A-Z a-z 0-9 . _ - and not begin with a dot")
    return text


_Whole = Annotated[str, AfterValidator(_whole)]
_Text = Annotated[_Whole, AfterValidator(_not_blank)]


class AmbiguityPoint(Record):
    """One thing that a query leaves open: plausible alternatives, the user's preference, where the report shows it."""

    dimension: Literal["scope", "time", "region", "audience", "emphasis", "structure"]
    question: _Text
    alternatives: tuple[_Text, ...] = Field(min_length=2, max_length=3)
    preference: _Text
    shown_in: _Text


class TargetOrigin(Record):
    """Where a paired report comes from."""

    system: _Text
    model_family: _Text


class TaskFields(Record):
    """What a row and a loaded task have in common.

    A task with `second_user_of` is asked in the same words as the task of that id, by a user with other preferences.
    """

    id: Annotated[str, AfterValidator(_safe_name)]
    language: Language
    topic: _Text
    query: _Text
    source_query: _Text
    target_origin: TargetOrigin
    ambiguity: tuple[AmbiguityPoint, ...] = ()
    second_user_of: str | None = None

    @model_validator(mode="after")
    def _shorter(self) -> Self:
        if len(self.query) > len(self.source_query):
            got, most = len(self.query), len(self.source_query)
            raise ValueError(f"the query has {got} characters, it must not be longer than its source_query ({most})")
        return self


class Row(TaskFields):
    """One line of a tasks file; the report is in it, in a file that it names, or in `reports/<id>.md`."""

    report: _Whole | None = None
    report_file: str | None = None


class ResearchTask(TaskFields):
    """One task: a query and the report behind it; `subsets` names the frozen subsets that it belongs to."""

    report: _Text
    subsets: tuple[str, ...] = ()

    @property
    def compression(self) -> float:
        """How much shorter the query is than its source, in characters: 0 (as long) to 1, to three decimals."""
        return round(1 - len(self.query) / len(self.source_query), 3)


def read_text(path: Path) -> str:
    """A file's text in UTF-8, without a byte-order mark; line ends are left as they are.

    Raises:
        BadInput: it is not UTF-8.
    """
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInput(f"{path} is not UTF-8 (byte {error.start} cannot be read); save it as UTF-8.") from None


def read_rows(file: Path) -> list[Row]:
    """The rows of a tasks file, at least one, with ids that differ; blank lines are passed over.

    Raises:
        BadInput: a row cannot be used; the file, the line and the field are named.
    """
    # Only "\n" ends a row: `splitlines` would also break at U+2028 and U+0085, which JSON strings may hold.
    lines = enumerate(read_text(file).split("\n"), 1)
    rows: dict[str, Row] = {}
    for number, line in lines:
        if not line.strip():
            continue
        row = _row(line, f"{file}, line {number}")
        if row.id in rows:
            raise BadInput(f"{file}, line {number}: the id {row.id!r} occurs twice; give every task an id of its own.")
        rows[row.id] = row
    if not rows:
        raise BadInput(f"{file} holds no task: it must have one JSON object a line; add some.")
    return list(rows.values())


def check_second_users(file: Path, rows: Sequence[Row]) -> None:
    """Whether each second user belongs to a first one in the same file who asks the same.

    Raises:
        BadInput: one does not; its id is named.
    """
    known = {row.id: row for row in rows}
    for row in rows:
        if row.second_user_of is None:
            continue
        first = known.get(row.second_user_of)
        where = f"{file}: the task {row.id!r} is the second_user_of {row.second_user_of!r}"
        if first is None or first is row or first.second_user_of is not None:
            raise BadInput(f"{where}, which is no first user of this file; name a task that is nobody's second user.")
        if (first.query, first.language) != (row.query, row.language):
            raise BadInput(f"{where}, and their queries differ; both must ask in the same words, in one language.")


def _row(line: str, where: str) -> Row:
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{where}: not JSON ({error}); a row must be one JSON object on one line.") from None
    if not isinstance(fields, dict):
        raise BadInput(f"{where}: got {_short(fields)}, a row must be one JSON object; correct the row.")
    try:
        return Row.model_validate(fields)
    except ValidationError as error:
        raise BadInput(f"{where}: {_explain(error.errors()[0])}; correct the row.") from None


def _explain(error: Mapping[str, Any]) -> str:
    field = ".".join(str(part) for part in error["loc"])
    if error["type"] == "missing":
        return f"the field {field} is missing"
    if error["type"] == "extra_forbidden":
        return f"the field {field} is not known (a row's fields are {', '.join(Row.model_fields)})"
    wanted = error["msg"].removeprefix("Value error, ").replace("Input should be", "it must be")
    return f"the field {field} is {_short(error['input'])}, {wanted}" if field else wanted


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
