"""Search: one protocol, a live provider and a closed corpus.

A provider returns whole pages (or says why one is missing); what the model reads of them is the pipeline's matter.
"""

from dataclasses import dataclass, field
from typing import Protocol


@dataclass(frozen=True)
class Result:
    """One search result.

    Args:
        url: Its address.
        title: Its title; may be empty.
        text: The page's text, or the provider's extract when `missing` is set.
        missing: Why the page's own text is not there; `None` when it is.
    """

    url: str
    title: str
    text: str
    missing: str | None = None


@dataclass(frozen=True)
class Results:
    """The results of one query, best first.

    Args:
        query: The query as asked.
        sent: The query as sent; differs when the provider's length limit forced a shorter one.
        results: At most as many as asked for; empty when nothing was found.
    """

    query: str
    sent: str
    results: tuple[Result, ...] = field(default=())


class Search(Protocol):
    """Where a researcher looks things up."""

    name: str
    """The provider's name, as in the task parameter `search`."""

    identity: str
    """What makes two searches comparable: the name, with the corpus hash where there is a corpus."""

    async def search(self, query: str, results: int) -> Results:
        """The best `results` pages for `query`, in a stable order.

        Raises:
            SearchFailed: the search could not be carried out, after the provider's own retries.
        """
        ...
