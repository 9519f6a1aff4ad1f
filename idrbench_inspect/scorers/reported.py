"""Where a sample's report is found, for every scorer the same."""

import math
from dataclasses import dataclass

from inspect_ai.log import transcript
from inspect_ai.solver import TaskState

from idrbench_inspect.scorers.logged import entries, run_of

NO_REPORT = "idrbench:no_report"
"""Key of the store under which a solver says why a sample has no report, where that is not the agent's doing."""

_ENDED = {"sample_limit": "the sample reached a limit", "error": "the sample broke"}


@dataclass(frozen=True)
class Reported:
    """The report of a sample.

    Args:
        text: As written; empty where the agent wrote nothing; `None` where the run did not come to its end.
        source: `run` (our pipeline's record), `output` (of another agent), or why there is none.
        cut: 1 if the run says that the report was cut at the output limit, 0 if it says that it was not, else NaN.
    """

    text: str | None
    source: str
    cut: float = math.nan


def report_of(state: TaskState) -> Reported:
    """The report of the running sample, or of a stored one that is scored again.

    A run of ours is believed in its record alone, never in leftover output. Another agent is scored by its output; if
    that is blank, it wrote nothing, unless the log says that a limit or an error ended it.
    """
    run = run_of(state)
    if run is not None:
        if run.report is None:
            return Reported(None, f"the run ended by {run.ended_by}")
        return Reported(run.report, "run", float(run.report_cut))
    events = transcript().events
    if entries(events, "settings"):
        return Reported(None, "the run did not come to its end")
    if missing := state.store.get(NO_REPORT):
        return Reported(None, str(missing))
    text = state.output.completion
    ended = next((_ENDED[event.event] for event in events if event.event in _ENDED), None)
    if not text.strip() and ended:
        return Reported(None, ended)
    return Reported(text.strip(), "output", 1.0 if state.output.stop_reason == "max_tokens" else math.nan)
