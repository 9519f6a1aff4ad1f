"""What is judged: the aspects of one request, frozen, and known by the hash of their content."""

import json
from collections.abc import Mapping
from typing import Annotated, Any, Literal, Protocol, Self, get_args

from pydantic import AfterValidator, Field, JsonValue, model_validator

from idrbench_inspect.records import Language, Record
from idrbench_inspect.resources import sha256_of

FEWEST, MOST = 8, 20
"""Aspects of one request, at least and at most."""

Tag = Literal["stated", "inferable", "hidden"]
TAGS: tuple[Tag, ...] = get_args(Tag)


def _in_one_line(text: str) -> str:
    text = " ".join(text.split())
    if not text:
        raise ValueError("it must not be blank")
    return text


Line = Annotated[str, AfterValidator(_in_one_line)]
Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


def canonical(value: Any) -> str:
    """The one JSON text of a value: sorted keys, no blanks, no escapes beyond those that JSON needs.

    Example:
        >>> canonical({"b": 1, "a": "茶"})
        '{"a":"茶","b":1}'
    """
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


class Asked(Protocol):
    """What judging needs of a task; every loaded task of a dataset has it."""

    @property
    def id(self) -> str:
        """The task's id, without a condition."""
        ...

    @property
    def language(self) -> Language:
        """The language of both queries."""
        ...

    @property
    def query(self) -> str:
        """The underspecified query, whatever the agent of a condition was given."""
        ...

    @property
    def source_query(self) -> str:
        """The detailed query."""
        ...


class Intent(Record):
    """What a person wants, in full (`source_query`) and as far as the short query tells (`query`)."""

    id: str = Field(min_length=1)
    language: Language
    query: str = Field(pattern=r"\S")
    source_query: str = Field(pattern=r"\S")

    @classmethod
    def of(cls, task: Asked) -> Self:
        """The intent behind a task."""
        return cls(id=task.id, language=task.language, query=task.query, source_query=task.source_query)

    @property
    def source_query_sha256(self) -> str:
        """The hash of the detailed query as written."""
        return sha256_of(self.source_query)

    @property
    def query_sha256(self) -> str:
        """The hash of the short query as written."""
        return sha256_of(self.query)


class Instrument(Record):
    """Who wrote, tagged or graded, and how: what would make another reading differ.

    Args:
        model: The model's name, or the name of a published set.
        settings: Its settings that can change a reply, such as the temperature; those left to the provider are absent.
        prompt_sha256: The hash of the prompt; `None` where no prompt of ours was used.
    """

    model: str
    settings: dict[str, JsonValue] = Field(default_factory=dict)
    prompt_sha256: Sha256 | None = None


class Aspect(Record):
    """One thing that a fitting report deals with; `tag` says how far the short query shows that it is wanted."""

    id: str = Field(pattern=r"^a[1-9][0-9]?$")
    text: Line
    tag: Tag


class Draft(Record):
    """Aspects before they are tagged, in order, and what was left out where there were more than 20."""

    language: Language
    source_query_sha256: Sha256
    texts: tuple[Line, ...] = Field(min_length=FEWEST, max_length=MOST)
    left_out: tuple[Line, ...] = ()
    author: Instrument

    @model_validator(mode="after")
    def _none_twice(self) -> Self:
        _refuse_twice(self.texts)
        return self

    def numbered(self) -> dict[str, str]:
        """The aspects by id: a1, a2, ... in their order."""
        return {f"a{n}": text for n, text in enumerate(self.texts, 1)}

    def tagged(self, tags: Mapping[str, Tag], intent: Intent, tagger: Instrument) -> "AspectSet":
        """The finished set; `tags` holds one for every id."""
        return AspectSet(
            language=self.language,
            source_query_sha256=self.source_query_sha256,
            query_sha256=intent.query_sha256,
            aspects=tuple(Aspect(id=id_, text=text, tag=tags[id_]) for id_, text in self.numbered().items()),
            left_out=self.left_out,
            author=self.author,
            tagger=tagger,
        )


class AspectSet(Record):
    """The aspects of one request: 8 to 20, no id and no text twice.

    They are written from the source query alone, so that they do not depend on how it was shortened; only the tags do.
    """

    language: Language
    source_query_sha256: Sha256
    query_sha256: Sha256
    aspects: tuple[Aspect, ...] = Field(min_length=FEWEST, max_length=MOST)
    left_out: tuple[Line, ...] = ()
    author: Instrument
    tagger: Instrument

    @model_validator(mode="after")
    def _none_twice(self) -> Self:
        _refuse_twice([aspect.id for aspect in self.aspects])
        _refuse_twice([aspect.text for aspect in self.aspects])
        return self

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids, in order."""
        return tuple(aspect.id for aspect in self.aspects)

    @property
    def sha256(self) -> str:
        """The hash of what is judged: both queries and every aspect with its tag, whoever wrote and tagged them."""
        fields = ("language", "source_query_sha256", "query_sha256", "aspects")
        return sha256_of(canonical(self.model_dump(mode="json", include=set(fields))))


def _refuse_twice(texts: tuple[str, ...] | list[str]) -> None:
    seen: set[str] = set()
    for text in texts:
        if text.casefold() in seen:
            raise ValueError(f"{text!r} occurs twice")
        seen.add(text.casefold())
