"""Aspects from the published criteria of DeepResearch Bench, instead of written ones.

The file (`data/criteria_data/criteria.jsonl` of Ayanami0730/deep_research_bench) has one JSON object a line: `id`,
`prompt` (the source query), `language`, `dimension_weight` {dimension: weight}, and `criterions` {dimension:
[{`criterion`, `explanation`, `weight`}]}. It is not part of this project.
"""

from pathlib import Path
from typing import Any, Self

from pydantic import BaseModel, Field, ValidationError, model_validator

from idrbench_inspect.errors import BadInput, first_fault
from idrbench_inspect.judging.aspects import FEWEST, MOST, Draft, Instrument
from idrbench_inspect.judging.rows import json_rows
from idrbench_inspect.records import Language
from idrbench_inspect.resources import sha256, sha256_of

CONTENT = ("comprehensiveness", "insight", "instruction_following")
"""The dimensions about what a report says; `readability` is about how it is written."""

NAME = "deep_research_bench"

WHERE = (
    "https://raw.githubusercontent.com/Ayanami0730/deep_research_bench/214741e474a5347ea7f869ab79d27e7c8734ede7"
    "/data/criteria_data/criteria.jsonl"
)
"""The criteria at the commit of the queries; its hash is not known here, so it is never fetched."""

HOW = (
    "it is not fetched, since the hash that would tell the right file is not known here: "
    f"download {WHERE} to any place, and give that as aspects=drb:PATH"
)
"""What to do for the criteria, as the end of a sentence."""


class _Criterion(BaseModel):
    criterion: str = Field(pattern=r"\S")
    explanation: str
    weight: float = Field(ge=0)


class _Criteria(BaseModel):
    id: int | str
    language: Language
    prompt: str = Field(pattern=r"\S")
    dimension_weight: dict[str, float]
    criterions: dict[str, list[_Criterion]]

    @model_validator(mode="after")
    def _every_dimension_weighs(self) -> Self:
        if lacking := [name for name in self.criterions if name not in self.dimension_weight]:
            raise ValueError(f"the dimension {lacking[0]} has no weight")
        return self


def from_drb(path: Path) -> dict[str, Draft]:
    """The criteria about content as aspects still to be tagged, by the hash of their source query.

    An aspect's text is the criterion and its explanation. Where there are more than 20, those with the greatest weight
    in the whole are taken (weight of the dimension times weight of the criterion; of equal ones the earlier in the
    file), in the order of the file; the others are named in `left_out`.

    Raises:
        BadInput: there is no file, a line is not of the published form, a query occurs twice, or fewer than 8 criteria
            are there.
    """
    if not path.is_file():
        raise BadInput(f"There is no file of criteria at {path}; {HOW}.")
    author = Instrument(model=NAME, settings={"criteria_sha256": sha256(path)})
    found: dict[str, Draft] = {}
    for where, row in json_rows(path, "the criteria file of DeepResearch Bench"):
        draft = _draft(row, where, author)
        if draft.source_query_sha256 in found:
            raise BadInput(f"{where}: its prompt occurs twice; leave one line of it.")
        found[draft.source_query_sha256] = draft
    return found


def _draft(row: dict[str, Any], where: str, author: Instrument) -> Draft:
    try:
        held = _Criteria.model_validate(row)
        weighed = _weighed(held)
        order = sorted(range(len(weighed)), key=lambda place: (-weighed[place][1], place))
        kept = sorted(order[:MOST])
        if len(kept) < FEWEST:
            raise BadInput(f"{where}: {len(kept)} criteria about content, at least {FEWEST} are needed; add some.")
        return Draft(
            language=held.language,
            source_query_sha256=sha256_of(held.prompt),
            texts=tuple(weighed[place][0] for place in kept),
            left_out=tuple(weighed[place][0] for place in sorted(order[MOST:])),
            author=author,
        )
    except ValidationError as error:
        field, wrong = first_fault(error)
        raise BadInput(f"{where}: {field} {wrong}; give the file as it was published.") from None


def _weighed(held: _Criteria) -> list[tuple[str, float]]:
    """The texts about content with their weight in the whole, rounded so that equal products are equal; none twice."""
    joint = "：" if held.language == "zh" else ": "
    found: dict[str, float] = {}
    for dimension in (name for name in CONTENT if name in held.criterions):
        for item in held.criterions[dimension]:
            text = " ".join(f"{item.criterion}{joint}{item.explanation}".split())
            found.setdefault(text, round(held.dimension_weight[dimension] * item.weight, 9))
    return list(found.items())
