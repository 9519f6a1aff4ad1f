"""Citations are tied to what was retrieved, by address, whatever form a model gives them."""

import pytest

from idrbench_inspect.addresses import address
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


@pytest.mark.parametrize("url", ["http://[bad", "http://[::1", "https://a]b/", "http://\u2100.example", ""])
def test_what_is_no_address_is_itself(url: str) -> None:
    assert address(f" {url} ") == url
    assert ground(f"See [it]({url}) and {url} [1].", [A, Source(url=url, title="odd")]).cited


@pytest.mark.parametrize(
    ("text", "body", "ungrounded"),
    [
        ("One [2](#anchor). Two [5](/x), three [9](#ref9).", "One [1]. Two, three.", ("[5]", "[9]")),
        ("One [1](<x.md> 'title'), [[3]](#ref3) and [2](in part).", "One [1], [2] and [3](in part).", ()),
        (
            f"One [[7]]({A.url}). Two [7](https://no.example.org) more.",
            "One [1]. Two more.",
            ("https://no.example.org",),
        ),
        ("一［1］。二【2†source】。三【3†L1-L4】。", "一[1]。二[2]。三[3]。", ()),
        (
            "One [source 1]. Two [Sources 2, 3]. 三[来源1]、[Source 1, Source 7]。",
            "One [1]. Two [2][3]. 三[1]、[1]。",
            ("[7]",),
        ),
        ("See https://no.example.org/x for more.", "See for more.", ("https://no.example.org/x",)),
        ("See <https://no.example.org/x> for [1].", "See for [1].", ("https://no.example.org/x",)),
        ("See [https://no.example.org](https://no.example.org) too.", "See too.", ("https://no.example.org",)),
        ("In prose[1] and text[2].", "In prose[1] and text[2].", ()),
    ],
)
def test_markers_in_other_dress(text: str, body: str, ungrounded: tuple[str, ...]) -> None:
    grounded = ground(text, [A, B, C])
    assert (grounded.text, grounded.ungrounded) == (body, ungrounded)
    assert ground(grounded.text, grounded.cited).text == body


@pytest.mark.parametrize(
    "text",
    [
        "95% CI [12, 45], so [10-20] percent of [1-300].",
        "Between [5-3] and [4-4], or [7, 31].",
        "`a[0]` and ``b[7] ` [8]`` of `https://no.example.org`.",
        "```python\narr[1] = x[7]\n# https://no.example.org\n```",
        "~~~\n## Sources\n[1] https://no.example.org\n~~~",
        "```\nleft open [7]",
        "Where $x[7]$ is $$y[8, 9]$$.",
    ],
)
def test_what_is_no_citation_stands(text: str) -> None:
    grounded = ground(text, [A, B, C])
    assert (grounded.text, grounded.cited, grounded.ungrounded) == (text, (), ())


@pytest.mark.parametrize(
    ("text", "body", "ungrounded"),
    [
        ("One [7][8, 9][1]. Two [7].", "One [1]. Two.", ("[7]", "[8, 9]")),
        ("One [7, 9]. Two [5-8].", "One. Two.", ("[7, 9]", "[5-8]")),
        ("One [Source 70, 90].", "One.", ("[Source 70, 90]",)),
        ("From $5 [1] to $10 [2], [7].", "From $5 [1] to $10 [2],.", ("[7]",)),
        ("```markdown\nOne [2].\n```", "```markdown\nOne [1].\n```", ()),
    ],
)
def test_what_is_a_citation_goes_or_stays_with_its_source(text: str, body: str, ungrounded: tuple[str, ...]) -> None:
    grounded = ground(text, [A, B, C])
    assert (grounded.text, grounded.ungrounded) == (body, ungrounded)


def test_sources_are_the_same_whatever_does_not_matter_in_their_addresses() -> None:
    source = Source(url="https://a.org/x?utm_source=q", title="X")
    again = Source(url="http://a.org/x/#top", title="X again")
    grounded = ground("One https://a.org/x. Two [it](http://A.org/x/#part). Three [2].", [source, again])
    assert (grounded.text, grounded.cited) == ("One [1]. Two it [1]. Three [1].", (source,))


@pytest.mark.parametrize("heading", ["## Annex", "**Annex**"])
def test_an_annex_behind_the_list_is_kept(heading: str) -> None:
    text = f"One [1].\n\n## Sources\n\n[1] B: {B.url}\n- {A.url}\n\n---\n\n{heading}\n\nMore [1]."
    grounded = ground(text, [A, B])
    assert (grounded.text, grounded.cited) == (f"One [1].\n\n{heading}\n\nMore [1].", (B,))


def test_numbered_sentences_under_a_heading_named_sources_are_no_list() -> None:
    text = "## Sources\n\n1. The Nile has two.\n2. The Rhine has more.\n\n## Mouths\n\nMany [1]."
    assert ground(text, [A]).text == text


def test_renumbering_leaves_out_what_has_no_source_and_leaves_code_alone() -> None:
    assert renumber("One [0]. Two [3][1]. `a[2]`", [5]) == "One. Two [5]. `a[2]`"
