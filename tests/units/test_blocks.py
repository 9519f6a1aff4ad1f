import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from idrbench_inspect.units.blocks import parse
from idrbench_inspect.units.normal import normalised

LINES = st.lists(
    st.sampled_from(
        ("# one", "two three", "- four", "  - five", "1. six", "> seven", "> - eight", "| a | b |", "|---|---|", "```",
         "```py", "~~~~", "```markdown", "<!--", "-->", "<div>", "</div>", "<script>", "---", "===", "", "    nine",
         "\tten", "- ```", "  text", "> ```", "[a]: https://a.example", "\\| x | y\\|z |", "<?", "<![CDATA[")
    ),
    max_size=14,
)  # fmt: skip


def kinds(text: str) -> list[str]:
    return [block.kind for block in parse(text).blocks]


def said(text: str, kind: str = "text") -> list[list[str]]:
    parts = (part for block in parse(text).blocks for part in block.parts)
    return [[text[start:end] for start, end in part.spans] for part in parts if part.kind == kind]


def test_every_kind_of_block_is_told_apart() -> None:
    text = "# H\n\np\nq\n\n- a\n  - b\n\n| x | y |\n|---|---|\n| 1 | 2 |\n\n```\nc\n```\n\n<div>\nd\n</div>\n\n---\n"
    assert kinds(text) == ["heading", "paragraph", "list", "table", "code", "html", "rule"]
    assert said(text) == [["p", "q"], ["a"], ["b"]]
    assert (said(text, "header"), said(text, "row")) == ([["x", "y"]], [["1", "2"]])


def test_a_quote_is_seen_through() -> None:
    assert kinds("> a\n>\n> - b\n> - c\n>\n> # d") == ["paragraph", "list", "heading"]
    assert said("> a\nlazy\n> b") == [["a", "lazy", "b"]]


def test_a_cell_with_an_escaped_bar_and_an_empty_cell_keep_their_places() -> None:
    assert said("> | a | b |\n> |---|---|\n> | a\\|a |  |\n> | a |", "row") == [["a\\|a"], ["a"]]


@pytest.mark.parametrize(
    "opening", ["```", "```python", "~~~", "> ```", "<!--", "<script>", "<?php", "<!DOCTYPE", "<![CDATA["]
)
def test_what_is_never_closed_swallows_nothing(opening: str) -> None:
    found = parse(f"before\n\n{opening}\n# Head\n\nafter\n")
    assert found.unclosed == 1
    assert [block.kind for block in found.blocks][-2:] == ["heading", "paragraph"]


@pytest.mark.parametrize(
    "closed",
    ["```\n# x\n```", "~~~~ py\n~~~\n# x\n~~~~~", "<!--\n# x\n-->", "<script>\n\n# x\n</script>", "<?\n# x ?>"],
)
def test_what_is_closed_is_no_text(closed: str) -> None:
    found = parse(f"a\n\n{closed}\n\nb")
    assert found.unclosed == 0
    assert [block.kind for block in found.blocks if block.kind != "paragraph"] in (["code"], ["html"])
    assert "heading" not in [block.kind for block in found.blocks]


def test_a_fence_around_markdown_is_read_as_markdown() -> None:
    text = "```markdown\n# Report\n\nRents rose.\n\n```python\nx\n```\n\nWages fell.\n```\n"
    assert [kind for kind in kinds(text) if kind in {"heading", "code"}] == ["heading", "code"]
    assert ["Rents rose."] in said(text)
    assert ["Wages fell.", "```"] in said(text) or ["Wages fell."] in said(text)
    assert kinds("```md\n# A\n```\n") == ["paragraph", "heading", "paragraph"]


def test_a_fence_of_many_opening_marks_is_searched_once_for_each_length() -> None:
    assert parse("``` x\n" * 400).unclosed == 400
    assert parse("<!--\n" * 400).unclosed == 400
    assert parse("".join("~" * n + " x\n" for n in range(20, 2, -1))).unclosed == 18


def test_a_fence_may_end_with_its_list_item_without_being_code() -> None:
    found = parse("- ```\n  x\n\nafter\n")
    assert (found.unclosed, [block.kind for block in found.blocks]) == (1, ["list", "paragraph"])


def test_indented_text_is_text() -> None:
    assert said("    Rents rose.\n\n\t- item") == [["Rents rose."], ["item"]]


@pytest.mark.parametrize(
    ("text", "kind"),
    [("Costs\n---\n", "heading"), ("Costs\n===\n", "heading"), ("Rents rose.\n---\n", "paragraph"),
     ("租金上涨。\n---\n", "paragraph"), ("one\ntwo\n---\n", "paragraph"), ("As follows:\n---\n", "paragraph")],
)  # fmt: skip
def test_a_sentence_above_dashes_is_no_heading(text: str, kind: str) -> None:
    assert kinds(text) == [kind]


def test_headings_have_levels_and_lose_their_marks() -> None:
    assert [(b.level, b.parts[0].spans) for b in parse("### a # b ##\n# c").blocks] == [
        (3, ((4, 9),)),
        (1, ((15, 16),)),
    ]


def test_lists_deeper_than_the_standard_parser_reads_are_read() -> None:
    text = "".join(f"{'  ' * depth}- item{depth}\n" for depth in range(70))
    assert said(text) == [[f"item{depth}"] for depth in range(70)]


@given(LINES)
def test_every_word_lies_in_exactly_one_part(lines: list[str]) -> None:
    text = "\n".join(lines)
    found = parse(text)
    held = sorted(span for block in found.blocks for part in block.parts for span in part.spans)
    assert all(a[1] <= b[0] for a, b in pairwise(held))
    inside = {place for start, end in held for place in range(start, end)}
    assert all(place in inside for one in re.finditer(r"[a-z]{3,}", text) for place in range(*one.span()))
    assert all(
        block.start <= start and end <= block.end
        for block in found.blocks
        for p in block.parts
        for start, end in p.spans
    )


@given(st.text("-*>#`~|<!\\[]:1. \n\tab\u3000\u00a0", max_size=80))
def test_any_text_is_read_and_its_spans_are_neither_empty_nor_blank(text: str) -> None:
    text = normalised(text)
    for block in parse(text).blocks:
        assert all(
            text[start:end].strip() == text[start:end] != "" for part in block.parts for start, end in part.spans
        )
