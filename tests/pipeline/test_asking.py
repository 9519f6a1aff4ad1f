"""Clarification: when a stage may ask, how often, and where a reply goes."""

from collections.abc import Awaitable
from itertools import pairwise

import pytest

from idrbench_inspect.log_events import decisions, payloads
from idrbench_inspect.prompting import fenced, notice
from idrbench_inspect.records import STAGES
from tests.pipeline.scripted import (
    ASKING,
    QUERY,
    TOPICS,
    Call,
    Ran,
    Said,
    Script,
    ScriptedSearch,
    delegate,
    done,
    in_turn,
    output,
    overflow,
    run,
)

FIVE_ROUNDS = in_turn(*(delegate(f"topic {n}") for n in range(5)), done())


def asked(ran: Ran) -> dict[str, int]:
    return {stage: sum(exchange.stage == stage for exchange in ran.run.exchanges) for stage in STAGES}


def evaluated(ran: Ran) -> dict[str, int]:
    weighs = {"planning": "plans the research", "research": "middle of", "generation": "before the report"}
    return {stage: sum(word in call.system for call in ran.script.of("evaluator")) for stage, word in weighs.items()}


def test_the_budgets_of_all_three_stages_are_kept_exactly() -> None:
    ran = run(Script(supervisor=FIVE_ROUNDS, **ASKING), arm="interactive")
    assert asked(ran) == evaluated(ran) == {"planning": 1, "research": 3, "generation": 1}
    assert [e.turn for e in ran.run.exchanges if e.stage == "research"] == [1, 2, 3]
    assert [e.after_round for e in ran.run.exchanges] == [0, 1, 2, 3, 6]
    found = decisions(ran.sample.events)
    assert [d.point for d in found] == ["planning", *(f"research:{n}" for n in range(1, 6)), "generation"]
    assert [d.turns_left for d in found] == [1, 3, 2, 1, 0, 0, 1]
    assert [d.turns_left_overall for d in found] == [5, 4, 3, 2, 1, 1, 1]
    assert [d.ask for d in found] == [True, True, True, True, None, None, True]


@pytest.mark.parametrize("budgets", [(0, 0, 0), (2, 0, 1), (0, 1, 0), (1, 5, 2)])
def test_other_budgets_are_kept_as_exactly_and_zero_means_never(budgets: tuple[int, int, int]) -> None:
    given = dict(zip(STAGES, budgets, strict=True))
    ran = run(Script(supervisor=FIVE_ROUNDS, **ASKING), arm="interactive", budgets=given)
    assert asked(ran) == evaluated(ran) == given
    assert ran.sample.error is None


def test_a_stage_that_declines_is_evaluated_once_and_keeps_its_turns() -> None:
    ran = run(arm="interactive", budgets={"planning": 2})
    assert evaluated(ran) == {"planning": 1, "research": 1, "generation": 1}
    assert [decision.ask for decision in decisions(ran.sample.events)] == [False] * 3
    assert not ran.run.exchanges
    assert not ran.script.of("user")


def test_a_round_without_findings_is_no_opportunity() -> None:
    script = Script(supervisor=in_turn(delegate("nothing"), delegate("hives"), done()), **ASKING)
    search = ScriptedSearch(lambda query: [] if query == "nothing" else ScriptedSearch().find(query))
    ran = run(script, search, arm="interactive")
    assert [d.point for d in decisions(ran.sample.events)] == ["planning", "research:2", "generation"]


@pytest.mark.parametrize("arm", ["autonomous", "volunteered", "full_query"])
def test_where_nobody_is_asked_every_opportunity_is_recorded_all_the_same(arm: str) -> None:
    ran = run(Script(**ASKING), arm=arm)
    found = decisions(ran.sample.events)
    assert [(d.point, d.ask, d.turns_left) for d in found] == [
        ("planning", None, 0), ("research:1", None, 0), ("generation", None, 0)
    ]  # fmt: skip
    assert not [call for call in ran.script.calls if call.role in {"evaluator", "questioner", "user", "model"}]


@pytest.mark.parametrize(
    ("arm", "model", "reply"),
    [
        ("interactive", "mockllm/user", "Mostly winter, reply 1."),
        ("placebo", "neutral", "No preference, use your judgement."),
        ("self", "mockllm/model", "I would guess."),
        ("mismatched", "mockllm/user", "Mostly winter, reply 1."),
        ("forced", "mockllm/user", "Mostly winter, reply 1."),
    ],
)
def test_every_arm_asks_its_own_user(arm: str, model: str, reply: str) -> None:
    plays = {} if arm == "forced" else ASKING
    ran = run(Script(**plays), arm=arm)
    assert len(ran.run.exchanges) == 3
    assert (ran.run.exchanges[0].model, ran.run.exchanges[0].reply) == (model, reply)
    assert bool(ran.script.of("evaluator")) == (arm != "forced")


def test_replies_reach_the_brief_later_sub_tasks_and_the_report() -> None:
    ran = run(Script(supervisor=in_turn(delegate("a"), delegate("b"), done()), **ASKING), arm="interactive")
    first, second, third, last = (exchange.reply for exchange in ran.run.exchanges)
    of = {call.block("topic"): call for call in ran.script.of("researcher")}
    assert first in ran.script.of("planner")[0].block("dialogue")
    assert (first in of["a"].text, second in of["a"].text) == (True, False)
    assert (first in of["b"].text, second in of["b"].text, third in of["b"].text) == (True, True, False)
    supervisor = ran.script.of("supervisor")
    assert [sum(second in message.text for message in call.messages) for call in supervisor] == [0, 1, 1]
    assert notice("clarified") in supervisor[1].messages[-1].text
    report = ran.script.of("reporter")[0]
    assert report.block("clarifications") == "\n\n".join((first, second, third, last))
    assert notice("clarifications") in report.user
    assert all(first in call.text for role in ("summarizer", "compressor") for call in ran.script.of(role))


def test_what_is_volunteered_reaches_every_stage_and_is_asked_of_nobody() -> None:
    ran = run(Script(**ASKING), arm="volunteered", metadata={"given": "Only a cold town."})
    heard = {call.role for call in ran.script.calls if "Only a cold town." in call.text}
    assert heard == {"planner", "supervisor", "researcher", "summarizer", "compressor", "reporter"}
    assert not ran.run.exchanges


def test_evaluator_and_questioner_see_the_dialogue_and_the_turns_left() -> None:
    ran = run(Script(**ASKING), arm="interactive")
    later = ran.script.of("evaluator")[1]
    assert "Which years, 1?" in later.block("dialogue")
    assert "Mostly winter, reply 1." in later.block("dialogue")
    assert "Turns left at this stage: 3; in all: 4." in later.user
    assert [text.partition("\n")[0] for _, text in fenced(later.text, "finding")] == list(TOPICS)
    assert ran.script.of("questioner")[1].block("rationale") == "It would change the research."
    assert ran.script.of("questioner")[1].block("dialogue") == later.block("dialogue")


def test_an_exchange_is_one_tool_event_one_event_and_two_messages() -> None:
    ran = run(Script(**ASKING), arm="interactive")
    events = ran.tool_events("ask_user")
    assert [event.arguments["questions"] for event in events] == [list(e.questions) for e in ran.run.exchanges]
    assert [event.result for event in events] == [e.reply for e in ran.run.exchanges]
    assert [p["reply"] for p in payloads(ran.sample.events, "exchange")] == [e.reply for e in ran.run.exchanges]
    roles = [message.role for message in ran.sample.messages]
    assert roles == ["user", *["assistant", "tool"] * 3, "assistant"]
    assert (ran.sample.messages[0].text, ran.sample.messages[-1].text) == (QUERY, ran.report)


def test_a_second_question_is_put_with_the_first() -> None:
    both = {"summary": "So far.", "question": "Which years?", "second_question": "Which region?"}
    ran = run(Script(questioner=in_turn(both), **ASKING), arm="interactive")
    assert ran.run.exchanges[0].questions == ("Which years?", "Which region?")
    assert ran.script.of("user")[0].block("question") == "So far.\n1. Which years?\n2. Which region?"


@pytest.mark.parametrize("role", ["planner", "evaluator", "questioner"])
@pytest.mark.parametrize("fault", ["empty", "cut", "refused", "malformed"])
def test_an_unusable_structured_reply_is_asked_for_again_and_then_errs_the_sample(role: str, fault: str) -> None:
    bad = {
        "empty": output(""),
        "cut": output('{"rationale": "Bec', "max_tokens"),
        "refused": output("No.", "content_filter"),
        "malformed": output("I would rather not."),
    }[fault]
    ordinary = Script(**ASKING).plays[role]
    recovered = run(Script(**{**ASKING, role: lambda c: bad if c.number == 1 else ordinary(c)}), arm="interactive")
    assert recovered.sample.error is None
    assert recovered.run.ended_by == "finished"
    told = notice(f"reask_{fault}", error="there is no JSON object.")
    assert recovered.script.of(role)[1].messages[-1].text == told
    broken = run(Script(**{**ASKING, role: in_turn(bad)}), arm="interactive")
    assert len(broken.script.of(role)) == 3
    assert broken.sample.error
    assert broken.run.ended_by.startswith(f"error: UnusableReply: {role}: reply {fault}")


@pytest.mark.parametrize("role", ["evaluator", "questioner"])
def test_an_overflow_of_evaluator_or_questioner_cuts_the_findings_and_nothing_else(role: str) -> None:
    ordinary = Script(**ASKING).plays[role]

    def play(call: Call) -> Said | Awaitable[Said]:
        return overflow() if len(call.block("finding")) > 800 else ordinary(call)

    long = " ".join(f"Bees are kept, says sentence {n} [1]." for n in range(60))
    ran = run(Script(**{**ASKING, role: play}, compressor=in_turn(long, "Short [1].")), arm="interactive")
    assert ran.run.ended_by == "finished"
    tried = ran.script.of(role)[1:4]
    assert all(len(later.text) < len(earlier.text) for earlier, later in pairwise(tried))
    assert {(c.system, c.block("query"), c.block("brief")) for c in tried} == {
        (tried[0].system, tried[0].block("query"), tried[0].block("brief"))
    }
    assert [len(fenced(c.text, "finding")) for c in tried] == [3] * 3
