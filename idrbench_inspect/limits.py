"""Limits and question budgets: small frozen values with units, validated once.

`None` is no limit; 0 means none. Defaults are those of the IDRBench paper (supervisor iterations 6, researcher turns 5,
concurrent researchers 3, 50,000 characters of a page; 1/3/1 clarification turns).
"""

from collections.abc import Iterable
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from idrbench_inspect.errors import BadInput
from idrbench_inspect.records import STAGES, Stage


class _Validated(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    @classmethod
    def of(cls, parameter: str = "{}", /, **values: Any) -> Self:
        """Build from task parameters.

        Args:
            parameter: How the task parameter of a field is called, `{}` standing for the field's name.
            values: The fields that differ from their defaults.

        Raises:
            BadInput: a value is negative, too small or not a whole number.
        """
        try:
            return cls(**values)
        except ValidationError as error:
            first = error.errors()[0]
            name = parameter.format(".".join(str(part) for part in first["loc"]))
            wanted = first["msg"].replace("Input should be", "it must be")
            raise BadInput(
                f"{name}={first['input']!r} cannot be used: {wanted}; give {name} as a whole number."
            ) from None


class Limits(_Validated):
    """How far a run may go.

    Args:
        supervisor_iterations: Supervisor model calls that may act (delegate, reflect or finish), at least 1.
        researcher_turns: Model turns of one researcher, at least 1; the calls of every turn are carried out.
        concurrent_researchers: Delegations carried out per supervisor iteration, at least 1; more are marked as lost.
        page_characters: Characters of a raw page that reach the summariser, at least 100.
        results_per_query: Search results asked for per query, 1 to 20.
        queries_per_search: Queries carried out per search call, at least 1; more are marked as lost.
        research_tokens: Tokens, input and output, that planning and research may use before they are brought to an end
            with the report still to be written; `None` for no cap. It is looked at before every call, so the calls in
            flight overshoot it, and the write-up of what was found comes on top.
        research_seconds: The same in seconds of wall time since the run began.
    """

    supervisor_iterations: int = Field(6, ge=1)
    researcher_turns: int = Field(5, ge=1)
    concurrent_researchers: int = Field(3, ge=1)
    page_characters: int = Field(50_000, ge=100)
    results_per_query: int = Field(5, ge=1, le=20)
    queries_per_search: int = Field(5, ge=1)
    research_tokens: int | None = Field(None, ge=0)
    research_seconds: int | None = Field(None, ge=0)


class Budgets(_Validated):
    """Clarification turns allowed per stage; 0 means that the stage never asks."""

    planning: int = Field(1, ge=0)
    research: int = Field(3, ge=0)
    generation: int = Field(1, ge=0)

    def allowed(self, stage: Stage) -> int:
        """Turns that `stage` may use over the whole run."""
        value: int = getattr(self, stage)
        return value

    def only(self, stages: Iterable[Stage]) -> "Budgets":
        """The same budgets with every stage that is not named set to 0."""
        named = set(stages)
        return Budgets(**{stage: self.allowed(stage) if stage in named else 0 for stage in STAGES})

    @property
    def total(self) -> int:
        """Turns allowed over all stages."""
        return sum(self.allowed(stage) for stage in STAGES)


NO_QUESTIONS = Budgets(planning=0, research=0, generation=0)
