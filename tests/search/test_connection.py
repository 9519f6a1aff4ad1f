import asyncio
import gc
import weakref
from typing import Any

import httpx
import pytest

from idrbench_inspect.errors import BadInput
from idrbench_inspect.search import Result
from idrbench_inspect.search.tavily import TavilySearch
from tests.search.server import Server, found, running_apart

PAGE = {"url": "https://a.example", "title": "A", "content": "extract", "raw_content": "The whole page."}
LOOKED_UP = (Result("https://a.example", "A", "The whole page."),)


async def test_all_searches_of_a_loop_share_one_client(
    server: Server, tavily: TavilySearch, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[httpx.AsyncClient] = []
    construct = httpx.AsyncClient.__init__

    def note(self: httpx.AsyncClient, *args: Any, **kwargs: Any) -> None:
        made.append(self)
        construct(self, *args, **kwargs)

    monkeypatch.setattr(httpx.AsyncClient, "__init__", note)
    server.moves = [found(PAGE)]
    for search in (tavily, tavily, TavilySearch(attempts=3, backoff=0)):
        await asyncio.gather(*(search.search(f"tides {n}", 5) for n in range(3)))
    assert len(server.requests) == 9
    assert len(made) == 1
    assert server.connections <= 3


async def test_a_closed_client_is_renewed(server: Server, tavily: TavilySearch) -> None:
    server.moves = [found(PAGE)]
    await tavily.aclose()
    await tavily.search("tides", 5)
    await tavily.aclose()
    assert (await tavily.search("tides", 5)).results == LOOKED_UP
    assert server.connections == 2


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # a lost loop's sockets close unasked
def test_event_loops_in_sequence_each_have_their_client_and_are_let_go(
    key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    loops: list[weakref.ref[asyncio.AbstractEventLoop]] = []

    async def look_up(search: TavilySearch) -> None:
        loops.append(weakref.ref(asyncio.get_running_loop()))
        assert (await search.search("tides", 5)).results == LOOKED_UP

    with running_apart(Server([found(PAGE)])) as server:
        monkeypatch.setenv("TAVILY_BASE_URL", server.address)
        search = TavilySearch(attempts=1)
        for _ in range(3):
            loop = asyncio.new_event_loop()  # Inspect patches asyncio.run so that it keeps its loop
            loop.run_until_complete(look_up(search))
            loop.close()
            del loop
    assert server.connections == 3
    gc.collect()
    assert [loop() for loop in loops[:-1]] == [None, None]


@pytest.mark.parametrize("value", [None, "", "  "])
def test_a_missing_key_is_refused_at_once(value: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TAVILY_API_KEY", raising=False)
    if value is not None:
        monkeypatch.setenv("TAVILY_API_KEY", value)
    with pytest.raises(BadInput, match=r"TAVILY_API_KEY.*-T profile=mini or -T search=corpus"):
        TavilySearch()


def test_what_cannot_be_a_key_is_refused_without_showing_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAVILY_API_KEY", "tvly secret…")
    with pytest.raises(BadInput, match="TAVILY_API_KEY") as caught:
        TavilySearch()
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("address", ["api.tavily.com", "ftp://a.example", "http://", "http://[::1"])
def test_what_is_not_an_address_is_refused(address: str, key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAVILY_BASE_URL", address)
    with pytest.raises(BadInput, match="TAVILY_BASE_URL"):
        TavilySearch()


async def test_a_proxy_of_the_environment_is_used(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    server.moves = [found(PAGE)]
    monkeypatch.setenv("TAVILY_BASE_URL", "http://api.tavily.example")
    monkeypatch.setenv("HTTP_PROXY", server.address.removeprefix("http://"))
    monkeypatch.delenv("http_proxy", raising=False)
    search = TavilySearch(attempts=1)
    assert (await search.search("tides", 5)).results == LOOKED_UP
    assert server.headers[0].startswith("POST http://api.tavily.example/search ")
    await search.aclose()
