"""Targets: what may be asked for, which lengths it comes to, and deciles that are spread evenly and always alike."""

from collections import Counter
from typing import Any

import pytest

from idrbench_inspect.errors import BadInput
from idrbench_inspect.making.sources import Source
from idrbench_inspect.making.targets import DECILES, read_target, targets_of, window


def sources(count: int = 40) -> list[Source]:
    return [
        Source(id=f"{language}-{n}", language=language, topic=f"t{n % 4}", source_query="x")
        for language in ("en", "zh")
        for n in range(count)
    ]


def test_the_deciles_are_spread_evenly_over_languages_and_topics() -> None:
    given = sources()
    spread = targets_of(given, None)
    for language in ("en", "zh"):
        counts = Counter(spread[source.id] for source in given if source.language == language)
        assert set(counts) == set(DECILES)
        assert max(counts.values()) - min(counts.values()) <= 1
    by_topic = Counter((source.language, source.topic, spread[source.id]) for source in given)
    assert max(by_topic.values()) <= 2


def test_the_spread_depends_on_the_seed_and_not_on_the_order() -> None:
    given = sources()
    assert targets_of(given[::-1], None) == targets_of(given, None)
    assert targets_of(given, None, seed=1) != targets_of(given, None)
    assert set(targets_of(given, 0.3).values()) == {0.3}


@pytest.mark.parametrize("given", [0, 1, 0.95, 0.05, True, "half", "0.5", None, float("nan")])
def test_a_target_that_is_no_share_is_refused(given: Any) -> None:
    with pytest.raises(BadInput, match="target="):
        read_target(given)


def test_a_target_is_a_share_or_spread() -> None:
    assert (read_target(0.5), read_target("spread")) == (0.5, None)


@pytest.mark.parametrize("size", [7, 50, 333, 1000])
@pytest.mark.parametrize("target", DECILES)
def test_every_length_in_the_window_is_within_ten_points_and_shorter_than_the_source(size: int, target: float) -> None:
    lowest, highest = window(size, target)
    assert highest < size
    for length in {lowest, highest} if lowest <= highest else set():
        assert abs((1 - length / size) - target) <= 0.1 + 1e-6
    assert abs((1 - (highest + 1) / size) - target) > 0.1 or highest + 1 == size
