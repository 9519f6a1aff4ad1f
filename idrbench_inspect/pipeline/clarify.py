"""Clarify: decide whether to ask the user, word the question, put it through `ask_user`, keep a decision record."""

from collections.abc import Callable
from typing import Any

from inspect_ai.model import ChatMessageAssistant, ChatMessageTool, execute_tools
from inspect_ai.tool import ToolCall
from pydantic import BaseModel, Field

from idrbench_inspect.log_events import emit
from idrbench_inspect.pipeline.kit import Kit, brief_fenced, dialogue_fenced, language_of, wishes_fenced
from idrbench_inspect.pipeline.lanes import lane, records
from idrbench_inspect.pipeline.shortened import shortened
from idrbench_inspect.prompting import fence, notice, prompt
from idrbench_inspect.records import STAGES, Decision, Exchange, RunState, Stage
from idrbench_inspect.replies import ask_json
from idrbench_inspect.user.ask import ask_user, question_view
from idrbench_inspect.user.seat import Asking, asking

FORCED = "A question is put at every opportunity in this arm."


class Verdict(BaseModel):
    """The Evaluator's reply: the reason first, then whether to ask."""

    rationale: str = Field(min_length=1)
    ask: bool


class Clarification(BaseModel):
    """The Questioner's reply: one question, or two.

    Two fields and no list, because the schema that reaches a provider cannot say how many items a list may have.
    """

    summary: str
    question: str = Field(min_length=1, pattern=r"\S")
    second_question: str

    @property
    def questions(self) -> list[str]:
        """The questions that are there."""
        return [question for question in (self.question, self.second_question) if question.strip()]


async def clarify(kit: Kit, state: RunState, stage: Stage, keep: Callable[[RunState], None]) -> RunState:
    """Take the opportunity to ask at `stage`, and close it.

    Planning and generation are opportunities that last until the Evaluator declines or the stage's budget is used;
    research has one opportunity, of one turn at the most, after each round that brought findings.

    Args:
        kit: The sample's means.
        state: The run so far.
        stage: Where in its work the run stands.
        keep: Called with the state after every decision, so that a delivered question is never lost.

    Returns:
        The state with what was exchanged; the same state if this opportunity is closed already.

    Raises:
        UnusableReply: Evaluator or Questioner gave nothing usable after the bounded attempts.
    """
    point = state.point(stage)
    if point in state.closed:
        return state
    async with lane("clarification"):
        while point not in state.closed:
            decision = await _decide(kit, state, stage)
            state = after(decision)
            keep(state)
            async with records():
                emit("decision", {"hash": decision.digest(), **kit.shelf.put(decision)})
    return state


def after(decision: Decision, reply: str | None = None) -> RunState:
    """The state that follows a decision; with `reply`, the state had the user said this instead.

    Example:
        >>> from idrbench_inspect.records import Query
        >>> state = RunState(query=Query(id="a", text="Why?", language="en"), arm="autonomous", date="d")
        >>> left = {"turns_left": 0, "turns_left_overall": 0}
        >>> after(Decision(stage="planning", point="planning", state=state, ask=None, **left)).closed
        ('planning',)
    """
    state, exchange = decision.state, decision.exchange
    if exchange is None:
        return state.replace(closed=(*state.closed, decision.point))
    if reply is not None:
        exchange = exchange.model_copy(update={"reply": reply})
    last = decision.stage == "research" or decision.turns_left <= 1
    closed = (*state.closed, decision.point) if last else state.closed
    return state.replace(exchanges=(*state.exchanges, exchange), closed=closed)


async def _decide(kit: Kit, state: RunState, stage: Stage) -> Decision:
    left = max(0, kit.budgets.allowed(stage) - state.used(stage))
    overall = sum(max(0, kit.budgets.allowed(s) - state.used(s)) for s in STAGES)
    verdict = await _evaluate(kit, state, stage, (left, overall)) if left and kit.arm.user else None
    exchange = await _ask(kit, state, stage, verdict.rationale) if verdict and verdict.ask else None
    return Decision(
        stage=stage,
        point=state.point(stage),
        state=state,
        turns_left=left,
        turns_left_overall=overall,
        ask=verdict.ask if verdict else None,
        rationale=verdict.rationale if verdict else "",
        exchange=exchange,
        made_by=dict(kit.made_by),
    )


async def _evaluate(kit: Kit, state: RunState, stage: Stage, left: tuple[int, int]) -> Verdict:
    if kit.arm.forced:
        return Verdict(rationale=FORCED, ask=True)
    known: dict[str, Any] = {
        "date": state.date,
        "query": fence("query", state.query.text),
        "dialogue": dialogue_fenced(state.exchanges),
        "turns_left": left[0],
        "turns_left_overall": left[1],
    }
    if stage != "planning":
        known |= {"brief": brief_fenced(state), "clarifications": wishes_fenced(state)}

    async def ask(characters: int) -> Verdict:
        found = {} if stage == "planning" else {"findings": _findings_fenced(state, characters)}
        return await ask_json(kit.models["evaluator"], prompt(f"evaluator_{stage}", **known, **found), Verdict)

    return await shortened(ask, [finding.text for finding in state.findings])


async def _ask(kit: Kit, state: RunState, stage: Stage, rationale: str) -> Exchange:
    question = await _word(kit, state, stage, rationale)
    where = Asking(stage, state.used(stage) + 1, rationale, len(state.rounds))
    call = call_message(question.summary, question.questions, len(state.exchanges) + 1)
    with asking(where) as seat:
        before = len(seat.exchanges)
        done = await execute_tools([call], [ask_user()])
        if seat.reached is not None:
            raise seat.reached
        if len(seat.exchanges) != before + 1:
            reply = done.messages[0]
            raise RuntimeError(f"ask_user delivered no question: {getattr(reply, 'error', None) or reply.text}")
        exchange = seat.exchanges[-1]
    kit.shelf.know(exchange)
    return exchange


async def _word(kit: Kit, state: RunState, stage: Stage, rationale: str) -> Clarification:
    async def ask(characters: int) -> Clarification:
        asked = prompt(
            "questioner",
            date=state.date,
            query=fence("query", state.query.text),
            dialogue=dialogue_fenced(state.exchanges),
            brief=brief_fenced(state),
            clarifications=wishes_fenced(state),
            findings=_findings_fenced(state, characters),
            stage=stage,
            rationale=fence("rationale", rationale),
            language=language_of(state),
        )
        return await ask_json(kit.models["questioner"], asked, Clarification)

    return await shortened(ask, [finding.text for finding in state.findings])


def call_message(summary: str, questions: list[str], number: int) -> ChatMessageAssistant:
    """A question to the user, as the tool call that a log shows."""
    call = ToolCall(f"ask_user_{number}", "ask_user", {"summary": summary, "questions": questions})
    call.view = question_view(call).call
    return ChatMessageAssistant(content="", tool_calls=[call])


def exchange_messages(exchange: Exchange, number: int) -> list[ChatMessageAssistant | ChatMessageTool]:
    """An exchange as the two messages of the Messages tab."""
    call = call_message(exchange.summary, list(exchange.questions), number)
    return [call, ChatMessageTool(content=exchange.reply, tool_call_id=f"ask_user_{number}", function="ask_user")]


def _findings_fenced(state: RunState, characters: int) -> str:
    if not state.findings:
        return notice("nothing")
    return "\n\n".join(fence("finding", f"{f.topic}\n\n{f.text[:characters]}") for f in state.findings)
