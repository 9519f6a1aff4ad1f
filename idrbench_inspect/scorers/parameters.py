"""Parameters that a scorer cannot use: refused when it is made, before an agent is paid for."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import click

from idrbench_inspect.errors import BadInput


class BadParameter(click.ClickException, TypeError):
    """A parameter of a scorer whose value cannot be used.

    No `BadInput`, since that is a `ValueError`, which Inspect takes for a scorer that is not there. As of a
    `ClickException`, `inspect score` prints its sentence alone.
    """


class UnknownParameter(BadParameter):
    """A parameter that a scorer does not have."""


@contextmanager
def refusing() -> Iterator[None]:
    """Where a scorer is made, give what its parameters are refused for the form that Inspect does not hide.

    Raises:
        BadParameter: a `BadInput` was raised inside; the sentence is the same.

    Example:
        >>> with refusing():
        ...     raise BadInput("limit=0 cannot be used.")
        Traceback (most recent call last):
        idrbench_inspect.scorers.parameters.BadParameter: limit=0 cannot be used.
    """
    try:
        yield
    except BadInput as refused:
        raise BadParameter(refused.message) from None


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
