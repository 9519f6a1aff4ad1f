"""How many questions a turn asks, whatever the number of its list items."""

import re
from collections.abc import Sequence

from idrbench_inspect.units.links import without_links

# A mark before `name=` is a query string that came without its scheme.
_ASKED = re.compile(r"[?？](?![\w-]+=)[\s?？!！\"'”’」』)）]*")


def atomic_questions(questions: Sequence[str]) -> int:
    """Question sentences over the listed questions of one turn.

    Args:
        questions: The questions as they were listed, usually one or two. A run of question marks ("?!", "？？") ends
            one sentence; marks inside addresses count for nothing.

    Returns:
        At least `len(questions)`: a listed question without any mark is still one. No questions give 0.

    Example:
        >>> atomic_questions(["Which years? And which regions??", "Tell me the audience."])
        3
    """
    return sum(max(1, len(_ASKED.findall(without_links(question)))) for question in questions)
