"""Aspects written by the grader: from the source query alone, then tagged against the short query in a call of its own.

Two calls, because a model that sees the short query while it writes would write for it: the aspects, and with them what
is measured, would change with the way in which the query was shortened.
"""

from collections.abc import Callable
from typing import get_args

from inspect_ai.model import Model
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from idrbench_inspect.errors import first_fault
from idrbench_inspect.judging.asking import ask, instrument, read_items
from idrbench_inspect.judging.aspects import FEWEST, MOST, AspectSet, Draft, Intent, Tag
from idrbench_inspect.prompting import fence, prompt
from idrbench_inspect.records import Language
from idrbench_inspect.replies import read_one_json

WRITING, TAGGING = "aspects", "aspect_tags"

_LANGUAGE_NAMES: dict[Language, str] = {"en": "English", "zh": "Chinese (简体中文)"}
_CHINESE_SHARE = 0.2


class AspectTexts(BaseModel):
    """The reply of the writing call."""

    aspects: list[str]


class TaggedAspect(BaseModel):
    """The tag of one aspect, the reason first."""

    model_config = ConfigDict(strict=True)

    id: str
    reason: str = Field(min_length=1)
    tag: Tag


class AspectTags(BaseModel):
    """The reply of the tagging call."""

    aspects: list[TaggedAspect]


async def write_draft(intent: Intent, author: Model) -> Draft:
    """The aspects of a source query; the short query is not seen.

    Raises:
        NoReading: no 8 to 20 different aspects in the language of the query after three attempts.
    """
    asked = prompt(
        WRITING,
        source_query=fence("source_query", intent.source_query),
        language=_LANGUAGE_NAMES[intent.language],
        fewest=FEWEST,
        most=MOST,
    )
    return await ask(author, asked, AspectTexts, _draft_reader(intent, author))


def _draft_reader(intent: Intent, author: Model) -> Callable[[str], Draft]:
    def read(text: str) -> Draft:
        texts = read_one_json(text, AspectTexts).aspects
        if not FEWEST <= len(texts) <= MOST:
            raise ValueError(f"there are {len(texts)} aspects; {FEWEST} to {MOST} are asked for.")
        if _is_chinese("".join(texts)) != (intent.language == "zh"):
            raise ValueError(f"the aspects are not in {_LANGUAGE_NAMES[intent.language]}.")
        try:
            return Draft(
                language=intent.language,
                source_query_sha256=intent.source_query_sha256,
                texts=tuple(texts),
                author=instrument(author, WRITING),
            )
        except ValidationError as error:
            raise ValueError(f"aspects: {first_fault(error)[1]}.") from None

    return read


async def tag_draft(draft: Draft, intent: Intent, tagger: Model) -> AspectSet:
    """The draft with a tag for every aspect: what the short query states, lets infer, or hides.

    Raises:
        NoReading: no tag for every aspect after three attempts.
    """
    numbered = draft.numbered()
    asked = prompt(
        TAGGING,
        source_query=fence("source_query", intent.source_query),
        query=fence("query", intent.query),
        aspects=fence("aspects", listed(numbered)),
        tags=", ".join(get_args(Tag)),
    )
    read, _ = await ask(tagger, asked, AspectTags, lambda text: read_items(text, TaggedAspect, list(numbered)))
    return draft.tagged({id_: item.tag for id_, item in read.items()}, intent, instrument(tagger, TAGGING))


def listed(numbered: dict[str, str]) -> str:
    """Aspects as a prompt shows them, one a line.

    Example:
        >>> print(listed({"a1": "Species for dry summers", "a2": "A calendar of jobs"}))
        a1: Species for dry summers
        a2: A calendar of jobs
    """
    return "\n".join(f"{id_}: {text}" for id_, text in numbered.items())


def _is_chinese(text: str) -> bool:
    letters = [c for c in text if c.isalpha()]
    return sum("\u3400" <= c <= "\u9fff" for c in letters) > _CHINESE_SHARE * len(letters)
