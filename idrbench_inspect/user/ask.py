"""`ask_user`: the one tool through which an agent, ours or any other, speaks with its user."""

from inspect_ai.tool import Tool, ToolCall, ToolCallContent, ToolCallView, ToolError, tool
from inspect_ai.util import LimitExceededError

from idrbench_inspect.log_events import shelf
from idrbench_inspect.records import Exchange
from idrbench_inspect.user import Question
from idrbench_inspect.user.seat import Asking, current_seat

MOST_QUESTIONS = 2


def question_view(call: ToolCall) -> ToolCallView:
    """The call as the log viewer shows it: the summary, then the questions; as it is when it has another form."""
    summary, questions = call.arguments.get("summary", ""), call.arguments.get("questions")
    if not isinstance(summary, str) or not isinstance(questions, list):
        return ToolCallView()
    numbered = len(questions) > 1
    listed = "\n".join(f"{n}. {q}" if numbered else f"{q}" for n, q in enumerate(questions, 1))
    return ToolCallView(call=ToolCallContent(title="ask_user", format="markdown", content=f"{summary}\n\n{listed}"))


@tool(viewer=question_view)
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
