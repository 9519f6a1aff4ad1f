"""Term overlap with the paired report: a nearness that needs neither an embedder nor a judge."""

from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import TaskState

from idrbench_inspect.metrics.term_overlap import term_overlap as overlap
from idrbench_inspect.scorers.logged import run_of
from idrbench_inspect.scorers.reported import report_of

KEYS = ("term_f1", "term_precision", "term_recall")


@scorer(metrics={key: [mean(), stderr()] for key in KEYS})
def term_overlap() -> Scorer:
    """`term_f1`, `term_precision` and `term_recall` of the report against the target, each 0 to 100.

    It needs no instrument, and is none of the benchmark's five measures. A report without terms scores 0. Unscored
    where a run did not come to its report, or where the target has no terms. An agent that leaves no trace of our
    pipeline is scored by its output, and the score's metadata says so.
    """

    async def score(state: TaskState, target: Target) -> Score:
        found = report_of(state)
        if found.text is None:
            return Score.unscored(reason="no_report", explanation=f"There is no report: {found.source}.")
        try:
            measured = overlap(target.text, found.text)
        except ValueError as error:
            return Score.unscored(reason="no_reference", explanation=f"Not measured: {error}.")
        return Score(
            value={f"term_{name}": measured[name] for name in ("f1", "precision", "recall")},
            explanation=f"F1 {measured['f1']:.1f} of 100 over content terms.{_beware(state)}",
            metadata={"report_from": found.source},
        )

    return score


def _beware(state: TaskState) -> str:
    run = run_of(state)
    if run is None or run.findings:
        return ""
    return f" The report rests on no finding: research was stopped by {run.stopped_by}."
