import asyncio
import logging
import traceback
from typing import Any

import pytest

from idrbench_inspect.errors import SearchFailed
from idrbench_inspect.search import Result
from idrbench_inspect.search.tavily import IN_FLIGHT, TavilySearch
from tests.search.server import Move, Server, found, reply, running

PAGE = {"url": "https://a.example", "title": "A", "content": "extract", "raw_content": "The whole page."}
LOOKED_UP = (Result("https://a.example", "A", "The whole page."),)


async def test_a_page_comes_back_whole_for_a_request_of_the_agreed_form(server: Server, tavily: TavilySearch) -> None:
    server.moves = [found(PAGE)]
    results = await tavily.search("tides", 7)
    assert (results.query, results.sent, results.results) == ("tides", "tides", LOOKED_UP)
    assert server.requests == [
        {
            "query": "tides",
            "search_depth": "basic",
            "topic": "general",
            "max_results": 7,
            "include_answer": False,
            "include_raw_content": "markdown",
        }
    ]
    assert server.headers[0].startswith("POST /search ")


@pytest.mark.parametrize(
    "trouble",
    [
        [reply({"detail": {"error": "slow down"}}, 429)],
        [reply("oops", 500), reply("oops", 500)],
        [reply("", 502), reply("", 503)],
        [reply("", 504)],
        ["drop", "drop"],
        ["break off"],
    ],
    ids=["429", "500 twice", "502 and 503", "504", "dropped twice", "broken off in the reply"],
)
async def test_passing_trouble_is_tried_again(trouble: list[Move], server: Server, tavily: TavilySearch) -> None:
    server.moves = [*trouble, found(PAGE)]
    assert (await tavily.search("tides", 5)).results == LOOKED_UP
    assert len(server.requests) == len(trouble) + 1
    assert server.requests[0] == server.requests[-1]


async def test_the_wait_is_the_one_the_server_asks_for(
    server: Server, tavily: TavilySearch, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []
    sleep = asyncio.sleep

    async def note(seconds: float, result: Any = None) -> Any:
        waits.append(seconds)
        return await sleep(0, result)

    monkeypatch.setattr(asyncio, "sleep", note)
    server.moves = [reply("", 429, Retry_After="7"), reply("", 503, Retry_After="9000"), found(PAGE)]
    assert (await tavily.search("tides", 5)).results == LOOKED_UP
    assert [wait for wait in waits if wait] == [7, 60]


@pytest.mark.parametrize("move", ["hang", b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{", "trickle"])
async def test_a_server_that_hangs_is_cut_and_tried_again(move: Move, server: Server) -> None:
    server.moves = [move, found(PAGE)]
    search = TavilySearch(seconds=0.5, attempts=6, backoff=0)
    assert (await search.search("tides", 5)).results == LOOKED_UP
    assert len(server.requests) > 1
    await search.aclose()


async def test_a_server_that_hangs_for_good_is_a_failed_search(server: Server) -> None:
    server.moves = ["hang"]
    search = TavilySearch(seconds=0.2, attempts=2, backoff=0)
    with pytest.raises(SearchFailed, match=r"0\.2 s"):
        await search.search("tides", 5)
    await search.aclose()


@pytest.mark.parametrize(
    ("move", "reason", "attempts"),
    [
        (reply("oops", 500), "HTTP 500", 3),
        (reply({"detail": {"error": "slow down"}}, 429), "slow down", 3),
        ("drop", "RemoteProtocolError", 3),
        (reply({"detail": {"error": "no such key"}}, 401), "no such key", 1),
        (reply({"detail": {"error": "plan used up"}}, 432), "plan used up", 1),
        (reply({"detail": {"error": "Query is too long"}}, 400), "Query is too long", 1),
        (reply("", 301, Location="http://elsewhere.example"), "HTTP 301", 1),
        (reply("<html>not json"), "not JSON", 1),
        (reply({"results": [PAGE]}, 202), "no list of results", 1),
        (reply(""), "not JSON", 1),
        (reply({"query": "q"}), "no list of results", 1),
        (reply({"results": None}), "no list of results", 1),
        (reply([PAGE]), "no list of results", 1),
        (found({"title": "no address"}), "address", 1),
    ],
)
async def test_trouble_that_stays_is_a_failed_search_and_not_an_empty_one(
    move: Move, reason: str, attempts: int, server: Server, tavily: TavilySearch
) -> None:
    server.moves = [move]
    with pytest.raises(SearchFailed, match=reason) as caught:
        await tavily.search("tides", 5)
    assert caught.value.query == "tides"
    assert "\n" not in caught.value.reason
    assert len(server.requests) == attempts


async def test_no_server_is_a_failed_search(server: Server, tavily: TavilySearch) -> None:
    async with running(Server()) as gone:
        pass
    server.moves = [found(PAGE)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TAVILY_BASE_URL", gone.address)
        unreachable = TavilySearch(attempts=2, backoff=0)
    with pytest.raises(SearchFailed, match="ConnectError"):
        await unreachable.search("tides", 5)
    await unreachable.aclose()


async def test_nothing_found_is_an_empty_result(server: Server, tavily: TavilySearch) -> None:
    server.moves = [found()]
    assert (await tavily.search("tides", 5)).results == ()


async def test_a_page_without_text_keeps_the_extract_and_says_so(server: Server, tavily: TavilySearch) -> None:
    server.moves = [
        found(
            {"url": "https://a.example", "title": "A", "content": "extract", "raw_content": None},
            {"url": "https://b.example", "content": "extract", "raw_content": " \n"},
            {"url": "https://c.example", "title": None, "content": None},
            {"title": "no address", "content": "extract"},
            "not an object",  # type: ignore[arg-type]  # what a caller without types may pass
        )
    ]
    assert (await tavily.search("tides", 5)).results == (
        Result("https://a.example", "A", "extract", "no page text"),
        Result("https://b.example", "", "extract", "no page text"),
        Result("https://c.example", "", "", "no page text and no extract"),
    )


async def test_an_unreadable_page_keeps_the_extract_and_a_blocked_one_nothing(
    server: Server, tavily: TavilySearch
) -> None:
    server.moves = [
        found(
            {**PAGE, "url": "https://repo.example/bitstreams/42/download", "raw_content": "%PDF-1.7\n1 0 obj\n<<"},
            {**PAGE, "url": "https://b.example", "raw_content": "Please verify you are human to go on."},
            PAGE,
        )
    ]
    pdf, blocked, page = (await tavily.search("tides", 5)).results
    assert (pdf.text, pdf.missing) == ("extract", "unreadable: the source of a PDF")
    assert (blocked.text, blocked.missing) == ("", "blocked: a bot check")
    assert (page,) == LOOKED_UP


async def test_an_address_comes_once_in_first_place_and_never_more_than_asked(
    server: Server, tavily: TavilySearch
) -> None:
    other, third = ({**PAGE, "url": f"https://{name}.example"} for name in "bc")
    server.moves = [found(PAGE, other, {**PAGE, "raw_content": "again"}, third)]
    results = (await tavily.search("tides", 2)).results
    assert [(r.url, r.text) for r in results] == [
        ("https://a.example", "The whole page."),
        ("https://b.example", "The whole page."),
    ]


@pytest.mark.parametrize(
    ("query", "sent"),
    [
        ("word " * 80, ("word " * 80).strip()),
        ("word " * 200, ("word " * 80).strip()),
        ("x" + " word" * 200, "x" + " word" * 79),
        ("潮汐" * 300, "潮汐" * 200),
        ("关于 " + "潮汐" * 300, "关于 " + ("潮汐" * 200)[:397]),
    ],
    ids=["fits", "ends at a word", "cut between words", "no spaces", "one early space"],
)
async def test_a_long_query_is_sent_shortened(query: str, sent: str, server: Server, tavily: TavilySearch) -> None:
    server.moves = [found(PAGE)]
    results = await tavily.search(query, 5)
    assert len(sent) <= 400
    assert (results.query, results.sent, server.requests[0]["query"]) == (query, sent, sent)


async def test_a_blank_query_is_refused_without_a_request(server: Server, tavily: TavilySearch) -> None:
    with pytest.raises(SearchFailed, match="blank"):
        await tavily.search(" \n", 5)
    assert server.requests == []


@pytest.mark.parametrize("status", [400, 401, 403, 429, 500])
async def test_the_key_is_in_no_message_log_or_repr(
    status: int, key: str, server: Server, tavily: TavilySearch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    detail = f"refused https://api.example/?api_key={key} " * 20
    server.moves = [reply({"detail": {"error": detail}}, status)]
    with pytest.raises(SearchFailed) as caught:
        await tavily.search("tides", 5)
    assert f"Bearer {key}" in server.headers[0]
    assert caught.value.__cause__ is caught.value.__context__ is None
    told = [*traceback.format_exception(caught.value), repr(caught.value), str(vars(tavily)), caplog.text]
    assert not [text for text in told if "secret" in text]


async def test_searches_in_flight_are_bounded(server: Server, tavily: TavilySearch) -> None:
    server.moves, server.gate = [found(PAGE)], asyncio.Event()
    searches = [asyncio.create_task(tavily.search(f"tides {n}", 5)) for n in range(IN_FLIGHT + 5)]
    for _ in range(IN_FLIGHT):
        await server.arrivals.get()
    for _ in range(200):
        await asyncio.sleep(0)
    server.gate.set()
    await asyncio.gather(*searches)
    assert server.most_in_flight == IN_FLIGHT
    assert len(server.requests) == IN_FLIGHT + 5
