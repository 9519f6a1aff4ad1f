"""LLM-ACS, the instrument: from two reports and what was wanted to grades by aspect. It depends on the texts alone."""

from collections.abc import Iterable
from pathlib import Path

from inspect_ai.model import Model

from idrbench_inspect.errors import BadInput
from idrbench_inspect.judging.asking import GRADER, graders, instrument
from idrbench_inspect.judging.aspects import Asked, AspectSet, Intent
from idrbench_inspect.judging.grades import Coverage, Grades, ReferenceGrades, coverage_of
from idrbench_inspect.judging.grading import GRADING, grade_reference, grade_report, is_blank
from idrbench_inspect.judging.source import WRITTEN, Aspects
from idrbench_inspect.judging.store import Store, worth_keeping
from idrbench_inspect.resources import sha256_of


class AspectJudge:
    """Grades generated reports beside their reference; one for all samples of a run.

    Aspects and the reference's grades are made once per task, whichever sample needs them first, and kept for later
    runs. Where the role `grader` is bound to several models, each of them grades both reports by the same aspects,
    which the first one writes.

    Args:
        aspects: Where aspects come from, see `Aspects`.
        repeats: How often each judge grades a generated report, at least 1.
        grader: Who judges when the role is not bound.
        folder: Where to keep what is made once; by default the user's cache folder.

    Raises:
        BadInput: the aspects' file cannot be used, or `repeats` is less than 1.
    """

    def __init__(
        self, aspects: str = WRITTEN, repeats: int = 1, grader: str = GRADER, folder: Path | None = None
    ) -> None:
        if isinstance(repeats, bool) or not isinstance(repeats, int) or repeats < 1:
            raise BadInput(f"repeats is {repeats!r}, it must be a whole number of at least 1: give one.")
        self.repeats = repeats
        self._grader = grader
        self._store = Store(folder)
        self._aspects = Aspects(aspects, self._store)

    def check(self, tasks: Iterable[Asked]) -> None:
        """Refuse what cannot be judged, before any model is called.

        Raises:
            BadInput: a task is missing from the file of aspects, or its queries differ from those in it.
        """
        self._aspects.check(tasks)

    async def aspects(self, intent: Intent) -> AspectSet:
        """The aspects of a task, written by the first judge where they are not given."""
        return await self._aspects.of(intent, graders(self._grader)[0])

    async def grades(self, intent: Intent, reference: str, report: str) -> Grades:
        """The grades of a generated report beside those of the reference, by each judge.

        Args:
            intent: What the person wants.
            reference: The paired report, whole.
            report: The generated report, whole. One with nothing in it gets 0 throughout, without a call.

        Raises:
            NoReading: a judge gives no reading: one judge the less would be another instrument.
            BadInput: the file of aspects does not have the task.
        """
        judges = graders(self._grader)
        aspects = await self._aspects.of(intent, judges[0])
        coverages = [await self._coverage(judge, aspects, reference, report) for judge in judges]
        return Grades(task=intent.id, aspects=aspects, coverages=tuple(coverages))

    async def _coverage(self, judge: Model, aspects: AspectSet, reference: str, report: str) -> Coverage:
        graded = await self._reference(judge, aspects, reference)
        readings = await grade_report(judge, aspects, report, self.repeats)
        return coverage_of(aspects, graded, readings, blank_report=is_blank(report))

    async def _reference(self, judge: Model, aspects: AspectSet, reference: str) -> ReferenceGrades:
        key = {
            **instrument(judge, GRADING).model_dump(mode="json"),
            "aspects_sha256": aspects.sha256,
            "reference_sha256": sha256_of(reference),
        }
        return await self._store.once(
            key, ReferenceGrades, lambda: grade_reference(judge, aspects, reference), on_disk=worth_keeping(judge)
        )
