import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from idrbench_inspect.embedding.protocol import NoReading
from idrbench_inspect.embedding.tokenizers import Qwen3
from idrbench_inspect.embedding.windows import SEGMENT, pooled, windows
from tests.embedding.embedders import Words


class Growing(Words):
    """A piece by itself has a token more than in its place, as with tokenizers that put a mark before a text."""

    def spans(self, text: str) -> list[tuple[int, int]]:
        return [(0, 0), *super().spans(text)]


@settings(deadline=None)  # the vocabulary is loaded in the first example
@given(st.text(st.sampled_from("ab 龘你\U0001f642\n.")), st.integers(4, 12))
def test_windows_joined_are_the_text_and_none_is_too_long(text: str, most: int) -> None:
    if not text.strip():
        return
    tokenizer = Qwen3()
    found = windows(text, tokenizer, most)
    assert all(1 <= len(tokenizer.spans(window.text)) == window.tokens <= most for window in found)
    assert "".join(window.text for window in found).split() == text.split()


def test_a_text_that_fits_is_one_window_as_it_stands() -> None:
    assert windows(" one two ", Words(), 2) == [(" one two ", 2)]


def test_a_text_without_a_limit_is_one_window() -> None:
    text = "word " * 1000
    assert windows(text, Words(), None) == [(text, 1000)]


def test_windows_are_cut_where_a_token_begins() -> None:
    assert windows("one two three four five", Words(), 2) == [("one two ", 2), ("three four ", 2), ("five", 1)]


def test_a_piece_that_is_read_as_more_tokens_by_itself_is_cut_shorter() -> None:
    found = windows("one two three four five six", Growing(), 3)
    assert "".join(window.text for window in found) == "one two three four five six"
    assert max(window.tokens for window in found) == 3


def test_a_character_of_several_tokens_is_never_cut() -> None:
    assert windows("龘" * 3, Qwen3(), 3) == [("龘", 2)] * 3  # of two tokens each


def test_a_window_too_small_for_one_character_has_no_reading() -> None:
    with pytest.raises(NoReading, match="fits into a window of 1 tokens"):
        windows("龘龘", Qwen3(), 1)


def test_a_text_in_which_the_tokenizer_finds_nothing_has_no_reading() -> None:
    class Nothing(Words):
        def spans(self, text: str) -> list[tuple[int, int]]:
            return []

    with pytest.raises(NoReading, match="finds no token"):
        windows("text", Nothing(), 8)


def test_a_long_text_is_never_given_to_the_tokenizer_whole() -> None:
    tokenizer = Words()
    found = windows("word " * 100_000, tokenizer, 1000)
    assert tokenizer.longest <= SEGMENT
    assert sum(window.tokens for window in found) == 100_000


def test_a_long_text_without_any_blank_is_cut_all_the_same() -> None:
    found = windows("长" * 200_000, Qwen3(), 1000)
    assert sum(len(window.text) for window in found) == 200_000


def test_a_text_that_seems_to_fit_in_segments_but_does_not_as_a_whole_is_cut() -> None:
    class Joined(Words):
        def spans(self, text: str) -> list[tuple[int, int]]:
            spans = super().spans(text)
            return spans if len(text) <= SEGMENT else [*spans, spans[-1]]

    text = "word " * 20_000
    assert len(windows(text, Joined(), 20_000)) == 2


def test_the_pooled_vector_weighs_windows_by_their_tokens() -> None:
    assert pooled(np.eye(2, dtype=np.float32), [3, 1]) == pytest.approx(np.array([3, 1]) / np.sqrt(10))


def test_windows_that_cancel_each_other_out_leave_no_length() -> None:
    assert not pooled(np.array([[1, 0], [-1, 0]], dtype=np.float32), [5, 5]).any()
