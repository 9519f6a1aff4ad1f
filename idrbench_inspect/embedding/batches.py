"""Which texts go through the model together: texts of like length, under a budget of tokens."""

from collections.abc import Sequence

MOST_TEXTS = 256


def batches(lengths: Sequence[int], budget: int) -> list[list[int]]:
    """Batches of indices, longest texts first.

    A batch costs its longest text times its size, since shorter texts are padded. A text above the budget is a batch of
    its own. Texts of one length keep their order, so that the same texts always meet the same company.

    Args:
        lengths: Tokens of each text.
        budget: Tokens of a batch, padding included.

    Example:
        >>> batches([10, 500, 20, 15], budget=60)
        [[1], [2, 3, 0]]
    """
    found: list[list[int]] = []
    room = 0
    for index in sorted(range(len(lengths)), key=lambda index: -lengths[index]):
        if not room:
            found.append([])
            room = min(max(budget // max(lengths[index], 1), 1), MOST_TEXTS)
        found[-1].append(index)
        room -= 1
    return found
