"""Ambiguity injection as an Inspect solver and scorer: a sample is a source query, its result a row in a file."""

import math

from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput, get_model
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, Value, mean, metric, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver

from idrbench_inspect.judging.asking import GRADER, graders
from idrbench_inspect.making.making_rows import Outcome, RowMaker
from idrbench_inspect.making.runs import Run
from idrbench_inspect.making.sources import Source
from idrbench_inspect.resources import new_path

INJECTOR = "injector"
OUTCOME = "idrbench:injection"
"""Where the outcome of a sample stands in its store."""

KEYS = ("compression", "attempts", "points", "accepted")


def sample_of(source: Source, target: float) -> Sample:
    """The sample of a source: the detailed query as input, the paired report, if there is one, as target."""
    about = source.model_dump(mode="json", exclude={"source_query", "report"})
    return Sample(
        id=source.id,
        input=source.source_query,
        target=source.report or "",
        metadata={**about, "compression_target": target},
    )


def _source_of(state: TaskState) -> tuple[Source, float]:
    known = {name: state.metadata[name] for name in ("id", "language", "topic", "target_origin")}
    source = Source(**known, source_query=state.input_text, report=state.target.text or None)
    return source, float(state.metadata["compression_target"])


@solver
def inject_ambiguity(out: str, grader: str = GRADER) -> Solver:
    """Make the row of a sample's source and add it to a file, unless it is there.

    Args:
        out: The file of rows; a review sheet is kept beside it.
        grader: Who judges when the role `grader` is not bound.

    Raises:
        BadInput: another run is writing the file.
    """
    maker = RowMaker(new_path(out))
    run = Run[Outcome](maker.file.path)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        source, target = _source_of(state)
        injector = get_model(role=INJECTOR, default=get_model())
        outcome = await run.once(
            source.id, state.epoch, lambda: maker.make(source, target, injector, graders(grader)[0])
        )
        # The report is the sample's target already, and may be long.
        state.store.set(OUTCOME, outcome.model_dump(mode="json", exclude={"row": {"report"}}))
        if row := outcome.row:
            state.output = ModelOutput.from_content(row.injection.model if row.injection else "", row.query)
        return state

    return solve


@metric
def made() -> Metric:
    """How many samples have a row."""
    return _counted(1)


@metric
def rejected() -> Metric:
    """How many samples have none because every query was turned down, or none can be made."""
    return _counted(0)


def _counted(value: float) -> Metric:
    def compute(scores: list[SampleScore]) -> Value:
        return float(sum(sample.score.as_float() == value for sample in scores))

    return compute


@scorer(metrics={**{key: [mean()] for key in KEYS}, "accepted": [mean(), made(), rejected()]})
def injected() -> Scorer:
    """What came of a source.

    Keys: `compression` reached (0 to 1), `attempts` (queries written), `points` (labelled), `accepted` (1, or 0 where
    no row could be made). Where none could be made, compression and points are NaN, which means leave out, and the
    explanation says why. A sample whose judge gave no reading is unscored, and one of which a call broke is errored:
    with the metrics `made` and `rejected` of `accepted`, these are the counts of a run.
    """

    async def score(state: TaskState, target: Target) -> Score:
        stored = state.store.get(OUTCOME)
        if stored is None:
            return Score.unscored(reason="no_outcome", explanation="The sample did not end.")
        outcome = Outcome.model_validate(stored)
        if outcome.kind == "errored":
            return Score.unscored(reason=outcome.reason, explanation=outcome.explanation)
        row = outcome.row
        if row is None:
            return Score(
                value=_value(math.nan, len(outcome.tries), math.nan, accepted=0),
                reason=outcome.reason,
                explanation=f"No row ({outcome.reason}): {outcome.explanation}",
            )
        if row.injection is None:
            raise ValueError(f"the row {row.id!r} does not say how it was made")
        how = row.injection
        again = ", and was there already" if outcome.resumed else ""
        return Score(
            value=_value(how.compression, how.attempts, len(row.ambiguity), accepted=1),
            answer=row.query,
            explanation=f"Compression {how.compression:g} for a target of {how.target:g}{again}.",
            metadata={"resumed": outcome.resumed},
        )

    return score


def _value(compression: float, attempts: int, points: float, *, accepted: int) -> dict[str, float]:
    return dict(zip(KEYS, (compression, float(attempts), float(points), float(accepted)), strict=True))
