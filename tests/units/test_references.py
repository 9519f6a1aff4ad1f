import pytest

from idrbench_inspect.units.blocks import parse
from idrbench_inspect.units.references import without_references


def kept(text: str) -> list[str]:
    roles = without_references(parse(text).blocks, text)
    return [text[block.start : block.end].strip() for block, role in roles if not role and block.kind != "heading"]


TITLES = [
    "Sources", "References:", "8. Works Cited", "VII. Bibliography", "**Selected Sources**", "2.1 Further reading",
    "Sources and Further Reading", "Sources cited",
    "Key references", "Reference List", "CITATIONS", "七、参考文献", "主要参考文献", "（三）参考资料", "核心参考来源：",
    "参考资料与来源", "来源列表", "来源", "引用来源", "第八章 参考文献", "参考来源（与正文编号对应）",
]  # fmt: skip


@pytest.mark.parametrize("title", TITLES)
def test_a_section_is_known_by_its_title(title: str) -> None:
    assert kept(
        f"Rents rose.\n\n## {title}\n\nSmith 2020.\n\n### Books\n\n- Jones 2021\n\n## Annex\n\nWages fell."
    ) == [
        "Rents rose.",
        "Wages fell.",
    ]


@pytest.mark.parametrize(
    "title",
    [
        "Sources of growth",
        "Energy sources",
        "Why references matter",
        "Resources",
        "收入来源",
        "来源追踪",
        "Citation",
        "C. itations",
    ],
)
def test_a_title_that_says_more_opens_none(title: str) -> None:
    assert kept(f"## {title}\n\nRents rose.") == ["Rents rose."]


@pytest.mark.parametrize("line", ["Sources", "**References:**", "参考文献", "Sources:"])
def test_a_line_by_itself_opens_one_up_to_any_heading_or_bold_line(line: str) -> None:
    assert kept(f"Rents rose.\n\n{line}\n\n- Smith 2020\n\n#### Annex\n\nWages fell.") == ["Rents rose.", "Wages fell."]
    assert kept(f"{line}\n\nSmith 2020\n\n**Annex**\n\nWages fell.") == ["**Annex**", "Wages fell."]


def test_a_bold_line_does_not_end_the_section_of_a_heading() -> None:
    assert kept("## Sources\n\n**Books**\n\nSmith\n\n**References**\n\nJones\n\n# End\n\nx") == ["x"]


def test_a_list_right_below_its_marked_title_goes_with_it() -> None:
    assert kept("**Sources**\nSmith 2020\nJones 2021\n\nBrown\n\n# End\n\nx") == ["x"]
    assert kept("Sources\nof this river are many.") == ["Sources\nof this river are many."]


@pytest.mark.parametrize(
    "block",
    [
        "[1] Rents: https://a.example  \n[2] Wages: https://b.example",
        "1. [Rents](https://a.example)\n2. [Wages](https://b.example) - 2024",
        "- [1] Rents https://a.example\n- [2] Wages www.b.example\n- more",
        "> [^1]: https://a.example\n> [^2]: https://b.example",
        "[1]: https://a.example\n[two]: https://b.example",
        "【1】租金 https://a.example",
        "\\[1\\] Rents: https://a.example",
        "https://a.example\nhttps://b.example",
        "| [1] | Rents | https://a.example |\n|---|---|---|\n| [2] | Wages | https://b.example |",
        "[3] Rents\nhttps://a.example",
    ],
)
def test_a_block_of_entries_is_known_by_its_looks(block: str) -> None:
    assert kept(f"Rents rose.\n\n{block}\n\nWages fell.") == ["Rents rose.", "Wages fell."]


@pytest.mark.parametrize(
    "block",
    ["1. Rents rose, says [A](https://a.example).\n2. Wages fell.", "- [Rents](https://a.example) rose",
     "[1] Rents: https://a.example\nRents rose.\nWages fell.", "Rents rose [1](https://a.example).", "[1] says so."],
)  # fmt: skip
def test_prose_with_links_is_none(block: str) -> None:
    assert kept(block) == [block]


def test_a_report_of_sources_alone_keeps_nothing() -> None:
    assert kept("# References\n\n[1] A: https://a.example\n\n## More\n\ntext") == []


def test_a_line_of_marks_is_compared_with_titles_in_bounded_time() -> None:
    assert kept("# " + "_*" * 4000 + "x\n\nRents rose.") == ["Rents rose."]
