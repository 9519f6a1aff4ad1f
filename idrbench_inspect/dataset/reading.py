"""Read the lines of a tasks file, and say what is wrong with one."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from pydantic import ValidationError

from idrbench_inspect.dataset.faults import explained, field_of
from idrbench_inspect.dataset.tasks import PublicRow, Row
from idrbench_inspect.errors import BadInput
from idrbench_inspect.formats import filled_lines, json_object, read_text
from idrbench_inspect.problems import Problem

NO_TASK = "it holds no task: it must have one JSON object a line; add some."


class BadRow(ValueError):
    """A line that is no row: all that is wrong with it, at least one problem, and its id where that is known."""

    def __init__(self, problems: Sequence[Problem], name: str | None = None) -> None:
        super().__init__(problems[0].sentence)
        self.name = name
        self.problems = tuple(problems)


def read_rows(file: Path) -> list[Row | PublicRow]:
    """The rows of a tasks file, at least one, with ids that differ; blank lines are passed over.

    Raises:
        BadInput: a row cannot be used; the file, the line and the field are named.
    """
    rows: dict[str, Row | PublicRow] = {}
    for number, line in filled_lines(read_text(file)):
        where = f"{file}, line {number}"
        try:
            row = read_row(line, number)
        except BadRow as broken:
            raise BadInput(f"{where}: {broken}") from None
        if row.id in rows:
            raise BadInput(f"{where}: {twice(row.id).sentence}")
        rows[row.id] = row
    if not rows:
        raise BadInput(f"{file}: {NO_TASK}")
    return list(rows.values())


def twice(name: str) -> Problem:
    """What is said of an id that occurs again; 7 and "7" are one id."""
    return Problem(row=name, field="id", sentence=f"the id {name!r} occurs twice; give every task an id of its own.")


def read_row(line: str, number: int) -> Row | PublicRow:
    """One line of a tasks file; a row with `source_id` is joined with the public repository.

    Raises:
        BadRow: it is not one, with everything that is wrong.
    """
    name = f"line {number}"
    try:
        fields = json_object(line)
    except ValueError as error:
        raise BadRow([Problem(row=name, field="", sentence=str(error))]) from None
    kind = PublicRow if "source_id" in fields else Row
    try:
        return kind.model_validate(fields)
    except ValidationError as error:
        given = fields.get("id")
        known = isinstance(given, str | int) and not isinstance(given, bool) and _can_be_shown(str(given))
        found = problems_of(error, str(given) if known else name, kind)
        raise BadRow(found, str(given) if known else None) from None


def _can_be_shown(name: str) -> bool:
    return bool(name.strip()) and name.isprintable()


def problems_of(error: ValidationError, row: str, kind: type[Row | PublicRow]) -> list[Problem]:
    """What pydantic found wrong with the fields of `row`, one problem a field."""
    said = [(field_of(one), explained(one, kind, whole="a row's")) for one in error.errors()]
    return [Problem(row=row, field=field, sentence=f"{wrong}; correct the row.") for field, wrong in said]


def check_second_users(file: Path, rows: Sequence[Row | PublicRow]) -> None:
    """Whether each second user belongs to a first one in the same file who asks the same.

    Raises:
        BadInput: one does not; its id is named.
    """
    for problem in second_users(rows):
        raise BadInput(f"{file}: {problem.sentence}")


def second_users(rows: Sequence[Row | PublicRow], unread: Callable[[str], bool] = lambda _: False) -> Iterator[Problem]:
    """What is wrong with second users, except those of a row of which `unread` says that it may be there unread."""
    known = {row.id: row for row in rows if isinstance(row, Row)}
    for row in known.values():
        if row.second_user_of is None or (row.second_user_of not in known and unread(row.second_user_of)):
            continue
        first = known.get(row.second_user_of)
        who = f"the task {row.id!r} is the second_user_of {row.second_user_of!r}"
        wrong = ""
        if first is None or first is row or first.second_user_of is not None:
            wrong = "which is no first user of this file; name a task that is nobody's second user."
        elif (first.query, first.language) != (row.query, row.language):
            wrong = "and their queries differ; both must ask in the same words, in one language."
        if wrong:
            yield Problem(row=row.id, field="second_user_of", sentence=f"{who}, {wrong}")
