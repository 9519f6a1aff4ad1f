"""From a sample to a score of alignment: what all alignment scorers share, so that a key means the same everywhere."""

import math
import re
from collections.abc import Sequence
from typing import Any, Literal

from inspect_ai.scorer import Score, Target
from inspect_ai.solver import TaskState

from idrbench_inspect.judging.grading import is_blank
from idrbench_inspect.metrics.alignment import MEASURES, average_alignment
from idrbench_inspect.metrics.points import points
from idrbench_inspect.metrics.undefined import Undefined
from idrbench_inspect.scorers import nearness
from idrbench_inspect.scorers.alignment_keys import UNCONTAMINATED
from idrbench_inspect.scorers.aside import aside, places
from idrbench_inspect.scorers.contaminated import Verdict
from idrbench_inspect.scorers.explaining import explained, opening
from idrbench_inspect.scorers.found import Found, together
from idrbench_inspect.scorers.instruments import Instruments, instruments_of
from idrbench_inspect.scorers.judged import Judges
from idrbench_inspect.scorers.reading import Reader, embedding_of
from idrbench_inspect.scorers.references import Datasets
from idrbench_inspect.scorers.reported import Reported, report_of
from idrbench_inspect.scorers.shared import shared

Part = Literal["similarity", "units", "coverage"]

_GROUPS: dict[Part, tuple[str, ...]] = {
    "similarity": ("report_similarity", "control"),
    "units": ("sentence_f1", "paragraph_f1", "chunk_f1", "control"),
    "coverage": ("llm_acs",),
}

_HALVES = re.compile("[\ud800-\udfff]")
"""Halves of surrogate pairs, which no text in UTF-8 can hold; each stays one character, so that offsets hold."""


class Measuring:
    """Measures the samples of one run.

    Args:
        given: Fields of `Instruments`; what is not given is as in the run that is scored, see `instruments_of`.
        parts: What is measured.
        keys: Of the score, all of them in every sample.
    """

    def __init__(self, given: dict[str, Any], parts: Sequence[Part], keys: Sequence[str]) -> None:
        self._given = given
        self._parts = parts
        self._keys = keys
        self._datasets = Datasets()
        self._judges = Judges(self._datasets)
        self._readers: dict[Instruments, Reader] = {}

    async def score(self, state: TaskState, target: Target) -> Score:
        """The score of a sample: keys that could not be measured are NaN, with their reason; the others stand.

        Raises:
            BadInput: an instrument that was asked for cannot be used. Broken machinery raises as it is.
        """
        parts: list[Found] = []
        async with places():
            chosen = self._chosen(state)
            reported = report_of(state)
            case = await self._case(state, target, reported)
            if isinstance(case, str):
                parts.append(Found(unscored={group: case for part in self._parts for group in _GROUPS[part]}))
            else:
                parts += [await self._near(part, chosen, case) for part in self._parts if part != "coverage"]
        if "coverage" in self._parts and not isinstance(case, str):  # without a place: a judge may take minutes
            parts.append(await self._judges.coverage(chosen, state, case))
        reason = case if isinstance(case, str) else None
        return self._score(together(parts), reported, chosen, (reason, Verdict.of(state)))

    async def _case(self, state: TaskState, target: Target, reported: Reported) -> nearness.Case | str:
        """What is measured, or why nothing is."""
        if reported.text is None:
            return f"no_report: {reported.source}"
        if is_blank(target.text):
            return "no_reference: the target has nothing in it"
        others = await self._datasets.others(state.metadata)
        report = "" if is_blank(reported.text) else _HALVES.sub("\ufffd", reported.text)
        return nearness.Case(report, target.text, others)

    def _chosen(self, state: TaskState) -> Instruments:
        """Read with every sample, since what was not given to the scorer is as in the sample's run."""
        return instruments_of(self._given, state.metadata.get("instruments"))

    async def _near(self, part: Part, chosen: Instruments, case: nearness.Case) -> Found:
        if chosen not in self._readers:
            self._readers[chosen] = Reader(await aside(embedding_of, chosen), chosen)
        return await (nearness.similarity if part == "similarity" else nearness.units)(self._readers[chosen], case)

    def _score(self, found: Found, reported: Reported, chosen: Instruments, about: tuple[str | None, Verdict]) -> Score:
        reason, verdict = about
        if "average_alignment" in self._keys:
            _averaged(found, reported)
            _apart(found, verdict)
        if reported.cut == 1:
            found.warnings.append("the report was cut at the output limit")
        if verdict.contaminated and chosen.exclude_contaminated:
            _excluded(found, verdict)
            reason = reason or "contaminated"
        value = found.complete(self._keys)
        return Score(
            value={key: value[key] for key in self._keys},
            answer=opening(reported.text or ""),
            explanation=explained(found, value),
            reason=reason.partition(":")[0] if reason else None,
            metadata=shared(
                {
                    "report_from": reported.source,
                    "unscored": found.unscored,
                    "made_by": found.made_by,
                    "instruments": chosen.model_dump(mode="json"),
                    "contaminated": verdict.contaminated,
                    "contamination": verdict.reason,
                    **found.metadata,
                }
            ),
        )


def _averaged(found: Found, reported: Reported) -> None:
    unmeasured = {name: Undefined(found.unscored.get(name, "not measured")) for name in MEASURES}
    average = average_alignment({**unmeasured, **found.measures})
    found.measured("average_alignment", average)
    pooled = found.metadata.get("pooled", {})
    found.values |= {
        "average_alignment": points(average),
        "pooled_texts": float(sum(pooled.values())) if pooled else math.nan,
        "report_cut": reported.cut,
    }


def _apart(found: Found, verdict: Verdict) -> None:
    """The headline once more, for samples known to be clean; said with the scores of those that are not."""
    if verdict.contaminated is False:
        found.values |= {name: found.values[key] for key, name in UNCONTAMINATED.items() if key in found.values}
    elif verdict.contaminated:
        found.warnings.append(_contaminated(verdict))


def _excluded(found: Found, verdict: Verdict) -> None:
    """What was measured is kept beside the score, and no mean sees it."""
    found.metadata["excluded"] = {key: value for key, value in found.values.items() if not math.isnan(value)}
    found.values = {}
    found.unscored = {"all": f"excluded, {_contaminated(verdict)}"}
    found.warnings = []


def _contaminated(verdict: Verdict) -> str:
    return f"the sample is contaminated: {verdict.found_by}"
