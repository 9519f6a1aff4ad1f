"""Limits and budgets: validated once, with a sentence that says what to give."""

import pytest
from pydantic import ValidationError

from idrbench_inspect.errors import BadInput
from idrbench_inspect.limits import NO_QUESTIONS, Budgets, Limits
from idrbench_inspect.records import STAGES


def test_the_defaults_are_those_of_the_paper() -> None:
    limits, budgets = Limits(), Budgets()
    assert (limits.supervisor_iterations, limits.researcher_turns, limits.concurrent_researchers) == (6, 5, 3)
    assert limits.page_characters == 50_000
    assert [budgets.allowed(stage) for stage in STAGES] == [1, 3, 1]
    assert budgets.total == 5


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("supervisor_iterations", 0),
        ("researcher_turns", -1),
        ("concurrent_researchers", 1.5),
        ("concurrent_researchers", "3"),
        ("page_characters", 99),
        ("results_per_query", 21),
        ("queries_per_search", None),
        ("research_tokens", -1),
        ("research_seconds", True),
    ],
)
def test_a_limit_that_is_none_is_refused_by_name_and_value(name: str, value: object) -> None:
    with pytest.raises(BadInput) as caught:
        Limits.of(**{name: value})
    assert caught.value.message.startswith(f"{name}={value!r} cannot be used: ")
    assert caught.value.message.endswith(".")
    assert "\n" not in caught.value.message


def test_none_is_no_limit_and_nought_is_none() -> None:
    assert Limits.of(research_tokens=None).research_tokens is None
    assert Limits.of(research_tokens=0).research_tokens == 0
    assert NO_QUESTIONS.total == 0


@pytest.mark.parametrize("value", [-1, 1.0, "1", None, False])
def test_a_budget_that_is_none_is_refused(value: object) -> None:
    with pytest.raises(BadInput, match="planning="):
        Budgets.of(planning=value)


def test_only_the_named_stages_keep_their_budget() -> None:
    assert Budgets().only(["research"]) == Budgets(planning=0, research=3, generation=0)
    assert Budgets().only([]) == NO_QUESTIONS
    assert Budgets(research=0).only(STAGES) == Budgets(research=0)


def test_limits_are_frozen() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        Limits().researcher_turns = 9  # type: ignore[misc]  # the very thing that must not work
