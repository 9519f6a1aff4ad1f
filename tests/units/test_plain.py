import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from idrbench_inspect.units.plain import plain
from idrbench_inspect.units.traced import Traced


def shown(text: str) -> str:
    return plain(Traced.of(text, 0, len(text))).text


@pytest.mark.parametrize(
    ("written", "seen"),
    [
        ("Rents rose [3]. Wages [3, 4] fell [^3][5].", "Rents rose. Wages fell."),
        ("Rents rose [[3]](https://a.example/x_(y)). Next.", "Rents rose. Next."),
        ("Rents rose.[8](https://a.example) Next [^note].", "Rents rose. Next."),
        ("租金上涨【7】，工资下降【3†L1-L5】。[来源2]", "租金上涨，工资下降。"),
        ("租金上涨[1][2，3]。", "租金上涨。"),
        ("See https://a.example/x?y=1, or (www.b.example).", "See, or."),
        ("见https://a.example/x。其次", "见。其次"),
        ("Ask <mail@a.example> or <https://a.example>!", "Ask or!"),
        ("By [Reuters](https://a.example 'title') and [AP][2].", "By Reuters and AP."),
        ("![chart](a.png) Text [![i](a.png)](b) end", "Text end"),
        ("**Bold**, *it*, ***both***, ~~gone~~, `code`", "Bold, it, both, gone, code"),
        ("**“九阶层”**、__重点__", "“九阶层”、重点"),
        ("_a b_ snake_case `_meta` I like ___.", "a b snake_case _meta I like ___."),
        ("5 * 3 = 15, [0, 1] and [2020]", "5 * 3 = 15, [0, 1] and [2020]"),
        (r"\[1\] \*not\* 5\%", "not 5%"),
        ("a &amp; b &lt;i&gt; &nbsp; &bogus;", "a & b <i> &bogus;"),
        ("rose<sup>[3]</sup> x<br>y <b>z</b> <!-- no -->", "rose x\ny z"),
        ("a<p>b</p><td class='x'>c</td><TD>d</TD> <sub>e</sub><pack>f", "a\nb\n\nc\n\nd\nef"),
        ("p < 0.05 and q > 1", "p < 0.05 and q > 1"),
        ("```python\ntext", "\ntext"),
        ("sources ([1](https://a.example), [2](https://b.example))", "sources"),
    ],
)
def test_what_a_reader_sees(written: str, seen: str) -> None:
    assert shown(written).strip() == seen.strip()


@given(st.text("ab1 *_`[]()<>!&;:/.\\~【】^,\n", max_size=60))
def test_every_character_that_stays_comes_from_its_place(text: str) -> None:
    found = plain(Traced.of(text, 0, len(text)))
    for character, start, end in zip(found.text, found.starts, found.ends, strict=True):
        replaced = character in " \n" or text[start] == "&"
        assert replaced or character in text[start:end]
    assert all(a <= b for a, b in zip(found.starts, found.starts[1:], strict=False))


MARKED = (
    *("rents", "**rose**", "*by*", "[four](https://a.example)", "`per`", "cent,", "~~no~~", "![x](y)"),
    *("a_b", "5 * 3", "&amp;", "\\*", "涨", "***了***"),
)


@given(st.lists(st.sampled_from(MARKED), max_size=12))
def test_it_agrees_with_the_inline_parser_of_the_library(words: list[str]) -> None:
    text = " ".join(words)
    library = MarkdownIt("commonmark").enable("strikethrough").parseInline(text)[0].children or []
    seen = "".join(token.content for token in library if token.type in {"text", "code_inline"})
    assert shown(text).split() == seen.replace("\\*", "").split() or "*" in shown(text) + seen


@pytest.mark.parametrize(
    "piece", ["_", "*", "`", "[", "[a](", '[a](b "', "<!--", "<a ", "![", "【1†", "www.", "http://(", "\\", "&", "[1, "]
)
def test_marks_without_end_are_read_in_bounded_time(piece: str) -> None:
    assert isinstance(shown(piece * 20_000 + "x"), str)
