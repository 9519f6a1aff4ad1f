"""What can go wrong, in three leaves.

```
BadInput       the person's input: one sentence, before any model is called
UnusableReply  a model answered, but not with something that can be used
SearchFailed   a search could not be carried out (which is not "found nothing")
```

Everything else that breaks is left to raise as it is: broken machinery is an errored sample, never a low score.
"""

import re
from typing import Literal

import click
from pydantic import ValidationError

_MARKUP = re.compile(r"\[/?[a-z ]+\]")


class BadInput(click.ClickException, ValueError):
    """A parameter, file or key that cannot be used.

    The message is one sentence that names what was got, what was wanted and what to do. It is a `ClickException`
    because `inspect eval` is a click command: the sentence is printed alone, without a traceback, with exit code 1.
    From Python it is a `ValueError`.
    """


ReplyFault = Literal["overflow", "cut", "refused", "empty", "malformed", "too long"]


class UnusableReply(RuntimeError):
    """A model's reply that stays unusable after the bounded attempts.

    `fault` says how: the input overflowed the model's context, the reply was cut at the output limit, refused, empty,
    not of the asked form, or far longer than asked. `reply` is the last reply as it came.
    """

    def __init__(self, role: str, fault: ReplyFault, detail: str, reply: str = "") -> None:
        super().__init__(f"{role}: reply {fault}: {detail}")
        self.role = role
        self.fault: ReplyFault = fault
        self.detail = detail
        self.reply = reply


class SearchFailed(RuntimeError):
    """A search that the provider did not carry out, with the reason (never holding a key)."""

    def __init__(self, query: str, reason: str) -> None:
        super().__init__(f"search for {query[:80]!r} failed: {reason}")
        self.query = query
        self.reason = reason


def reason_of(broken: BaseException) -> str:
    """An exception as a record tells it: on one line, at most 300 characters; of retries given up, the last reason.

    Example:
        >>> reason_of(TimeoutError("no answer  in 60 s"))
        'TimeoutError: no answer in 60 s'
    """
    if type(broken).__name__ == "RetryError" and broken.__cause__ is not None:
        return reason_of(broken.__cause__)
    return " ".join(f"{type(broken).__name__}: {broken}".split())[:300]


def cannot_be_made(cannot: BaseException) -> str:
    r"""Why a provider could not make a model, on one line, without the marks of a console and a full stop.

    Example:
        >>> cannot_be_made(ValueError("[bold]ERROR: no key[/bold] for\n this one."))
        'no key for this one'
    """
    return " ".join(_MARKUP.sub("", str(cannot)).split()).removeprefix("ERROR: ").rstrip(".")


def first_fault(error: ValidationError) -> tuple[str, str]:
    """The first field that does not validate, with dots, empty where it is the whole, and what is wrong with it."""
    first = error.errors()[0]
    return ".".join(map(str, first["loc"])), first["msg"].removeprefix("Value error, ")
