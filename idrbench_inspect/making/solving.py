"""Ambiguity injection as an Inspect solver and scorer: a sample is a source query, its result a row in a file."""

import math
from typing import Any

from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput, get_model
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver

from idrbench_inspect.dataset.tasks import Row
from idrbench_inspect.errors import BadInput
from idrbench_inspect.judging.asking import GRADER, NoReading, graders
from idrbench_inspect.making.injecting import NotMade, Try, inject
from idrbench_inspect.making.review import ReviewSheet
from idrbench_inspect.making.row_file import RowFile
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


def done_already(file: RowFile[Row], source: Source, target: float) -> Row | None:
    """The row that a file holds of a source, which is not made again; `None` where it holds none.

    Raises:
        BadInput: its row of that id was made from another text, or for another target.
    """
    row = file.rows().get(source.id)
    if row is None:
        return None
    made = row.injection
    if made is None or (made.source_sha256, made.target) != (source.sha256, target):
        differs = "without this task" if made is None else f"from another text or for the target {made.target:g}"
        raise BadInput(
            f"{file.path} holds a row {source.id!r} that was made {differs}, and the target is {target:g} now; give "
            "another out, or take the row out."
        )
    return row


@solver
def inject_ambiguity(out: str, grader: str = GRADER) -> Solver:
    """Make the row of a sample's source and add it to a file, unless it is there.

    Args:
        out: The file of rows; a review sheet is kept beside it.
        grader: Who judges when the role `grader` is not bound.
    """
    path = new_path(out)
    file, sheet = RowFile(path, Row), ReviewSheet(path)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        source, target = _source_of(state)
        row = done_already(file, source, target)
        resumed, tries = row is not None, tuple[Try, ...]()
        if row is None:
            injector = get_model(role=INJECTOR, default=get_model())
            try:
                made, tries = await inject(source, target, injector, graders(grader)[0])
            except NotMade as failed:
                _note(state, reason=failed.reason, explanation=failed.explanation, tries=failed.tries)
                return state
            except NoReading as unread:
                _note(state, reason=unread.reason, explanation=unread.explanation, judged=False)
                return state
            row = file.add(made)
        sheet.add(row)
        _note(state, row=row.model_dump(mode="json", exclude={"report"}), tries=tries, resumed=resumed)
        state.output = ModelOutput.from_content(row.injection.model if row.injection else "", row.query)
        return state

    return solve


def _note(state: TaskState, *, tries: tuple[Try, ...] = (), **outcome: Any) -> None:
    state.store.set(OUTCOME, {**outcome, "tries": [tried.model_dump(mode="json") for tried in tries]})


@scorer(metrics={key: [mean()] for key in KEYS})
def injected() -> Scorer:
    """What came of a source.

    Keys: `compression` reached (0 to 1), `attempts` (queries written), `points` (labelled), `accepted` (1, or 0 where
    no row could be made). Where none could be made, compression and points are NaN, which means leave out, and the
    explanation says why. A sample whose judge gave no reading is unscored.
    """

    async def score(state: TaskState, target: Target) -> Score:
        outcome = state.store.get(OUTCOME) or {}
        if "row" in outcome:
            row = Row.model_validate(outcome["row"])
            if row.injection is None:
                raise ValueError(f"the row {row.id!r} does not say how it was made")
            made = row.injection
            again = ", and was there already" if outcome["resumed"] else ""
            return Score(
                value=_value(made.compression, made.attempts, len(row.ambiguity), accepted=1),
                answer=row.query,
                explanation=f"Compression {made.compression:g} for a target of {made.target:g}{again}.",
                metadata={"resumed": outcome["resumed"]},
            )
        if not outcome or not outcome.get("judged", True):
            reason = outcome.get("reason", "no_outcome")
            return Score.unscored(reason=reason, explanation=outcome.get("explanation", "The sample did not end."))
        written = len(outcome["tries"])
        return Score(
            value=_value(math.nan, written, math.nan, accepted=0),
            reason=outcome["reason"],
            explanation=f"No row ({outcome['reason']}): {outcome['explanation']}",
        )

    return score


def _value(compression: float, attempts: int, points: float, *, accepted: int) -> dict[str, float]:
    return dict(zip(KEYS, (compression, float(attempts), float(points), float(accepted)), strict=True))
