"""The fifth of the five measures alone, to add to a log or to replace in it."""

from typing import Any

from inspect_ai.scorer import Score, Scorer, Target, scorer
from inspect_ai.solver import TaskState

from idrbench_inspect.scorers.alignment_keys import COVERAGE_KEYS
from idrbench_inspect.scorers.alignment_metrics import alignment_metrics
from idrbench_inspect.scorers.instruments import Instruments
from idrbench_inspect.scorers.measuring import Measuring
from idrbench_inspect.scorers.parameters import refuse_unknown


@scorer(metrics=alignment_metrics(COVERAGE_KEYS))
def llm_acs(**instruments: Any) -> Scorer:
    """LLM-ACS alone: coverage of what the person wanted, by a judge; keys as in `report_alignment`.

    Aspects and the grades of the target come from what the judge gave before, where it is kept; the report is graded.

    Args:
        instruments: Fields of `Instruments`, by name; what is not given is as in the run whose samples are scored, and
            the paper's where these do not say. Another name is refused when the scorer is made, a value that
            cannot be used when the first sample is scored.
    """
    refuse_unknown(instruments, "llm_acs", Instruments.model_fields)
    measuring = Measuring(instruments, ["coverage"], COVERAGE_KEYS)

    async def score(state: TaskState, target: Target) -> Score:
        return await measuring.score(state, target)

    return score
