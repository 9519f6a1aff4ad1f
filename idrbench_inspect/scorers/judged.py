"""The measure that a judge gives: coverage of what the person wanted, aspect by aspect."""

from collections.abc import Mapping
from threading import Lock
from typing import Any

from inspect_ai.solver import TaskState
from pydantic import ValidationError

from idrbench_inspect.errors import BadInput
from idrbench_inspect.judging import AspectJudge, Coverage, Grades, Intent, NoReading
from idrbench_inspect.judging.asking import graders
from idrbench_inspect.judging.aspects import canonical
from idrbench_inspect.metrics.points import acs, judges_alpha, points
from idrbench_inspect.metrics.undefined import Undefined
from idrbench_inspect.resources import given_path, sha256_of
from idrbench_inspect.scorers.aside import aside
from idrbench_inspect.scorers.found import Found
from idrbench_inspect.scorers.instruments import OF_DATASET, Instruments
from idrbench_inspect.scorers.nearness import Case
from idrbench_inspect.scorers.references import Datasets


class Judges:
    """The judges of one run, one for each source of aspects, so that aspects and references are graded once."""

    def __init__(self, datasets: Datasets) -> None:
        self._datasets = datasets
        self._made: dict[tuple[str, int, str], AspectJudge] = {}
        self._lock = Lock()

    async def coverage(self, chosen: Instruments, state: TaskState, case: Case) -> Found:
        """All keys of LLM-ACS.

        Raises:
            BadInput: the file of aspects that was given does not serve the task, or the judge cannot be made.
        """
        graders(chosen.grader)  # before what is unscored, not refused, where a dataset's own aspects do not serve
        found = Found()
        try:
            intent = intent_of(state)
            judge = await self._judge(chosen, state.metadata)
            grades = await judge.grades(intent, case.target, case.report)
        except ValidationError:
            found.measured("llm_acs", Undefined("no_intent: the sample's metadata name no task with both its queries"))
        except NoReading as none:
            found.measured("llm_acs", Undefined(f"{none.reason}: {none.explanation}"))
            found.metadata["judge_reply"] = none.reply
        except BadInput as unfit:
            if chosen.aspects != OF_DATASET:
                raise
            found.measured("llm_acs", Undefined(f"no_aspects: {unfit}"))
        else:
            _graded(found, grades)
        return found

    async def _judge(self, chosen: Instruments, metadata: Mapping[str, Any]) -> AspectJudge:
        source = chosen.aspects
        if source == OF_DATASET:
            source = str(await self._datasets.aspects(metadata))
        key = (source, chosen.judge_repeats, chosen.grader)
        known = self._made.get(key)
        return await aside(self._made_for, *key) if known is None else known

    def _made_for(self, source: str, repeats: int, grader: str) -> AspectJudge:
        """One judge for one file, by whatever name it was given."""
        with self._lock:
            key = (str(given_path(source)), repeats, grader)
            if key not in self._made:
                self._made[key] = AspectJudge(source, repeats, grader)
            self._made[source, repeats, grader] = self._made[key]
            return self._made[key]


def intent_of(state: TaskState) -> Intent:
    """What the person of a sample wants; in every arm the same, whatever the agent was given.

    Raises:
        pydantic.ValidationError: the metadata do not say it.
    """
    metadata = state.metadata
    given = None if metadata.get("arm") == "full_query" else state.input_text  # of logs that do not hold the query
    return Intent.model_validate(
        {
            "id": metadata.get("task"),
            "language": metadata.get("language"),
            "query": metadata.get("query", given),
            "source_query": metadata.get("source_query"),
        }
    )


def _graded(found: Found, grades: Grades) -> None:
    headline = grades.coverages[0]
    ids = [aspect.id for aspect in headline.aspects]
    repeats = [dict(zip(ids, grading, strict=True)) for grading in headline.repeats]
    measured = acs(dict(zip(ids, headline.reference, strict=True)), repeats, dict(zip(ids, headline.tags, strict=True)))
    found.measured("llm_acs", measured if isinstance(measured, Undefined) else measured.value)
    if not isinstance(measured, Undefined):
        alpha = judges_alpha([coverage.repeats for coverage in grades.coverages])
        found.values = {
            "llm_acs": points(measured.value),
            **{f"acs_{tag}": points(share) for tag, share in measured.by_tag.items()},
            "acs_spread": points(measured.spread),
            "aspects": float(measured.aspects),
            "aspects_uncovered": float(measured.uncovered),
        }
        if not isinstance(alpha, Undefined):
            found.values["acs_alpha"] = alpha
    judges = [coverage.judge.model_dump(mode="json") for coverage in grades.coverages]
    found.made_by = {"judge": sha256_of(canonical(judges))[:16], "aspects": grades.aspects.sha256}
    found.metadata = {
        "aspects_sha256": grades.aspects.sha256,
        "aspects": [aspect.model_dump(mode="json") for aspect in grades.aspects.aspects],
        "aspects_left_out": len(grades.aspects.left_out),
        "aspects_by": {"author": grades.aspects.author.model, "tagger": grades.aspects.tagger.model},
        "judges": [_judged(coverage) for coverage in grades.coverages],
    }


def _judged(coverage: Coverage) -> dict[str, Any]:
    rows = [
        {
            "id": aspect.id,
            "target": list(aspect.reference),
            "median": aspect.median,
            "report": list(aspect.generated),
            "reasons": list(aspect.reasons),
        }
        for aspect in coverage.aspects
    ]
    return {
        **coverage.judge.model_dump(mode="json"),
        "grades": rows,
        "blank_report": coverage.blank_report,
        "unknown_ids": list(coverage.unknown_ids),
    }
