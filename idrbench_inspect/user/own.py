"""The user of the `self` arm: the agent's own model, which knows only what was asked."""

from inspect_ai.model import get_model

from idrbench_inspect.prompting import fence, prompt
from idrbench_inspect.user import Answer, Question
from idrbench_inspect.user.conversation import Conversation, answer_with


class OwnUser:
    """Guesses what the person would say; separates what asking brings from what a second thought brings."""

    name = "self"

    def __init__(self, query: str) -> None:
        self._query = query
        self._conversation = Conversation()

    async def answer(self, question: Question) -> Answer:
        """The evaluated model's own guess."""
        asked = prompt(
            "user_self",
            query=fence("query", self._query),
            dialogue=self._conversation.fenced(),
            question=fence("question", question.text),
        )
        answer = await answer_with(get_model(), asked, question)
        self.remember(question, answer.text)
        return answer

    def remember(self, question: Question, reply: str) -> None:
        """Take an exchange as its own."""
        self._conversation.remember(question, reply)
