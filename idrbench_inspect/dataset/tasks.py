"""What the rows of a dataset hold, checked field by field."""

import re
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from idrbench_inspect.dataset.faults import HEX
from idrbench_inspect.dataset.texts import normal
from idrbench_inspect.records import Language, Record

_ID = re.compile(r"(?!\.)[A-Za-z0-9._-]{1,100}")


def whole(text: str) -> str:
    """A text as it is.

    Raises:
        ValueError: it holds half a surrogate pair, which UTF-8 does not have, or NUL.
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError("it must not hold half a surrogate pair") from None
    if "\0" in text:
        raise ValueError("it must not hold the character NUL")
    return text


def not_blank(text: str) -> str:
    """A text as it is.

    Raises:
        ValueError: there is nothing but whitespace in it.
    """
    if not text.strip():
        raise ValueError("it must not be blank")
    return text


def _safe_name(text: str) -> str:
    if not _ID.fullmatch(text):
        raise ValueError("it names files, so it must be 1 to 100 of A-Z a-z 0-9 . _ - and not begin with a dot")
    return text


def as_text(value: Any) -> Any:
    """A whole number as text, anything else as it is: 7 and "7" are one id.

    Example:
        >>> as_text(7), as_text("7"), as_text(True)
        ('7', '7', True)
    """
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


_Whole = Annotated[str, AfterValidator(whole)]
Text = Annotated[_Whole, AfterValidator(not_blank)]
Name = Annotated[str, BeforeValidator(as_text), AfterValidator(_safe_name)]
_Sha256 = Annotated[str, Field(pattern=HEX)]


class AmbiguityPoint(Record):
    """One thing that a query leaves open: plausible alternatives, the user's preference, where the report shows it.

    `preference` and `shown_in` are `None` until somebody has read them in the paired report; that is not "none".
    `settled_by` holds the words of the source query that settle the point, where it was labelled from these.
    `answerable` is whether the paired report answers the question, `None` until a judge has looked.
    """

    dimension: Literal["scope", "time", "region", "audience", "emphasis", "structure"]
    question: Text
    alternatives: tuple[Text, ...] = Field(min_length=2, max_length=3)
    preference: Text | None = None
    shown_in: Text | None = None
    settled_by: Text | None = None
    answerable: bool | None = None

    @model_validator(mode="after")
    def _distinct(self) -> Self:
        if len({normal(alternative) for alternative in self.alternatives}) < len(self.alternatives):
            raise ValueError(f"the alternatives {list(self.alternatives)} must differ")
        return self


class TargetOrigin(Record):
    """Where a paired report comes from."""

    system: Text
    model_family: Text


class Injection(Record):
    """How the query of a row was made from its source.

    Args:
        source_sha256: Hex SHA-256 of the source query in UTF-8.
        target: The compression that was asked for.
        compression: The compression reached, to three decimals; within 0.1 of `target`.
        attempts: Queries written until one was accepted, the accepted one counted.
        dropped: What its author says it leaves out.
        model: Who wrote the query and labelled the points.
        prompt_sha256: The hash of the prompts for both.
        judge: Who accepted it.
        judge_prompt_sha256: The hash of the judge's prompt.
        verdict_reason: Why it was accepted.
    """

    source_sha256: _Sha256
    target: float = Field(gt=0, lt=1)
    compression: float = Field(gt=0, lt=1)
    attempts: int = Field(ge=1)
    dropped: tuple[Text, ...] = ()
    model: Text
    prompt_sha256: _Sha256
    judge: Text
    judge_prompt_sha256: _Sha256
    verdict_reason: Text


class Review(Record):
    """What people decided on a row that a model had made.

    Args:
        readers: Who has read it, as they signed; at least one.
        doubts: Statements that a reader did not tick, each with the reader's name.
        notes: What readers noted, each with the reader's name.
        query_before: The query as the model had written it, where a person has changed it; the judge's verdict in
            `injection` is about this one then.
        points_left_out: Points that were taken out.
    """

    readers: tuple[Text, ...] = Field(min_length=1)
    doubts: tuple[Text, ...] = ()
    notes: tuple[Text, ...] = ()
    query_before: Text | None = None
    points_left_out: int = Field(0, ge=0)


class _Asked(Record):
    """What every row says of its query."""

    id: Name
    language: Language
    topic: Text
    query: Text
    ambiguity: tuple[AmbiguityPoint, ...] = ()


class TaskFields(_Asked):
    """What a row and a loaded task have in common.

    A task with `second_user_of` is asked in the same words as the task of that id, by a user with other preferences.
    """

    source_query: Text
    target_origin: TargetOrigin
    second_user_of: Annotated[str, BeforeValidator(as_text)] | None = None

    @model_validator(mode="after")
    def _shorter(self) -> Self:
        if len(self.query) > len(self.source_query):
            got, most = len(self.query), len(self.source_query)
            raise ValueError(f"the query has {got} characters, it must not be longer than its source_query ({most})")
        return self

    @property
    def compression(self) -> float:
        """How much shorter the query is than its source, in characters: 0 (as long) to 1, to three decimals."""
        return round(1 - len(self.query) / len(self.source_query), 3)


class Row(TaskFields):
    """One line of a tasks file; the report is in it, in a file that it names, or in `reports/<id>.md`."""

    report: _Whole | None = None
    report_file: Text | None = None
    injection: Injection | None = None
    review: Review | None = None


class PublicRow(_Asked):
    """One line of a tasks file whose source query and report are in the public repository, and not in the line.

    Args:
        source_id: The public query's id; a row is joined by it, never by text.
        source_sha256: Hex SHA-256 of the public query's text in UTF-8; another text under that id is refused.
        compression: 1 - len(query) / len(source), in characters, as the row's author states it: right to 0.005.
        dropped: What the query leaves out of its source.
        report_sha256: Hex SHA-256 of the report (UTF-8) in which the preferences were read. With another report they
            are unknown.
    """

    source_id: Name
    source_sha256: _Sha256
    compression: float = Field(ge=0, le=1)
    dropped: tuple[Text, ...] = ()
    report_sha256: _Sha256 | None = None

    @model_validator(mode="after")
    def _read_somewhere(self) -> Self:
        told = any(point.preference or point.shown_in for point in self.ambiguity)
        if told and self.report_sha256 is None:
            raise ValueError("a row with a preference must have report_sha256, the hash of the report that shows it")
        return self


class ResearchTask(TaskFields):
    """One task: a query and the report behind it; `subsets` names the frozen subsets that it belongs to."""

    report: Text
    subsets: tuple[str, ...] = ()
