"""Numbers and changes as the makers' lines tell them."""

from collections.abc import Mapping, Sequence


def counted(count: int, thing: str) -> str:
    """A number of things.

    Example:
        >>> counted(1, "row"), counted(2, "row"), counted(0, "model call")
        ('1 row', '2 rows', '0 model calls')
    """
    return f"{count} {thing}{'' if count == 1 else 's'}"


def another(changed: Sequence[str]) -> str:
    """Which of query, points and report are others than before.

    Example:
        >>> another(["query", "points"]), another(["report"])
        ('another query and other points', 'another report')
    """
    return " and ".join(f"other {name}" if name.endswith("s") else f"another {name}" for name in changed)


def named(reasons: Mapping[str, str]) -> str:
    """Ids with a reason each, on one line.

    Example:
        >>> named({"a": "It is blank.", "b": "no report"})
        'a (It is blank); b (no report)'
    """
    return "; ".join(f"{id_} ({' '.join(reason.split()).rstrip('.')})" for id_, reason in reasons.items())
