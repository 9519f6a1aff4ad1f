"""The first of the five measures alone, to add to a log or to replace in it."""

from typing import Any

from inspect_ai.scorer import Score, Scorer, Target, scorer
from inspect_ai.solver import TaskState

from idrbench_inspect.scorers.alignment_keys import SIMILARITY_KEYS
from idrbench_inspect.scorers.alignment_metrics import alignment_metrics
from idrbench_inspect.scorers.instruments import refuse_unusable
from idrbench_inspect.scorers.measuring import Measuring


@scorer(metrics=alignment_metrics(SIMILARITY_KEYS))
def report_similarity(**instruments: Any) -> Scorer:
    """Report similarity alone, with its control; the keys mean what they mean in `report_alignment`.

    A report with nothing in it has similarity 0; unscored where there is no report, or the target has nothing in it.

    Args:
        instruments: Fields of `Instruments`, by name; what is not given is as in the run whose samples are scored, and
            the paper's where these do not say. Another name, and a value that no run could use, is
            refused when the scorer is made.
    """
    refuse_unusable(instruments, "report_similarity")
    measuring = Measuring(instruments, ["similarity"], SIMILARITY_KEYS)

    async def score(state: TaskState, target: Target) -> Score:
        return await measuring.score(state, target)

    return score
