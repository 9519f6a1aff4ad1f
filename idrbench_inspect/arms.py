"""Conditions and arms: which user is there, what the agent is given, and what is compared.

Every arm is the same pipeline with another user, another opening or no question at all. `autonomous` and `interactive`
are the benchmark's two conditions; the others separate what asking brings from what extra calls bring.
"""

from dataclasses import dataclass
from typing import Literal

from idrbench_inspect.errors import BadInput

UserName = Literal["simulated", "neutral", "self"]


@dataclass(frozen=True)
class Arm:
    """One way to run a task.

    Args:
        name: As in logs and in the task parameter `arms`.
        user: Who answers; `None` when nobody may be asked.
        opening: What the agent starts from: the underspecified query, the query with every preference stated, or the
            detailed source query.
        reference: Whose report the simulated user has in mind: this task's, or another task's.
        forced: Whether a question is put at every opportunity, without the Evaluator's verdict.
    """

    name: str
    user: UserName | None
    opening: Literal["query", "volunteered", "source_query"] = "query"
    reference: Literal["own", "another"] = "own"
    forced: bool = False


ARMS: dict[str, Arm] = {
    arm.name: arm
    for arm in (
        Arm("autonomous", user=None),
        Arm("interactive", user="simulated"),
        Arm("placebo", user="neutral"),
        Arm("self", user="self"),
        Arm("mismatched", user="simulated", reference="another"),
        Arm("volunteered", user=None, opening="volunteered"),
        Arm("full_query", user=None, opening="source_query"),
        Arm("forced", user="simulated", forced=True),
    )
}

_BY_USER: dict[str, str] = {"simulated": "interactive", "neutral": "placebo", "self": "self"}


def arm_named(name: str) -> Arm:
    """The arm of that name.

    Raises:
        BadInput: there is none.
    """
    if name not in ARMS:
        raise BadInput(f"arm {name!r} is unknown; the arms are {', '.join(ARMS)}: name one of them.")
    return ARMS[name]


def arm_with_user(user: str) -> Arm:
    """The arm that the interactive condition becomes with this user.

    Raises:
        BadInput: there is no such user.
    """
    if user not in _BY_USER:
        raise BadInput(f"user {user!r} is unknown; the users are {', '.join(_BY_USER)}: give -T user= one of them.")
    return ARMS[_BY_USER[user]]
