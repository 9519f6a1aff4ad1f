"""Citations are tied to what was retrieved, by exact address, whatever form a model gives them."""

import pytest

from idrbench_inspect.records import Source
from idrbench_inspect.units.citations import ground, renumber, source_list

A, B, C = (Source(url=f"https://{name}.example.org/page", title=name.upper()) for name in "abc")
BRACKETS = Source(url="https://w.example.org/Comb_(bees)", title="Comb")
APOSTROPHE = Source(url="https://w.example.org/Moore's_law", title="Law")


@pytest.mark.parametrize(
    ("text", "body", "cited", "ungrounded"),
    [
        ("One [2]. Two [1][2].", "One [1]. Two [2][1].", (B, A), ()),
        ("One [1, 3]. Two [^2]. 三【2】。", "One [1][2]. Two [3]. 三[3]。", (A, C, B), ()),
        ("All of it [1-3].", "All of it [1][2][3].", (A, B, C), ()),
        ("Some of it [2–4].", "Some of it [1][2].", (B, C), ("[4]",)),
        ("A share in [0-1] and the year [2020].", "A share in [0-1] and the year [2020].", (), ()),
        ("One [0]. Two [12].", "One. Two.", (), ("[0]", "[12]")),
        (f"See [B]({B.url}) and [A]({A.url} 'title').", "See B [1] and A [2].", (B, A), ()),
        (f"First [here]({C.url}), then [1].", "First here [1], then [2].", (C, A), ()),
        (f"[{A.url}]({A.url}) and [1]({A.url}).", "[1] and [1].", (A,), ()),
        (f"As {A.url}. And {B.url}/, too.", "As [1]. And [2], too.", (A, B), ()),
        (f"An ![image]({A.url}).", "An [1].", (A,), ()),
        (f"[x]({A.url}s), {A.url}?v=1.", "x, .", (), (f"{A.url}s", f"{A.url}?v=1")),
        ("[https://no.example.org](https://no.example.org)", "", (), ("https://no.example.org",)),
    ],
)
def test_citations_of_every_form(text: str, body: str, cited: tuple[Source, ...], ungrounded: tuple[str, ...]) -> None:
    grounded = ground(text, [A, B, C])
    assert (grounded.text, grounded.cited, grounded.ungrounded) == (body, cited, ungrounded)


@pytest.mark.parametrize("source", [BRACKETS, APOSTROPHE], ids=["brackets", "apostrophe"])
def test_addresses_with_punctuation_of_their_own_are_read_whole(source: Source) -> None:
    for text in (f"See [it]({source.url}).", f"See it ({source.url}).", f"It [1].\n\n## Sources\n\n[1] {source.url}\n"):
        grounded = ground(text, [source])
        assert (grounded.cited, grounded.ungrounded) == ((source,), ())


def test_a_list_of_its_own_says_what_the_numbers_mean_and_is_taken_off() -> None:
    text = f"One [1]. Two [2].\n\n**References:**\n1. B: {B.url}\n2. Gone: https://gone.example.org/x\n"
    grounded = ground(text, [A, B])
    assert grounded.text == "One [1]. Two."
    assert (grounded.cited, grounded.ungrounded) == ((B,), ("https://gone.example.org/x",))


def test_a_heading_named_sources_with_prose_under_it_is_no_list() -> None:
    text = "Intro [1].\n\n## Sources\n\nThe Nile has two of them."
    assert ground(text, [A]).text == text


def test_grounding_twice_changes_nothing() -> None:
    once = ground("One [3]. Two [1].", [A, B, C])
    assert ground(once.text, once.cited) == once


def test_renumbering_and_the_closing_list() -> None:
    assert renumber("One [1]. Two [2][1]. The year [2020].", [12, 3]) == "One [12]. Two [3][12]. The year [2020]."
    assert source_list([A, Source(url="https://x.example.org", title="")], "Sources") == (
        f"## Sources\n\n[1] A: {A.url}  \n[2] https://x.example.org: https://x.example.org"
    )
    assert source_list([], "Sources") == ""
