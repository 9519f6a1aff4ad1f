import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from idrbench_inspect.metrics.agreement import Level, Spread, krippendorff_alpha, spread
from idrbench_inspect.metrics.undefined import Undefined

X = math.nan
PUBLISHED = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, X, X, X],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, X, 3],
    [X, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, X],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, X],
]
RATING = st.sampled_from((0.0, 1.0, 2.0, 5.0, X))
TABLES = st.tuples(st.integers(2, 4), st.integers(1, 6)).flatmap(
    lambda shape: st.lists(st.lists(RATING, min_size=shape[1], max_size=shape[1]), min_size=shape[0], max_size=shape[0])
)


def slow_alpha(table: list[list[float]]) -> float | None:
    """1 - observed / expected disagreement over pairs of ratings, in plain loops; interval data."""
    items = [[rating for rating in column if not math.isnan(rating)] for column in zip(*table, strict=True)]
    items = [item for item in items if len(item) > 1]
    ratings = [rating for item in items for rating in item]
    expected = math.fsum((a - b) ** 2 for a, b in itertools.permutations(ratings, 2))
    if not expected:
        return None
    observed = math.fsum(
        sum((a - b) ** 2 for a, b in itertools.permutations(item, 2)) / (len(item) - 1) for item in items
    )
    return 1 - (observed / len(ratings)) / (expected / (len(ratings) * (len(ratings) - 1)))


@pytest.mark.parametrize(("level", "alpha"), [("interval", 0.849), ("ordinal", 0.815)])
def test_the_published_example(level: Level, alpha: float) -> None:
    assert krippendorff_alpha(PUBLISHED, level) == pytest.approx(alpha, abs=5e-4)


@given(TABLES)
def test_alpha_is_what_pairs_of_ratings_say(table: list[list[float]]) -> None:
    found, slow = krippendorff_alpha(table), slow_alpha(table)
    assert isinstance(found, Undefined) == (slow is None)
    assert slow is None or found == pytest.approx(slow)
    assert krippendorff_alpha(table[::-1]) == pytest.approx(found) if slow is not None else True


def test_full_agreement_is_1_and_ranks_do_not_see_distances() -> None:
    assert krippendorff_alpha([[0, 1, 5], [0, 1, 5]]) == 1
    stretched = [[0, 1, 100], [0, 100, 100]]
    assert krippendorff_alpha(stretched, "ordinal") == krippendorff_alpha([[0, 1, 2], [0, 2, 2]], "ordinal")
    assert krippendorff_alpha(stretched) != krippendorff_alpha([[0, 1, 2], [0, 2, 2]])


@pytest.mark.parametrize(
    ("table", "reason"),
    [([[1, 2, 3]], "two ratings"), ([[1, X], [X, 2]], "two ratings"), ([[], []], "two ratings"),
     ([[3, 3], [3, 3]], "the same")],
)  # fmt: skip
def test_without_pairs_or_variety_alpha_is_undefined(table: list[list[float]], reason: str) -> None:
    found = krippendorff_alpha(table)
    assert isinstance(found, Undefined)
    assert reason in found.reason


def test_tables_of_other_shapes_and_levels_are_refused() -> None:
    for wrong in ([1.0, 2.0], [[math.inf, 1.0], [1.0, 2.0]]):
        with pytest.raises(ValueError, match="judges, items"):
            krippendorff_alpha(wrong)
    with pytest.raises(ValueError, match="'interval' or 'ordinal'"):
        krippendorff_alpha([[1, 2], [1, 2]], "ratio")  # type: ignore[arg-type]  # what a person may type


def test_a_judge_that_alternates_has_a_spread() -> None:
    found = spread([6.0, 8.0, 6.0, 8.0])
    assert isinstance(found, Spread)
    assert (found.n, found.mean, found.lowest, found.highest) == (4, 7.0, 6.0, 8.0)
    assert found.deviation == pytest.approx(float(np.std([6, 8, 6, 8], ddof=1)))


def test_one_repeat_has_no_spread_and_none_has_nothing() -> None:
    one = spread([7.0])
    assert isinstance(one, Spread)
    assert (one.mean, one.deviation) == (7.0, Undefined("there is one repeat only"))
    assert isinstance(spread([]), Undefined)
    assert spread([7.0, 7.0]) == Spread(2, 7.0, 0.0, 7.0, 7.0)
    with pytest.raises(ValueError, match="not finite"):
        spread([1.0, X])
