from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from idrbench_inspect.search.tavily import TavilySearch
from tests.search.server import Server, running

KEY = "tvly-secret-5f2c9d"


@pytest.fixture
def key(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("TAVILY_API_KEY", KEY)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    return KEY


@pytest_asyncio.fixture
async def server(key: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Server]:
    async with running(Server()) as scripted:
        monkeypatch.setenv("TAVILY_BASE_URL", scripted.address)
        yield scripted


@pytest_asyncio.fixture
async def tavily(server: Server) -> AsyncIterator[TavilySearch]:
    """Tavily with three attempts, no wait between them, and ample time for each."""
    search = TavilySearch(attempts=3, backoff=0)
    yield search
    await search.aclose()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An empty corpus folder."""
    made = tmp_path / "corpus"
    made.mkdir()
    return made
