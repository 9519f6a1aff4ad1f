"""Term overlap with the paired report: a nearness that needs neither an embedder nor a judge."""

from typing import Any

from inspect_ai.scorer import Metric, Score, Scorer, Target, scorer, stderr
from inspect_ai.solver import TaskState

from idrbench_inspect.metrics.term_overlap import term_overlap as overlap
from idrbench_inspect.scorers.aligned_mean import aligned_mean, means_by_arm
from idrbench_inspect.scorers.aside import aside
from idrbench_inspect.scorers.contaminated import Verdict
from idrbench_inspect.scorers.instruments import check_yes_or_no
from idrbench_inspect.scorers.logged import ending_of, run_of
from idrbench_inspect.scorers.paired import own_gains
from idrbench_inspect.scorers.parameters import refuse_unknown, refusing
from idrbench_inspect.scorers.reported import report_of
from idrbench_inspect.scorers.samples import samples

KEYS = ("term_f1", "term_precision", "term_recall")


def means(key: str) -> list[Metric]:
    """The mean of a key, by arm where there are several, and how many samples it rests on."""
    return [aligned_mean([]), *([samples()] if key == KEYS[0] else []), means_by_arm([])]


@scorer(metrics={key: [*means(key), stderr(), own_gains()] for key in KEYS})
def term_overlap(exclude_contaminated: bool | None = None, **unknown: Any) -> Scorer:
    """`term_f1`, `term_precision` and `term_recall` of the report against the target, each 0 to 100.

    It needs no instrument, and is none of the benchmark's five measures. A report without terms scores 0. Unscored
    where a run did not come to its report, where the target has no terms, and, by option, where the agent read it. An
    agent that leaves no trace of our pipeline is scored by its output, and the score's metadata says so.

    Args:
        exclude_contaminated: Whether a sample whose agent read the target is unscored; as in the run if not given.
        unknown: Taken so that a parameter that is none of its own is refused in a sentence, when the scorer is made.
    """
    refuse_unknown(unknown, "term_overlap", ("exclude_contaminated",))
    with refusing():
        check_yes_or_no("exclude_contaminated", exclude_contaminated)

    async def score(state: TaskState, target: Target) -> Score:
        exclude = _excludes(state, exclude_contaminated)
        found = report_of(state)
        if found.text is None:
            return Score.unscored(reason="no_report", explanation=f"There is no report: {found.source}.")
        try:
            measured = await aside(overlap, target.text, found.text)
        except ValueError as error:
            return Score.unscored(reason="no_reference", explanation=f"Not measured: {error}.")
        value = {f"term_{name}": measured[name] for name in ("f1", "precision", "recall")}
        verdict = Verdict.of(state)
        if exclude and verdict.contaminated:
            return Score.unscored(
                reason="contaminated",
                explanation=f"Unscored: excluded, the sample is contaminated: {verdict.found_by}.",
                metadata={"report_from": found.source, "excluded": value},
            )
        return Score(
            value={**value},
            explanation=f"F1 {measured['f1']:.1f} of 100 over content terms.{_beware(state)}",
            metadata={"report_from": found.source},
        )

    return score


def _excludes(state: TaskState, given: bool | None) -> bool:
    of_run = state.metadata.get("instruments", {}).get("exclude_contaminated", False)
    return bool(of_run) if given is None else given


def _beware(state: TaskState) -> str:
    run = run_of(state)
    if run is None or run.findings:
        return ""
    return f" The report rests on no finding: research {ending_of(run)}."
