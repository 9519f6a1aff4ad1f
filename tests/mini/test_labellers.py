"""Two labellers said independently what each query leaves open; `pytest -n 0 -s` prints how far they agree."""

import json
from itertools import product

from idrbench_inspect.dataset import load

MINI = load("mini")
DIMENSIONS = ("scope", "time", "region", "audience", "emphasis", "structure")


def labelled() -> dict[str, dict[str, set[str]]]:
    """By task and labeller, the dimensions found open."""
    found: dict[str, dict[str, set[str]]] = {}
    for line in (MINI.folder / "labellers.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        found.setdefault(row["task"], {})[row["labeller"]] = {point["dimension"] for point in row["points"]}
    return found


def kappa(pairs: list[tuple[bool, bool]]) -> float:
    """Cohen's kappa of two labellers who say yes or no."""
    agreed = sum(one == other for one, other in pairs) / len(pairs)
    yes_one, yes_other = (sum(pair[who] for pair in pairs) / len(pairs) for who in (0, 1))
    chance = yes_one * yes_other + (1 - yes_one) * (1 - yes_other)
    return (agreed - chance) / (1 - chance)


def test_the_labellers_agree() -> None:
    found = labelled()
    assert sorted(found) == sorted(task.id for task in MINI.tasks)
    assert all(sorted(by_labeller) == ["A", "B"] for by_labeller in found.values())
    pairs = [(name in by["A"], name in by["B"]) for by, name in product(found.values(), DIMENSIONS)]
    agreed = sum(one == other for one, other in pairs)
    print(
        f"\nopen or not, {len(found)} tasks x 6 dimensions: agreed on {agreed} of {len(pairs)}"
        f", kappa {kappa(pairs):.2f}"
    )
    assert kappa(pairs) > 0.6


def test_every_point_was_found_by_a_labeller_and_what_both_found_is_a_point() -> None:
    for task in MINI.tasks:
        by, points = labelled()[task.id], {point.dimension for point in task.ambiguity}
        assert by["A"] & by["B"] <= points <= by["A"] | by["B"], task.id
