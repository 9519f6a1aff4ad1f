"""`ask_user`: the one tool through which an agent, ours or any other, speaks with its user."""

from inspect_ai.tool import Tool, ToolError, tool
from inspect_ai.util import LimitExceededError

from idrbench_inspect.log_events import shelf
from idrbench_inspect.records import Exchange
from idrbench_inspect.user import Question
from idrbench_inspect.user.seat import Asking, current_seat

MOST_QUESTIONS = 2


@tool
def ask_user() -> Tool:
    """Ask the person for whom the work is done."""

    async def execute(questions: list[str], summary: str = "") -> str:
        """Ask the person for whom the work is done one or two questions about what they want.

        Args:
            questions: One or two focused questions about scope, intent, emphasis or structure.
            summary: A short account of where the work stands, as far as the person needs it in order to answer.

        Returns:
            The person's reply.
        """
        asked = tuple(question.strip() for question in questions if question.strip())
        if not 1 <= len(asked) <= MOST_QUESTIONS:
            raise ToolError(f"got {len(asked)} questions; ask one or {MOST_QUESTIONS} that are not blank")
        seat = current_seat()
        if seat.user is None:
            raise ToolError("nobody can be asked in this condition; go on with your own judgement")
        try:
            answer = await seat.user.answer(Question(summary.strip(), asked))
        except LimitExceededError as reached:
            seat.reached = reached
            raise
        where = seat.asking or Asking(None, len(seat.exchanges) + 1, "", 0)
        exchange = Exchange(
            stage=where.stage,
            turn=where.turn,
            rationale=where.rationale,
            summary=summary.strip(),
            questions=asked,
            reply=answer.text,
            status=answer.status,
            model=answer.model,
            after_round=where.after_round,
        )
        seat.exchanges.append(exchange)
        shelf().name(exchange)
        return answer.text

    return execute
