import math

import pytest

from idrbench_inspect.metrics.asked_points import Asked, Otherwise, Turn, found_counts


def other(kind: Otherwise) -> Asked:
    return Asked(otherwise=kind)


def test_points_are_counted_once_and_at_the_stage_where_they_were_first_asked_about() -> None:
    turns = [
        Turn("planning", (Asked(("p1", "p2")), other("trivial")), states=("p2", "p3")),
        Turn("research", (Asked(("p1",)), other("stated")), states=("p1",)),
        Turn("research", (Asked(("p4",)), other("unlabelled"))),
    ]
    found = found_counts(["p1", "p2", "p3", "p4", "p5"], turns, staged=True)
    assert {key: value for key, value in found.items() if not math.isnan(value)} == {
        "points": 5, "points_unjudged": 0, "points_answerable": 5,
        "points_asked": 3, "points_answered": 2, "points_asked_share": 60, "points_answered_share": 40,
        "first_asked_planning": 2, "first_asked_research": 1, "first_asked_generation": 0,
        "questions": 6, "questions_hitting": 3, "questions_unlabelled": 1, "questions_stated": 1,
        "questions_trivial": 1,
    }  # fmt: skip
    assert math.isnan(found["questions_nothing_open"])


def test_a_preference_counts_only_in_a_turn_that_asks_for_it() -> None:
    turns = [Turn("planning", (Asked(("p1",)),)), Turn("research", (other("stated"),), states=("p1",))]
    assert found_counts(["p1"], turns, staged=True)["points_answered"] == 0


def test_where_nothing_is_open_every_question_is_one_too_many_and_shares_are_undefined() -> None:
    found = found_counts([], [Turn("planning", (other("trivial"), other("unlabelled")))], staged=True)
    assert (found["points"], found["points_asked"], found["questions_nothing_open"]) == (0, 0, 2)
    assert math.isnan(found["points_asked_share"])
    assert math.isnan(found["points_answered_share"])
    assert found_counts([], [], staged=True)["questions_nothing_open"] == 0


def test_an_agent_that_asks_nothing_has_found_nothing() -> None:
    found = found_counts(["p1"], [], staged=True)
    assert (found["points_asked_share"], found["points_answered_share"], found["questions"]) == (0, 0, 0)


def test_without_labels_or_stages_what_depends_on_them_is_unknown() -> None:
    turns = [Turn(None, (other("unlabelled"),))]
    unlabelled = found_counts(None, turns, staged=True)
    assert [key for key, value in unlabelled.items() if not math.isnan(value)] == ["questions"]
    stageless = found_counts(["p1"], [Turn(None, (Asked(("p1",)),))], staged=False)
    assert [key for key, value in stageless.items() if math.isnan(value)] == [
        "first_asked_planning", "first_asked_research", "first_asked_generation", "questions_nothing_open",
    ]  # fmt: skip
    assert stageless["points_asked"] == 1


@pytest.mark.parametrize("asked", [{}, {"points": ("p1",), "otherwise": "trivial"}])
def test_a_question_is_about_points_or_otherwise(asked: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="exactly one"):
        Asked(**asked)  # type: ignore[arg-type]  # what a careless caller does


def test_what_the_paired_report_does_not_answer_counts_as_asked_and_for_no_answer() -> None:
    turns = [Turn("planning", (Asked(("p1", "p2")),), states=("p1", "p2")), Turn("research", (Asked(("p3",)),))]
    found = found_counts(["p1", "p2", "p3", "p4"], turns, staged=True, unanswerable=("p2", "p4"))
    assert (found["points"], found["points_asked"], found["points_asked_share"]) == (4, 3, 75)
    assert (found["points_answerable"], found["points_answered"], found["points_answered_share"]) == (2, 1, 50)
    none = found_counts(["p3"], turns[1:], staged=True, unanswerable=("p3",))
    assert (none["points_asked_share"], none["points_answered"]) == (100, 0)
    assert math.isnan(none["points_answered_share"])


def test_a_point_that_is_asked_about_twice_counts_once_at_its_first_stage_and_is_answered_by_either() -> None:
    turns = [Turn("planning", (Asked(("p1",)), Asked(("p1",)))), Turn("generation", (Asked(("p1",)),), states=("p1",))]
    found = found_counts(["p1", "p2"], turns, staged=True)
    assert (found["points_asked"], found["points_answered"], found["questions_hitting"]) == (1, 1, 3)
    assert [found[f"first_asked_{stage}"] for stage in ("planning", "research", "generation")] == [1, 0, 0]
