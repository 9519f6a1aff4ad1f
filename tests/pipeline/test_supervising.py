"""The supervisor and its delegations: nothing is dropped without a mark, every call is answered, N means N."""

from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest
from inspect_ai.model import ChatMessageAssistant, ChatMessageUser, ModelUsage
from inspect_ai.tool import ToolCall

from idrbench_inspect.prompting import fenced, notice
from idrbench_inspect.records import ResearchRun
from tests.pipeline.scripted import (
    TOPICS,
    Call,
    Play,
    Said,
    Script,
    ScriptedSearch,
    call,
    delegate,
    done,
    in_turn,
    look_up,
    not_json,
    output,
    overflow,
    run,
)


def for_topic(topic: str, *replies: Said) -> Play:
    """A researcher that plays `replies` for one topic, and is an ordinary one for the others."""

    def play(call: Call) -> Said:
        if call.block("topic") != topic:
            return done() if call.replies else look_up(call.block("topic"))
        turn = sum(isinstance(message, ChatMessageAssistant) for message in call.messages)
        return replies[min(turn, len(replies) - 1)]

    return play


def topics_found(run: ResearchRun) -> list[str]:
    return [finding.topic for finding in run.findings]


def losses(run: ResearchRun) -> dict[str, str]:
    return {d.topic: d.loss.kind for d in run.delegations if d.loss}


def answered(run: ResearchRun) -> bool:
    """Whether every call of every round has exactly one reply, in the order of the calls."""
    asked = [[c["id"] for c in round_.message.get("tool_calls") or []] for round_ in run.rounds]
    return asked == [[reply.call for reply in round_.replies] for round_ in run.rounds]


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (RuntimeError("the provider refused: bad parameter"), "failed"),
        (overflow(), "unsourced"),
        ([call("browse", url="https://x.example.org")], "unsourced"),
    ],
    ids=["exception", "overflow", "unknown tool"],
)
def test_a_researcher_that_breaks_is_a_marked_loss_and_leaves_its_siblings_findings(reply: Said, kind: str) -> None:
    ran = run(Script(researcher=for_topic("honey", reply)))
    assert topics_found(ran.run) == ["hives", "winter"]
    assert losses(ran.run) == {"honey": kind}
    assert answered(ran.run)
    assert "honey" in ran.script.of("reporter")[0].block("topics")
    assert ran.run.ended_by == "finished"


def test_what_a_researcher_had_found_before_it_broke_is_kept() -> None:
    ran = run(Script(researcher=for_topic("honey", look_up("nectar"), RuntimeError("bad parameter"))))
    assert topics_found(ran.run) == list(TOPICS)
    assert [loss.reason for loss in ran.run.losses] == ["the search ended early: RuntimeError: bad parameter"]


def test_malformed_delegations_are_told_and_corrected() -> None:
    wrong = [call("conduct_research", subject="hives"), not_json("conduct_research"), call("think")]
    blank = [call("conduct_research", topic=" "), call("conduct_research", topic="hives", depth=3)]
    ran = run(Script(supervisor=in_turn([*wrong, *blank], delegate("hives"), done())))
    first = ran.run.rounds[0]
    assert [d.loss.kind for d in first.delegations if d.loss] == ["malformed"] * 4
    assert all(reply.error and reply.text and "Correct it and call again" in reply.text for reply in first.replies)
    assert "arguments are not JSON" in (first.replies[1].text or "")
    assert topics_found(ran.run) == ["hives"]
    assert answered(ran.run)
    assert [reply.text for reply in ran.script.of("supervisor")[1].replies] == [r.text for r in first.replies]


def test_a_malformed_call_takes_no_reply_from_a_sound_one_with_the_same_topic() -> None:
    calls = [call("conduct_research", topic="hives", depth=3), *delegate("hives")]
    ran = run(Script(supervisor=in_turn(calls, done())))
    assert [reply.error is None for reply in ran.run.rounds[0].replies] == [False, True]
    assert topics_found(ran.run) == ["hives"]


def test_an_unknown_tool_of_the_supervisor_gets_its_reply_and_the_work_goes_on() -> None:
    ran = run(Script(supervisor=in_turn([call("browse", url="x"), *delegate("hives")], done())))
    reply = ran.run.rounds[0].replies[0]
    known = "conduct_research, think, research_complete"
    assert reply.text == notice("unknown_tool", tool="browse", known=known)
    assert topics_found(ran.run) == ["hives"]
    assert answered(ran.run)


def test_delegations_over_the_limit_are_marked_and_every_call_is_answered_in_order() -> None:
    calls = [*delegate("a", "b"), call("think", reflection="hm"), *delegate("c", "d", "e")]
    ran = run(Script(supervisor=in_turn(calls, done())), limits={"concurrent_researchers": 2})
    assert topics_found(ran.run) == ["a", "b"]
    assert losses(ran.run) == {"c": "skipped", "d": "skipped", "e": "skipped"}
    assert answered(ran.run)
    shown = ran.script.of("supervisor")[1].replies
    assert [reply.tool_call_id for reply in shown] == [c.id for c in calls]
    assert [reply.text for reply in shown[3:]] == [notice("over_limit", limit=2)] * 3
    assert ran.queries == ["a", "b"]


def test_two_delegations_of_the_same_topic_are_two_findings() -> None:
    ran = run(Script(supervisor=in_turn(delegate("hives", "hives"), done())))
    assert topics_found(ran.run) == ["hives", "hives"]
    assert answered(ran.run)
    assert len(ran.run.cited) == 1


def test_a_delegation_beside_research_complete_is_carried_out() -> None:
    ran = run(Script(supervisor=in_turn([*done(), *delegate("hives")])))
    assert topics_found(ran.run) == ["hives"]
    assert ran.run.stopped_by == "complete"
    assert len(ran.script.of("supervisor")) == 1
    assert answered(ran.run)


@pytest.mark.parametrize("iterations", [1, 3])
def test_exactly_so_many_iterations_are_made_and_all_of_them_act(iterations: int) -> None:
    ran = run(Script(supervisor=in_turn(delegate("hives"))), limits={"supervisor_iterations": iterations})
    assert len(ran.script.of("supervisor")) == len(ran.run.rounds) == len(ran.run.findings) == iterations
    assert [round_.number for round_ in ran.run.rounds] == list(range(1, iterations + 1))
    assert ran.run.stopped_by == "supervisor_iterations"


@pytest.mark.parametrize("turns", [1, 3])
def test_exactly_so_many_researcher_turns_are_made_and_all_of_them_act(turns: int) -> None:
    script = Script(supervisor=in_turn(delegate("hives"), done()), researcher=lambda c: look_up(f"query {c.number}"))
    ran = run(script, limits={"researcher_turns": turns})
    assert len(ran.script.of("researcher")) == len(ran.queries) == turns
    assert len(ran.run.findings[0].sources) == turns


def test_no_message_stands_twice_in_the_conversation_of_the_supervisor() -> None:
    replies = (delegate("hives"), [call("think", reflection="more")], "I need nothing.", done())
    ran = run(Script(supervisor=in_turn(*replies)))
    last = ran.script.of("supervisor")[-1].messages
    ids = [c.id for message in last if isinstance(message, ChatMessageAssistant) for c in message.tool_calls or []]
    assert max(Counter(ids).values()) == 1
    assert max(Counter(message.text for message in last if message.text).values()) == 1
    assert [message.role for message in last][:2] == ["system", "user"]


def test_a_supervisor_that_calls_nothing_is_asked_again_while_nothing_is_found() -> None:
    ran = run(Script(supervisor=in_turn("All is known.", delegate("hives"), "All is known.")))
    second = ran.script.of("supervisor")[1].messages
    assert isinstance(second[-1], ChatMessageUser)
    assert second[-1].text == notice("nudge_supervisor")
    assert topics_found(ran.run) == ["hives"]
    assert ran.run.stopped_by == "no_tool_call"


def test_an_overflow_of_the_supervisor_cuts_the_findings_and_nothing_else() -> None:
    long = " ".join(f"Bees are kept, says sentence {n} [1]." for n in range(60))

    def supervisor(call: Call) -> Said:
        too_long = len(call.block("finding")) > 800
        return overflow() if too_long else done() if call.replies else delegate("a", "b")

    ran = run(Script(supervisor=supervisor, compressor=in_turn(long, "Short [1].")))
    tried = ran.script.of("supervisor")[1:]
    assert len(tried) >= 3
    assert all(len(later.text) < len(earlier.text) for earlier, later in pairwise(tried))
    assert {(c.system, c.user, len(c.replies)) for c in tried} == {(tried[0].system, tried[0].user, 2)}
    assert all(len(fenced(c.text, "finding")) == 2 for c in tried)
    assert ran.run.stopped_by == "complete"
    assert ran.run.findings[0].text == long


def test_an_overflow_that_cutting_does_not_cure_ends_the_research_with_what_is_there() -> None:
    ran = run(Script(supervisor=in_turn(delegate("hives"), overflow())))
    assert ran.run.stopped_by == "supervisor reply overflow"
    assert topics_found(ran.run) == ["hives"]
    assert "supervisor reply overflow" in ran.script.of("reporter")[0].user


@pytest.mark.parametrize("fault", ["empty", "cut", "refused"])
def test_an_unusable_reply_of_the_supervisor_is_asked_for_again(fault: str) -> None:
    bad = {
        "empty": output(""),
        "cut": output("Let me", "max_tokens"),
        "refused": output("No.", "content_filter"),
    }[fault]
    ran = run(Script(supervisor=in_turn(bad, bad, delegate("hives"), done())))
    assert topics_found(ran.run) == ["hives"]
    assert ran.script.of("supervisor")[1].messages[-1].text == notice(f"reask_{fault}")
    never = run(Script(supervisor=in_turn(delegate("hives"), bad)))
    assert never.run.stopped_by == f"supervisor reply {fault}"
    assert len(never.script.of("supervisor")) == 4
    assert topics_found(never.run) == ["hives"]


def test_a_call_that_the_output_limit_cut_is_not_carried_out() -> None:
    cut = output([ToolCall(id="cut", function="conduct_research", arguments={"topic": "hiv"})])
    cut.choices[0].stop_reason = "max_tokens"
    cut.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    ran = run(Script(supervisor=in_turn(cut, delegate("hives"), done())), ScriptedSearch())
    assert ran.queries == ["hives"]


def test_call_ids_that_a_provider_gives_twice_are_told_apart() -> None:
    calls = [replace(c, id="call_0") for c in [*delegate("hives"), *delegate("honey"), *delegate("winter")]]
    ran = run(Script(supervisor=in_turn(calls, done())))
    assert [(d.topic, d.finding and d.finding.topic) for d in ran.run.delegations] == [(t, t) for t in TOPICS]
    assert len({d.call for d in ran.run.delegations}) == 3
