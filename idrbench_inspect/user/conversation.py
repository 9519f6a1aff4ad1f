"""What every model-played user does: remember its exchanges, ask its model, accept only a clean reply."""

import re

from inspect_ai.model import Model

from idrbench_inspect.errors import UnusableReply
from idrbench_inspect.prompting import Prompt, fence, notice
from idrbench_inspect.records import ReplyStatus
from idrbench_inspect.replies import ask_text, opening
from idrbench_inspect.user import Answer, Question
from idrbench_inspect.user.neutral import neutral_reply

LONGEST_REPLY = 10_000
"""Characters; a user's reply is brief, and one that is longer is no reply to the question."""

_NAMES = "think|thinking|reasoning"
_THINKING = re.compile(rf"<({_NAMES})>.*?(</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_OPENED_BEFORE = re.compile(rf"\A.*</({_NAMES})>", re.DOTALL | re.IGNORECASE)


def spoken(text: str) -> str:
    """A reply without a model's private reasoning: closed, cut off, or opened before the reply began.

    Example:
        >>> spoken("Only 2020 to 2024. <think>I am the user, so")
        'Only 2020 to 2024.'
    """
    return _OPENED_BEFORE.sub("", _THINKING.sub("", text)).strip()


class Conversation:
    """A user's own earlier exchanges, as its prompt shows them."""

    def __init__(self) -> None:
        self._said: list[tuple[str, str]] = []

    def remember(self, question: Question, reply: str) -> None:
        """Add one exchange."""
        self._said.append((question.text, reply))

    def fenced(self) -> str:
        """The exchanges so far, oldest first, as fenced text."""
        if not self._said:
            return notice("no_dialogue")
        turns = "\n\n".join(f"The team: {asked}\nYou: {said}" for asked, said in self._said)
        return fence("dialogue", turns)


async def answer_with(model: Model, prompt: Prompt, question: Question) -> Answer:
    """Ask the model that plays a user.

    A reply that stays blank (reasoning is not a reply), cut, withheld or far too long is not passed on: the neutral
    reply is delivered in its place and the status says so.

    Raises:
        UnusableReply: what the user has in mind overflows the model's context: it cannot play this user at all.
    """
    try:
        reply = await ask_text(model, opening(prompt), longest=LONGEST_REPLY, read=spoken)
    except UnusableReply as unusable:
        if unusable.fault == "overflow":
            raise
        status: ReplyStatus = "blank" if unusable.fault == "empty" else "rejected"
        return Answer(neutral_reply(question), status, str(model))
    return Answer(reply, "answered", str(model))
