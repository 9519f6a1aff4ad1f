"""The order of a point's alternatives tells neither which one the user prefers nor which one the source settles."""

import json
import math
import random
from pathlib import Path

import pytest

from idrbench_inspect.dataset import AmbiguityPoint, load
from idrbench_inspect.metrics.term_overlap import content_terms
from idrbench_inspect.prompting import shuffled

DATASETS = Path(__file__).parent.parent.parent / "datasets"
FILES = [("mini", "tasks", "id", "ambiguity"), ("mini", "labellers", "task", "points")]
FILES += [("idrbench", "tasks", "id", "ambiguity"), ("idrbench", "labellers", "task", "points")]


@pytest.mark.parametrize(("folder", "name", "row_id", "points"), FILES)
def test_shipped_alternatives_stand_in_the_order_of_their_hash(
    folder: str, name: str, row_id: str, points: str
) -> None:
    rows = [json.loads(line) for line in (DATASETS / folder / f"{name}.jsonl").read_text("utf-8").splitlines()]
    seen = 0
    for row in rows:
        for point in row[points]:
            assert point["alternatives"] == list(shuffled(point["alternatives"], row[row_id], point["dimension"]))
            seen += 1
    assert seen > 80


def preferred(point: AmbiguityPoint) -> int:
    """The place of the alternative that the preference names: with most of its terms, of equals what it names first."""
    wish = str(point.preference)
    held = [len(set(content_terms(text)) & set(content_terms(wish))) for text in point.alternatives]
    shares = [n / len(set(content_terms(text))) for n, text in zip(held, point.alternatives, strict=True)]
    best = [n for n, share in enumerate(shares) if share == max(shares)]
    return min(best, key=lambda n: wish.find(point.alternatives[n].split()[0]))


def test_the_preferred_alternative_of_mini_stands_in_each_place_as_often_as_chance_has_it() -> None:
    places = [preferred(point) for task in load("mini").tasks for point in task.ambiguity]
    chance, spread = len(places) / 3, math.sqrt(len(places) * 2 / 9)
    print(f"\npreferred alternative first, second, third of {len(places)}: {[places.count(n) for n in range(3)]}")
    assert all(abs(places.count(n) - chance) < 2.6 * spread for n in range(3))  # 99 of 100 fair orders, for each place


def test_the_order_is_of_the_texts_and_not_of_their_order_and_differs_by_row() -> None:
    texts = [f"choice {n}" for n in range(3)]
    assert {shuffled(random.Random(n).sample(texts, 3), "row", "time") for n in range(9)} == {
        shuffled(texts, "row", "time")
    }
    first = [shuffled(texts, f"row {n}", "time")[0] for n in range(90)]
    assert all(15 < first.count(text) < 45 for text in texts)
