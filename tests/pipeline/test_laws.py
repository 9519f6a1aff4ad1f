"""What holds in every run, whatever the models say: nothing is lost without a mark, and nothing is counted twice."""

import random
from collections.abc import Callable
from functools import cache

import pytest
from inspect_ai.model import ChatMessageAssistant, ChatMessageTool

from idrbench_inspect.log_events import decisions, payloads
from idrbench_inspect.pipeline.solver import RUN_KEY
from idrbench_inspect.records import ResearchRun
from tests.pipeline.scripted import (
    Play,
    Ran,
    Said,
    Script,
    ScriptedSearch,
    call,
    delegate,
    done,
    look_up,
    not_json,
    output,
    overflow,
    page,
    run,
)

SEEDS = range(30)
Chaos = Callable[[random.Random], Said]

ANYONE: tuple[Chaos, ...] = (
    lambda dice: output(""),
    lambda dice: output("I was going to", "max_tokens"),
    lambda dice: output("No.", "content_filter"),
    lambda dice: "I would rather talk.",
    lambda dice: done(),
    lambda dice: [call("think", reflection="hm"), call("think"), *done()],
    lambda dice: [call("browse", url="x")],
)
SUPERVISOR: tuple[Chaos, ...] = (
    *ANYONE,
    *[lambda dice: delegate(*dice.choices("abcdef", k=dice.randint(1, 5)))] * 5,
    lambda dice: [*delegate("a"), *done(), *delegate("b")],
    lambda dice: [not_json("conduct_research"), call("conduct_research", theme="x"), *delegate("c")],
    lambda dice: [call("think", reflection="hm"), *delegate("d", "d", "d", "d")],
)
RESEARCHER: tuple[Chaos, ...] = (
    *ANYONE,
    *[lambda dice: look_up(*dice.choices("abcdefgh", k=dice.randint(1, 7)))] * 5,
    lambda dice: [*look_up("a"), *look_up("bad"), *done()],
    lambda dice: [not_json("search"), call("search", queries="a"), call("search", queries=[])],
    lambda dice: RuntimeError("400: bad parameter"),
    lambda dice: overflow(),
)
SUMMARIZER: tuple[Chaos, ...] = (
    *[lambda dice: {"summary": "About bees."}] * 3,
    lambda dice: "no JSON",
    lambda dice: RuntimeError("400: bad page"),
)
COMPRESSOR: tuple[Chaos, ...] = (
    *[lambda dice: f"Bees [1]. Honey [{dice.randint(1, 9)}]."] * 3,
    lambda dice: "Bees.",
    lambda dice: overflow(),
    lambda dice: output("", "content_filter"),
)
REPORTER: tuple[Chaos, ...] = (
    *[lambda dice: f"# Bees\n\nBees [{dice.randint(1, 9)}]. Honey [{dice.randint(1, 40)}]."] * 3,
    lambda dice: output("Bees [1] and", "max_tokens"),
    lambda dice: output(""),
    lambda dice: RuntimeError("400: bad parameter"),
)
USER: tuple[Chaos, ...] = (
    *[lambda dice: "Mostly winter."] * 2,
    lambda dice: "<think>I am the user",
    lambda dice: output("No.", "content_filter"),
)


def any_of(dice: random.Random, choices: tuple[Chaos, ...]) -> Play:
    return lambda call: dice.choice(choices)(dice)


@cache
def chaos(seed: int) -> Ran:
    dice = random.Random(seed)
    plays = {
        "supervisor": SUPERVISOR,
        "researcher": RESEARCHER,
        "summarizer": SUMMARIZER,
        "compressor": COMPRESSOR,
        "reporter": REPORTER,
        "user": USER,
    }
    script = Script(
        **{role: any_of(dice, choices) for role, choices in plays.items()},
        evaluator=lambda call: {"rationale": "r", "ask": dice.random() < 0.5},
    )
    pages = {
        name: [page(name), page("shared")] if name < "e" else [page("gone", "", missing="x")] for name in "abcdefgh"
    }
    search = ScriptedSearch(lambda query: pages.get(query, []), fail=["bad"])
    return run(script, search, arm="interactive", limits={"concurrent_researchers": 2, "queries_per_search": 4})


@pytest.fixture(scope="module", params=SEEDS)
def ran(request: pytest.FixtureRequest) -> Ran:
    return chaos(request.param)


def test_the_run_is_stored_and_says_how_it_ended(ran: Ran) -> None:
    assert RUN_KEY in ran.sample.store
    finished = ran.run.ended_by == "finished" or ran.run.ended_by.startswith("reporter reply")
    assert finished == (ran.sample.error is None)
    assert ran.sample.limit is None
    assert (ran.run.report is None) == (ran.sample.error is not None)


def test_every_delegation_is_a_finding_or_a_marked_loss(ran: Ran) -> None:
    asked = [
        c["id"]
        for round_ in ran.run.rounds
        for c in round_.message.get("tool_calls") or []
        if c["function"] == "conduct_research"
    ]
    assert [delegation.call for delegation in ran.run.delegations] == asked
    lost = [delegation.loss for delegation in ran.run.delegations if delegation.loss]
    assert len(ran.run.delegations) == len(ran.run.findings) + len(lost)
    assert all(loss.reason for loss in lost)


def test_turns_are_exchanges_and_tool_events_and_messages(ran: Ran) -> None:
    turns = len(ran.run.exchanges)
    assert turns == len(ran.tool_events("ask_user")) == len(payloads(ran.sample.events, "exchange"))
    assert turns == sum(isinstance(message, ChatMessageTool) for message in ran.sample.messages)
    found = decisions(ran.sample.events)
    assert turns == sum(decision.exchange is not None for decision in found)
    assert len(found) >= len({decision.point for decision in found}) == ran.run.decisions


def test_every_tool_call_has_exactly_one_reply_in_order(ran: Ran) -> None:
    for call_ in ran.script.calls:
        open_: list[str] = []
        for message in call_.messages:
            if isinstance(message, ChatMessageTool):
                assert message.tool_call_id == open_.pop(0)
                continue
            assert not open_
            open_ = [c.id for c in message.tool_calls or []] if isinstance(message, ChatMessageAssistant) else []
        assert not open_
    for round_ in ran.run.rounds:
        assert [reply.call for reply in round_.replies] == [c["id"] for c in round_.message.get("tool_calls") or []]


def test_the_log_holds_the_calls_that_were_made_and_the_usage_counts_them(ran: Ran) -> None:
    made = sorted(call_.role for call_ in ran.script.calls)
    assert sorted(event.role or "model" for event in ran.model_events) == made
    assert {role: usage.calls for role, usage in ran.run.usage.items()} == {role: made.count(role) for role in made}


def test_searches_are_counted_as_they_were_made(ran: Ran) -> None:
    kept = [d for d in ran.run.delegations if d.loss is None or "RuntimeError" not in d.loss.reason]
    if len(kept) == len(ran.run.delegations):
        assert ran.run.searches == len(ran.queries)
        assert ran.run.failed_searches == ran.queries.count("bad")


def test_findings_and_report_cite_their_own_sources_and_nothing_else(ran: Ran) -> None:
    known = {page(name).url for name in ("a", "b", "c", "d", "shared")}
    for finding in ran.run.findings:
        assert {source.url for source in finding.sources} <= known
    retrieved = {source.url for finding in ran.run.findings for source in finding.sources}
    assert {source.url for source in ran.run.cited} <= retrieved
    if ran.run.report:
        body, _, listed = ran.report.partition("## Sources")
        assert all(f"[{n}] {source.title}: {source.url}" in listed for n, source in enumerate(ran.run.cited, 1))
        assert all(f"[{n}]" in body for n in range(1, len(ran.run.cited) + 1))
        assert f"[{len(ran.run.cited) + 1}]" not in body


def test_a_page_is_summarised_once(ran: Ran) -> None:
    asked = [c.block("page").splitlines()[1] for c in ran.script.of("summarizer") if len(c.messages) == 2]
    assert len(asked) == len(set(asked))


def test_the_record_survives_its_own_json(ran: Ran) -> None:
    assert ResearchRun.model_validate_json(ran.run.model_dump_json(by_alias=True)) == ran.run


def test_the_chaos_is_chaotic() -> None:
    runs = [chaos(seed).run for seed in SEEDS]
    kinds = {d.loss.kind for run_ in runs for d in run_.delegations if d.loss}
    assert {"malformed", "skipped", "unsourced"} <= kinds
    assert {finding.write_up for run_ in runs for finding in run_.findings} == {"compressed", "notes"}
    assert any(run_.exchanges for run_ in runs)
