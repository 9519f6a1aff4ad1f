"""The second to fourth of the five measures alone, to add to a log or to replace in it."""

from typing import Any

from inspect_ai.scorer import Score, Scorer, Target, scorer
from inspect_ai.solver import TaskState

from idrbench_inspect.scorers.alignment_keys import UNIT_KEYS
from idrbench_inspect.scorers.alignment_metrics import alignment_metrics
from idrbench_inspect.scorers.instruments import refuse_unusable
from idrbench_inspect.scorers.measuring import Measuring


@scorer(metrics=alignment_metrics(UNIT_KEYS))
def multi_granularity_f1(**instruments: Any) -> Scorer:
    """F1 of sentences, paragraphs and chunks alone, with their controls; keys as in `report_alignment`.

    Without units at a level a report scores 0; without any in the target it is unscored. Matching is many-to-one: mind
    the unit counts.

    Args:
        instruments: Fields of `Instruments`, by name; what is not given is as in the run whose samples are scored, and
            the paper's where these do not say. Another name, and a value that no run could use, is
            refused when the scorer is made.
    """
    refuse_unusable(instruments, "multi_granularity_f1")
    measuring = Measuring(instruments, ["units"], UNIT_KEYS)

    async def score(state: TaskState, target: Target) -> Score:
        return await measuring.score(state, target)

    return score
