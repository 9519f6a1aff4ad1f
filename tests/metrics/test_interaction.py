import math

from idrbench_inspect.metrics.interaction import reading_load, turn_counts
from tests.logged_runs import exchange

ASKED = [
    exchange(summary="hello world", questions=("Which years? Which regions?", "hello"), reply="hello world"),
    exchange(
        stage="research", turn=2, summary="hello", questions=("hello",), reply="Use your judgement.", status="blank"
    ),
]


def test_turns_count_by_stage_and_a_blank_reply_leaves_a_turn_a_turn() -> None:
    assert turn_counts(ASKED, staged=True) == {
        "turns_planning": 1, "turns_research": 1, "turns_generation": 0, "turns": 2, "unanswered": 1,
    }  # fmt: skip
    assert math.isnan(turn_counts(ASKED, staged=False)["turns_planning"])
    assert turn_counts([], staged=True)["turns"] == 0


def test_reading_load_is_a_mean_per_turn() -> None:
    load = reading_load(ASKED, english=True)
    assert load["questions_per_turn"] == 2.0
    assert load["summary_tokens_per_turn"] == 1.5
    assert load["question_tokens_per_turn"] == (6 + 1 + 1) / 2
    assert load["read_tokens_per_turn"] == load["summary_tokens_per_turn"] + load["question_tokens_per_turn"]


def test_the_reply_of_an_unanswered_turn_is_not_the_users() -> None:
    assert reading_load(ASKED, english=True)["response_tokens_per_turn"] == 2.0
    assert math.isnan(reading_load(ASKED[1:], english=True)["response_tokens_per_turn"])


def test_undefined_is_not_zero() -> None:
    assert all(math.isnan(value) for value in reading_load([], english=True).values())
    other = reading_load(ASKED, english=False)
    assert other["questions_per_turn"] == 2.0
    assert all(math.isnan(value) for key, value in other.items() if "tokens" in key)
