"""The pages that an agent of ours was given, with their texts, from the log alone."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from inspect_ai.event import Event, ModelEvent

from idrbench_inspect.addresses import address
from idrbench_inspect.prompting import fenced
from idrbench_inspect.scorers.logged import entries

# A title may hold line breaks; an address holds no blank.
_HEAD = re.compile(r".*?\n(?P<url>\S+)\n\n", re.DOTALL)


@dataclass(frozen=True)
class PageRead:
    """A page; `text` is what reached the agent's models of it, `None` where this log does not hold that."""

    url: str
    text: str | None


def pages_read(events: Iterable[Event]) -> list[PageRead]:
    """Every page by its address, in the order of reading.

    The text is the page as the summariser was shown it, or what stood in its place where it was not summarised: an
    extract, or nothing. Only a run that was restarted knows pages whose texts it does not hold.
    """
    events = list(events)
    found: dict[str, PageRead] = {}
    for page in (page for event in events if isinstance(event, ModelEvent) for page in _shown(event)):
        known = found.get(address(page.url))
        # After an overflow the same page is shown again, cut shorter.
        if known is None or len(page.text or "") > len(known.text or ""):
            found[address(page.url)] = page
    for record in entries(events, "page"):
        kept = None if record["missing"] is None else record["text"]
        found.setdefault(address(record["url"]), PageRead(record["url"], kept))
    return list(found.values())


def _shown(event: ModelEvent) -> Iterable[PageRead]:
    """The pages in a call of the summariser: each is fenced, its title and address above its text."""
    if event.role != "summarizer":
        return
    for message in event.input:
        for _, page in fenced(message.text, "page") if message.role == "user" else ():
            if head := _HEAD.match(page):
                yield PageRead(head["url"], page[head.end() :])
