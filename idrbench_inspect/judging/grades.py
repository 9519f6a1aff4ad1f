"""What judging comes to: grades of the reference and of the generated report, aspect by aspect, frozen.

No arithmetic beyond the median of three: ratios, means and agreement are computed from these records elsewhere.
"""

from statistics import median
from typing import Annotated, Self

from pydantic import Field, model_validator

from idrbench_inspect.judging.aspects import AspectSet, Instrument, Sha256, Tag
from idrbench_inspect.records import Record

REFERENCE_CALLS = 3
LOWEST, HIGHEST = 0, 5

Grade = Annotated[int, Field(ge=LOWEST, le=HIGHEST, strict=True)]


class AspectGrade(Record):
    """One aspect's grade in one call, 0 (nothing about it) to 5 (dealt with in full), with its reason."""

    id: str
    reason: str
    grade: Grade


class Reading(Record):
    """One whole grading call: every aspect once, in order. `unknown_ids` are ids that the judge made up."""

    grades: tuple[AspectGrade, ...] = Field(min_length=1)
    unknown_ids: tuple[str, ...] = ()

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids, in order."""
        return tuple(graded.id for graded in self.grades)


class ReferenceGrades(Record):
    """The reference as one judge graded it by one aspect set: three calls, all kept."""

    aspects_sha256: Sha256
    reference_sha256: Sha256
    judge: Instrument
    readings: tuple[Reading, ...] = Field(min_length=REFERENCE_CALLS, max_length=REFERENCE_CALLS)

    @model_validator(mode="after")
    def _same_ids(self) -> Self:
        if len({reading.ids for reading in self.readings}) > 1:
            raise ValueError("the readings must grade the same aspects")
        return self


class AspectCoverage(Record):
    """One aspect: its grades in the reference's three calls and in each call on the generated report, with reasons."""

    id: str
    tag: Tag
    reference: tuple[Grade, ...] = Field(min_length=REFERENCE_CALLS, max_length=REFERENCE_CALLS)
    reference_reasons: tuple[str, ...] = Field(min_length=REFERENCE_CALLS, max_length=REFERENCE_CALLS)
    generated: tuple[Grade, ...] = Field(min_length=1)
    reasons: tuple[str, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _a_reason_each(self) -> Self:
        if len(self.reasons) != len(self.generated):
            raise ValueError("there must be one reason for every grade of the generated report")
        return self

    @property
    def median(self) -> int:
        """The grade of the reference that is used everywhere: the median of the three."""
        return int(median(self.reference))


class Coverage(Record):
    """One judge's grades of one generated report beside those of the reference.

    `blank_report` says that the report had nothing in it: every grade of it is 0 by convention, and no judge was asked.
    """

    aspects_sha256: Sha256
    judge: Instrument
    aspects: tuple[AspectCoverage, ...] = Field(min_length=1)
    blank_report: bool = False
    unknown_ids: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _as_many_calls(self) -> Self:
        if len({len(aspect.generated) for aspect in self.aspects}) > 1:
            raise ValueError("every aspect must be graded in every call")
        return self

    @property
    def tags(self) -> tuple[Tag, ...]:
        """The tags, by aspect."""
        return tuple(aspect.tag for aspect in self.aspects)

    @property
    def reference(self) -> tuple[int, ...]:
        """The median grades of the reference, 0 to 5, by aspect."""
        return tuple(aspect.median for aspect in self.aspects)

    @property
    def repeats(self) -> tuple[tuple[int, ...], ...]:
        """The grades of the generated report, 0 to 5: one tuple for each call, by aspect in it."""
        return tuple(zip(*(aspect.generated for aspect in self.aspects), strict=True))


class Grades(Record):
    """All judges' grades of one generated report, by the same aspects; the first judge's are the headline's."""

    task: str
    aspects: AspectSet
    coverages: tuple[Coverage, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _by_these_aspects(self) -> Self:
        if {coverage.aspects_sha256 for coverage in self.coverages} != {self.aspects.sha256}:
            raise ValueError("every coverage must be graded by these aspects")
        return self


def coverage_of(
    aspects: AspectSet, reference: ReferenceGrades, readings: tuple[Reading, ...], *, blank_report: bool = False
) -> Coverage:
    """The readings of the reference and of the generated report, put together aspect by aspect.

    Raises:
        ValueError: they grade other aspects, or the readings are none.
    """
    graded = {reading.ids for reading in (*reference.readings, *readings)}
    if reference.aspects_sha256 != aspects.sha256 or graded != {aspects.ids}:
        raise ValueError("the readings must grade these aspects, each in their order")
    rows = [
        AspectCoverage(
            id=aspect.id,
            tag=aspect.tag,
            reference=tuple(reading.grades[place].grade for reading in reference.readings),
            reference_reasons=tuple(reading.grades[place].reason for reading in reference.readings),
            generated=tuple(reading.grades[place].grade for reading in readings),
            reasons=tuple(reading.grades[place].reason for reading in readings),
        )
        for place, aspect in enumerate(aspects.aspects)
    ]
    unknown = dict.fromkeys(id_ for reading in (*reference.readings, *readings) for id_ in reading.unknown_ids)
    return Coverage(
        aspects_sha256=aspects.sha256,
        judge=reference.judge,
        aspects=tuple(rows),
        blank_report=blank_report,
        unknown_ids=tuple(unknown),
    )
