"""What audits of a dataset's parts speak: one problem, and what can be seen of any file without understanding it."""

from collections.abc import Iterator
from typing import Literal

from idrbench_inspect.records import Record

Kind = Literal["error", "warning"]

_TROUBLE = {
    "\ufeff": "a byte-order mark (U+FEFF)",
    "\u2028": "a line separator (U+2028)",
    "\u2029": "a paragraph separator (U+2029)",
    "\u0085": "a next-line character (U+0085)",
}


class Problem(Record):
    """Something wrong with a dataset.

    Args:
        row: The row's id; its line where the id is not known; empty when it is the whole file's.
        field: The field that it is about, empty when there is none.
        sentence: What is wrong and what to do, as one sentence.
        kind: With an `error` a run refuses the dataset; a `warning` is for whoever keeps the dataset.
        file: The file that it is in, relative to the dataset's folder; empty for its file of tasks.
    """

    row: str
    field: str
    sentence: str
    kind: Kind = "error"
    file: str = ""


def shown(problem: Problem) -> str:
    """A problem as one sentence that begins with its place.

    Example:
        >>> shown(Problem(row="line 2", field="id", sentence="it is blank; fill it.", file="a.jsonl"))
        'a.jsonl, line 2: it is blank; fill it.'
    """
    where = ", ".join(part for part in (problem.file, problem.row) if part)
    return f"{where}: {problem.sentence}" if where else problem.sentence


def counted(number: int, one: str, many: str) -> str:
    """A number with the words for it, and for one.

    Example:
        >>> counted(1, "row has", "rows have"), counted(0, "row has", "rows have")
        ('1 row has', '0 rows have')
    """
    return f"{number} {one if number == 1 else many}"


def of_file(sentence: str, file: str = "", kind: Kind = "error") -> Problem:
    """A problem of a whole file."""
    return Problem(row="", field="", sentence=sentence, kind=kind, file=file)


def of_bytes(content: bytes, file: str = "") -> Iterator[Problem]:
    """Warnings about a mark at the beginning of a file and about its line ends, of which Windows has two characters."""
    if content.startswith(b"\xef\xbb\xbf"):
        said = "the file begins with a byte-order mark, which other readers take for data; leave it out."
        yield of_file(said, file, "warning")
    windows, returns = content.count(b"\r\n"), content.count(b"\r")
    if windows:
        said = "the file has Windows line ends (carriage return and line feed); save it with line feeds alone."
        yield of_file(said, file, "warning")
    if returns > windows:
        said = "the file has carriage returns without a line feed, which end no line here; write line feeds instead."
        yield of_file(said, file, "warning")


def of_text(text: str, what: str, place: Problem) -> Iterator[Problem]:
    """Warnings about characters at which other readers break lines, or which they lose.

    Args:
        text: To be looked at.
        what: Its name in the sentences, such as "the query".
        place: Whose `file`, `row` and `field` the warnings take.
    """
    for character in trouble(text):
        said = f"{what} holds {character}, which others take for a line end or lose; write a space or a line feed."
        yield place.model_copy(update={"sentence": said, "kind": "warning"})


def place(row: str = "", field: str = "", file: str = "") -> Problem:
    """A place for `of_text`; its sentence is empty."""
    return Problem(row=row, field=field, sentence="", file=file)


def trouble(text: str) -> list[str]:
    r"""The characters in a text at which some readers split or lose lines, named; each once.

    Example:
        >>> trouble("one\u2028two\u2028three")
        ['a line separator (U+2028)']
    """
    return [name for character, name in _TROUBLE.items() if character in text]
