"""Supervise: one iteration of the supervisor, with the researchers it delegates to."""

from collections.abc import Callable, Sequence

from inspect_ai.model import ChatMessage, ChatMessageAssistant, ChatMessageTool, ChatMessageUser
from inspect_ai.tool import ToolCall
from inspect_ai.util import LimitExceededError

from idrbench_inspect.errors import UnusableReply, reason_of
from idrbench_inspect.pipeline.kit import Kit, brief_fenced, wishes_fenced
from idrbench_inspect.pipeline.lanes import lane
from idrbench_inspect.pipeline.pages import PageReader
from idrbench_inspect.pipeline.research import Notes, Outcome, research
from idrbench_inspect.pipeline.shortened import shortened
from idrbench_inspect.pipeline.together import together
from idrbench_inspect.pipeline.tools import Prepared, answer_calls, infos, supervisor_tools, topic_of
from idrbench_inspect.prompting import fence, notice, prompt
from idrbench_inspect.records import Delegation, Exchange, Finding, Loss, Round, RunState, ToolReply
from idrbench_inspect.replies import ask_tools, opening

DELEGATE, COMPLETE = "conduct_research", "research_complete"


async def supervise(kit: Kit, state: RunState, keep: Callable[[RunState], None]) -> RunState:
    """One supervisor call and all that it delegates.

    Args:
        kit: The sample's means.
        state: The run so far.
        keep: Called with the state as it stands when the researchers have ended or were cut off from outside (a sample
            limit, a cancellation), so that finished findings are not lost.

    Returns:
        The state with one more round, and with `stopped_by` when research is over.

    Raises:
        LimitExceededError: a limit of the sample was reached; what was finished has been kept.
    """
    stop = kit.meter.exhausted()
    if stop is not None:
        return state.replace(stopped_by=stop)
    try:
        async with lane("supervisor"):
            message = await _next_move(kit, state)
    except UnusableReply as unusable:
        return state.replace(stopped_by=f"supervisor reply {unusable.fault}")
    number = len(state.rounds) + 1
    calls = message.tool_calls or []
    if not calls:
        return _without_calls(kit, state, message, number)
    work = _Work(kit, state, number, calls)
    try:
        await work.run()
    finally:
        keep(work.state(message, ()))
    if work.fatal is not None:
        raise work.fatal
    replies = await answer_calls(message, supervisor_tools(work.prepared()))
    return work.state(message, replies).replace(stopped_by=_stop_after(kit, calls, number))


def messages_of(kit: Kit, state: RunState, characters: int | None = None) -> list[ChatMessage]:
    """The supervisor's conversation, rebuilt from the records: the same in a running and in a restarted run.

    Args:
        kit: The sample's means.
        state: The run so far.
        characters: What each finding is cut to; `None` for whole findings.
    """
    before = state.replace(exchanges=tuple(e for e in state.exchanges if e.after_round == 0))
    messages = opening(
        prompt(
            "supervisor",
            date=state.date,
            iterations=kit.limits.supervisor_iterations,
            concurrent=kit.limits.concurrent_researchers,
            brief=brief_fenced(state),
            clarifications=wishes_fenced(before),
        )
    )
    for round_ in state.rounds:
        messages.append(ChatMessageAssistant.model_validate(round_.message))
        outcomes = {d.call: d for d in round_.delegations}
        messages.extend(_replayed(reply, outcomes, characters) for reply in round_.replies)
        if round_.nudge:
            messages.append(ChatMessageUser(content=round_.nudge))
        later = [e for e in state.exchanges if e.after_round == round_.number and e.stage == "research"]
        messages.extend(_clarified(exchange) for exchange in later)
    return messages


async def _next_move(kit: Kit, state: RunState) -> ChatMessageAssistant:
    """The supervisor's message; on a context overflow the findings are cut shorter."""
    tools = infos(supervisor_tools(Prepared()))

    async def ask(characters: int) -> ChatMessageAssistant:
        return await ask_tools(kit.models["supervisor"], messages_of(kit, state, characters), tools)

    return await shortened(ask, [finding.text for finding in state.findings])


def _without_calls(kit: Kit, state: RunState, message: ChatMessageAssistant, number: int) -> RunState:
    """A reply without a tool call: the end of research when something was found, otherwise a reason to ask again."""
    last = number >= kit.limits.supervisor_iterations
    nudge = None if state.findings or last else notice("nudge_supervisor")
    done = state.replace(rounds=(*state.rounds, Round(number=number, message=_json(message), nudge=nudge)))
    if nudge:
        return done
    return done.replace(stopped_by="no_tool_call" if state.findings else "supervisor_iterations")


class _Work:
    """The delegations of one supervisor message while they are carried out."""

    def __init__(self, kit: Kit, state: RunState, number: int, calls: Sequence[ToolCall]) -> None:
        self.kit, self._state, self.number = kit, state, number
        self.calls = [call for call in calls if call.function == DELEGATE]
        self.reader = PageReader(kit, state)
        self.outcomes: dict[str, Outcome] = {}
        self.notes = {call.id: Notes() for call in self.calls}
        self.fatal: Exception | None = None

    async def run(self) -> None:
        """Carry out the first readable calls, at most `concurrent_researchers`, at the same time."""
        limit = self.kit.limits.concurrent_researchers
        readable = [call for call in self.calls if topic_of(call) is not None]
        for call in self.calls:
            if call not in readable:
                self.outcomes[call.id] = _lost("malformed", str(call.arguments)[:200], "its arguments cannot be read")
        for call in readable[limit:]:
            reason = f"over the limit of {limit} at once"
            self.outcomes[call.id] = _lost("skipped", topic_of(call) or "", reason)
        await together(*(self._one(n, call) for n, call in enumerate(readable[:limit], 1)))

    async def _one(self, n: int, call: ToolCall) -> None:
        topic, notes = topic_of(call) or "", self.notes[call.id]
        async with lane(f"researcher-{self.number}.{n}"):
            try:
                self.outcomes[call.id] = await research(self.kit, self._state, topic, self.reader, notes)
            except LimitExceededError as reached:
                self.fatal = reached
                reason = f"the sample's {reached.type} limit was reached"
                self.outcomes[call.id] = _lost("failed", topic, reason, notes)
            except Exception as broken:  # it must leave the other researchers' findings, and is marked as a loss
                self.outcomes[call.id] = _lost("failed", topic, reason_of(broken), notes)

    def _outcome(self, call: ToolCall) -> Outcome:
        """The call's outcome; of one that was cut off from outside, the loss with what it had searched by then."""
        reason = "the sample ended before it was done"
        cut = _lost("failed", topic_of(call) or "", reason, self.notes[call.id])
        return self.outcomes.get(call.id, cut)

    def delegations(self) -> tuple[Delegation, ...]:
        """Every delegation with its outcome; one that was cut off is a loss."""
        outcomes = [self._outcome(call) for call in self.calls]
        return tuple(
            Delegation(call=call.id, topic=topic_of(call) or "", finding=o.finding, loss=o.loss)
            for call, o in zip(self.calls, outcomes, strict=True)
        )

    def prepared(self) -> Prepared:
        """The replies to the readable calls, in the order of the calls."""
        ready = Prepared()
        for call in self.calls:
            topic = topic_of(call)
            if topic is not None:
                ready.add(topic, self._reply(self.outcomes[call.id]))
        return ready

    def _reply(self, outcome: Outcome) -> str:
        if outcome.finding is not None:
            return finding_reply(outcome.finding)
        if outcome.loss is not None and outcome.loss.kind == "skipped":
            return notice("over_limit", limit=self.kit.limits.concurrent_researchers)
        return notice("lost", reason=outcome.loss.reason if outcome.loss else "")

    def state(self, message: ChatMessageAssistant, replies: Sequence[ChatMessageTool]) -> RunState:
        """The state with this round, its losses and the pages read; there are no replies yet when it is cut off."""
        outcomes = [self._outcome(call) for call in self.calls]
        round_ = Round(
            number=self.number,
            message=_json(message),
            replies=tuple(_record(reply, self.outcomes) for reply in replies),
            delegations=self.delegations(),
            searches=sum(outcome.searches for outcome in outcomes),
            failed_searches=sum(outcome.failed_searches for outcome in outcomes),
        )
        losses = (*self._state.losses, *(loss for outcome in outcomes for loss in outcome.losses))
        return self._state.replace(rounds=(*self._state.rounds, round_), losses=losses, pages=self.reader.pages)


def finding_reply(finding: Finding, characters: int | None = None) -> str:
    """A finding as the supervisor reads it: text and numbered sources."""
    sources = "\n".join(f"[{n}] {source.title}: {source.url}" for n, source in enumerate(finding.sources, 1))
    text = f"{finding.topic}\n\n{finding.text[:characters]}\n\n{sources}"
    return f"{notice('finding')}\n{fence('finding', text)}"


def _record(reply: ChatMessageTool, outcomes: dict[str, Outcome]) -> ToolReply:
    """The reply as the round keeps it: by reference where a finding holds the text."""
    call = reply.tool_call_id or ""
    outcome = outcomes.get(call)
    if outcome is not None and outcome.finding is not None:
        return ToolReply(call=call, function=DELEGATE, text=None)
    error = reply.error.__dict__ if reply.error else None
    return ToolReply(call=call, function=reply.function or "", text=reply.text, error=error)


def _replayed(reply: ToolReply, outcomes: dict[str, Delegation], characters: int | None) -> ChatMessageTool:
    found = outcomes[reply.call].finding if reply.text is None else None
    text = finding_reply(found, characters) if found is not None else reply.text or ""
    return ChatMessageTool.model_validate(
        {"content": text, "tool_call_id": reply.call, "function": reply.function, "error": reply.error}
    )


def _clarified(exchange: Exchange) -> ChatMessageUser:
    return ChatMessageUser(content=f"{notice('clarified')}\n{fence('clarifications', exchange.reply)}")


def _stop_after(kit: Kit, calls: Sequence[ToolCall], number: int) -> str | None:
    if any(call.function == COMPLETE for call in calls):
        return "complete"
    return "supervisor_iterations" if number >= kit.limits.supervisor_iterations else None


def _lost(kind: str, subject: str, reason: str, notes: Notes | None = None) -> Outcome:
    loss = Loss.model_validate({"what": "delegation", "kind": kind, "subject": subject, "reason": reason})
    return (notes or Notes()).lost(loss)


def _json(message: ChatMessageAssistant) -> dict[str, object]:
    return message.model_dump(mode="json", exclude_none=True, exclude={"id", "model", "source"})
