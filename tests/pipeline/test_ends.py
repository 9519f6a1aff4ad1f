"""What may end a run before its time: our caps, Inspect's limits, a cancellation, an error. The run so far stays."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import pytest
from inspect_ai.event import SpanBeginEvent, SpanEndEvent
from inspect_ai.log import transcript
from inspect_ai.solver import Generate, Solver, TaskState, solver

from idrbench_inspect.log_events import decisions, payloads
from idrbench_inspect.pipeline.solver import deep_research
from idrbench_inspect.prompting import notice
from tests.pipeline.scripted import (
    ASKING,
    DATE,
    TOPICS,
    Call,
    Play,
    Ran,
    Said,
    Script,
    ScriptedSearch,
    delegate,
    done,
    in_turn,
    look_up,
    run,
)

SIBLINGS_CALLS = 10
"""Planner, supervisor, and four calls of each of the two researchers that come to their end."""


async def siblings_have_ended() -> None:
    """Wait until two researchers have ended; the third, which waits here, is then alone."""
    while True:
        events = transcript().events
        researchers = {e.id for e in events if isinstance(e, SpanBeginEvent) and e.name.startswith("researcher-")}
        if sum(isinstance(e, SpanEndEvent) and e.id in researchers for e in events) == 2:
            return
        await asyncio.sleep(0.001)


def last_of_three(then: Callable[[Call], Awaitable[Said]]) -> Play:
    """A researcher that, for the last topic, waits for its siblings before it does something."""

    async def play(call: Call) -> Said:
        if call.block("topic") != TOPICS[-1]:
            return done() if call.replies else look_up(call.block("topic"))
        await siblings_have_ended()
        return await then(call)

    return play


async def search_on(call: Call) -> Said:
    return look_up(call.block("topic"))


def kept(ran: Ran) -> tuple[list[str], list[str]]:
    """Topics found, and topics lost."""
    return [f.topic for f in ran.run.findings], [d.topic for d in ran.run.delegations if d.loss]


@pytest.mark.parametrize(
    ("limits", "told"),
    [
        ({"research_tokens": 0}, "the cap on research tokens was reached"),
        ({"research_seconds": 0}, "the cap on research time was reached"),
    ],
)
def test_a_cap_that_leaves_no_research_leaves_a_report_that_says_so(limits: dict[str, int], told: str) -> None:
    ran = run(limits=limits)
    assert ran.run.stopped_by == next(iter(limits))
    assert not ran.run.rounds
    notes = ran.script.of("reporter")[0].user
    assert notice("report_stopped", reason=told) in notes
    assert notice("report_nothing") in notes
    assert (ran.sample.error, ran.sample.limit, ran.run.ended_by) == (None, None, "finished")
    assert ran.report


def test_a_cap_in_the_middle_of_research_leaves_a_report_on_what_was_found() -> None:
    # Planner and supervisor use 30 tokens, the first turns of the researchers 45 more.
    ran = run(Script(researcher=search_on), limits={"research_tokens": 60})
    assert ran.run.stopped_by == "research_tokens"
    assert kept(ran) == (list(TOPICS), [])
    assert len(ran.script.of("researcher")) == 3
    assert len(ran.script.of("supervisor")) == 1
    told = notice("report_stopped", reason="the cap on research tokens was reached")
    assert told in ran.script.of("reporter")[0].user
    assert len(ran.run.cited) == 3


def test_a_cap_that_is_not_reached_changes_nothing() -> None:
    assert run(limits={"research_tokens": 10_000, "research_seconds": 10_000}).report == run().report


@pytest.mark.parametrize(
    ("options", "kind"),
    [
        ({"token_limit": 15 * SIBLINGS_CALLS + 10}, "token"),
        ({"turn_limit": SIBLINGS_CALLS}, "turn"),
    ],
)
def test_a_limit_of_the_sample_ends_it_and_what_was_finished_by_then_is_kept(
    options: dict[str, Any], kind: str
) -> None:
    ran = run(Script(researcher=last_of_three(search_on)), options=options)
    assert ran.sample.limit
    assert ran.sample.limit.type == kind
    assert ran.sample.error is None
    assert kept(ran) == (["hives", "honey"], ["winter"])
    assert (ran.run.ended_by, ran.run.report) == (f"limit: {kind}", None)
    assert ran.run.searches == 2
    assert not ran.script.of("reporter")


def test_a_message_limit_ends_the_sample_with_the_findings_so_far() -> None:
    ran = run(options={"message_limit": 5})
    assert ran.sample.limit
    assert ran.sample.limit.type == "message"
    assert kept(ran) == (list(TOPICS), [])
    assert ran.run.ended_by == "limit: message"


def test_a_message_limit_does_not_end_a_run_for_the_messages_it_shows() -> None:
    script = Script(supervisor=in_turn([*delegate("hives"), *done()]), **ASKING)
    ran = run(script, arm="interactive", options={"message_limit": 5})
    assert (ran.sample.limit, ran.run.ended_by) == (None, "finished")
    assert ran.sample.output.completion == ran.report


def test_a_time_limit_ends_the_sample_and_leaves_the_run() -> None:
    async def never(call: Call) -> Said:
        await anyio.sleep_forever()
        return ""

    ran = run(Script(planner=never), options={"time_limit": 1})
    assert ran.sample.limit
    assert ran.sample.limit.type == "time"
    assert ran.run.ended_by.startswith("cancelled")
    assert [decision.point for decision in decisions(ran.sample.events)] == ["planning"]


def test_a_limit_that_the_user_runs_into_ends_the_sample_too() -> None:
    # Planning: evaluator, questioner, then the user's call is the one that goes over.
    ran = run(Script(**ASKING), arm="interactive", options={"token_limit": 40})
    assert [call.role for call in ran.script.calls] == ["evaluator", "questioner", "user"]
    assert ran.sample.error is None
    assert ran.sample.limit
    assert ran.run.ended_by == "limit: token"


def test_a_cancelled_run_keeps_what_was_finished_by_then() -> None:
    scopes: list[anyio.CancelScope] = []

    async def cancel(call: Call) -> Said:
        scopes[0].cancel()
        await anyio.sleep_forever()
        return ""

    @solver
    def cancelled() -> Solver:
        inner = deep_research(date=DATE, search=ScriptedSearch())

        async def solve(state: TaskState, generate: Generate) -> TaskState:
            with anyio.CancelScope() as scope:
                scopes.append(scope)
                return await inner(state, generate)
            return state

        return solve

    ran = run(Script(researcher=last_of_three(cancel)), solver=cancelled())
    assert scopes[0].cancelled_caught
    assert kept(ran) == (["hives", "honey"], ["winter"])
    assert ran.run.delegations[2].loss is not None
    assert ran.run.delegations[2].loss.reason == "the sample ended before it was done"
    assert ran.run.ended_by.startswith("cancelled")


def test_an_error_anywhere_leaves_the_run_so_far() -> None:
    for role in ("planner", "supervisor", "reporter"):
        ran = run(Script(**{role: in_turn(RuntimeError("bad parameter"))}))
        assert ran.sample.error
        assert ran.run.ended_by == "error: RuntimeError: bad parameter"
        assert (ran.run.brief is None) == (role == "planner")
        assert len(ran.run.findings) == (3 if role == "reporter" else 0)


def test_what_a_researcher_searched_before_it_was_cut_off_is_in_the_account() -> None:
    def limited(call: Call) -> Said:
        return look_up(call.block("topic")) if call.number <= len(TOPICS) else RuntimeError("bad parameter")

    # Three first turns of 15 tokens each follow planner and supervisor; the next call goes over.
    ran = run(Script(researcher=limited), options={"token_limit": 80})
    assert ran.sample.limit
    assert (ran.run.searches, len(ran.queries)) == (3, 3)


def test_a_question_delivered_before_the_end_is_in_the_run() -> None:
    # Evaluator, questioner and user are answered; the limit ends the run before the stage is closed.
    ran = run(Script(**ASKING), arm="interactive", budgets={"planning": 3}, options={"token_limit": 50})
    assert ran.sample.limit
    asked = payloads(ran.sample.events, "exchange")
    assert len(ran.run.exchanges) == len(asked) == len(ran.tool_events("ask_user")) >= 1
