"""The headline: how near a report is to the one that its user has in mind, by all five measures."""

from typing import Any

from inspect_ai.scorer import Score, Scorer, Target, scorer
from inspect_ai.solver import TaskState

from idrbench_inspect.scorers.alignment_keys import KEYS
from idrbench_inspect.scorers.alignment_metrics import alignment_metrics
from idrbench_inspect.scorers.instruments import refuse_unusable
from idrbench_inspect.scorers.measuring import Measuring


@scorer(metrics=alignment_metrics(KEYS))
def report_alignment(**instruments: Any) -> Scorer:
    """All five measures of alignment and their average, in the keys and units of `alignment_keys.KEYS`.

    Alignment is closeness to one user's target, not quality. A report with nothing in it scores 0 throughout; a run
    that did not come to its end is unscored. A measure whose instrument has no reading is NaN, its reason stands in the
    score's metadata, and the others stand; the average is then NaN too, never a mean of fewer.

    Args:
        instruments: Fields of `Instruments`, by name; what is not given is as in the run whose samples are scored, and
            the paper's where these do not say. Another name, and a value that no run could use, is
            refused when the scorer is made.
    """
    refuse_unusable(instruments, "report_alignment")
    measuring = Measuring(instruments, ["similarity", "units", "coverage"], tuple(KEYS))

    async def score(state: TaskState, target: Target) -> Score:
        return await measuring.score(state, target)

    return score
