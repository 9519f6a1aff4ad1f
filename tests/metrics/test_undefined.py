from typing import Any

import pytest

from idrbench_inspect.metrics.undefined import Undefined


def test_the_undefined_is_no_number_and_has_no_truth_value() -> None:
    value: Any = Undefined("the reference has no sentences")
    with pytest.raises(TypeError, match="no sentences"):
        _ = value or 0.0
    with pytest.raises(TypeError):
        _ = value + 1
    with pytest.raises(TypeError):
        float(value)
    assert value == Undefined("the reference has no sentences")
