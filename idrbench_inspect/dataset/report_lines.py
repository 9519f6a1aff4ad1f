"""The lines of the public files and of files of other reports: by id, and all that is wrong with them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from idrbench_inspect.dataset.tasks import as_text, not_blank, whole
from idrbench_inspect.dataset.texts import normal
from idrbench_inspect.errors import BadInput
from idrbench_inspect.formats import decoded, filled_lines, json_object, short
from idrbench_inspect.problems import Problem, of_file, shown

Line = tuple[int, str, dict[str, Any]]
Queries = Mapping[str, Mapping[str, Any]]


def read_queries(content: bytes, name: str) -> dict[str, dict[str, Any]]:
    """The public queries by id.

    Raises:
        BadInput: the file is not UTF-8, or a line cannot be used.
    """
    found: dict[str, dict[str, Any]] = {}
    for line in _lines(content, name, ("prompt",)):
        if isinstance(line, Problem):
            raise BadInput(shown(line))
        found[line[1]] = line[2]
    return found


def read_reports(content: bytes, name: str, asked: Queries) -> tuple[dict[str, str], list[Problem]]:
    """The reports by the id of their public query, and what is wrong with the other lines, each problem an error.

    Args:
        content: One object with `id` and `article` a line; a `prompt` must be that of the public query.
        name: Of the file.
        asked: The public queries by id.
    """
    found: dict[str, str] = {}
    problems: list[Problem] = []
    for line in _lines(content, name, ("article",)):
        if isinstance(line, Problem):
            problems.append(line)
        elif wrong := _misfit(line, name, asked):
            problems.append(wrong)
        else:
            found[line[1]] = line[2]["article"]
    return found, problems


def unfit(key: str, article: str, *, may_be_blank: bool = False) -> str | None:
    r"""Why the text of a report cannot be used, as a sentence that names its id; `None` where it can.

    Example:
        >>> unfit("7", "a\0b"), unfit("7", " ", may_be_blank=True)
        ("the article of '7' cannot be used: it must not hold the character NUL; correct the line.", None)
    """
    try:
        whole(article)
        if not may_be_blank:
            not_blank(article)
    except ValueError as wrong:
        return f"the article of {key!r} cannot be used: {wrong}; correct the line."
    return None


def _misfit(line: Line, name: str, asked: Queries) -> Problem | None:
    number, key, fields = line
    if key not in asked:
        said = f"there is no public query {key!r} for a report; correct its id or leave it out."
        return _problem(number, "id", said, name)
    if wrong := unfit(key, fields["article"]):
        return _problem(number, "article", wrong, name)
    prompt = fields.get("prompt")
    if prompt is not None and normal(str(prompt)) != normal(str(asked[key]["prompt"])):
        said = f"the report {key!r} answers another query than the public one of that id; correct it."
        return _problem(number, "prompt", said, name)
    return None


def _lines(content: bytes, name: str, fields: Sequence[str]) -> Iterator[Line | Problem]:
    """The objects of a file of JSON lines with their ids, text or number; each must have the texts `fields`."""
    seen: set[str] = set()
    try:
        whole = decoded(content, "the file")
    except BadInput as unreadable:
        yield of_file(unreadable.message, name)
        return
    for number, text in filled_lines(whole):
        try:
            line = json_object(text)
        except ValueError as error:
            yield _problem(number, "", str(error), name)
            continue
        key = as_text(line.get("id"))
        lacking = [field for field in fields if not isinstance(line.get(field), str)]
        if not isinstance(key, str) or not key.strip():
            said = f"the id is {short(line.get('id'))}, it must be text or a whole number; correct it."
            yield _problem(number, "id", said, name)
        elif key in seen:
            said = f"the id {key!r} occurs twice; leave one of the lines out."
            yield _problem(number, "id", said, name)
        elif lacking:
            said = f"the field {lacking[0]} is missing or no text; correct the line."
            yield _problem(number, lacking[0], said, name)
        else:
            yield number, key, line
        if isinstance(key, str):
            seen.add(key)


def _problem(number: int, field: str, said: str, file: str) -> Problem:
    return Problem(row=f"line {number}", field=field, sentence=said, file=file)
