"""The way to Tavily: one client per event loop, whose transport repeats what failed for a passing reason."""

import asyncio
import os
from dataclasses import dataclass, field
from urllib.parse import quote
from urllib.request import getproxies, proxy_bypass
from weakref import WeakKeyDictionary

import anyio
import httpx
from httpx_retries import Retry, RetryTransport
from tavily import AsyncTavilyClient

from idrbench_inspect.errors import BadInput

_PASSING = (429, 500, 502, 503, 504)
_LONGEST_WAIT = 60.0


@dataclass(frozen=True)
class Access:
    """How Tavily is reached.

    Args:
        key: The API key; not shown by `repr`.
        base: The API's address, without a path.
        seconds: Time for one attempt, from connecting to the whole reply, above 0 and at most 120.
        attempts: Attempts per request, the first included, at least 1.
        backoff: Seconds; the n-th wait is between half of and the whole `backoff * 2**n`, unless the server says how
            long (`Retry-After`); never over 60.
    """

    key: str = field(repr=False)
    base: str
    seconds: float
    attempts: int
    backoff: float

    @classmethod
    def from_environment(cls, seconds: float, attempts: int, backoff: float) -> "Access":
        """Read `TAVILY_API_KEY` and `TAVILY_BASE_URL`.

        Raises:
            BadInput: the key is missing or cannot be one, or the address is not one.
        """
        key = os.environ.get("TAVILY_API_KEY", "").strip()
        if not key:
            raise BadInput(
                "search=tavily needs the environment variable TAVILY_API_KEY, which is not set; set it, or run offline "
                "with -T profile=mini or -T search=corpus."
            )
        if not (key.isascii() and key.isprintable() and " " not in key):
            raise BadInput("TAVILY_API_KEY holds a space or a character that no key holds; copy the key again.")
        base = os.environ.get("TAVILY_BASE_URL", "").strip() or "https://api.tavily.com"
        if not _is_address(base):
            raise BadInput(
                "TAVILY_BASE_URL is not an address; set it to one such as https://api.tavily.com, or unset it."
            )
        return cls(key, base, seconds, attempts, backoff)

    def scrub(self, text: str) -> str:
        """`text` without the key."""
        return text.replace(self.key, "[key]").replace(quote(self.key, safe=""), "[key]")


@dataclass(frozen=True)
class _Client:
    http: httpx.AsyncClient
    api: AsyncTavilyClient


_CLIENTS: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[Access, _Client]] = WeakKeyDictionary()


def client(access: Access) -> AsyncTavilyClient:
    """The client of the running event loop for `access`, made at its first use and after it was closed."""
    # A client's open connections refer to its loop, so that weak keys alone would not let go of it.
    for loop in [loop for loop in _CLIENTS if loop.is_closed()]:
        _CLIENTS.pop(loop, None)
    ours = _CLIENTS.setdefault(asyncio.get_running_loop(), {})
    if access not in ours:
        ours[access] = _connect(access)
    return ours[access].api


async def disconnect(access: Access) -> None:
    """Close the running loop's client for `access`, if there is one; searches under way in it fail."""
    made = _CLIENTS.get(asyncio.get_running_loop(), {}).pop(access, None)
    if made is not None:
        await made.http.aclose()


def _connect(access: Access) -> _Client:
    retry = Retry(
        total=access.attempts - 1,
        allowed_methods=["POST"],
        status_forcelist=_PASSING,
        backoff_factor=access.backoff,
        backoff_jitter=0.5,
        max_backoff_wait=_LONGEST_WAIT,
    )
    attempt = _Attempt(httpx.AsyncHTTPTransport(proxy=_proxy(httpx.URL(access.base))), access.seconds)
    http = httpx.AsyncClient(
        base_url=access.base,
        transport=RetryTransport(attempt, retry),
        event_hooks={"response": [_refuse_without_results]},
    )
    return _Client(http, AsyncTavilyClient(access.key, client=http))


class _Attempt(httpx.AsyncBaseTransport):
    """One attempt, up to the end of the reply: one that breaks off or hangs halfway has failed and is repeated."""

    def __init__(self, wire: httpx.AsyncHTTPTransport, seconds: float) -> None:
        self._wire = wire
        self._seconds = seconds

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        try:
            with anyio.fail_after(self._seconds):
                response = await self._wire.handle_async_request(request)
                await response.aread()
        except TimeoutError:
            raise httpx.ReadTimeout(f"no whole reply within {self._seconds:g} s", request=request) from None
        return response

    async def aclose(self) -> None:
        await self._wire.aclose()


async def _refuse_without_results(response: httpx.Response) -> None:
    """Raise for a reply that reports success and carries no results: Tavily's client would read it as none found."""
    if not response.is_success:
        return
    try:
        body = response.json()
    except ValueError:
        raise httpx.DecodingError("the reply is not JSON", request=response.request) from None
    if response.status_code != 200 or not isinstance(body, dict) or not isinstance(body.get("results"), list):
        raise httpx.DecodingError("the reply holds no list of results", request=response.request)


def _is_address(base: str) -> bool:
    try:
        url = httpx.URL(base)
    except httpx.InvalidURL:
        return False
    return url.scheme in {"http", "https"} and bool(url.host)


def _proxy(url: httpx.URL) -> str | None:
    """The proxy for `url` by the environment, which httpx does not read for a transport of one's own."""
    if proxy_bypass(url.host):
        return None
    known = getproxies()
    named = os.environ.get(f"TAVILY_{url.scheme.upper()}_PROXY") or known.get(url.scheme) or known.get("all")
    return named if not named or "://" in named else f"http://{named}"
