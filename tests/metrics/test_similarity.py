import numpy as np
import pytest

from idrbench_inspect.metrics.similarity import Similarity, checked_vectors, normalised, report_similarity
from idrbench_inspect.metrics.undefined import Undefined

ONE, OTHER = np.array([0.6, 0.8]), np.array([1.0, 0.0])


def test_the_normalised_cosine_by_hand() -> None:
    found = report_similarity(ONE, OTHER)
    assert isinstance(found, Similarity)
    assert (found.value, found.cosine) == (0.8, 0.6)
    assert report_similarity(OTHER, ONE) == found
    assert (normalised(-1.0), normalised(0.0), normalised(1.0)) == (0.0, 0.5, 1.0)


def test_a_report_is_as_near_to_itself_as_can_be_and_no_nearer() -> None:
    vector = np.full(1000, 1000**-0.5, dtype=np.float32)
    found = report_similarity(vector, vector)
    assert isinstance(found, Similarity)
    assert 0.999999 < found.value <= 1


def test_an_empty_report_has_similarity_0_and_not_one_half() -> None:
    found = report_similarity(ONE, None)
    assert isinstance(found, Similarity)
    assert found.value == 0.0
    assert isinstance(found.cosine, Undefined)


def test_an_empty_reference_or_a_zero_vector_leaves_nothing_to_say() -> None:
    assert isinstance(report_similarity(None, ONE), Undefined)
    assert isinstance(report_similarity(None, None), Undefined)
    assert isinstance(report_similarity(ONE, np.zeros(2)), Undefined)
    assert isinstance(report_similarity(np.zeros(2), ONE), Undefined)


@pytest.mark.parametrize("wrong", [[3.0, 4.0], [np.nan, 1.0], [np.inf, 0.0], [0.5, 0.5]])
def test_a_vector_that_is_no_unit_vector_is_refused(wrong: list[float]) -> None:
    with pytest.raises(ValueError, match="generated vector 0 has length"):
        report_similarity(ONE, np.array(wrong))


def test_vectors_of_other_shapes_are_refused() -> None:
    with pytest.raises(ValueError, match="dimensions"):
        report_similarity(ONE, np.array([1.0, 0.0, 0.0]))
    with pytest.raises(ValueError, match="shape"):
        checked_vectors(ONE, "reference")


def test_half_precision_is_near_enough_to_length_1() -> None:
    vectors = np.random.default_rng(1).normal(size=(50, 1024))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    assert len(checked_vectors(vectors.astype(np.float16), "reference")) == 50
