"""Term overlap with the paired report: a nearness that needs neither an embedder nor a judge."""

from inspect_ai.log import transcript
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import TaskState

from idrbench_inspect.metrics.term_overlap import term_overlap as overlap
from idrbench_inspect.scorers.logged import entries, run_of

KEYS = ("term_f1", "term_precision", "term_recall")


@scorer(metrics={key: [mean(), stderr()] for key in KEYS})
def term_overlap() -> Scorer:
    """`term_f1`, `term_precision` and `term_recall` of the report against the target, each 0 to 100.

    It is an interim measure, none of the benchmark's five. A report without terms scores 0. Unscored where there is no
    report, or where the target has no terms. An agent that leaves no trace of our pipeline is scored by its output, and
    the score's metadata says so.
    """

    async def score(state: TaskState, target: Target) -> Score:
        report, source = _report(state)
        if report is None:
            return Score.unscored(reason="no_report", explanation=f"There is no report: {source}.")
        try:
            measured = overlap(target.text, report)
        except ValueError as error:
            return Score.unscored(reason="no_reference", explanation=f"Not measured: {error}.")
        return Score(
            value={f"term_{name}": measured[name] for name in ("f1", "precision", "recall")},
            explanation=f"F1 {measured['f1']:.1f} of 100 over content terms.{_beware(state)}",
            metadata={"report_from": source},
        )

    return score


def _beware(state: TaskState) -> str:
    run = run_of(state)
    if run is None or run.findings:
        return ""
    return f" The report rests on no finding: research was stopped by {run.stopped_by}."


def _report(state: TaskState) -> tuple[str | None, str]:
    run = run_of(state)
    if run is not None:
        return run.report, "run" if run.report is not None else f"the run ended by {run.ended_by}"
    if entries(transcript().events, "settings"):
        return None, "the run did not come to its end"
    return state.output.completion.strip() or None, "output"
