import numpy as np
import pytest

from idrbench_inspect.embedding.protocol import Vectors, is_blank, one_identity, unit
from idrbench_inspect.errors import BadInput
from tests.embedding.embedders import BagOfWords

FIRST = BagOfWords(revision="1").identity
SECOND = BagOfWords(revision="2").identity


def test_results_of_one_embedder_go_together() -> None:
    assert one_identity([FIRST, BagOfWords(revision="1").identity]) == FIRST


def test_results_of_two_embedders_are_refused_and_the_difference_is_named() -> None:
    with pytest.raises(BadInput, match="revision 1 and 2"):
        one_identity([FIRST, SECOND])


@pytest.mark.parametrize(
    "change",
    [
        {"model": "another"},
        {"revision": "2"},
        {"dimension": 65},
        {"dtype": "bfloat16"},
        {"max_tokens": 256},
        {"tokenizer": "another"},
    ],
)
def test_whatever_can_move_a_vector_makes_another_identity(change: dict[str, str | int]) -> None:
    assert FIRST.model_copy(update=change).digest() != FIRST.digest()


@pytest.mark.parametrize("text", ["", "  \n\t", "\u3000", "\u200b", "\ufeff\x00"])
def test_a_text_without_anything_to_read_is_blank(text: str) -> None:
    assert is_blank(text)


def test_a_row_without_length_stays_without_length_and_does_not_become_nan() -> None:
    rows = unit(np.array([[0, 0], [3, 4]], dtype=np.float32))
    assert rows.tolist() == [[0, 0], pytest.approx([0.6, 0.8])]
    assert rows.dtype == np.float32


def test_very_small_and_very_large_rows_get_length_one() -> None:
    rows = unit(np.array([[1e-30, 1e-30], [1e30, 1e30]], dtype=np.float32))
    assert np.linalg.norm(rows, axis=1) == pytest.approx([1, 1])


def test_vectors_of_another_size_than_the_identity_says_are_refused() -> None:
    with pytest.raises(ValueError, match="wanted"):
        Vectors(np.zeros((1, 65), dtype=np.float32), (False,), FIRST)


def test_vectors_cannot_be_written_to() -> None:
    vectors = Vectors(np.ones((1, 64), dtype=np.float32), (False,), FIRST)
    with pytest.raises(ValueError, match="read-only"):
        vectors.matrix[0, 0] = 2
