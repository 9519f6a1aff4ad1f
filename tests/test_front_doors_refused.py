"""What cannot be used is refused in one sentence, before anything is called, by every front door that takes it."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest
from inspect_ai import Task
from inspect_ai.model import get_model

from idrbench_inspect.arms import ARMS
from idrbench_inspect.autonomous import autonomous
from idrbench_inspect.errors import BadInput
from idrbench_inspect.interactive import interactive
from idrbench_inspect.paired import paired
from idrbench_inspect.pipeline.solver import deep_research
from idrbench_inspect.user.seat import seat_user
from tests import door_runs as doors

Door = Callable[..., Task]
BUDGETS = ("planning_budget", "research_budget", "generation_budget")
LIMITS = (
    *("supervisor_iterations", "researcher_turns", "concurrent_researchers"),
    *("page_characters", "research_tokens", "research_seconds"),
)
EVERYWHERE: list[tuple[str, Any, str]] = [
    ("languag", "en", "parameter .languag. is unknown"),
    ("profile", "big", "paper and mini"),
    ("profile", "", "paper and mini"),
    ("search", "google", "tavily, corpus or corpus:PATH"),
    ("search", "", "tavily, corpus or corpus:PATH"),
    ("search", "corpus:nowhere", "nowhere"),
    ("search", "tavily", "TAVILY_API_KEY.*search=corpus"),
    ("language", "fr", "en, zh"),
    ("language", ["en", "zh"], "en, zh"),
    ("shard", "9/8", "like 3/8"),
    ("shard", "0/8", "like 3/8"),
    ("shard", "x", "like 3/8"),
    ("shard", 3, "like 3/8"),
    ("subset", 30, "the subsets of this dataset are pairs, quick"),
    ("dataset", "nowhere", "the shipped datasets are"),
    ("dataset", "no/where", "nothing at no/where"),
    ("dataset", "", "the shipped datasets are"),
    ("dataset", False, "the shipped datasets are"),
    ("date", "2026-13-01", "YYYY-MM-DD"),
    ("date", "", "YYYY-MM-DD"),
]
ASKING: list[tuple[str, Any, str]] = [
    ("stages", "plan", "planning, research, generation"),
    ("stages", "planning,planning", "each name once"),
    ("stages", 3, "separated by commas"),
    ("stages", True, "separated by commas"),
    ("user_context", "half", "full, summary"),
    ("user_context", "", "full, summary"),
]


def sentence(door: Door, **given: Any) -> str:
    """The one sentence with which `door` refuses; shown alone, with exit code 1, by a click command."""
    with pytest.raises(ValueError, match=r"\S") as caught:
        door(**{"profile": "mini", **given})
    refused = caught.value
    assert isinstance(refused, BadInput)
    assert isinstance(refused, click.ClickException)
    assert refused.exit_code == 1
    said = refused.message
    assert said == str(refused)
    assert "\n" not in said
    assert said.endswith(".")
    assert not re.search(r"\.\s+[A-Z]", said), "two sentences"
    return said


@pytest.fixture(autouse=True)
def _without_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for key in ("TAVILY_API_KEY", "OPENAI_API_KEY", "INSPECT_EVAL_MODEL"):
        monkeypatch.delenv(key, raising=False)


@pytest.mark.parametrize("door", [interactive, autonomous, paired])
@pytest.mark.parametrize(("name", "value", "wanted"), EVERYWHERE)
def test_every_door_refuses(door: Door, name: str, value: Any, wanted: str) -> None:
    assert re.search(wanted, sentence(door, **{name: value}))


@pytest.mark.parametrize("door", [interactive, paired])
@pytest.mark.parametrize(("name", "value", "wanted"), ASKING)
def test_doors_that_ask_refuse(door: Door, name: str, value: Any, wanted: str) -> None:
    assert re.search(wanted, sentence(door, **{name: value}))


@pytest.mark.parametrize("value", [-1, "abc", 1.5, True, float("nan"), [1]])
def test_budgets_and_limits_are_whole_numbers(value: Any) -> None:
    for name in (*BUDGETS, *LIMITS):
        said = sentence(interactive, **{name: value})
        assert said.startswith(f"{name}={value!r} cannot be used: ")
        assert said.endswith(f"give {name} as a whole number.")
    for name in LIMITS:
        assert sentence(autonomous, **{name: value}) == sentence(interactive, **{name: value})


@pytest.mark.parametrize("user", ["nobody", "", None, ["simulated", "neutral"]])
def test_an_unknown_user_is_refused(user: Any) -> None:
    assert "simulated, neutral, self" in sentence(interactive, user=user)


def test_arms_are_known_and_at_least_two_with_the_baseline() -> None:
    assert ", ".join(ARMS) in sentence(paired, arms="autonomous,nobody")
    incomparable: tuple[Any, ...] = ("autonomous", "interactive,placebo", "", "none", [])
    for arms in incomparable:
        assert "name autonomous and at least one other arm" in sentence(paired, arms=arms)
    assert "each name once" in sentence(paired, arms="autonomous,interactive,autonomous")
    for no_list in (3, True, None):
        assert "separated by commas" in sentence(paired, arms=no_list)


def test_paper_says_what_is_missing_and_what_runs_offline() -> None:
    for door in (interactive, autonomous, paired):
        said = sentence(door, profile="paper")
        assert "hundred tasks" in said
        assert "profile=mini" in said


def test_a_role_that_cannot_be_made_is_named_with_its_model() -> None:
    given = {"profile": "paper", "dataset": "mini", "search": "corpus"}
    for door in (interactive, autonomous):
        said = sentence(door, **given)
        assert "role summarizer is played by openai/gpt-4.1-nano" in said
        assert "OPENAI_API_KEY" in said
        assert f"--model-role summarizer={doors.OFFLINE}" in said
        assert "[" not in said


def test_the_provider_has_one_model() -> None:
    with pytest.raises(BadInput, match="no model 'foo' under idrbench; use idrbench/extractive"):
        get_model("idrbench/foo")


@pytest.mark.parametrize(
    ("change", "wanted"),
    [
        ({"query": " "}, "line 1: the field query"),
        ({"report": ""}, "empty report"),
        ({"report": None}, "has no report"),
        ({"id": "en-urban-tree-planting"}, "line 2: the id 'en-urban-tree-planting' occurs twice"),
        ({"language": "fr"}, "line 1: the field language"),
        ({"nonsense": 1}, "line 1: the field nonsense is not known"),
    ],
)
def test_a_row_that_cannot_be_used_is_named_by_file_and_line(
    tmp_path: Path, change: dict[str, Any], wanted: str
) -> None:
    first, second, *_ = doors.rows()
    file = doors.write_rows(tmp_path / "mine.jsonl", [{**first, **change}, second])
    for door in (interactive, autonomous, paired):
        assert wanted in sentence(door, dataset=str(file))


def test_a_broken_row_an_empty_file_and_a_missing_report_are_refused(tmp_path: Path) -> None:
    broken, empty = tmp_path / "broken.jsonl", tmp_path / "empty.jsonl"
    broken.write_text(json.dumps(next(doors.rows()))[:-9], encoding="utf-8")
    empty.write_text("\n", encoding="utf-8")
    assert "line 1: not JSON" in sentence(interactive, dataset=str(broken))
    assert "holds no task" in sentence(interactive, dataset=str(empty))
    folder = doors.copy_of_mini(tmp_path / "mine")
    (folder / "reports" / "zh-tea.md").unlink()
    assert "'zh-tea' has no report" in sentence(interactive, dataset=str(folder))


def test_an_empty_or_absent_corpus_is_refused(tmp_path: Path) -> None:
    file = doors.write_rows(tmp_path / "mine.jsonl", list(doors.rows()))
    assert "no corpus of its own" in sentence(interactive, dataset=str(file))
    (tmp_path / "empty").mkdir()
    assert "holds no document" in sentence(interactive, search=f"corpus:{tmp_path / 'empty'}")
    folder = doors.copy_of_mini(tmp_path / "mine")
    for document in (folder / "corpus").rglob("*.md"):
        document.unlink()
    assert "holds no document" in sentence(interactive, dataset=str(folder))


def test_a_mismatched_arm_needs_another_report(tmp_path: Path) -> None:
    file = doors.write_rows(tmp_path / "mine.jsonl", list(doors.rows())[:1])
    said = sentence(paired, dataset=str(file), search=f"corpus:{doors.MINI / 'corpus'}", arms="autonomous,mismatched")
    assert "needs two tasks in en" in said


def test_solver_and_setup_refuse_by_themselves() -> None:
    with pytest.raises(BadInput, match="full, summary"):
        seat_user(user_context="half")
    with pytest.raises(BadInput, match="the arms are"):
        seat_user(arm="nobody")
    with pytest.raises(BadInput, match="planning=-1 cannot be used"):
        deep_research(date="2026-01-15", search="corpus", budgets={"planning": -1})
