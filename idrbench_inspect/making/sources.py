"""Detailed queries to be shortened, and the files that hold nothing but them."""

from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from idrbench_inspect.dataset import TargetOrigin
from idrbench_inspect.dataset.joining import UNKNOWN
from idrbench_inspect.dataset.tasks import Name, Text
from idrbench_inspect.dataset.texts import language_of
from idrbench_inspect.errors import BadInput, first_fault
from idrbench_inspect.judging.rows import json_rows
from idrbench_inspect.records import Language, Record
from idrbench_inspect.resources import sha256_of

NO_TOPIC = "unspecified"


class Source(Record):
    """One detailed query, with what a dataset has besides.

    Args:
        id: As in a dataset; it names files.
        language: As given, or told from the text.
        topic: As given, or `unspecified`.
        source_query: The text as written.
        target_origin: Of the report.
        report: The paired report, `None` where there is none yet.
    """

    id: Name
    language: Language
    topic: str = Field(NO_TOPIC, pattern=r"\S")
    source_query: Text
    target_origin: TargetOrigin = UNKNOWN
    report: str | None = None

    @property
    def sha256(self) -> str:
        """The hash of the source query as written."""
        return sha256_of(self.source_query)


def read_sources(path: Path) -> tuple[Source, ...]:
    """The queries of a file of sources, in order; none where its rows have a `query`, as those of a dataset have.

    Args:
        path: A file whose lines have `id` and `source_query`, may have `language` and `topic`, and have nothing else.

    Raises:
        BadInput: a line cannot be used; the file and the line are named.
    """
    read = list(json_rows(path, "a file of sources"))
    if not read:
        raise BadInput(f"{path} holds no query: it must have one JSON object a line; add some.")
    if any("query" in fields for _, fields in read):
        return ()
    sources: dict[str, Source] = {}
    for where, fields in read:
        source = _source(fields, where)
        if source.id in sources:
            raise BadInput(f"{where}: the id {source.id!r} occurs twice; give every query an id of its own.")
        sources[source.id] = source
    return tuple(sources.values())


def _source(fields: dict[str, Any], where: str) -> Source:
    unknown = sorted(set(fields) - {"id", "language", "topic", "source_query"})
    if unknown:
        raise BadInput(
            f"{where}: the field {unknown[0]} is not known; a line has id and source_query, and may have language and "
            "topic: correct it."
        )
    given = {name: value for name, value in fields.items() if value is not None}
    text = given.get("source_query")
    if not isinstance(text, str):
        raise BadInput(f"{where}: the field source_query is missing or no text; correct the line.")
    if "language" not in given:
        told = language_of(text)
        if told is None:
            raise BadInput(f"{where}: the language cannot be told from the text; add the field language, en or zh.")
        given["language"] = told
    try:
        return Source.model_validate(given)
    except ValidationError as error:
        field, wrong = first_fault(error)
        raise BadInput(f"{where}: the field {field}: {wrong}; correct the line.") from None
