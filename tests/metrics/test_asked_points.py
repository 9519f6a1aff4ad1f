import math

import pytest

from idrbench_inspect.metrics.asked_points import Asked, Otherwise, Point, Turn, asked_by_terms, found_counts

TIME = Point("p1", "time", "Which period to cover", ("the nineteenth century", "the present day"))
READERS = Point("p2", "audience", "Who it is for", ("gardeners without training", "council officers"))
QUERY = "Tell me about street trees."


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
        "points": 5, "points_asked": 3, "points_answered": 2, "points_asked_share": 60, "points_answered_share": 40,
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


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("Which years matter to you?", Asked(("p1",))),
        ("Is it for the officers of the council, or for gardeners?", Asked(("p2",))),
        ("Which period, and for which readers?", Asked(("p1", "p2"))),
        ("Shall I tell about trees in the street?", other("stated")),
        ("Do you want that?", other("unlabelled")),
        ("Is it so?", other("trivial")),
        ("Shall photographs be black and white?", other("unlabelled")),
    ],
)
def test_a_question_asks_about_what_it_names_or_has_words_of(question: str, wanted: Asked) -> None:
    (turn,) = asked_by_terms(QUERY, [TIME, READERS], [([question], "")])
    assert turn.asked == (wanted,)


def test_a_reply_states_a_preference_on_what_was_asked_and_later_questions_are_answered_by_it() -> None:
    years, ask_again = "Which years matter?", "Shall photographs show plane leaves?"
    turns = asked_by_terms(
        QUERY,
        [TIME, READERS],
        [([years], "The nineteenth century; council officers and gardeners read photographs of plane leaves."),
         ([ask_again], "")],
    )  # fmt: skip
    assert turns[0].states == ("p1",)
    assert turns[1].asked == (other("stated"),)
    assert asked_by_terms(QUERY, [TIME], [([years], "")])[0].states == ()


def test_chinese_questions_are_matched_by_pairs_of_characters() -> None:
    points = [Point("p1", "region", "讲哪里出产的茶", ("福建", "全国各产区"))]
    (turn,) = asked_by_terms("介绍一下茶。", points, [(["是否限定地区？"], "只讲福建。")])
    assert turn == Turn(None, (Asked(("p1",)),), ("p1",))
