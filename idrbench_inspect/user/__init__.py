"""The user whom an agent may ask: one protocol, several users, one tool."""

from dataclasses import dataclass
from typing import Protocol

from idrbench_inspect.records import ReplyStatus


@dataclass(frozen=True)
class Question:
    """What an agent shows its user: a short summary of where it stands, and one or two questions."""

    summary: str
    questions: tuple[str, ...]

    @property
    def text(self) -> str:
        """The whole as the user reads it."""
        asked = [f"{n}. {q}" for n, q in enumerate(self.questions, 1)] if len(self.questions) > 1 else self.questions
        return "\n".join(part for part in (self.summary.strip(), *asked) if part)


@dataclass(frozen=True)
class Answer:
    """What the user gives back.

    Args:
        text: The reply as the agent gets it.
        status: `answered`; or `blank` / `rejected` when the user gave nothing usable and `text` is the neutral reply.
        model: Who answered: a model's name, or the user's own name.
    """

    text: str
    status: ReplyStatus
    model: str


class User(Protocol):
    """Someone who answers. A user is made for one sample and keeps its own conversation."""

    name: str

    async def answer(self, question: Question) -> Answer:
        """Answer one question.

        Raises:
            Exception: the machinery behind the user broke; a mere unusable reply is an `Answer` with that status.
        """
        ...

    def remember(self, question: Question, reply: str) -> None:
        """Take an exchange as its own that was delivered elsewhere: in the run from which this one was restarted."""
        ...
