"""Tavily: live web search with whole pages."""

from collections.abc import Mapping
from typing import Any

import httpx
from inspect_ai.util import concurrency
from tavily import errors as refusals

from idrbench_inspect.errors import SearchFailed
from idrbench_inspect.search import Result, Results
from idrbench_inspect.search.connection import Access, client, disconnect
from idrbench_inspect.search.content import fault

LONGEST_QUERY = 400
IN_FLIGHT = 10

_REFUSED = (
    refusals.BadRequestError,
    refusals.ForbiddenError,
    refusals.InvalidAPIKeyError,
    refusals.TimeoutError,
    refusals.UsageLimitExceededError,
)


class TavilySearch:
    """Search with Tavily at basic depth, over one client per event loop and at most 10 searches in flight.

    Rate limits, server errors, lost connections and timeouts are tried again, after the wait that the server asks for
    or an exponential one. `TAVILY_API_KEY` is needed; `TAVILY_BASE_URL` names another server.

    Args:
        seconds: Time for one attempt, above 0 and at most 120.
        attempts: Attempts per search, at least 1.
        backoff: Scale of the waits between attempts, in seconds; 0 for none.

    Raises:
        BadInput: there is no usable key or address.
    """

    name = "tavily"
    identity = "tavily:basic"

    def __init__(self, *, seconds: float = 30.0, attempts: int = 5, backoff: float = 1.0) -> None:
        self._access = Access.from_environment(seconds, attempts, backoff)

    async def search(self, query: str, results: int) -> Results:
        """The best pages for `query`, each address once.

        A page without its own text has Tavily's extract in its place, or, where what was fetched is a bot check, a
        login wall or a not-found page, nothing; `missing` says why. A query over 400 characters is sent shortened.

        Args:
            query: Any text that is not blank.
            results: Pages asked for, 1 to 20.

        Raises:
            SearchFailed: the query is blank, or Tavily refused it, could not be reached, or gave an unusable reply.
        """
        sent = shortened(query)
        if not sent:
            raise SearchFailed(query, "the query is blank")
        found, refusal = await self._ask(sent, results)
        # Raised outside any handler, so that the error carries no cause that could hold the key.
        if refusal is not None:
            raise SearchFailed(query, refusal)
        usable = [item for item in found if isinstance(item, dict) and _text(item, "url")]
        if found and not usable:
            raise SearchFailed(query, "no result in the reply has an address")
        by_url: dict[str, Result] = {}
        for result in map(_result, usable):
            by_url.setdefault(result.url, result)
        return Results(query, sent, tuple(by_url.values())[:results])

    async def aclose(self) -> None:
        """Close the running event loop's client; a later search opens a new one."""
        await disconnect(self._access)

    async def _ask(self, query: str, results: int) -> tuple[list[Any], str | None]:
        """The results as Tavily gave them, or why there are none."""
        try:
            async with concurrency("tavily", IN_FLIGHT):
                body = await client(self._access).search(
                    query,
                    search_depth="basic",
                    topic="general",
                    max_results=results,
                    include_answer=False,
                    include_raw_content="markdown",
                    timeout=self._access.seconds,
                )
        except (httpx.HTTPError, *_REFUSED) as error:
            return [], self._reason(error)
        return body["results"], None

    def _reason(self, error: Exception) -> str:
        """One line that says what went wrong, without the key."""
        if isinstance(error, httpx.HTTPStatusError):
            return f"HTTP {error.response.status_code}"
        said = " ".join(self._access.scrub(str(error)).split())[:300]
        return f"{type(error).__name__}: {said}" if said else type(error).__name__


def shortened(query: str, limit: int = LONGEST_QUERY) -> str:
    """`query` without surrounding blanks and within `limit` characters, cut between words.

    A text without a blank in the last quarter of what fits (Chinese, an address) is cut between characters.

    Example:
        >>> shortened("tides of the north sea", 15)
        'tides of the'
    """
    query = query.strip()
    if len(query) <= limit:
        return query
    space = max((place for place in range(limit + 1) if query[place].isspace()), default=0)
    return query[: space if space >= limit * 3 // 4 else limit].rstrip()


def _result(item: Mapping[str, object]) -> Result:
    raw, extract = _text(item, "raw_content"), _text(item, "content")
    text, missing = raw, None
    if not raw:
        text, missing = extract, "no page text" if extract else "no page text and no extract"
    elif found := fault(raw):
        kind, how = found
        text, missing = "" if kind == "blocked" else extract, f"{kind}: {how}"
    return Result(_text(item, "url"), _text(item, "title"), text, missing)


def _text(item: Mapping[str, object], name: str) -> str:
    value = item.get(name)
    return value.strip() if isinstance(value, str) else ""
