from collections.abc import Iterator
from pathlib import Path

import pytest
from httpx_retries import Retry

from idrbench_inspect.dataset import public
from tests.dataset import small
from tests.dataset.server import Server, serving


@pytest.fixture
def kept_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder for fetched files; nothing is in it, and it is not there."""
    monkeypatch.setenv("IDRBENCH_DATA", str(tmp_path / "kept"))
    return tmp_path / "kept"


@pytest.fixture
def server(kept_in: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A server with the small files, whose hashes are taken for the pinned ones."""
    monkeypatch.setattr(public, "QUERIES", small.QUERY_FILE)
    monkeypatch.setattr(public, "REFERENCES", small.REFERENCE_FILE)
    monkeypatch.setattr("idrbench_inspect.dataset.fetching.RETRY", Retry(total=3, status_forcelist=(503,)))
    files = {
        small.path_of(small.QUERY_FILE): small.query_lines(),
        small.path_of(small.REFERENCE_FILE): small.reference_lines(),
    }
    with serving(files) as script:
        monkeypatch.setenv("IDRBENCH_DATA_URL", script.address)
        yield script
