"""Whether a sample is contaminated: what the scorer `contamination` leaves for those that run after it."""

from typing import Self

from inspect_ai.solver import TaskState

from idrbench_inspect.records import Record

_VERDICT = "idrbench:contaminated"

FOUND = "Contaminated: "
"""How the reason of a contaminated sample begins."""

NOT_LOOKED = "nobody has looked: score the log with contamination first"


class Verdict(Record):
    """A sample's verdict.

    Args:
        contaminated: Whether the agent read the paired report, or a page of a blocked domain; `None` if unknown.
        reason: Why it is unknown, or what it was found by.
    """

    contaminated: bool | None
    reason: str = ""

    @property
    def found_by(self) -> str:
        """The reason as the rest of a sentence."""
        return self.reason.removeprefix(FOUND).rstrip(".")

    @classmethod
    def of(cls, state: TaskState) -> Self:
        """The verdict that was left in a sample; unknown where there is none, which is not the same as clean."""
        stored = state.store.get(_VERDICT)
        return cls(contaminated=None, reason=NOT_LOOKED) if stored is None else cls.model_validate(stored)

    def leave(self, state: TaskState) -> None:
        """Leave it in a sample."""
        state.store.set(_VERDICT, self.model_dump(mode="json"))
