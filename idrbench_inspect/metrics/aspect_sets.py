"""Whether runs were judged by the same aspects: coverage by unequal aspects is never put together."""

from collections.abc import Mapping


def same_aspects(*runs: Mapping[str, str]) -> bool:
    """Whether runs may be put together, as far as their aspects go.

    Args:
        runs: For each run, the hash of the aspects by task id. Tasks that only one run has are no hindrance.

    Example:
        >>> same_aspects({"tea": "a1", "rail": "b2"}, {"tea": "a1"}), same_aspects({"tea": "a1"}, {"tea": "c3"})
        (True, False)
    """
    return not unequal_aspects(*runs)


def unequal_aspects(*runs: Mapping[str, str]) -> tuple[str, ...]:
    """The ids of the tasks that runs judged by different aspects, sorted."""
    hashes: dict[str, set[str]] = {}
    for run in runs:
        for task, named in run.items():
            hashes.setdefault(task, set()).add(named)
    return tuple(sorted(task for task, named in hashes.items() if len(named) > 1))
