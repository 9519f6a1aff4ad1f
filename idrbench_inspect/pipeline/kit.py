"""What a stage is handed besides its input: models by role, the search, limits, the date, and the page reader."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from inspect_ai.model import Model

from idrbench_inspect.arms import Arm
from idrbench_inspect.blocklist import Blocklist
from idrbench_inspect.limits import Budgets, Limits
from idrbench_inspect.prompting import fence, notice
from idrbench_inspect.records import Exchange, Language, Role, RunState
from idrbench_inspect.search import Search
from idrbench_inspect.shelf import Shelf

LANGUAGE_NAMES: dict[Language, str] = {"en": "English", "zh": "Chinese (简体中文)"}


class Spent(Protocol):
    """Counts tokens; Inspect's `token_limit(None)` is one."""

    @property
    def usage(self) -> float:
        """Tokens used since it was opened."""
        ...


@dataclass(frozen=True)
class Meter:
    """How much of the caps on research is used. Only tokens and time; what the report costs is not held back by it."""

    limits: Limits
    spent: Spent
    began: float = field(default_factory=time.monotonic)

    def exhausted(self) -> str | None:
        """The cap that is reached, as `stopped_by` names it; `None` while research may go on."""
        tokens, seconds = self.limits.research_tokens, self.limits.research_seconds
        if tokens is not None and self.spent.usage >= tokens:
            return "research_tokens"
        if seconds is not None and time.monotonic() - self.began >= seconds:
            return "research_seconds"
        return None


@dataclass(frozen=True)
class Kit:
    """One sample's means. Stages read it and change nothing in it."""

    models: Mapping[Role, Model]
    search: Search
    limits: Limits
    budgets: Budgets
    arm: Arm
    meter: Meter
    shelf: Shelf
    made_by: Mapping[str, str]
    blocked: Blocklist = field(default_factory=Blocklist)


def wishes_fenced(state: RunState) -> str:
    """What the person said, at the start and in replies, as it stands beside the brief; a plain word when nothing."""
    parts = []
    if state.given:
        parts.append(f"{notice('volunteered')}\n{fence('given', state.given)}")
    if state.exchanges:
        said = "\n\n".join(exchange.reply for exchange in state.exchanges)
        parts.append(f"{notice('clarifications')}\n{fence('clarifications', said)}")
    return "\n\n".join(parts)


def dialogue_fenced(exchanges: Sequence[Exchange]) -> str:
    """The conversation with the person so far, fenced; a plain word when there was none."""
    if not exchanges:
        return notice("no_dialogue")
    turns = (f"Team: {' '.join([e.summary, *e.questions]).strip()}\nPerson: {e.reply}" for e in exchanges)
    return fence("dialogue", "\n\n".join(turns))


def brief_fenced(state: RunState) -> str:
    """The brief, fenced; a plain word before there is one."""
    return fence("brief", state.brief.text) if state.brief else notice("nothing")


def language_of(state: RunState) -> str:
    """The language of the query, as prompts name it."""
    return LANGUAGE_NAMES[state.query.language]
