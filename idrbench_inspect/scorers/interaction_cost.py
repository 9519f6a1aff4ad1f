"""What a run cost: the user's turns and reading, and the model calls and searches by who made them."""

import logging
import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from inspect_ai.event import Event
from inspect_ai.log import transcript
from inspect_ai.scorer import Metric, Score, Scorer, Target, scorer
from inspect_ai.solver import TaskState

from idrbench_inspect import spending
from idrbench_inspect.metrics.interaction import reading_load, turn_counts
from idrbench_inspect.records import ROLES, STAGES, ResearchRun, Usage
from idrbench_inspect.scorers.aligned_mean import aligned_mean, means_by_arm
from idrbench_inspect.scorers.aside import aside
from idrbench_inspect.scorers.logged import ending_of, entries, exchanges_of, run_of
from idrbench_inspect.scorers.paired import own_gains
from idrbench_inspect.scorers.parameters import refuse_unknown
from idrbench_inspect.scorers.samples import samples

_log = logging.getLogger(__name__)

COST_ROLES: tuple[str, ...] = (*ROLES, spending.AGENT)
_NOT_THE_AGENT = ("user", "grader")

# Every sample has every key; NaN says unknown or undefined. A metric over a key is a mean per sample.
KEYS: dict[str, str] = {
    "turns": "turns: questions delivered to the user, answered or not",
    **{f"turns_{stage}": f"turns: of them in {stage}; NaN for an agent without stages" for stage in STAGES},
    "allowed": "turns: the budget over all stages",
    **{f"allowed_{stage}": f"turns: the budget of {stage}" for stage in STAGES},
    "unanswered": "turns: of them with a blank or rejected reply",
    "questions_per_turn": "questions: atomic questions per turn",
    "summary_tokens_per_turn": "cl100k tokens: the summary shown to the user, per turn; English only",
    "question_tokens_per_turn": "cl100k tokens: the questions shown to the user, per turn; English only",
    "read_tokens_per_turn": "cl100k tokens: both together, which is what the user must read; English only",
    "response_tokens_per_turn": "cl100k tokens: the user's reply, per answered turn; English only",
    "model_calls": "calls: billed requests of the agent (everyone but user and grader), failed ones included",
    "failed_calls": "calls: of them ended in an error without a reply",
    "tokens_agent_total": "tokens: billed to the agent; all roles but user and grader",
    "tokens_agent_with_cache": "tokens: the same and what Inspect's cache served, so equal with and without a cache",
    "dollars_agent_total": "US dollars: billed to the agent, searches apart",
    **{f"tokens_{role}": f"tokens: billed to {role}, input, cached input and output" for role in COST_ROLES},
    **{f"dollars_{role}": f"US dollars: billed to {role}" for role in COST_ROLES},
    "dollars_search": "US dollars: fees of the searches that the provider carried out",
    "retried_tokens": "tokens: of the agent in earlier attempts at the sample, in no other key",
    "retried_dollars": "US dollars: of the agent in earlier attempts at the sample, in no other key",
    "searches": "searches: carried out",
    "failed_searches": "searches: not carried out by the provider",
    "delegations": "delegations: calls of a researcher",
    "findings": "delegations: of them that ended in a finding",
    "lost_delegations": "delegations: of them that ended in a marked loss",
    "other_losses": "losses: searches, queries, pages, sources and write-ups that were lost, delegations apart",
    "reported": "0 or 1: a report was written",
    "report_cut": "0 or 1: the report was cut at the output limit; NaN without a report",
    "ungrounded": "0 or 1: the report cites no source; NaN without a report",
    "ungrounded_citations": "citations: markers and links in the report that no source stands behind",
}


HEADLINE = (
    *("turns", *(f"turns_{stage}" for stage in STAGES), "unanswered", "questions_per_turn"),
    *("read_tokens_per_turn", "response_tokens_per_turn", "model_calls"),
    *("tokens_agent_total", "dollars_agent_total", "dollars_search", "dollars_user", "dollars_grader"),
    *("searches", "findings", "lost_delegations", "ungrounded"),
)
"""Keys that are averaged over samples; the others stand in every sample, where analysis finds them."""


def means(key: str) -> list[Metric]:
    """The mean of a key, by arm where there are several, and, with the turns, over how many samples cost is counted."""
    return [aligned_mean([]), *([samples()] if key == "turns" else []), means_by_arm([])]


@scorer(metrics={key: [*means(key), own_gains()] for key in HEADLINE})
def interaction_cost(**unknown: Any) -> Scorer:
    """What the sample cost, in the keys and units of `KEYS`.

    It reads the events of the sample's log and the run record, so a stored log scores as the run did. Only grader calls
    depend on the order: they are those of scorers that ran before, so put this scorer last. Totals of the agent hold
    all roles but "user" and "grader". Dollars are Inspect's where it set them, else those of the shipped price list,
    and NaN where a price is unknown. Keys of the pipeline are NaN for an agent that leaves no run record.

    Args:
        unknown: Taken so that a parameter is refused in a sentence, when the scorer is made; there are none.
    """
    refuse_unknown(unknown, "interaction_cost")

    async def score(state: TaskState, target: Target) -> Score:
        events, run = list(transcript().events), run_of(state)
        exchanges = exchanges_of(run, events)
        settings = (entries(events, "settings") or [{}])[-1]
        staged = run is not None or "budgets" in settings
        usage = spending.usage_by_role(events, spending.list_prices())
        value = {
            **turn_counts(exchanges, staged=staged),
            **_allowed(settings),
            **await aside(reading_load, exchanges, english=state.metadata.get("language") == "en"),
            **_billed(usage, events),
            **_retried(events),
            **_researched(run, settings),
        }
        unpriced = spending.unpriced_models(events, spending.list_prices())
        _warn(unpriced)
        return Score(
            value={key: float(value[key]) for key in KEYS},
            explanation=_explain(value, unpriced) + _ending(run),
            metadata={
                "usage": {role: used.model_dump() for role, used in usage.items()},
                "models": {role: list(names) for role, names in spending.models_by_role(events).items()},
                "unpriced": list(unpriced),
                "prices_noted": spending.list_prices().noted,
                "stopped_by": run.stopped_by if run else None,
                "ended_by": run.ended_by if run else None,
            },
        )

    return score


def _allowed(settings: Mapping[str, Any]) -> dict[str, float]:
    budgets = settings.get("budgets", {})
    by_stage = {f"allowed_{stage}": float(budgets.get(stage, math.nan)) for stage in STAGES}
    return {**by_stage, "allowed": sum(by_stage.values())}


def _billed(usage: Mapping[str, Usage], events: Sequence[Event]) -> dict[str, float]:
    unmetered, failed = spending.unmetered_roles(events), spending.failed_calls(events)
    named = _fold(usage)
    unknown = {_key_role(role) for role in unmetered}
    agent = [role for role in COST_ROLES if role not in _NOT_THE_AGENT]
    tokens = {r: math.nan if r in unknown else float(spending.all_tokens(named[r])) for r in COST_ROLES}
    replayed = _fold(spending.replayed_by_role(events, spending.list_prices()))
    spent = spending.total(named[role] for role in agent)
    agent_tokens = sum(tokens[role] for role in agent)
    return {
        **{f"tokens_{role}": tokens[role] for role in COST_ROLES},
        **{f"dollars_{role}": _known(named[role].dollars) for role in COST_ROLES},
        "model_calls": float(spent.calls),
        "failed_calls": float(sum(count for role, count in failed.items() if role not in _NOT_THE_AGENT)),
        "tokens_agent_total": agent_tokens,
        "tokens_agent_with_cache": agent_tokens + sum(spending.all_tokens(replayed[role]) for role in agent),
        "dollars_agent_total": _known(spent.dollars),
    }


def _retried(events: Iterable[Event]) -> dict[str, float]:
    attempts = entries(events, "attempt")
    if not attempts:
        return {"retried_tokens": math.nan, "retried_dollars": math.nan}
    earlier = attempts[-1]["earlier"]
    used = spending.total(Usage(**used) for role, used in earlier.items() if role not in _NOT_THE_AGENT)
    return {"retried_tokens": float(spending.all_tokens(used)), "retried_dollars": _known(used.dollars)}


def _researched(run: ResearchRun | None, settings: Mapping[str, Any]) -> dict[str, float]:
    counts = ("searches", "failed_searches", "delegations", "findings", "lost_delegations", "other_losses")
    report = ("report_cut", "ungrounded", "ungrounded_citations")
    if run is None:
        return dict.fromkeys((*counts, *report, "reported", "dollars_search"), math.nan)
    written = run.report is not None
    billed = run.searches - run.failed_searches
    return {
        "searches": float(run.searches),
        "failed_searches": float(run.failed_searches),
        "delegations": float(len(run.delegations)),
        "findings": float(len(run.findings)),
        "lost_delegations": float(len(run.delegations) - len(run.findings)),
        "other_losses": float(len(run.losses)),
        "reported": float(written),
        "report_cut": float(run.report_cut) if written else math.nan,
        "ungrounded": float(not run.cited) if written else math.nan,
        "ungrounded_citations": float(len(run.ungrounded)) if written else math.nan,
        "dollars_search": _known(spending.list_prices().searches(settings.get("search"), billed)),
    }


def _key_role(role: str) -> str:
    return role if role in ROLES else spending.AGENT


def _fold(usage: Mapping[str, Usage]) -> dict[str, Usage]:
    return {
        name: spending.total(used for role, used in usage.items() if _key_role(role) == name) for name in COST_ROLES
    }


def _known(dollars: float | None) -> float:
    return math.nan if dollars is None else dollars


def _explain(value: Mapping[str, float], unpriced: Sequence[str]) -> str:
    def money(key: str) -> str:
        return "$ unknown" if math.isnan(value[key]) else f"${value[key]:.4f}" if value[key] else "$0"

    allowed = f" of {value['allowed']:.0f}" if value["allowed"] > 0 else ""
    asked = f", {value['questions_per_turn']:.1f} questions each" if value["turns"] else ""
    tokens = "unknown" if math.isnan(value["tokens_agent_total"]) else f"{value['tokens_agent_total']:,.0f}"
    again = f"; earlier attempts {value['retried_tokens']:,.0f} tokens" if value["retried_tokens"] > 0 else ""
    missing = f"; no price for {', '.join(unpriced)}" if unpriced else ""
    return (
        f"{value['turns']:.0f}{allowed} turns{asked}; {value['model_calls']:.0f} calls, {tokens} tokens, "
        f"{money('dollars_agent_total')}; searches {money('dollars_search')}, user {money('dollars_user')}, "
        f"grader {money('dollars_grader')}{again}{missing}"
    )


def _ending(run: ResearchRun | None) -> str:
    """How research ended and what it found: a low score after no research has to be seen for what it is."""
    if run is None:
        return ""
    return f"; {len(run.findings)} findings of {len(run.delegations)} delegations, research {ending_of(run)}"


def _warn(unpriced: Iterable[str]) -> None:
    for model in unpriced:
        _warn_once(model)


@cache
def _warn_once(model: str) -> None:
    _log.warning("no price is known for %s: its cost is unknown, not 0 (--model-cost-config gives prices)", model)
