from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session", autouse=True)
def embedding_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep the cache of vectors away from the user's own folder, in this process and those that tests start."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("IDRBENCH_EMBEDDING_CACHE", str(tmp_path_factory.mktemp("embedding-cache")))
        yield


@pytest.fixture(scope="session", autouse=True)
def without_public_files(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep fetched files away from the user's own folder, and the network out: nothing listens at that address."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("IDRBENCH_DATA", str(tmp_path_factory.mktemp("public-files")))
        patch.setenv("IDRBENCH_DATA_URL", "http://127.0.0.1:9")
        yield
