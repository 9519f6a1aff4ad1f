import pytest
from hypothesis import given
from hypothesis import strategies as st

from idrbench_inspect.metrics.guards import Control, control, tau_warnings
from idrbench_inspect.metrics.undefined import Undefined

VALUES = st.lists(st.sampled_from((0.0, 0.1, 0.5, 0.9, 1.0)), min_size=1, max_size=8)


def slow_auc(same: list[float], different: list[float]) -> float:
    wins = sum((a > b) + (a == b) / 2 for a in same for b in different)
    return wins / (len(same) * len(different))


@given(VALUES, VALUES)
def test_the_control_is_summarised_as_its_pairs_say(same: list[float], different: list[float]) -> None:
    found, back = control(same, different), control(different, same)
    assert isinstance(found, Control)
    assert isinstance(back, Control)
    assert found.auc == pytest.approx(slow_auc(same, different))
    assert not isinstance(back.auc, Undefined)
    assert found.auc == pytest.approx(1 - back.auc)
    assert found.same == pytest.approx(sum(same) / len(same))
    assert (found.tasks, found.pairs) == (len(same), len(different))


def test_without_a_control_nothing_is_said_of_it() -> None:
    found = control([0.5], [])
    assert isinstance(found, Control)
    assert isinstance(found.different, Undefined)
    assert isinstance(found.auc, Undefined)
    assert isinstance(control([], [0.1]), Undefined)


@pytest.mark.parametrize(
    ("same", "different", "warnings"),
    [
        ([0.45, 0.5], [0.0, 0.02], []),
        ([0.94, 0.93], [0.845], ["84 of 100 against other tasks' references"]),
        ([0.45], [0.2], []),
        ([1.0, 1.0, 0.5], [0.1], ["2 of 3 tasks is above 98 of 100"]),
        ([1.0, 0.5], [0.1], []),
        ([0.98, 0.98], [], []),
        ([0.0, 0.049], [0.0], ["2 of 2 tasks is below 5 of 100"]),
        ([0.05, 0.05], [0.0], []),
        ([1.0, 1.0], [1.0], ["100 of 100 against", "above 98"]),
        ([], [], []),
    ],
)
def test_a_threshold_that_does_not_fit_is_named(same: list[float], different: list[float], warnings: list[str]) -> None:
    found = tau_warnings(same, different)
    assert len(found) == len(warnings)
    assert all(wanted in said and "tau does not fit" in said for wanted, said in zip(warnings, found, strict=True))


def test_what_is_no_fraction_is_refused() -> None:
    for same, different in (([75.0], []), ([float("nan")], []), ([0.5], [-0.1])):
        with pytest.raises(ValueError, match="fraction"):
            tau_warnings(same, different)
        with pytest.raises(ValueError, match="fraction"):
            control(same, different)
