"""Parameters that a scorer does not have: refused when it is made, before an agent is paid for."""

from collections.abc import Iterable

import click


class UnknownParameter(click.ClickException, TypeError):
    """A parameter that a scorer does not have.

    No `BadInput`, since that is a `ValueError`, which Inspect takes for a scorer that is not there. As of a
    `ClickException`, `inspect score` prints its sentence alone.
    """


def refuse_unknown(given: Iterable[str], scorer: str, known: Iterable[str] = ()) -> None:
    """Refuse what a scorer was given and does not have.

    Args:
        given: The names of its parameters, at least those that are not its own.
        scorer: Its name.
        known: The names of those that it has.

    Raises:
        UnknownParameter: a name in `given` is not in `known`; the sentence names what the scorer has.

    Example:
        >>> refuse_unknown({"exclude": True}, "term_overlap", ["exclude_contaminated"])
        Traceback (most recent call last):
        idrbench_inspect.scorers.parameters.UnknownParameter: scorer parameter 'exclude' is unknown; \
term_overlap has exclude_contaminated: correct it, or leave it out.
    """
    has = list(known)
    if unknown := sorted(set(given) - set(has)):
        named = f"has {', '.join(has)}" if has else "has no parameters"
        raise UnknownParameter(
            f"scorer parameter {unknown[0]!r} is unknown; {scorer} {named}: correct it, or leave it out."
        )
