import math
from collections.abc import Sequence
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

from idrbench_inspect.metrics import unit_f1 as module
from idrbench_inspect.metrics.tau import Tau, thresholds
from idrbench_inspect.metrics.undefined import Undefined
from idrbench_inspect.metrics.unit_f1 import (
    BLOCK_ROWS,
    Matches,
    UnitF1,
    matches_from_matrix,
    matches_from_vectors,
    repetition_rate,
    unit_f1,
)

Matrix = NDArray[np.float64]
TAU = Tau(0.6, "raw")


def slow_f1(rows: Sequence[Sequence[float]], columns: int, tau: float) -> tuple[float, float, float]:
    """The definition, word for word, in plain loops."""
    recalled = precise = 0
    for row in rows:
        best = -2.0
        for value in row:
            best = max(best, value)
        recalled += best >= tau - 1e-6
    for column in range(columns):
        best = -2.0
        for row in rows:
            best = max(best, row[column])
        precise += best >= tau - 1e-6
    recall = recalled / len(rows)
    precision = precise / columns if columns else 0.0
    return precision, recall, 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def slow_cosines(one: Matrix, other: Matrix) -> list[list[float]]:
    return [[sum(float(a) * float(b) for a, b in zip(x, y, strict=True)) for y in other] for x in one]


def vectors(units: int, dimensions: int, seed: int) -> Matrix:
    """Few directions with some noise, so that there are matches, near misses and ties."""
    random = np.random.default_rng(seed)
    made = np.eye(dimensions)[random.integers(0, dimensions, units)] + random.choice([0, 0.3, 0.6]) * random.normal(
        size=(units, dimensions)
    )
    return np.asarray(made / np.linalg.norm(made, axis=1, keepdims=True))


def scored(matches: Matches, tau: Tau = TAU) -> UnitF1:
    found = unit_f1(matches, tau)
    assert isinstance(found, UnitF1)
    return found


COSINES = st.sampled_from((-1.0, -0.2, 0.0, 0.59, 0.6, 0.61, 0.8, 0.95, 1.0))
MATRICES = st.tuples(st.integers(1, 7), st.integers(0, 7)).flatmap(
    lambda shape: st.lists(
        st.lists(COSINES, min_size=shape[1], max_size=shape[1]), min_size=shape[0], max_size=shape[0]
    )
)


def test_f1_by_hand() -> None:
    matrix = np.array([[0.9, 0.1, 0.7], [0.2, 0.3, 0.1]])
    found = scored(matches_from_matrix(matrix))
    assert (found.recall, found.precision) == (1 / 2, 2 / 3)
    assert math.isclose(found.f1, 4 / 7)
    assert (found.reference_units, found.generated_units, found.tau) == (2, 3, TAU)


@given(MATRICES, st.sampled_from((-1.0, 0.0, 0.6, 0.8, 1.0)))
def test_f1_is_what_the_definition_says(rows: list[list[float]], tau: float) -> None:
    matrix = np.array(rows).reshape(len(rows), -1)
    found = scored(matches_from_matrix(matrix), Tau(tau, "raw"))
    assert (found.precision, found.recall, found.f1) == pytest.approx(slow_f1(rows, matrix.shape[1], tau))
    low, high = sorted((found.precision, found.recall))
    assert 0 <= low <= found.f1 + 1e-15
    assert found.f1 - 1e-15 <= high <= 1


@settings(deadline=None, max_examples=50)
@given(st.integers(1, 12), st.integers(0, 12), st.integers(1, 6), st.integers(0, 10**6))
def test_vectors_give_what_their_plain_products_give(rows: int, columns: int, dimensions: int, seed: int) -> None:
    one, other = vectors(rows, dimensions, seed), vectors(columns, dimensions, seed + 1)
    plain = slow_cosines(one, other)
    found = matches_from_vectors(one, other)
    assert found.reference.cosine.tolist() == pytest.approx([max(row, default=-1) for row in plain], abs=1e-6)
    for unit, match in enumerate(found.reference.match):
        assert match == -1 or plain[unit][match] >= max(plain[unit]) - 1e-6
    for unit, match in enumerate(found.generated.match):
        assert plain[match][unit] >= max(row[unit] for row in plain) - 1e-6
    score, by_hand = scored(found), slow_f1(plain, columns, 0.6)
    near = [abs(value - 0.6) for row in plain for value in row if abs(value - 0.6) < 1e-5]
    assert near or (score.precision, score.recall, score.f1) == pytest.approx(by_hand)


@given(MATRICES)
def test_swapping_the_reports_swaps_precision_and_recall(rows: list[list[float]]) -> None:
    matrix = np.array(rows).reshape(len(rows), -1)
    if matrix.shape[1]:
        there, back = scored(matches_from_matrix(matrix)), scored(matches_from_matrix(matrix.T))
        assert (there.precision, there.recall, there.f1) == (back.recall, back.precision, back.f1)


@given(MATRICES, st.randoms(use_true_random=False))
def test_the_order_of_units_does_not_matter(rows: list[list[float]], random: Random) -> None:
    matrix = np.array(rows).reshape(len(rows), -1)
    one, other = list(range(matrix.shape[0])), list(range(matrix.shape[1]))
    random.shuffle(one)
    random.shuffle(other)
    assert scored(matches_from_matrix(matrix)) == scored(matches_from_matrix(matrix[np.ix_(one, other)]))


@given(MATRICES)
def test_a_higher_threshold_never_finds_more(rows: list[list[float]]) -> None:
    matches = matches_from_matrix(np.array(rows).reshape(len(rows), -1))
    f1s = [scored(matches, Tau(tau, "raw")).f1 for tau in (-1.0, 0.0, 0.6, 0.8, 1.0)]
    assert f1s == sorted(f1s, reverse=True)


def test_repeating_one_unit_moves_precision_and_never_recall() -> None:
    once = np.array([[0.9, 0.1], [0.1, 0.2], [0.1, 0.2], [0.1, 0.2]])
    often = np.concatenate([once, np.repeat(once[:, :1], 49, axis=1)], axis=1)
    before, after = scored(matches_from_matrix(once)), scored(matches_from_matrix(often))
    assert (before.recall, after.recall) == (1 / 4, 1 / 4)
    assert (before.precision, after.precision) == (1 / 2, 50 / 51)


def test_repeating_the_whole_report_changes_nothing() -> None:
    matrix = np.array([[0.9, 0.1], [0.1, 0.2]])
    twice = scored(matches_from_matrix(np.concatenate([matrix, matrix], axis=1)))
    once = scored(matches_from_matrix(matrix))
    assert (once.precision, once.recall, once.f1) == (twice.precision, twice.recall, twice.f1)


def test_a_report_without_units_scores_0_and_a_reference_without_units_is_unscored() -> None:
    nothing = scored(matches_from_matrix(np.empty((3, 0))), Tau(-1.0, "raw"))
    assert (nothing.precision, nothing.recall, nothing.f1) == (0.0, 0.0, 0.0)
    assert (nothing.reference_units, nothing.generated_units) == (3, 0)
    for shape in ((0, 3), (0, 0)):
        assert isinstance(unit_f1(matches_from_matrix(np.empty(shape)), TAU), Undefined)
    assert isinstance(unit_f1(matches_from_vectors(np.empty((0, 4)), np.eye(4)), TAU), Undefined)
    assert scored(matches_from_vectors(np.eye(4), np.empty((0, 4)))).f1 == 0.0


@pytest.mark.parametrize("place", [0, 1, 2])
@pytest.mark.parametrize("tau", [-1.0, 0.6])
def test_a_zero_vector_matches_nothing_wherever_it_stands(place: int, tau: float) -> None:
    one = np.insert(np.eye(3)[:2], place, 0, axis=0)
    found = matches_from_vectors(one, one)
    assert found.reference.match[place] == -1
    assert place not in found.generated.match
    score = scored(found, Tau(tau, "raw"))
    assert (score.precision, score.recall, score.f1) == pytest.approx((2 / 3, 2 / 3, 2 / 3))
    assert np.isfinite([*found.reference.cosine, *found.generated.cosine]).all()


def test_the_first_of_equal_matches_is_named() -> None:
    found = matches_from_vectors(np.eye(2)[[0, 0, 1]], np.eye(2)[[1, 0, 0, 1]])
    assert found.reference.match.tolist() == [1, 1, 0]
    assert found.generated.match.tolist() == [2, 0, 0, 2]


def test_blocks_of_rows_change_no_bit() -> None:
    one, other = vectors(2 * BLOCK_ROWS + 7, 16, 1), vectors(300, 16, 2)
    dense, blocks = matches_from_vectors(one, other, dense_rows=10**9), matches_from_vectors(one, other, dense_rows=0)
    for side in ("reference", "generated"):
        a, b = getattr(dense, side), getattr(blocks, side)
        assert a.cosine.tobytes() == b.cosine.tobytes()
        assert a.match.tolist() == b.match.tolist()
    again = matches_from_matrix(one.astype(np.float32) @ other.astype(np.float32).T)
    assert blocks.generated.cosine.tolist() == pytest.approx(again.generated.cosine.tolist(), abs=1e-6)


def test_the_first_of_equal_matches_is_named_across_blocks() -> None:
    one = np.eye(2)[[0, 1] * BLOCK_ROWS]
    found = matches_from_vectors(one, np.eye(2), dense_rows=0)
    assert found.generated.match.tolist() == [0, 1]


def test_all_thresholds_are_answered_from_one_matrix() -> None:
    matches = matches_from_matrix(np.array([[0.55, 0.1], [0.2, 0.7], [0.85, 0.1], [0.1, 0.1]]))
    recalls = {name: scored(matches, tau).recall for name, tau in thresholds(Tau(0.5, "raw")).items()}
    assert recalls == {"own": 3 / 4, "cos_0.6": 2 / 4, "cos_0.8": 1 / 4}


@pytest.mark.parametrize(
    ("matrix", "message"),
    [(np.array([0.1, 0.2]), "shape"), (np.array([[np.nan]]), "no cosines"), (np.array([[1.1]]), "no cosines"),
     (np.array([[-np.inf]]), "no cosines")],
)  # fmt: skip
def test_a_matrix_that_is_none_of_cosines_is_refused(matrix: Matrix, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        matches_from_matrix(matrix)


def test_vectors_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="3 dimensions and the generated report 4"):
        matches_from_vectors(np.eye(3), np.eye(4))
    with pytest.raises(ValueError, match="reference vector 1 has length 2"):
        matches_from_vectors(np.diag([1.0, 2.0]), np.eye(2))
    with pytest.raises(ValueError, match="generated vector 0 has length nan"):
        matches_from_vectors(np.eye(2), np.diag([np.nan, 1.0]))


@given(st.lists(st.sampled_from("abc"), min_size=1))
def test_repetition_is_the_share_of_units_said_before(units: list[str]) -> None:
    said_before = sum(unit in units[:place] for place, unit in enumerate(units))
    assert repetition_rate(units) == pytest.approx(said_before / len(units))


def test_without_units_there_is_no_repetition_rate() -> None:
    assert isinstance(repetition_rate([]), Undefined)


def threads() -> set[int]:
    """Of the libraries that were there at the first product, numpy's own among them."""
    return {pool["num_threads"] for pool in module._libraries().info() if pool["user_api"] == "blas"}


def test_products_are_taken_by_one_thread_whatever_is_set_and_what_is_set_stays(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    matches_from_vectors(np.eye(2), np.eye(2))
    if not threads():
        pytest.skip("numpy's BLAS here is none whose threads can be set")
    inside: list[set[int]] = []
    whole = module._cosines

    def noted(rows: NDArray[np.float32], columns: NDArray[np.float32]) -> NDArray[np.float32]:
        inside.append(threads())
        return whole(rows, columns)

    monkeypatch.setattr(module, "_cosines", noted)
    drawn = np.random.default_rng(0)
    one, other = (drawn.normal(size=(size, 256)) for size in (300, 500))
    one, other = (side / np.linalg.norm(side, axis=1, keepdims=True) for side in (one, other))
    found = []
    for count in (1, 2):
        with ThreadpoolController().limit(limits=count, user_api="blas"):
            found.append(matches_from_vectors(one, other))
            assert threads() == {count}
    assert inside == [{1}, {1}]
    assert found[0].generated.cosine.tobytes() == found[1].generated.cosine.tobytes()
    assert found[0].reference.match.tobytes() == found[1].reference.match.tobytes()
