import math
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.event import Event, ModelEvent, SpanBeginEvent
from inspect_ai.model import GenerateConfig, ModelOutput, ModelUsage
from pydantic import ValidationError

from idrbench_inspect import spending
from idrbench_inspect.records import Usage
from idrbench_inspect.spending import Prices, Rates, list_prices, usage_by_role
from tests.logged_runs import reply

PRICES = Prices.model_validate(
    {
        "noted": "2026-11",
        "models": {
            "lab/known": {"input": 1, "output": 10, "cache_read": 0.1, "cache_write": 2},
            "lab/tiered": {
                "input": 1, "output": 10, "cache_read": 0, "cache_write": 0, "above": 1000,
                "long": {"input": 2, "output": 20, "cache_read": 1, "cache_write": 1},
            },
        },
        "search": {"shop": 0.008},
    }
)  # fmt: skip


def call(model: str = "lab/known", *, output: ModelOutput | None = None, **fields: Any) -> ModelEvent:
    given = {"role": "planner", "output": output or reply(), **fields}
    return ModelEvent(model=model, input=[], tools=[], tool_choice="auto", config=GenerateConfig(), **given)


def failed_call() -> ModelEvent:
    return call(output=ModelOutput.from_content("lab/known", ""), error="rate limit")


@pytest.fixture
def ledger(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spending, "_ledger", {})


def test_cached_input_and_reasoning_are_counted_once() -> None:
    output = reply(input_tokens=100, output_tokens=50, input_tokens_cache_read=900, reasoning_tokens=30)
    used = usage_by_role([call(output=output)], PRICES)["planner"]
    assert spending.all_tokens(used) == 1050
    assert (used.input, used.cache_read, used.output, used.reasoning) == (100, 900, 50, 30)
    assert used.dollars == pytest.approx((100 * 1 + 900 * 0.1 + 50 * 10) / 1e6)


def test_an_unknown_price_is_unknown_and_makes_its_role_unknown() -> None:
    used = usage_by_role([call(), call("lab/other"), call("lab/known", role="user")], PRICES)
    assert used["planner"].dollars is None
    assert used["planner"].calls == 2
    assert used["user"].dollars == pytest.approx(460 / 1e6)
    assert spending.total(used.values()).dollars is None
    assert spending.unpriced_models([call(), call("lab/other")], PRICES) == ("lab/other",)


def test_the_cost_that_inspect_set_comes_first() -> None:
    used = usage_by_role([call(output=reply(total_cost=0.5)), call("lab/other", output=reply(total_cost=0.0))], PRICES)
    assert used["planner"].dollars == 0.5


def test_a_reply_from_the_cache_is_not_billed_but_kept_apart() -> None:
    events = [call(), call(cache="read"), call(cache="write")]
    assert usage_by_role(events, PRICES)["planner"].calls == 2
    replayed = spending.replayed_by_role(events, PRICES)["planner"]
    assert (replayed.calls, spending.all_tokens(replayed)) == (1, 100)


def test_a_failed_request_is_a_call_without_cost_and_a_reply_without_usage_is_unknown() -> None:
    silent = call(output=ModelOutput.from_content("lab/known", "hi"), role="researcher")
    used = usage_by_role([failed_call(), call(), silent], PRICES)
    assert used["planner"].model_dump() == Usage(calls=2, input=60, output=40, dollars=460 / 1e6).model_dump()
    assert used["researcher"].dollars is None
    assert spending.unmetered_roles([failed_call(), silent]) == {"researcher"}
    assert spending.failed_calls([failed_call(), call(), silent]) == {"planner": 1, "researcher": 0}


def test_calls_without_a_role_belong_to_the_agent_unless_a_scorer_made_them() -> None:
    def begin(span: str, parent: str | None, kind: str) -> SpanBeginEvent:
        return SpanBeginEvent(id=span, name=span, type=kind, parent_id=parent)

    events: list[Event] = [
        begin("solve", None, "solvers"), call(role=None, span_id="solve"),
        begin("score", None, "scorers"), begin("one", "score", "scorer"), begin("inner", "one", "task"),
        call("lab/judge", role=None, span_id="inner"), call(role="grader", span_id="inner"),
    ]  # fmt: skip
    assert {role: used.calls for role, used in usage_by_role(events, PRICES).items()} == {"agent": 1, "grader": 2}
    assert spending.models_by_role(events) == {"agent": ("lab/known",), "grader": ("lab/judge", "lab/known")}


def test_a_long_request_has_the_long_rates() -> None:
    def dollars(**usage: int) -> float | None:
        return PRICES.dollars("lab/tiered", ModelUsage(**usage))

    assert dollars(input_tokens=1000, output_tokens=1) == pytest.approx(1010 / 1e6)
    assert dollars(input_tokens=1, input_tokens_cache_read=1000, output_tokens=1) == pytest.approx(1022 / 1e6)


def test_a_dated_snapshot_has_the_price_of_its_name() -> None:
    usage = ModelUsage(input_tokens=1_000_000)
    assert PRICES.dollars("lab/known-2026-01-31", usage) == PRICES.dollars("lab/known-20260131", usage) == 1.0
    assert PRICES.dollars("lab/known-mini", usage) is None


def test_search_fees() -> None:
    assert PRICES.searches("shop:deep", 10) == pytest.approx(0.08)
    assert PRICES.searches("other", 1) is None
    assert PRICES.searches(None, 1) is None
    assert PRICES.searches("other", 0) == 0.0


def test_the_shipped_list_is_plausible() -> None:
    prices = list_prices()
    assert prices.dollars("openai/gpt-5.1", ModelUsage(input_tokens=1_000_000, output_tokens=1_000_000)) == 11.25
    assert prices.dollars("idrbench/extractive", ModelUsage(input_tokens=10**9)) == 0.0
    assert prices.searches("tavily", 1000) == pytest.approx(8.0)
    assert prices.searches("corpus:mini", 5) == 0.0
    for name, price in prices.models.items():
        assert price.cache_read <= price.input <= price.output, name
        assert price.long is None or price.long.input >= price.input, name


def test_a_price_list_is_frozen_and_refuses_what_it_does_not_know() -> None:
    with pytest.raises(ValidationError):
        Rates(input=-1, output=0, cache_read=0, cache_write=0)
    with pytest.raises(ValidationError, match="go together"):
        spending.ModelPrice(input=1, output=1, cache_read=0, cache_write=0, above=5)
    with pytest.raises(ValidationError):
        list_prices().noted = "now"  # type: ignore[misc]  # the assignment is what is tested


@pytest.mark.usefixtures("ledger")
def test_the_ledger_adds_up_by_sample_and_role() -> None:
    assert spending.failed_attempts("s") == {}
    spending.keep_failed("s", {"planner": Usage(calls=1, input=5, dollars=0.1), "user": Usage(calls=1, dollars=None)})
    spending.keep_failed("s", {"planner": Usage(calls=2, input=7, dollars=0.2)})
    kept = spending.failed_attempts("s")
    assert (kept["planner"].calls, kept["planner"].input) == (3, 12)
    assert kept["planner"].dollars is not None
    assert math.isclose(kept["planner"].dollars, 0.3)
    assert kept["user"].dollars is None
    assert spending.failed_attempts("other") == {}


def test_prices_do_not_depend_on_the_working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    list_prices.cache_clear()
    assert list_prices().noted == "2026-11"


def test_a_context_overflow_is_a_failed_call_and_no_unknown_cost() -> None:
    output = ModelOutput.from_content("lab/known", "maximum context length exceeded", stop_reason="model_length")
    events: list[Event] = [call(output=output), call()]
    used = usage_by_role(events, PRICES)["planner"]
    assert (used.calls, used.input, used.output) == (2, 60, 40)
    assert used.dollars == pytest.approx(460 / 1e6)
    assert spending.failed_calls(events) == {"planner": 1}
    assert not spending.unmetered_roles(events)
