"""Those who answer: what they are shown, what they may not say, and what is delivered in place of no reply."""

import json

import pytest
from inspect_ai.model import ModelOutput

from idrbench_inspect.errors import UnusableReply
from idrbench_inspect.prompting import notice
from idrbench_inspect.user.conversation import LONGEST_REPLY, spoken
from idrbench_inspect.user.neutral import is_chinese
from tests.pipeline.scripted import ASKING, QUERY, REFERENCE, Call, Ran, Said, Script, in_turn, output, run

NEUTRAL = "No preference, use your judgement."
REASONING = "<think>I am the user, so the assistant must now ask about cost</think>"


def asked(user: Said, *more: Said) -> Ran:
    """A run that asks once, at planning."""
    return run(Script(user=in_turn(user, *more), **ASKING), arm="interactive", budgets={"research": 0, "generation": 0})


@pytest.mark.parametrize(
    "reply",
    [
        f"Only 2020 to 2024. {REASONING}",
        f"{REASONING}\n\nOnly 2020 to 2024.",
        "The team asks for years.</think>Only 2020 to 2024.",
        "Only 2020 to 2024. <think>I am the user, so",
        "<THINKING>Hm.</THINKING>Only 2020 to 2024.",
    ],
)
def test_reasoning_reaches_neither_the_agent_nor_the_transcript(reply: str) -> None:
    ran = asked(reply)
    assert [(e.reply, e.status) for e in ran.run.exchanges] == [("Only 2020 to 2024.", "answered")]
    assert not [call.role for call in ran.script.calls if "think" in call.text.casefold() and call.role == "planner"]
    said = json.dumps([message.text for message in ran.sample.messages])
    assert "think" not in said.casefold()
    assert ran.tool_events("ask_user")[0].result == "Only 2020 to 2024."


@pytest.mark.parametrize(
    ("reply", "status"),
    [
        (output("  "), "blank"),
        (output(REASONING), "blank"),
        (output("No.", "content_filter"), "rejected"),
        (output("I would like", "max_tokens"), "rejected"),
        (output("x" * (LONGEST_REPLY + 1)), "rejected"),
    ],
    ids=["blank", "only reasoning", "refused", "cut", "too long"],
)
def test_a_reply_that_cannot_be_used_is_asked_for_again_and_then_replaced_marked_and_counted(
    reply: ModelOutput, status: str
) -> None:
    ran = asked(reply)
    assert len(ran.script.of("user")) == 3
    (exchange,) = ran.run.exchanges
    assert (exchange.reply, exchange.status, exchange.turn) == (NEUTRAL, status, 1)
    assert NEUTRAL in ran.script.of("planner")[0].block("dialogue")
    assert len(ran.tool_events("ask_user")) == 1
    assert ran.run.ended_by == "finished"
    second = asked(reply, "Only winter.")
    assert [(e.reply, e.status) for e in second.run.exchanges] == [("Only winter.", "answered")]


def test_the_neutral_reply_is_in_the_language_of_the_question() -> None:
    questioner = in_turn({"summary": "", "question": "您更关心哪些年份？", "second_question": ""})
    script = Script(user=in_turn(output("")), questioner=questioner, **ASKING)
    ran = run(script, arm="interactive", metadata={"language": "zh"})
    assert {exchange.reply for exchange in ran.run.exchanges} == {notice("neutral_zh")}
    assert not is_chinese("")


def test_the_simulated_user_sees_its_own_exchanges_and_nothing_of_the_agents_work() -> None:
    ran = run(Script(**ASKING), arm="interactive")
    first, second, third = ran.script.of("user")
    assert first.block("query") == QUERY
    assert first.block("reference") == REFERENCE
    assert first.block("dialogue") == ""
    assert notice("no_dialogue") in first.user
    assert first.block("question") == "State 1.\nWhich years, 1?"
    turns = [f"The team: State {n}.\nWhich years, {n}?\nYou: Mostly winter, reply {n}." for n in (1, 2)]
    assert second.block("dialogue") == turns[0]
    assert third.block("dialogue") == "\n\n".join(turns)
    inner = [
        "I want to know how to keep bees.",
        "It would change the research.",
        *(f.text for f in ran.run.findings),
        "example.org",
    ]
    assert not [text for text in inner for call in (first, second, third) if text in call.text]


def test_the_own_user_knows_the_query_and_its_exchanges_alone() -> None:
    ran = run(Script(**ASKING), arm="self")
    first, *_, last = ran.script.of("model")
    assert first.block("query") == QUERY
    assert REFERENCE not in "".join(call.text for call in ran.script.of("model"))
    assert last.block("dialogue").count("You: I would guess.") == 2


def test_a_summary_in_mind_is_written_once_and_kept_to_its_length() -> None:
    def user(call: Call) -> str:
        if "Condense this report" not in call.user:
            return "Mostly winter."
        return "short" if call.number == 1 else "s" * 15

    def user_context(reply: Said | None = None) -> Ran:
        script = Script(user=in_turn(reply) if reply else user, **ASKING)
        return run(script, arm="interactive", user_context="summary", metadata={"user_reference": "r" * 100})

    ran = user_context()
    calls = ran.script.of("user")
    assert [bool(call.block("question")) for call in calls] == [False, False, True, True, True]
    assert calls[1].messages[-1].text == notice("reask_length", got=5, lowest=10, highest=20)
    assert {call.block("reference") for call in calls[2:]} == {"s" * 15}
    broken = user_context("never of that length, however often it is asked for")
    assert broken.sample.error
    assert UnusableReply.__name__ in broken.sample.error.traceback
    assert not broken.run.exchanges


def test_a_user_whose_machinery_breaks_errs_the_sample() -> None:
    ran = asked(RuntimeError("400: bad key"))
    assert ran.sample.error
    assert "bad key" in ran.sample.error.message
    assert not ran.run.exchanges


def test_a_reply_without_reasoning_is_left_as_it_is() -> None:
    assert spoken(" I think so. ") == "I think so."
    assert spoken("") == ""


def test_a_user_who_cannot_hold_the_report_in_mind_is_broken_machinery() -> None:
    ran = asked(output("This model's maximum context length is exceeded.", "model_length"))
    assert ran.sample.error
    assert "user: reply overflow" in ran.sample.error.message
    assert ran.run.exchanges == ()
