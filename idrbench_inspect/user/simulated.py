"""The simulated user: answers from the paired report, which no one else sees."""

from inspect_ai.model import ChatMessageUser, Model, get_model

from idrbench_inspect.errors import UnusableReply
from idrbench_inspect.prompting import fence, notice, prompt
from idrbench_inspect.replies import ATTEMPTS, ask_text, opening, role_of
from idrbench_inspect.user import Answer, Question
from idrbench_inspect.user.conversation import Conversation, answer_with

CONTEXTS = ("full", "summary")
SUMMARY_SHARE = (0.10, 0.20)
"""Length of a summary as a share of the report's characters."""


class SimulatedUser:
    """One sample's user, grounded in a reference report.

    Args:
        query: What the person asked the agent, as the agent got it.
        reference: The report the person has in mind.
        context: `full`, or `summary` for 10-20 % of it, written once by the same model before the first answer.
        model: Who plays the role `user` when it is not bound.
    """

    name = "simulated"

    def __init__(self, query: str, reference: str, context: str, model: str) -> None:
        self._query = query
        self._reference = reference
        self._context = context
        self._model = model
        self._in_mind: str | None = None
        self._conversation = Conversation()

    async def answer(self, question: Question) -> Answer:
        """Answer in the first person, at the level of intent."""
        model = get_model(role="user", default=self._model)
        if self._in_mind is None:
            summarised = self._context == "summary"
            self._in_mind = await summary_of(self._reference, model) if summarised else self._reference
        asked = prompt(
            "user",
            reference=fence("reference", self._in_mind),
            query=fence("query", self._query),
            dialogue=self._conversation.fenced(),
            question=fence("question", question.text),
        )
        answer = await answer_with(model, asked, question)
        self.remember(question, answer.text)
        return answer

    def remember(self, question: Question, reply: str) -> None:
        """Take an exchange as its own."""
        self._conversation.remember(question, reply)


async def summary_of(reference: str, model: Model) -> str:
    """A summary of a report, 10-20 % of its characters.

    Raises:
        UnusableReply: no summary of that length after three attempts.
    """
    lowest, highest = (int(share * len(reference)) for share in SUMMARY_SHARE)
    asked = prompt("reference_summary", reference=fence("reference", reference), lowest=lowest, highest=highest)
    messages = opening(asked)
    got = 0
    for _ in range(ATTEMPTS):
        summary = await ask_text(model, messages)
        got = len(summary)
        if lowest <= got <= highest:
            return summary
        again = notice("reask_length", got=got, lowest=lowest, highest=highest)
        messages = [*opening(asked), ChatMessageUser(content=again)]
    raise UnusableReply(
        role_of(model), "malformed", f"a summary of {got} characters, {lowest} to {highest} were asked for"
    )
