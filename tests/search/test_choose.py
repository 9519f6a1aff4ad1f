from pathlib import Path

import pytest

from idrbench_inspect.errors import BadInput
from idrbench_inspect.search.choose import search_named


@pytest.fixture
def corpus(folder: Path) -> Path:
    (folder / "a.md").write_text("---\nurl: https://x.example/a\ntitle: A\n---\nBody\n", encoding="utf-8")
    return folder


def test_tavily_is_made_with_a_key_and_refused_without(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    search = search_named("tavily", None)
    assert (search.name, search.identity) == ("tavily", "tavily:basic")
    monkeypatch.delenv("TAVILY_API_KEY")
    with pytest.raises(BadInput, match="TAVILY_API_KEY"):
        search_named("tavily", None)


async def test_a_corpus_is_the_datasets_own_or_the_one_named(corpus: Path, tmp_path: Path) -> None:
    own, named = search_named("corpus", corpus), search_named(f"corpus:{corpus}", tmp_path / "unused")
    assert own.name == named.name == "corpus"
    assert own.identity == named.identity
    assert [result.title for result in (await named.search("body", 5)).results] == ["A"]


def test_the_home_folder_may_be_written_short(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(corpus.parent))
    assert search_named("corpus:~/corpus", None).identity == search_named("corpus", corpus).identity


def test_a_dataset_without_a_corpus_is_refused() -> None:
    with pytest.raises(BadInput, match="this dataset has no corpus"):
        search_named("corpus", None)


def test_an_empty_or_missing_corpus_is_refused(folder: Path) -> None:
    for spec, own in (("corpus", folder), (f"corpus:{folder}", None), (f"corpus:{folder}/gone", None)):
        with pytest.raises(BadInput, match="corpus folder"):
            search_named(spec, own)


@pytest.mark.parametrize("spec", ["", "google", "Tavily", "tavily:advanced", "corpus:", "corpus: ", "other:/tmp"])
def test_anything_else_is_refused_with_the_known_names(spec: str, corpus: Path) -> None:
    with pytest.raises(BadInput, match="give tavily, corpus or corpus:PATH"):
        search_named(spec, corpus)
