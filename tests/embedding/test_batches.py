from hypothesis import given
from hypothesis import strategies as st

from idrbench_inspect.embedding.batches import MOST_TEXTS, batches

LENGTHS = st.lists(st.integers(0, 50))


@given(LENGTHS, st.integers(1, 100))
def test_every_text_is_in_exactly_one_batch(lengths: list[int], budget: int) -> None:
    assert sorted(index for batch in batches(lengths, budget) for index in batch) == list(range(len(lengths)))


@given(LENGTHS, st.integers(1, 100))
def test_a_padded_batch_keeps_to_the_budget_unless_it_is_one_text(lengths: list[int], budget: int) -> None:
    for batch in batches(lengths, budget):
        assert len(batch) == 1 or len(batch) * max(lengths[index] for index in batch) <= budget


def test_a_batch_holds_texts_of_like_length() -> None:
    assert batches([5, 50, 6, 49], budget=100) == [[1, 3], [2, 0]]


def test_texts_of_one_length_keep_their_order() -> None:
    assert batches([7, 7, 7], budget=14) == [[0, 1], [2]]


def test_many_short_texts_are_not_one_batch() -> None:
    assert max(len(batch) for batch in batches([1] * 1000, budget=10_000)) == MOST_TEXTS
