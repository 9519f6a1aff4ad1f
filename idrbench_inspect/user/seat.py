"""The seat of the user: how `ask_user` finds who sits there, for the sample that is running.

`seat_user` runs as the task's setup and seats a user for its sample; the tool, inside whatever agent, finds it through
a context variable. The paired report stands in the seat alone.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import LimitExceededError

from idrbench_inspect.arms import Arm, arm_named
from idrbench_inspect.errors import BadInput
from idrbench_inspect.records import Exchange, Stage
from idrbench_inspect.user import Question, User
from idrbench_inspect.user.neutral import NeutralUser
from idrbench_inspect.user.own import OwnUser
from idrbench_inspect.user.simulated import CONTEXTS, SimulatedUser


@dataclass(frozen=True)
class Asking:
    """Where in its work an agent stands when it asks; `stage` is `None` for an agent without stages."""

    stage: Stage | None
    turn: int
    rationale: str
    after_round: int


@dataclass
class Seat:
    """The user of one sample, and what was exchanged so far.

    `reached` is the limit of the sample that a user ran into while answering: Inspect turns it into a tool's error for
    the model to read, and our own pipeline has to end by it.
    """

    user: User | None
    asking: Asking | None = None
    exchanges: list[Exchange] = field(default_factory=list)
    reached: LimitExceededError | None = None


_SEAT: ContextVar[Seat | None] = ContextVar("idrbench_seat", default=None)


def current_seat() -> Seat:
    """The seat of the running sample.

    Raises:
        RuntimeError: no user was seated, because the task has no `setup=seat_user(...)`.
    """
    seat = _SEAT.get()
    if seat is None:
        raise RuntimeError("no user is seated for this sample: give the task setup=seat_user()")
    return seat


def resume(exchanges: Sequence[Exchange]) -> None:
    """Have the user of the running sample remember what was exchanged in the run from which this one is restarted."""
    if not exchanges:
        return
    seat = current_seat()
    seat.exchanges.extend(exchanges)
    for exchange in exchanges:
        if seat.user is not None:
            seat.user.remember(Question(exchange.summary, exchange.questions), exchange.reply)


def delivered(kept: tuple[Exchange, ...]) -> tuple[Exchange, ...]:
    """Every exchange of the running sample, also one after which it was cut off; `kept` where no user is seated."""
    seat = _SEAT.get()
    return kept if seat is None else tuple(seat.exchanges)


@contextmanager
def asking(where: Asking) -> Iterator[Seat]:
    """Mark where the agent stands for the questions put inside."""
    seat = current_seat()
    seat.asking = where
    try:
        yield seat
    finally:
        seat.asking = None


@solver
def seat_user(user_context: str = "full", user_model: str = "openai/gpt-5.1", arm: str = "interactive") -> Solver:
    """Seat the user that the sample's arm asks for.

    Args:
        user_context: What a simulated user has in mind: the `full` paired report or a `summary` of it.
        user_model: Who plays the role `user` when it is not bound.
        arm: The arm of samples whose metadata name none, so that the tool serves agents and datasets that are not ours.

    Raises:
        BadInput: an unknown context or arm.
    """
    if user_context not in CONTEXTS:
        raise BadInput(
            f"user_context {user_context!r} is unknown; it is one of {', '.join(CONTEXTS)}: give one of them."
        )
    default_arm = arm_named(arm)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        chosen = arm_named(state.metadata.get("arm", default_arm.name))
        _SEAT.set(Seat(_user_for(chosen, state, user_context, user_model)))
        return state

    return solve


def _user_for(arm: Arm, state: TaskState, context: str, model: str) -> User | None:
    if arm.user is None:
        return None
    if arm.user == "neutral":
        return NeutralUser()
    if arm.user == "self":
        return OwnUser(state.input_text)
    reference = state.metadata.get("user_reference", state.target.text)
    return SimulatedUser(state.input_text, reference, context, model)
