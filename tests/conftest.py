from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session", autouse=True)
def embedding_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep the cache of vectors away from the user's own folder, in this process and those that tests start."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("IDRBENCH_EMBEDDING_CACHE", str(tmp_path_factory.mktemp("embedding-cache")))
        yield
