"""What the card of `idrbench` says of its rows; `pytest -n 0 -s` prints how far its two labellers agree."""

import json
from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from idrbench_inspect.dataset import load
from idrbench_inspect.dataset.audit import audit
from idrbench_inspect.metrics.copied import copied, page_words
from idrbench_inspect.metrics.undefined import Undefined
from tests.dataset.small import PUBLIC
from tests.mini.test_labellers import DIMENSIONS, kappa

FOLDER = Path(__file__).parent.parent.parent / "datasets" / "idrbench"


def lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FOLDER / name).read_text(encoding="utf-8").splitlines()]


ROWS = lines("tasks.jsonl")


def open_by_labeller() -> dict[str, dict[str, set[str]]]:
    """By row and labeller, the dimensions found open."""
    found: dict[str, dict[str, set[str]]] = {}
    for row in lines("labellers.jsonl"):
        found.setdefault(row["task"], {})[row["labeller"]] = {point["dimension"] for point in row["points"]}
    return found


def test_the_hundred_are_half_and_half_on_22_topics_and_even_over_the_tenths() -> None:
    assert [row["id"] for row in ROWS] == [str(number) for number in range(1, 101)]
    assert Counter(row["language"] for row in ROWS) == {"zh": 50, "en": 50}
    assert len({row["topic"] for row in ROWS}) == 22
    tenths = Counter((row["language"], int(row["compression"] * 10)) for row in ROWS)
    assert [tenths["en", tenth] for tenth in range(10)] == [0, 7, 7, 6, 6, 6, 6, 7, 5, 0]
    assert [tenths["zh", tenth] for tenth in range(10)] == [0, 6, 7, 6, 7, 6, 6, 6, 6, 0]


def test_no_query_is_too_short_and_each_has_six_points_at_most() -> None:
    for row in ROWS:
        size = len(row["query"].split()) if row["language"] == "en" else len(row["query"])
        assert size >= (4 if row["language"] == "en" else 6), row["id"]
        assert len(row["ambiguity"]) <= 6, row["id"]


def test_what_leaves_nothing_out_leaves_nothing_open() -> None:
    assert [row["id"] for row in ROWS if bool(row["dropped"]) != bool(row["ambiguity"])] == []
    assert sum(not row["dropped"] for row in ROWS) == 12


def test_two_labellers_agree_and_every_point_is_of_one_of_them() -> None:
    found = open_by_labeller()
    assert sorted(found) == sorted(row["id"] for row in ROWS)
    assert all(sorted(by) == ["A", "B"] for by in found.values())
    pairs = [(name in by["A"], name in by["B"]) for by, name in product(found.values(), DIMENSIONS)]
    agreed = sum(one == other for one, other in pairs)
    print(f"\nopen or not, 100 rows x 6 dimensions: agreed on {agreed} of {len(pairs)}, kappa {kappa(pairs):.2f}")
    assert kappa(pairs) > 0.8
    for row in ROWS:
        by = found[row["id"]]
        assert {point["dimension"] for point in row["ambiguity"]} <= by["A"] | by["B"], row["id"]


@pytest.mark.skipif(not PUBLIC.is_dir(), reason="needs a copy of the public queries")
def test_the_audit_finds_nothing_and_no_long_run_is_the_sources(tmp_path: Path) -> None:
    reports = tmp_path / "reports.jsonl"
    prompts = [json.loads(line) for line in (PUBLIC / "queries.jsonl").read_text(encoding="utf-8").splitlines()]
    reports.write_text("".join(json.dumps({"id": p["id"], "article": p["prompt"]}) + "\n" for p in prompts), "utf-8")
    found = audit("idrbench", data_dir=str(PUBLIC), reports=str(reports))
    assert (found.problems, found.unchecked, len(found.rows)) == ((), "", 100)
    for task in load("idrbench", data_dir=str(PUBLIC), reports=str(reports)).tasks:
        shared = copied(page_words(task.query), page_words(task.source_query), 21 if task.language == "zh" else 11)
        assert isinstance(shared, Undefined) or shared.longest == 0, (task.id, shared)
