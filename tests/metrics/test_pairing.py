import math
import random

from hypothesis import given
from hypothesis import strategies as st

from idrbench_inspect.metrics.pairing import PairedGain, paired_gain

VALUE = st.one_of(st.floats(-1e6, 1e6), st.just(math.nan))
RUNS = st.dictionaries(
    st.text("abc", min_size=1, max_size=2), st.dictionaries(st.sampled_from("xy"), st.lists(VALUE, max_size=3))
)


def test_pairs_by_task_whatever_the_spread_and_the_order() -> None:
    spread = [random.Random(7).uniform(0, 90) for _ in range(20)]
    values = {f"t{i:02}": {"auto": [base], "ask": [base + 0.05]} for i, base in enumerate(spread)}
    del values["t13"]["auto"]
    found = paired_gain(values, "ask", "auto")
    assert (found.pairs, found.unpaired) == (19, ("t13",))
    assert math.isclose(found.gain, 0.05, abs_tol=1e-9)
    assert paired_gain(dict(reversed(values.items())), "ask", "auto") == found


def test_epochs_are_averaged_first_and_missing_ones_left_out() -> None:
    values = {"a": {"x": [2.0, math.nan, 4.0], "y": [1.0]}, "b": {"x": [10.0], "y": [2.0] * 9}}
    assert paired_gain(values, "x", "y") == PairedGain(gain=5.0, pairs=2, unpaired=())


def test_without_any_pair_the_gain_is_undefined() -> None:
    found = paired_gain({"b": {"x": [1.0], "y": [math.nan]}, "a": {"y": [1.0]}, "c": {}}, "x", "y")
    assert math.isnan(found.gain)
    assert (found.pairs, found.unpaired) == (0, ("a", "b", "c"))


@given(RUNS)
def test_swapping_the_arms_turns_the_sign_and_every_task_is_accounted_for(
    values: dict[str, dict[str, list[float]]],
) -> None:
    there, back = paired_gain(values, "x", "y"), paired_gain(values, "y", "x")
    assert there.unpaired == back.unpaired
    assert there.pairs + len(there.unpaired) == len(values)
    assert there.gain == -back.gain or (math.isnan(there.gain) and math.isnan(back.gain) and there.pairs == 0)
