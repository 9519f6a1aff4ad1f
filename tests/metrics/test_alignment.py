import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from idrbench_inspect.metrics.alignment import MEASURES, average_alignment
from idrbench_inspect.metrics.undefined import Undefined

FRACTIONS = st.lists(st.floats(0, 1), min_size=5, max_size=5)


def named(values: list[float]) -> dict[str, float | Undefined]:
    return dict(zip(MEASURES, values, strict=True))


@given(FRACTIONS)
def test_the_average_is_the_plain_mean_of_five(values: list[float]) -> None:
    found = average_alignment(named(values))
    assert found == pytest.approx(sum(values) / 5)
    assert average_alignment(dict(reversed(named(values).items()))) == found


@pytest.mark.parametrize("missing", [*itertools.combinations(MEASURES, 1), MEASURES])
def test_there_is_never_an_average_of_fewer(missing: tuple[str, ...]) -> None:
    measures = named([1.0] * 5) | dict.fromkeys(missing, Undefined("no units"))
    found = average_alignment(measures)
    assert isinstance(found, Undefined)
    assert all(f"no {name}: no units" in found.reason for name in missing)


def test_other_measures_and_other_scales_are_refused() -> None:
    for measures in ({}, named([1.0] * 5) | {"term_overlap": 0.1}, {name: 0.5 for name in MEASURES[:4]}):
        with pytest.raises(ValueError, match="the average is of report_similarity"):
            average_alignment(measures)
    for value in (75.6, -0.1, float("nan")):
        with pytest.raises(ValueError, match="not fractions"):
            average_alignment(named([1.0] * 4 + [value]))


def test_the_arithmetic_by_hand() -> None:
    assert average_alignment(named([0.898, 0.453, 0.642, 0.919, 0.85])) == pytest.approx(0.7524)
