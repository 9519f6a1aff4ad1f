"""Questions matched to labelled points, by a judge or by words, live and when a log is scored again."""

import json
import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import score
from inspect_ai.dataset import Sample
from inspect_ai.log import EvalLog
from inspect_ai.model import Model
from inspect_ai.scorer import Score
from inspect_ai.solver import TaskState

from idrbench_inspect.errors import BadInput
from idrbench_inspect.judging import store
from idrbench_inspect.judging.asked_points import ASKING
from idrbench_inspect.metrics.asked_points import OF_REPORT
from idrbench_inspect.prompting import notice
from idrbench_inspect.providers import idrbench  # noqa: F401 - registers the provider
from idrbench_inspect.records import Exchange
from idrbench_inspect.scorers.ambiguity_found import KEYS, ambiguity_found
from idrbench_inspect.scorers.parameters import BadParameter
from tests import logged_runs as runs
from tests.judging.scripted import Call, Grader

OFFLINE = "idrbench/extractive"
POINTS: list[dict[str, Any]] = [
    {"dimension": "time", "question": "Which years", "alternatives": ["before 1900", "after 1900"], "answerable": True},
    {
        "dimension": "audience",
        "question": "For whom",
        "alternatives": ["children", "keepers"],
        "preference": "Keepers.",
    },
]
PLANNING = runs.exchange(questions=("Which years?", "Which colour?"), reply="Before 1900.")
RESEARCH = runs.exchange(stage="research", questions=("For children or for keepers?",), reply="For keepers.")


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "user_cache_path", lambda name: tmp_path / name)


def reads(call: Call) -> dict[str, Any]:
    """A judge by words: years and children are points, anything else is trivial; every reply states all."""
    said = re.findall(r"^([qr])(\d+): (.*)$", call.text, re.MULTILINE)
    asks = {"years": ["p1"], "children": ["p2"]}
    return {
        "questions": [
            {"id": f"q{n}", "reason": "Words.", "asks": next((a for w, a in asks.items() if w in text), ["trivial"])}
            for kind, n, text in said
            if kind == "q"
        ],
        "replies": [{"id": f"r{n}", "reason": "Words.", "states": ["p1", "p2"]} for kind, n, _ in said if kind == "r"],
    }


def judged(play: Callable[[Call], Any] = reads) -> Grader:
    return Grader(**{ASKING: play})


def run(
    *exchanges: Exchange,
    grader: Model | str,
    ours: bool = True,
    metadata: dict[str, Any] | None = None,
    samples: int = 1,
    **given: Any,
) -> EvalLog:
    async def play(state: TaskState) -> None:
        if ours:
            runs.leave(state, exchanges=exchanges)
        else:
            for turn in exchanges:
                runs.tell(turn)

    about = {"language": "en", "ambiguity": POINTS, **(metadata or {})}
    rows = [Sample(id=f"s{n}", input="Tell me about bees.", target="T", metadata=about) for n in range(samples)]
    log = runs.run_eval(play, ambiguity_found(**given), rows, model_roles={"grader": grader})
    assert log.samples
    return log


def found(log: EvalLog) -> tuple[dict[str, float], Score]:
    assert log.samples
    assert log.samples[0].scores, log.samples[0].error
    value = runs.values(log, "ambiguity_found")
    assert tuple(value) == tuple(KEYS)
    return value, log.samples[0].scores["ambiguity_found"]


def test_a_judge_tells_what_was_asked_where_and_answered() -> None:
    value, scored = found(run(PLANNING, RESEARCH, grader=judged().model()))
    assert {key: number for key, number in value.items() if not math.isnan(number)} == {
        "points": 2, "points_unjudged": 0, "points_answerable": 2,
        "points_asked": 2, "points_answered": 2, "points_asked_share": 100, "points_answered_share": 100,
        "first_asked_planning": 1, "first_asked_research": 1, "first_asked_generation": 0, "questions": 3,
        "questions_hitting": 2, "questions_unlabelled": 0, "questions_stated": 0, "questions_trivial": 1,
    }  # fmt: skip
    assert scored.metadata
    assert scored.metadata["match"] == "judge"
    assert scored.metadata["exchanges"][0]["questions"] == [
        {"question": "Which years?", "asks": ["p1"], "reason": "Words."},
        {"question": "Which colour?", "asks": "trivial", "reason": "Words."},
    ]


@pytest.mark.parametrize(
    "reply",
    [{"status": "blank"}, {"status": "rejected"}, {"reply": notice("neutral_en")}, {"reply": notice("neutral_zh")}],
)
def test_no_preference_is_no_answer_whatever_the_judge_says(reply: dict[str, Any]) -> None:
    turn = PLANNING.model_copy(update=reply)
    for value, _ in (found(run(turn, grader=judged().model())), found(run(turn, grader=OFFLINE))):
        assert (value["points_asked"], value["points_answered"]) == (1, 0)


def test_the_offline_grader_is_not_asked_to_judge_and_words_are_matched() -> None:
    value, scored = found(run(PLANNING, RESEARCH, grader=OFFLINE))
    assert (value["points_asked"], value["points_answered"], value["questions_unlabelled"]) == (2, 2, 1)
    assert scored.metadata
    assert (scored.metadata["match"], scored.metadata["made_by"]) == ("terms", {"match": "terms"})
    judge = judged()
    same, _ = found(run(PLANNING, RESEARCH, grader=judge.model(), match="terms"))
    assert json.dumps(same) == json.dumps(value)
    assert judge.calls == []


def test_an_unfit_choice_is_refused() -> None:
    log = runs.run_eval(_nothing, [], [Sample(input="Q", metadata={"ambiguity": POINTS})])
    with pytest.raises(BadInput, match="cannot judge"):
        score(log, ambiguity_found(match="judge"), model_roles={"grader": OFFLINE}, display="none")
    for given, said in ({"match": "guess"}, "judge, terms"), ({"grader": " "}, "names no model"):
        with pytest.raises(BadParameter, match=said):
            ambiguity_found(**given)


async def _nothing(state: TaskState) -> None:
    runs.leave(state, exchanges=(PLANNING,))


def altered(**questions: Any) -> Callable[[Call], Any]:
    """The judge by words, whose rows of some questions are others."""

    def play(call: Call) -> Any:
        found = reads(call)
        return {**found, "questions": [{**row, **questions.get(row["id"], {})} for row in found["questions"]]}

    return play


@pytest.mark.parametrize(
    "play",
    [
        lambda call: "I cannot say.",
        lambda call: {"questions": [], "replies": []},
        lambda call: {**reads(call), "replies": [{"id": "r1", "reason": "Words.", "states": ["p9"]}]},
        altered(q1={"asks": ["p3"]}),
        altered(q2={"asks": ["trivial", "stated"]}),
        altered(q2={"asks": []}),
        altered(q2={"asks": 0}),
        altered(q2={"reason": " "}),
    ],
)
def test_without_a_reading_what_the_judge_would_say_is_unknown_with_its_reason(play: Callable[[Call], Any]) -> None:
    judge = judged(play)
    value, scored = found(run(PLANNING, grader=judge.model()))
    known = {key: number for key, number in value.items() if not math.isnan(number)}
    assert known == {"points": 2, "points_unjudged": 0, "points_answerable": 2, "questions": 2}
    assert scored.metadata
    assert scored.metadata["unscored"].startswith("invalid_response_format: ")
    assert scored.metadata["judge_reply"]
    assert len(judge.of(ASKING)) == 3


def test_a_judge_that_mends_its_reply_is_read() -> None:
    plays = iter([altered(q1={"asks": ["p3"]})])

    def first_wrong(call: Call) -> Any:
        return next(plays, reads)(call)

    value, _ = found(run(PLANNING, grader=judged(first_wrong).model()))
    assert (value["points_asked"], value["questions_trivial"]) == (1, 1)


def test_a_judge_splits_what_hits_no_point_into_its_kinds() -> None:
    kinds: dict[str, Any] = {"q1": {"asks": ["Stated "]}, "q2": {"asks": ["unlabelled"]}, "q3": {"asks": ["trivial"]}}
    value, scored = found(run(PLANNING, RESEARCH, grader=judged(altered(**kinds)).model()))
    assert (value["points_asked"], value["points_answered"], value["questions_hitting"]) == (0, 0, 0)
    assert [value[f"questions_{kind}"] for kind in ("stated", "unlabelled", "trivial")] == [1, 1, 1]
    assert scored.explanation
    assert "0 of 2 points asked about, 0 answered; 3 questions: 1 unlabelled, 1 stated, 1 trivial" in scored.explanation


def test_one_question_about_two_points_asks_both_and_a_point_asked_again_counts_once() -> None:
    both = altered(q1={"asks": ["p1", "p2"]}, q2={"asks": ["p1"]})
    value, _ = found(run(PLANNING, RESEARCH, grader=judged(both).model()))
    assert (value["points_asked"], value["points_answered"], value["questions_hitting"]) == (2, 2, 3)
    assert (value["first_asked_planning"], value["first_asked_research"]) == (2, 0)


def test_a_point_that_the_report_does_not_answer_counts_as_asked_and_for_no_answer() -> None:
    points = [{**POINTS[0], "answerable": False}, {**POINTS[1], "answerable": True}]
    value, scored = found(run(PLANNING, RESEARCH, grader=judged().model(), metadata={"ambiguity": points}))
    assert (value["points"], value["points_asked"], value["points_asked_share"]) == (2, 2, 100)
    assert (value["points_answerable"], value["points_answered"], value["points_answered_share"]) == (1, 1, 100)
    assert scored.explanation
    assert "2 of 2 points asked about, 1 answered (1 cannot be, by the paired report)" in scored.explanation


def test_points_that_nobody_looked_for_in_the_report_have_no_answered_share() -> None:
    unread = [{**point, "answerable": None, "preference": None} for point in POINTS]
    for points in (unread, [POINTS[0], unread[1]]):
        value, scored = found(run(PLANNING, RESEARCH, grader=judged().model(), metadata={"ambiguity": points}))
        assert value["points_asked_share"] == 100
        assert value["points_unjudged"] == sum(point["answerable"] is None for point in points)
        assert all(math.isnan(value[key]) for key in OF_REPORT)
        assert "never looked for in the paired report" in (scored.explanation or "")


def test_tasks_that_were_judged_are_averaged_alone_and_the_others_counted() -> None:
    unread = [{**point, "answerable": None, "preference": None} for point in POINTS]

    async def play(state: TaskState) -> None:
        runs.leave(state, exchanges=(PLANNING,))

    rows = [
        Sample(id=f"s{n}", input="Q", target="T", metadata={"task": f"s{n}", "language": "en", "ambiguity": points})
        for n, points in enumerate((POINTS, unread, unread))
    ]
    log = runs.run_eval(play, ambiguity_found(), rows, model_roles={"grader": judged().model()})
    share, unjudged = (runs.result(log, key).metrics for key in ("points_answered_share", "points_unjudged"))
    assert (share["idrbench_inspect/aligned_mean"].value, share["idrbench_inspect/samples"].value) == (50, 1)
    assert unjudged["idrbench_inspect/flagged"].value == 2


def test_an_agent_that_asks_nothing_found_nothing_and_no_judge_is_paid() -> None:
    judge = judged()
    value, _ = found(run(grader=judge.model()))
    assert (value["points_asked_share"], value["questions"], judge.calls) == (0, 0, [])


def test_questions_where_nothing_is_open_are_counted_as_over_asking() -> None:
    value, _ = found(run(PLANNING, grader=OFFLINE, metadata={"ambiguity": []}))
    assert (value["points"], value["questions_nothing_open"]) == (0, 2)
    assert math.isnan(value["points_asked_share"])
    unlabelled, scored = found(run(PLANNING, grader=OFFLINE, metadata={"ambiguity": None}))
    assert [key for key, number in unlabelled.items() if not math.isnan(number)] == ["questions"]
    assert "no labels" in (scored.explanation or "")


def test_another_agents_exchanges_count_without_stages() -> None:
    value, _ = found(run(PLANNING.model_copy(update={"stage": None}), grader=judged().model(), ours=False))
    assert (value["points_asked"], value["points_answered"]) == (1, 1)
    assert math.isnan(value["first_asked_planning"])


def test_the_judge_is_paid_once_for_equal_exchanges_also_when_a_log_is_scored_again() -> None:
    judge = judged()
    log = run(PLANNING, RESEARCH, grader=judge.paid(), samples=3)
    assert len(judge.of(ASKING)) == 1
    again = score(log, ambiguity_found(), action="overwrite", model_roles={"grader": judge.paid()}, display="none")
    assert json.dumps(found(again)[0]) == json.dumps(found(log)[0])
    assert len(judge.of(ASKING)) == 1


def test_means_are_by_language_and_of_one_match_alone() -> None:
    log = run(PLANNING, grader=OFFLINE)
    metrics = {metric.name: metric.value for metric in runs.result(log, "points_asked_share").metrics.values()}
    assert metrics["idrbench_inspect/aligned_mean"] == metrics["language:en"] == 50
    assert not any(name.startswith("topic") for name in metrics)
