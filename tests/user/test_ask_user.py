"""`ask_user` as any agent may use it, with a seated user and without."""

from collections.abc import Sequence
from typing import Any

from inspect_ai import Task, eval
from inspect_ai.agent import react
from inspect_ai.event import ToolEvent
from inspect_ai.log import EvalSample
from inspect_ai.model import ChatMessageTool
from inspect_ai.solver import Solver
from inspect_ai.tool import ToolCall

from idrbench_inspect.log_events import payloads
from idrbench_inspect.user.ask import ask_user
from idrbench_inspect.user.seat import seat_user
from tests.pipeline.scripted import Script, call, in_turn, sample


def agent(*turns: Sequence[ToolCall], setup: Solver | None = None, **metadata: Any) -> tuple[EvalSample, Script]:
    """A plain agent that makes these calls, then submits."""
    script = Script(model=in_turn(*(list(turn) for turn in turns), [call("submit", answer="Bees.")]))
    bees = sample(**metadata)
    if not metadata:
        bees.metadata = None
    task = Task(dataset=[bees], setup=setup, solver=react(tools=[ask_user()]))
    roles = {"user": script.model("user")}
    log = eval(task, model=script.model("model"), model_roles=dict(roles), display="log", log_dir="memory://logs")[0]
    assert log.samples
    return log.samples[0], script


def ask(*questions: str, **more: str) -> list[ToolCall]:
    return [call("ask_user", questions=list(questions), **more)]


def replies(ran: EvalSample) -> list[ChatMessageTool]:
    return [m for m in ran.messages if isinstance(m, ChatMessageTool) and m.function == "ask_user"]


def test_an_agent_that_is_not_ours_gets_its_users_reply() -> None:
    turns = ask("Which years?", summary="I begin."), ask("Which region?", "For whom?")
    ran, script = agent(*turns, setup=seat_user(user_model="mockllm/user"))
    assert ran.error is None
    assert [reply.text for reply in replies(ran)] == ["Mostly winter, reply 1.", "Mostly winter, reply 2."]
    assert script.of("user")[0].block("question") == "I begin.\nWhich years?"
    assert "Mostly winter, reply 1." in script.of("user")[1].block("dialogue")
    exchanges = payloads(ran.events, "exchange")
    assert [(e["stage"], e["turn"], e["status"]) for e in exchanges] == [(None, 1, "answered"), (None, 2, "answered")]
    assert len([e for e in ran.events if isinstance(e, ToolEvent) and e.function == "ask_user"]) == 2


def test_without_a_seat_it_says_what_the_task_lacks() -> None:
    ran, script = agent(ask("Which years?"))
    assert ran.error
    assert "give the task setup=seat_user()" in ran.error.message
    assert not script.of("user")


def test_blank_or_too_many_questions_are_refused_and_are_no_exchange() -> None:
    ran, script = agent(ask(" "), ask("a", "b", "c"), ask(), setup=seat_user(user_model="mockllm/user"))
    assert ran.error is None
    assert [bool(reply.error) for reply in replies(ran)] == [True] * 3
    assert not script.of("user")
    assert not payloads(ran.events, "exchange")


def test_where_nobody_can_be_asked_the_agent_is_told_so() -> None:
    ran, _ = agent(ask("Which years?"), setup=seat_user(), arm="autonomous")
    (reply,) = replies(ran)
    assert reply.error
    assert "go on with your own judgement" in reply.error.message
    assert not payloads(ran.events, "exchange")


def test_samples_run_at_the_same_time_have_users_of_their_own() -> None:
    script = Script(
        model=lambda c: [call("submit", answer="x")] if c.replies else ask(c.messages[-1].text),
        user=lambda c: f"I asked {c.block('query')}",
    )
    names = ["ants", "bees", "wasps"]
    samples = [sample().model_copy(update={"id": name, "input": f"About {name}?"}) for name in names]
    task = Task(dataset=samples, setup=seat_user(user_model="mockllm/user"), solver=react(tools=[ask_user()]))
    log = eval(
        task,
        model=script.model("model"),
        model_roles={"user": script.model("user")},
        display="log",
        log_dir="memory://logs",
        max_samples=3,
    )[0]
    assert log.samples
    said = {ran.id: [reply.text for reply in replies(ran)] for ran in log.samples}
    assert said == {name: [f"I asked About {name}?"] for name in names}
