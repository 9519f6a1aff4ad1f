"""The match by words: single rules, and how often it is right on questions that people might ask about `mini`."""

from collections.abc import Sequence

import pytest

from idrbench_inspect.dataset import load
from idrbench_inspect.metrics.asked_by_terms import asked_by_terms
from idrbench_inspect.metrics.asked_points import Asked, Otherwise, Point, Turn
from tests.metrics.asked_cases import SEEN, UNSEEN, Case

TIME = Point("p1", "time", "Which period to cover", ("the nineteenth century", "the present day"))
READERS = Point("p2", "audience", "Who it is for", ("gardeners without training", "council officers"))
QUERY = "Tell me about street trees."
TASKS = {task.id: task for task in load("mini").tasks}


def other(kind: Otherwise) -> Asked:
    return Asked(otherwise=kind)


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("Which years matter to you?", Asked(("p1",))),
        ("Is it for the officers of the council, or for gardeners?", Asked(("p2",))),
        ("Which period, and for which readers?", Asked(("p1", "p2"))),
        ("Shall I tell about trees in the street?", other("stated")),
        ("Do you want that?", other("trivial")),
        ("Shall we go on?", other("trivial")),
        ("What colour are they?", other("unlabelled")),
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


def test_what_an_earlier_reply_has_said_is_not_asked_about_again() -> None:
    turns = asked_by_terms(QUERY, [TIME], [(["Which years?"], "The nineteenth century."), (["Nineteenth?"], "")])
    assert turns[1].asked == (other("stated"),)
    again = asked_by_terms(QUERY, [TIME], [(["Which years?"], "You choose."), (["Nineteenth?"], "")])
    assert again[1].asked == (Asked(("p1",)),)


def test_a_term_of_several_points_settles_none_of_them_alone() -> None:
    points = [Point(f"p{n}", "", f"{side} of the harbour", ("a", "b")) for n, side in enumerate(("North", "South"), 1)]
    assert asked_by_terms(QUERY, points, [(["The harbour?"], "")])[0].asked == (other("unlabelled"),)
    assert asked_by_terms(QUERY, points, [(["The north?"], "")])[0].asked == (Asked(("p1",)),)


def read(case: Case) -> Asked:
    task = TASKS[case.task]
    points = [Point(f"p{n}", p.dimension, p.question, p.alternatives) for n, p in enumerate(task.ambiguity, 1)]
    earlier: list[tuple[Sequence[str], str]] = [([], case.before)] if case.before else []
    return asked_by_terms(task.query, points, [*earlier, ([case.question], "")])[-1].asked[0]


@pytest.mark.parametrize(
    ("half", "precision", "recall", "kinds"), [(SEEN, 0.96, 0.75, 0.76), (UNSEEN, 0.85, 0.85, 0.73)]
)
def test_precision_and_recall_of_the_match(half: Sequence[Case], precision: float, recall: float, kinds: float) -> None:
    right = given = wanted = told = none = 0
    for case in half:
        asked, labelled = read(case), set(case.asks.split()) if case.asks.startswith("p") else set()
        right += len(labelled & set(asked.points))
        given += len(asked.points)
        wanted += len(labelled)
        none += not labelled
        told += not labelled and asked.otherwise == case.asks
    print(f"{len(half)} questions: precision {right / given:.2f}, recall {right / wanted:.2f}, kinds {told} of {none}")
    assert right / given >= precision
    assert right / wanted >= recall
    assert told / none >= kinds
