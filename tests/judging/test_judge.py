"""The whole instrument: once per task whoever asks, several judges, runs that may be put together, old logs."""

from pathlib import Path
from typing import Any

import anyio
import pytest
from inspect_ai import Task, eval, score
from inspect_ai.dataset import Sample
from inspect_ai.log import EvalLog
from inspect_ai.model import Model, ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer
from inspect_ai.solver import TaskState
from pydantic import ValidationError

from idrbench_inspect.errors import BadInput
from idrbench_inspect.judging import (
    GRADER,
    AspectJudge,
    Coverage,
    Grades,
    Intent,
    NoReading,
    same_aspects,
    unequal_aspects,
)
from idrbench_inspect.judging.grades import coverage_of
from idrbench_inspect.judging.grading import grade_reference, grade_report
from idrbench_inspect.providers import idrbench  # noqa: F401 - registers the provider
from tests.judging.scripted import (
    GRADE,
    INTENT,
    TAG,
    TEXTS,
    WRITE,
    Call,
    Grader,
    Reply,
    aspect_set,
    grades,
    said,
    texts,
)

REFERENCE, REPORT = "Bees in all seasons.", "Bees in winter."


@scorer(metrics={"covered": [mean()]})
def covered(judge: AspectJudge) -> Scorer:
    """Depends on what any log holds: input, target and metadata, and the output."""

    async def score(state: TaskState, target: Target) -> Score:
        source = state.metadata["source_query"]
        intent = Intent(id=str(state.sample_id), language="en", query=state.input_text, source_query=source)
        try:
            held = await judge.grades(intent, target.text, state.output.completion)
        except NoReading as none:
            return Score.unscored(reason=none.reason, explanation=none.explanation, metadata={"reply": none.reply})
        value = {"covered": held.coverages[0].repeats[0][0]}
        return Score(value=value, metadata={"grades": held.model_dump(mode="json")})

    return score


def agent(*reports: str) -> Model:
    outputs = [ModelOutput.from_content("mockllm/model", report) for report in reports]
    for output in outputs:
        output.usage = ModelUsage()
    return get_model("mockllm/agent", custom_outputs=outputs, memoize=False)


def ran(judge: AspectJudge, reports: list[str], **roles: Any) -> EvalLog:
    samples = [
        Sample(id=f"bees{n}", input=INTENT.query, target=REFERENCE, metadata={"source_query": INTENT.source_query})
        for n in range(len(reports))
    ]
    task = Task(dataset=samples, scorer=covered(judge))
    return eval(task, model=agent(*reports), model_roles=roles, display="log", log_dir="memory://judging")[0]


def held(log: EvalLog) -> list[Grades]:
    found = [(sample.scores or {})["covered"].metadata or {} for sample in log.samples or []]
    return [Grades.model_validate(metadata["grades"]) for metadata in found if "grades" in metadata]


# ----------------------------------------------------------------------------------------------------------------- once


async def test_both_conditions_of_a_task_at_once_have_aspects_and_reference_made_once(tmp_path: Path) -> None:
    grader = Grader()
    judge, bound = AspectJudge(folder=tmp_path), grader.model()
    found: list[Grades] = []

    async def graded(report: str) -> None:
        found.append(await judge.grades(INTENT, REFERENCE, report))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("idrbench_inspect.judging.judge.graders", lambda default: (bound,))
        async with anyio.create_task_group() as together:
            for report in (REPORT, "Bees in spring.", ""):
                together.start_soon(graded, report)
    assert grader.counts == (1, 1, 3 + 2)
    assert len({grades.aspects.sha256 for grades in found}) == 1
    assert [call.block("report") for call in grader.of(GRADE)].count(REFERENCE) == 3


def test_a_later_run_takes_aspects_and_reference_from_disk_and_another_grader_or_setting_does_not(
    tmp_path: Path,
) -> None:
    def counts(model: Model, grader: Grader) -> tuple[int, int, int]:
        before = grader.counts
        log = ran(AspectJudge(folder=tmp_path), [REPORT], grader=model)
        assert log.status == "success", log.error
        write, tag, grade = (now - then for now, then in zip(grader.counts, before, strict=True))
        return write, tag, grade

    grader = Grader()
    assert counts(grader.paid(), grader) == (1, 1, 4)
    assert counts(grader.paid(), grader) == (0, 0, 1)
    assert counts(grader.paid(max_retries=2, max_connections=5), grader) == (0, 0, 1)
    assert counts(grader.paid(temperature=0.5), grader) == (1, 1, 4)
    assert counts(grader.paid("another"), grader) == (1, 1, 4)


def test_a_free_model_s_results_stay_in_the_process(tmp_path: Path) -> None:
    ran(AspectJudge(folder=tmp_path), [REPORT], grader=Grader().model())
    assert list(tmp_path.iterdir()) == []


# ------------------------------------------------------------------------------------------------- what is handed over


def test_everything_that_arithmetic_needs_is_in_the_record_and_the_spread_shows() -> None:
    """A judge that alternates: the two grades stand side by side, and the reference's median is one of its three."""
    turns = [grades(2), grades(5), grades(4), *[grades(2), grades(4)] * 2]
    log = ran(AspectJudge(repeats=4), [REPORT], grader=Grader(aspect_grades=turns).model())
    (found,) = held(log)
    (coverage,) = found.coverages
    assert coverage.reference == (4,) * 8
    assert [aspect.reference for aspect in coverage.aspects] == [(2, 5, 4)] * 8
    assert coverage.repeats == ((2,) * 8, (4,) * 8, (2,) * 8, (4,) * 8)
    assert coverage.tags == ("hidden",) * 8
    assert coverage.aspects_sha256 == found.aspects.sha256
    assert (coverage.judge.model, coverage.judge.settings) == ("mockllm/model", {"temperature": 0.0})
    assert coverage.judge.prompt_sha256 != found.aspects.author.prompt_sha256 != found.aspects.tagger.prompt_sha256
    assert coverage.aspects[0].reasons == ("Of a1, something.",) * 4
    assert log.stats.role_usage["grader"].total_tokens == 2 * (2 + 3 + 4)


def test_several_judges_grade_by_the_aspects_of_the_first(tmp_path: Path) -> None:
    first, second = Grader(aspect_grades=[grades(4)]), Grader(aspect_grades=[grades(1)], aspect_texts=[])
    judges = [first.paid("first"), second.paid("second")]
    (found,) = held(ran(AspectJudge(folder=tmp_path), [REPORT], grader=judges))
    assert [coverage.judge.model for coverage in found.coverages] == ["scripted/first", "scripted/second"]
    assert [coverage.repeats for coverage in found.coverages] == [((4,) * 8,), ((1,) * 8,)]
    assert (first.counts, second.counts) == ((1, 1, 4), (0, 0, 4))


def test_an_unbound_grader_is_never_the_evaluated_model() -> None:
    log = ran(AspectJudge(grader="idrbench/extractive"), [REPORT])
    (found,) = held(log)
    assert {found.coverages[0].judge.model, found.aspects.author.model} == {"idrbench/extractive"}
    assert log.stats.role_usage["grader"].total_tokens > 0
    assert GRADER == "openai/gpt-4.1"


async def test_readings_of_other_aspects_are_never_put_together() -> None:
    aspects, other = aspect_set(), aspect_set(written=[*TEXTS, "Honey"])
    model = Grader().model()
    reference = await grade_reference(model, aspects, REFERENCE)
    readings = await grade_report(model, aspects, REPORT, 1)
    coverage = coverage_of(aspects, reference, readings)
    assert isinstance(coverage, Coverage)
    with pytest.raises(ValueError, match="these aspects"):
        coverage_of(other, reference, readings)
    with pytest.raises(ValidationError, match="these aspects"):
        Grades(task="bees", aspects=other, coverages=(coverage,))


def test_runs_with_unequal_aspects_are_told_apart() -> None:
    one, same, other = {"bees": "1", "tea": "2"}, {"bees": "1"}, {"bees": "1", "tea": "3", "rail": "4"}
    assert same_aspects(one, same)
    assert not same_aspects(one, same, other)
    assert unequal_aspects(one, same, other) == ("tea",)


# ------------------------------------------------------------------------------------------------ failures and old logs


def test_a_sample_without_a_reading_is_unscored_with_its_reason_and_the_mean_is_of_the_others() -> None:
    faults: dict[str, Reply] = {
        "Bees 2.": said("context length exceeded", "model_length"),
        "Bees 5.": said("", "max_tokens"),
        "Bees 7.": "All in all a fine report.",
    }

    def play(call: Call) -> Reply:
        return faults.get(call.block("report"), grades(4))

    log = ran(AspectJudge(), [f"Bees {n}." for n in range(10)], grader=Grader(aspect_grades=play).model())
    assert log.status == "success", log.error
    assert log.results is not None
    (covered_mean,) = log.results.scores
    assert covered_mean.metrics["mean"].value == 4
    assert (covered_mean.scored_samples, covered_mean.unscored_samples) == (7, 3)
    assert len(held(log)) == 7
    metadata = [(sample.scores or {})["covered"].metadata or {} for sample in log.samples or []]
    assert sorted(found["reply"] for found in metadata if "reply" in found) == [
        "",
        "All in all a fine report.",
        "context length exceeded",
    ]


def test_a_request_without_usable_aspects_leaves_its_sample_unscored() -> None:
    log = ran(AspectJudge(), [REPORT], grader=Grader(aspect_texts=[texts()]).model())
    (sample,) = log.samples or []
    score = (sample.scores or {})["covered"]
    assert (held(log), score.explanation) == (
        [],
        "grader: reply malformed: there are 0 aspects; 8 to 20 are asked for.",
    )


def test_an_old_log_is_scored_again_by_another_judge() -> None:
    log = ran(AspectJudge(), [REPORT, ""], grader=Grader(aspect_grades=[grades(4)]).model())
    again = Grader(aspect_grades=[grades(1)])
    new = score(log, covered(AspectJudge()), model_roles={"grader": again.model()}, action="overwrite", display="log")
    assert [found.coverages[0].repeats[0] for found in held(new)] == [(1,) * 8, (0,) * 8]
    assert [found.coverages[0].blank_report for found in held(new)] == [False, True]
    assert (len(again.of(WRITE)), len(again.of(TAG))) == (1, 1)


@pytest.mark.parametrize("repeats", [0, -1, True, 1.5, "2"])
def test_repeats_that_are_no_number_of_times_are_refused(repeats: Any) -> None:
    with pytest.raises(BadInput, match="at least 1"):
        AspectJudge(repeats=repeats)
