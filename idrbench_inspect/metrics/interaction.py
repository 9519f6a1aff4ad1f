"""What a dialogue costs its user: turns, questions, tokens to read and to write."""

import math
from collections.abc import Sequence

from idrbench_inspect.metrics.questions import atomic_questions
from idrbench_inspect.records import STAGES, Exchange
from idrbench_inspect.units.tokens import count_tokens


def turn_counts(exchanges: Sequence[Exchange], *, staged: bool) -> dict[str, float]:
    """Delivered turns: `turns`, `turns_<stage>` for each stage, and `unanswered` among them.

    Args:
        exchanges: All delivered turns of one run; a blank or rejected reply leaves a turn a turn.
        staged: Whether the agent has stages. Without them `turns_<stage>` is NaN, not 0.
    """
    by_stage = {f"turns_{stage}": float(sum(e.stage == stage for e in exchanges)) for stage in STAGES}
    return {
        **(by_stage if staged else dict.fromkeys(by_stage, math.nan)),
        "turns": float(len(exchanges)),
        "unanswered": float(sum(e.status != "answered" for e in exchanges)),
    }


def reading_load(exchanges: Sequence[Exchange], *, english: bool) -> dict[str, float]:
    """Means per turn of what the user reads and writes.

    Args:
        exchanges: All delivered turns of one run. Without any, every mean is undefined: NaN.
        english: Whether tokens are counted; they are not comparable between languages, so the token means of other
            tasks are NaN.

    Returns:
        `questions_per_turn` (atomic questions, at least 1), and in cl100k tokens `summary_tokens_per_turn`,
        `question_tokens_per_turn`, `read_tokens_per_turn` (the two together) and `response_tokens_per_turn`. The last
        is over answered turns only: elsewhere the reply that was delivered is not the user's.
    """
    counted = exchanges if english else ()
    summaries = [count_tokens(e.summary) for e in counted]
    questions = [sum(count_tokens(question) for question in e.questions) for e in counted]
    return {
        "questions_per_turn": _mean([atomic_questions(e.questions) for e in exchanges]),
        "summary_tokens_per_turn": _mean(summaries),
        "question_tokens_per_turn": _mean(questions),
        "read_tokens_per_turn": _mean([a + b for a, b in zip(summaries, questions, strict=True)]),
        "response_tokens_per_turn": _mean([count_tokens(e.reply) for e in counted if e.status == "answered"]),
    }


def _mean(counts: Sequence[int]) -> float:
    return sum(counts) / len(counts) if counts else math.nan
