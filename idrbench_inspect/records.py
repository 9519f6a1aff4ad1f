"""The records that pass between rooms: frozen, self-validating, versioned.

A stage takes records and returns a record. `RunState` is a run at one moment, complete enough to go on from;
`ResearchRun` is a run at its end, the one thing that scorers see of a pipeline. Large records (`SHELVED`) enter a log
once and are referred to by the hash of their content, see `shelf.py`.
"""

import hashlib
from typing import Any, Final, Literal, Self, get_args

from pydantic import BaseModel, ConfigDict, Field, model_validator

SCHEMA: Final = "idrbench/1"

Language = Literal["en", "zh"]
LANGUAGES: tuple[Language, ...] = get_args(Language)
Stage = Literal["planning", "research", "generation"]
STAGES: tuple[Stage, ...] = get_args(Stage)
Role = Literal[
    "planner", "supervisor", "researcher", "compressor", "reporter",
    "evaluator", "questioner", "summarizer", "user", "grader",
]  # fmt: skip
ROLES: tuple[Role, ...] = get_args(Role)
AGENT_ROLES: tuple[Role, ...] = ROLES[:7]


class Record(BaseModel):
    """A frozen value; two records with the same content have the same `digest`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def digest(self) -> str:
        """The first 16 hex digits of the SHA-256 of the record's kind and JSON."""
        text = f"{type(self).__name__}:{self.model_dump_json()}"
        return hashlib.sha256(text.encode()).hexdigest()[:16]


class Query(Record):
    """The task as the agent sees it: nothing of the target, the source query or the preferences."""

    id: str = Field(min_length=1)
    text: str = Field(min_length=1)
    language: Language


class Page(Record):
    """What one web page came to: its summary, or its opening where no summary could be had (`missing` says why)."""

    url: str
    title: str
    text: str
    missing: str | None = None


class Source(Record):
    """A page that a finding rests on."""

    url: str
    title: str


class Loss(Record):
    """Something that was asked for and not obtained, and why.

    `skipped` is a delegation that our own rules did not carry out; `malformed` one whose arguments could not be read;
    `failed` one whose researcher broke; `unsourced` one that came back without any source. A `skipped` page stands on
    a blocked domain and was not read.
    """

    what: Literal["delegation", "search", "query", "page", "source", "write-up"]
    kind: Literal["failed", "skipped", "malformed", "unsourced", "shortened"]
    subject: str
    reason: str


class Finding(Record):
    """What one researcher found. Its text cites `[n]`, the n-th of its sources, and nothing else."""

    topic: str
    text: str = Field(min_length=1)
    sources: tuple[Source, ...] = Field(min_length=1)
    write_up: Literal["compressed", "notes"] = "compressed"


class Delegation(Record):
    """One call of `conduct_research`: it ends in a finding or in a marked loss, never in neither."""

    call: str
    topic: str
    finding: Finding | None = None
    loss: Loss | None = None

    @model_validator(mode="after")
    def _one_outcome(self) -> Self:
        if (self.finding is None) == (self.loss is None):
            raise ValueError("a delegation has a finding or a loss, exactly one of them")
        return self


class ToolReply(Record):
    """The reply to one tool call of the supervisor; `text` is `None` where a delegation of the same call holds it."""

    call: str
    function: str
    text: str | None
    error: dict[str, Any] | None = None


class Round(Record):
    """One supervisor iteration: the model's message (as Inspect's JSON), and exactly one reply to each of its calls."""

    number: int = Field(ge=1)
    message: dict[str, Any]
    replies: tuple[ToolReply, ...] = ()
    delegations: tuple[Delegation, ...] = ()
    nudge: str | None = None
    searches: int = 0
    failed_searches: int = 0

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The findings of this round, in the order of the calls."""
        return tuple(d.finding for d in self.delegations if d.finding is not None)


ReplyStatus = Literal["answered", "blank", "rejected"]


class Exchange(Record):
    """One delivered clarification turn.

    `reply` is what the agent was given; a status other than `answered` says that the user gave nothing usable and that
    the neutral reply was delivered in its place. `stage` is `None` where the agent that asked has no stages.
    """

    stage: Stage | None
    turn: int = Field(ge=1)
    rationale: str
    summary: str
    questions: tuple[str, ...] = Field(min_length=1, max_length=2)
    reply: str
    status: ReplyStatus = "answered"
    model: str
    after_round: int = Field(0, ge=0)


class Brief(Record):
    """The research brief as the planner wrote it; later replies stand beside it, under "User clarifications"."""

    text: str = Field(min_length=1)


class RunState(Record):
    """A run at one moment: all that the rest of the run depends on, besides models, tools and settings."""

    query: Query
    arm: str
    date: str
    given: str | None = None
    brief: Brief | None = None
    rounds: tuple[Round, ...] = ()
    pages: tuple[Page, ...] = ()
    exchanges: tuple[Exchange, ...] = ()
    losses: tuple[Loss, ...] = ()
    closed: tuple[str, ...] = ()
    stopped_by: str | None = None

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings so far, in the order of delegation."""
        return tuple(finding for round_ in self.rounds for finding in round_.findings)

    def used(self, stage: Stage) -> int:
        """Clarification turns that `stage` has used."""
        return sum(exchange.stage == stage for exchange in self.exchanges)

    def point(self, stage: Stage) -> str:
        """The name of the present opportunity to ask: planning and generation have one, research one per round."""
        return f"{stage}:{len(self.rounds)}" if stage == "research" else stage

    def replace(self, **changes: Any) -> Self:
        """A copy with `changes`, validated."""
        return type(self)(**{**{name: getattr(self, name) for name in type(self).model_fields}, **changes})


class Decision(Record):
    """An opportunity to ask, and what came of it; a run can be restarted from it.

    `ask` is `None` where no verdict was sought (autonomous, or no turn left). `made_by` holds hashes and names of what
    would make another run differ: prompts, models, settings, search.
    """

    schema_: Literal["idrbench/1"] = Field(SCHEMA, alias="schema")
    stage: Stage
    point: str
    state: RunState
    turns_left: int = Field(ge=0)
    turns_left_overall: int = Field(ge=0)
    ask: bool | None
    rationale: str = ""
    exchange: Exchange | None = None
    made_by: dict[str, str] = Field(default_factory=dict)

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class Usage(Record):
    """Tokens of one role or model; `dollars` is `None` when a price is unknown, which is not 0."""

    calls: int = 0
    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0
    reasoning: int = 0
    dollars: float | None = 0.0


class ResearchRun(Record):
    """A run at its end.

    `report` is `None` when the run did not get to it, and empty when the reporter gave nothing usable; `ended_by` says
    what ended the run, `stopped_by` what ended its research. `decisions` counts the opportunities to ask that are
    closed; a stage with several turns has a decision record for each.
    """

    schema_: Literal["idrbench/1"] = Field(SCHEMA, alias="schema")
    query_id: str
    arm: str
    brief: Brief | None
    rounds: tuple[Round, ...]
    exchanges: tuple[Exchange, ...]
    losses: tuple[Loss, ...]
    stopped_by: str | None
    ended_by: str
    report: str | None = None
    report_cut: bool = False
    cited: tuple[Source, ...] = ()
    ungrounded: tuple[str, ...] = ()
    searches: int = 0
    failed_searches: int = 0
    decisions: int = 0
    usage: dict[str, Usage] = Field(default_factory=dict)

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings, in the order of delegation."""
        return tuple(finding for round_ in self.rounds for finding in round_.findings)

    @property
    def delegations(self) -> tuple[Delegation, ...]:
        """All delegations; `len(delegations) == len(findings) + lost delegations` always holds."""
        return tuple(delegation for round_ in self.rounds for delegation in round_.delegations)


SHELVED: tuple[type[Record], ...] = (Page, Finding, Round, Exchange, Brief)
