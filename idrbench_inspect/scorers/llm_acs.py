"""The fifth of the five measures alone, to add to a log or to replace in it."""

from typing import Any

from inspect_ai.scorer import Score, Scorer, Target, scorer
from inspect_ai.solver import TaskState

from idrbench_inspect.scorers.alignment_keys import COVERAGE_KEYS
from idrbench_inspect.scorers.alignment_metrics import alignment_metrics
from idrbench_inspect.scorers.instruments import refuse_unusable
from idrbench_inspect.scorers.measuring import Measuring


@scorer(metrics=alignment_metrics(COVERAGE_KEYS))
def llm_acs(**instruments: Any) -> Scorer:
    """LLM-ACS alone: coverage of what the person wanted, by a judge; keys as in `report_alignment`.

    Aspects and the grades of the target come from what the judge gave before, where it is kept; the report is graded.

    Args:
        instruments: Fields of `Instruments`, by name; what is not given is as in the run whose samples are scored, and
            the paper's where these do not say. Another name, and a value that no run could use, is
            refused when the scorer is made.
    """
    refuse_unusable(instruments, "llm_acs")
    measuring = Measuring(instruments, ["coverage"], COVERAGE_KEYS)

    async def score(state: TaskState, target: Target) -> Score:
        return await measuring.score(state, target)

    return score
