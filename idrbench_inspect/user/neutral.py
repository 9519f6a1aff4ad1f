"""The neutral user of the placebo arm: always "no preference, use your judgement"."""

from idrbench_inspect.prompting import notice
from idrbench_inspect.user import Answer, Question

_CJK_SHARE = 0.2


def is_chinese(text: str) -> bool:
    """Whether more than a fifth of the letters of `text` are CJK characters.

    Example:
        >>> is_chinese("请问您更关心哪一方面？"), is_chinese("Which years?")
        (True, False)
    """
    letters = [c for c in text if c.isalpha()]
    return bool(letters) and sum("\u3400" <= c <= "\u9fff" for c in letters) > _CJK_SHARE * len(letters)


def neutral_reply(question: Question) -> str:
    """The neutral reply, in the language of the question."""
    return notice("neutral_zh" if is_chinese(" ".join(question.questions)) else "neutral_en")


class NeutralUser:
    """Answers every question with the neutral reply; calls no model."""

    name = "neutral"

    async def answer(self, question: Question) -> Answer:
        """The neutral reply, with status `answered`."""
        return Answer(neutral_reply(question), "answered", self.name)

    def remember(self, question: Question, reply: str) -> None:
        """Nothing: it answers every question alike."""
