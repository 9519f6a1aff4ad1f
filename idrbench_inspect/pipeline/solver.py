"""The solver: from Inspect's sample to a stored `ResearchRun`, whatever ends the run."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from anyio import get_cancelled_exc_class
from inspect_ai.log import transcript
from inspect_ai.model import ChatMessageAssistant, ModelOutput, get_model
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import LimitExceededError, store, token_limit

from idrbench_inspect import spending
from idrbench_inspect.arms import Arm, arm_named
from idrbench_inspect.blocklist import Blocklist
from idrbench_inspect.errors import reason_of
from idrbench_inspect.limits import NO_QUESTIONS, Budgets, Limits
from idrbench_inspect.log_events import emit, shelf
from idrbench_inspect.pipeline.clarify import exchange_messages
from idrbench_inspect.pipeline.kit import Kit, Meter, Spent
from idrbench_inspect.pipeline.trajectory import Progress, trajectory
from idrbench_inspect.records import AGENT_ROLES, Query, ResearchRun, RunState
from idrbench_inspect.resources import prompts_sha256
from idrbench_inspect.search import Search
from idrbench_inspect.search.choose import search_named
from idrbench_inspect.user.seat import delivered, resume

RUN_KEY = "idrbench:run"


@solver
def deep_research(
    date: str,
    search: str | Search = "tavily",
    limits: dict[str, int | None] | None = None,
    budgets: dict[str, int] | None = None,
    summarizer: str = "openai/gpt-4.1-nano",
    start: RunState | None = None,
) -> Solver:
    """The deep-research pipeline: Planner, Supervisor, Researchers, Reporter, asking its user at three stages.

    Args:
        date: What every prompt takes for today, the same through the run.
        search: `tavily`, `corpus:PATH`, or a `Search` of one's own; a sample's `blocked_domains` are not read.
        limits: Fields of `Limits` that differ from its defaults.
        budgets: Fields of `Budgets` that differ from its defaults; the sample's arm may still allow no question.
        summarizer: Who plays the role `summarizer` when it is not bound.
        start: A state to go on from, as a decision record holds it; only for the sample it came from.

    Raises:
        BadInput: a limit, budget or search that cannot be used.
    """
    bounds, turns = Limits.of(**(limits or {})), Budgets.of(**(budgets or {}))
    provider = search_named(search, None) if isinstance(search, str) else search

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        arm = arm_named(state.metadata.get("arm", "interactive"))
        with token_limit(None) as spent, spending.attempt(state.uuid):
            kit = _blocking(make_kit(arm, provider, bounds, turns, (date, summarizer, spent)), state)
            progress = Progress(start or _beginning(state, arm, date))
            resume(progress.state.exchanges)
            emit("settings", _settings(kit, state, date))
            ended_by = "finished"
            try:
                await trajectory(kit, progress)
            except LimitExceededError as reached:
                ended_by = f"limit: {reached.type}"
                raise
            except get_cancelled_exc_class():  # a time limit of the sample ends it like this too
                ended_by = "cancelled: a time limit of the sample, or an interruption"
                raise
            except BaseException as broken:  # whatever ends the sample leaves the run so far
                ended_by = f"error: {reason_of(broken)}"
                raise
            finally:
                progress.keep(progress.state.replace(exchanges=delivered(progress.state.exchanges)))
                store().set(RUN_KEY, _run(progress, ended_by).model_dump(mode="json", by_alias=True))
                _show(state, progress)
        return state

    return solve


def make_kit(arm: Arm, search: Search, limits: Limits, budgets: Budgets, rest: tuple[str, str, Spent]) -> Kit:
    """Resolve the roles and put a sample's means together; `rest` is date, default summariser and token counter."""
    date, summarizer, spent = rest
    budgets = budgets if arm.user else NO_QUESTIONS
    models = {role: get_model(role=role, default=get_model()) for role in AGENT_ROLES}
    models["summarizer"] = get_model(role="summarizer", default=summarizer)
    made_by = {
        "prompts": prompts_sha256(),
        "search": search.identity,
        "limits": limits.model_dump_json(),
        "budgets": budgets.model_dump_json(),
        "date": date,
        **{f"model:{role}": str(model) for role, model in models.items()},
    }
    return Kit(models, search, limits, budgets, arm, Meter(limits, spent), shelf(), made_by)


def _blocking(kit: Kit, state: TaskState) -> Kit:
    """The means of a sample with what it must not read: what its metadata name, as of `Blocklist.of`."""
    blocked = Blocklist.of(state.metadata.get("blocked_domains"))
    return replace(kit, blocked=blocked, made_by={**kit.made_by, "blocked_domains": blocked.digest()})


def _beginning(state: TaskState, arm: Arm, date: str) -> RunState:
    metadata = state.metadata
    query = Query(id=str(metadata.get("task", state.sample_id)), text=state.input_text, language=metadata["language"])
    return RunState(query=query, arm=arm.name, date=date, given=metadata.get("given"))


def _settings(kit: Kit, state: TaskState, date: str) -> Mapping[str, Any]:
    return {
        "arm": kit.arm.name,
        "budgets": kit.budgets.model_dump(),
        "limits": kit.limits.model_dump(),
        "language": state.metadata["language"],
        "search": kit.search.name,
        "date": date,
        "models": {role: str(model) for role, model in kit.models.items()},
        "made_by": dict(kit.made_by),
    }


def _run(progress: Progress, ended_by: str) -> ResearchRun:
    state, report = progress.state, progress.report
    return ResearchRun(
        query_id=state.query.id,
        arm=state.arm,
        brief=state.brief,
        rounds=state.rounds,
        exchanges=state.exchanges,
        losses=state.losses,
        stopped_by=state.stopped_by,
        ended_by=report.fault if report and report.fault else ended_by,
        report=report.text if report else None,
        report_cut=bool(report and report.cut),
        cited=report.cited if report else (),
        ungrounded=report.ungrounded if report else (),
        searches=sum(round_.searches for round_ in state.rounds),
        failed_searches=sum(round_.failed_searches for round_ in state.rounds),
        decisions=len(state.closed),
        usage=spending.usage_by_role(transcript().events, spending.list_prices()),
    )


def _show(state: TaskState, progress: Progress) -> None:
    """Leave the report as output, and a readable Messages tab: the query, every exchange, the report."""
    messages = [m for n, e in enumerate(progress.state.exchanges, 1) for m in exchange_messages(e, n)]
    if progress.report is not None:
        messages.append(ChatMessageAssistant(content=progress.report.text))
        state.output = ModelOutput.from_content(str(get_model()), progress.report.text)
        emit("report", {"cited": len(progress.report.cited), "characters": len(progress.report.text)})
    with suppress(LimitExceededError):  # a limit on messages is for conversations; what is shown here must end nothing
        state.messages.extend(messages)
