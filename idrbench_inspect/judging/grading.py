"""Grading: how far one report covers each aspect. The judge is not told whose report it reads."""

from inspect_ai.model import Model
from pydantic import BaseModel, ConfigDict, Field

from idrbench_inspect.judging.asking import NoReading, ask, instrument, read_items
from idrbench_inspect.judging.aspects import AspectSet
from idrbench_inspect.judging.grades import (
    HIGHEST,
    LOWEST,
    REFERENCE_CALLS,
    AspectGrade,
    Reading,
    ReferenceGrades,
)
from idrbench_inspect.judging.writing import listed
from idrbench_inspect.prompting import fence, prompt
from idrbench_inspect.resources import sha256_of

GRADING = "coverage"


class GradedAspect(BaseModel):
    """One aspect in the judge's reply, the reason first. A grade is a whole number and nothing that looks like one."""

    model_config = ConfigDict(strict=True)

    id: str
    reason: str = Field(min_length=1, pattern=r"\S")
    grade: int = Field(ge=LOWEST, le=HIGHEST)


class AspectGrades(BaseModel):
    """The judge's reply."""

    aspects: list[GradedAspect]


async def grade(judge: Model, aspects: AspectSet, report: str, *, anew: bool) -> Reading:
    """One call of the judge on one report, which is shown whole.

    Args:
        judge: Who grades.
        aspects: What is graded; of these the judge sees ids and texts, and no tag.
        report: A report with something in it, in any language.
        anew: Never from Inspect's cache.

    Raises:
        NoReading: the report overflows the judge's context, or no reply grades every aspect after three attempts.
    """
    numbered = {aspect.id: aspect.text for aspect in aspects.aspects}
    asked = prompt(GRADING, aspects=fence("aspects", listed(numbered)), report=fence("report", report))
    read, unknown = await ask(
        judge, asked, AspectGrades, lambda text: read_items(text, GradedAspect, list(numbered)), anew=anew
    )
    grades = tuple(AspectGrade(id=id_, reason=item.reason, grade=item.grade) for id_, item in read.items())
    return Reading(grades=grades, unknown_ids=unknown)


async def grade_reference(judge: Model, aspects: AspectSet, reference: str) -> ReferenceGrades:
    """Three calls of the judge on the reference, none of them from a cache.

    Raises:
        NoReading: the reference has nothing in it, or one of the calls gives no reading.
    """
    if is_blank(reference):
        raise NoReading("no_reference", "the reference report has nothing in it")
    readings = [await grade(judge, aspects, reference, anew=True) for _ in range(REFERENCE_CALLS)]
    return ReferenceGrades(
        aspects_sha256=aspects.sha256,
        reference_sha256=sha256_of(reference),
        judge=instrument(judge, GRADING),
        readings=tuple(readings),
    )


async def grade_report(judge: Model, aspects: AspectSet, report: str, repeats: int) -> tuple[Reading, ...]:
    """`repeats` readings of a generated report; more than one are all made anew, so that they can differ.

    A report with nothing in it gets 0 for every aspect and no call, as it gets 0 in every measure of alignment: that is
    the agent's fault, and no judge could say more.

    Raises:
        NoReading: one of the calls gives no reading.
    """
    if is_blank(report):
        nothing = [AspectGrade(id=id_, reason="The report has nothing in it.", grade=LOWEST) for id_ in aspects.ids]
        return (Reading(grades=tuple(nothing)),) * repeats
    return tuple([await grade(judge, aspects, report, anew=repeats > 1) for _ in range(repeats)])


def is_blank(report: str) -> bool:
    """Whether a report has nothing in it: no letter and no digit of any script.

    Example:
        >>> is_blank("  --- "), is_blank("茶")
        (True, False)
    """
    return not any(character.isalnum() for character in report)
