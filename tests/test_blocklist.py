"""What may not be read: entries, addresses that fall under them, and what is refused."""

from pathlib import Path
from typing import Any

import pytest

from idrbench_inspect.blocklist import Blocklist
from idrbench_inspect.errors import BadInput


@pytest.mark.parametrize(
    ("url", "falls"),
    [
        ("https://a.example/data/x", True),
        ("http://WWW.a.example:8080/DATA/?q=1#top", True),
        ("https://a.example/%64ata", True),
        ("a.example/data", True),
        ("https://a.example./data", True),
        ("https://a.example/database", False),
        ("https://a.example/x/data", False),
        ("https://nota.example/data", False),
        ("https://a.example.org/data", False),
        ("https://b.example/?u=https://a.example/data", False),
        ("not an address", False),
        ("http://[broken", False),
        ("", False),
    ],
)
def test_an_address_falls_under_a_host_and_the_opening_of_a_path(url: str, falls: bool) -> None:
    assert (Blocklist.of("a.example/data").entry(url) is not None) is falls


def test_a_star_stays_within_one_part_of_a_path() -> None:
    blocked = Blocklist.of("g.example/*/bench")
    assert blocked.entry("https://g.example/fork/bench/blob/main/x.jsonl") == "g.example/*/bench"
    assert blocked.entry("https://g.example/bench") is None
    assert blocked.entry("https://g.example/a/b/bench") is None


def test_the_shipped_list_blocks_the_public_copies_and_not_their_neighbours() -> None:
    blocked = Blocklist.of()
    for copy in (
        "https://github.com/Ayanami0730/deep_research_bench/tree/main/data",
        "https://raw.githubusercontent.com/somebody/deep_research_bench/main/data/test_data/cleaned_data/reference.jsonl",
        "https://github.com/somebody/my_deep_research_bench_copy",
        "https://cdn.jsdelivr.net/gh/somebody/deep_research_bench@main/data/x.jsonl",
        "https://huggingface.co/datasets/muset-ai/DeepResearch-Bench-Dataset",
        "https://web.archive.org/web/20260101000000/https://github.com/somebody/deep_research_bench",
    ):
        assert blocked.entry(copy)
    for neighbour in ("https://github.com/Ayanami0730", "https://huggingface.co/datasets/squad", "https://arxiv.org/"):
        assert blocked.entry(neighbour) is None


def test_a_list_replaces_the_shipped_one_unless_it_names_it(tmp_path: Path) -> None:
    file = tmp_path / "blocked.txt"
    file.write_text("# mine\nhttps://Mine.example/x/  # why\n\n", encoding="utf-8")
    assert Blocklist.of(str(file)).entries == ("mine.example/x",)
    assert Blocklist.of("none").entries == Blocklist.of(["none"]).entries == ()
    assert Blocklist.of("shipped, mine.example").entries == (*Blocklist.of().entries, "mine.example")
    assert Blocklist.of(list(Blocklist.of().entries)) == Blocklist.of("shipped") == Blocklist.of()


@pytest.mark.parametrize(
    "given", ["", "a", "a b.example", "a.example,,b.example", "no/such/file.txt", "missing.txt", 3, True, ["none", "x"]]
)
def test_what_is_no_entry_is_refused(given: Any) -> None:
    with pytest.raises(BadInput, match="blocked_domains"):
        Blocklist.of(given)
