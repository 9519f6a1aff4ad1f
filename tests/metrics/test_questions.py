import pytest
from hypothesis import given
from hypothesis import strategies as st

from idrbench_inspect.metrics.questions import atomic_questions


@pytest.mark.parametrize(
    ("questions", "count"),
    [
        ([], 0),
        (["Tell me the audience."], 1),
        (["Which years? Which regions?"], 2),
        (["Really?!? Yes??"], 2),
        (["哪些年份？哪些地区？？", "读者是谁？"], 3),
        (["Do you mean https://a.example/q?x=1&y=2 or [that](https://b.example/?z=3)?"], 1),
        (["Is it a.example/q?x=1 you mean?"], 1),
        (['Should it answer "why?"?'], 1),
        (["Cost (or price?) of what?"], 2),
        (["First? ", "Second? Third?"], 3),
    ],
)
def test_counts_question_sentences(questions: list[str], count: int) -> None:
    assert atomic_questions(questions) == count


@given(st.lists(st.text(max_size=60), max_size=4))
def test_every_listed_question_counts_at_least_once(questions: list[str]) -> None:
    assert len(questions) <= atomic_questions(questions) <= len(questions) + sum(map(len, questions))
