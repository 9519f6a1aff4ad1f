import json
import re
import textwrap
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from idrbench_inspect.dataset import load
from idrbench_inspect.metrics.copied import LIMIT, Copied, copied, page_words, report_words, run_length
from idrbench_inspect.metrics.undefined import Undefined
from idrbench_inspect.search.documents import read_documents

MINI = load("mini")
REPORTS = {task.id: task.report for task in MINI.tasks if task.id in {"en-beekeeping", "zh-tea"}}
WORDS = st.lists(st.sampled_from("abc"), max_size=12)


def slow(report: list[str], page: list[str], n: int) -> tuple[float, int]:
    """Every pair of places compared, word by word."""
    covered, longest = set(), 0
    for i in range(len(report)):
        for j in range(len(page)):
            length = 0
            while i + length < len(report) and j + length < len(page) and report[i + length] == page[j + length]:
                length += 1
            if length >= n:
                covered |= set(range(i, i + length))
                longest = max(longest, length)
    return len(covered) / len(report), longest


@given(WORDS, WORDS, st.integers(1, 4))
def test_the_share_and_the_longest_run_are_those_of_every_pair_of_places(
    report: list[str], page: list[str], n: int
) -> None:
    found = copied(report, page, n)
    if len(report) < n:
        assert isinstance(found, Undefined)
        return
    assert isinstance(found, Copied)
    share, longest = slow(report, page, n)
    assert found.share == pytest.approx(share)
    assert found.longest == longest
    run = found.run.split()
    assert len(run) == found.longest
    assert any(report[i : i + len(run)] == run for i in range(len(report)))
    assert any(page[j : j + len(run)] == run for j in range(len(page) + 1))


def test_a_run_has_at_least_one_word() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        copied(["a"], ["a"], 0)


def without_headings(report: str) -> str:
    return re.sub(r"^#.*$", "## Another heading", report, flags=re.MULTILINE)


FORMS: dict[str, Callable[[str], str]] = {
    "as it is": lambda text: text,
    "other headings": without_headings,
    "citations stripped": lambda text: re.sub(r"\s?\[\d+\]", "", without_headings(text)),
    "other citations": lambda text: re.sub(r"\[(\d+)\]", r"【\1】", text),
    "linked citations": lambda text: re.sub(r"\[(\d+)\]", r"[[\1]](https://a.example/\1)", text),
    "other line breaks": lambda text: textwrap.fill(text, 60, break_long_words=True),
    "one line": lambda text: " ".join(text.split()),
    "escaped as JSON": lambda text: text.encode("ascii", "backslashreplace").decode().replace("\n", "\\n"),
    "tagged as HTML": lambda text: "".join(f'<p class="x">{line}</p>' for line in text.splitlines()),
    "emphasised": lambda text: re.sub(r"(\w{7,})", r"**\1**", text),
    "in capitals": str.upper,
    "between other text": lambda text: "So it began. " * 300 + text + " And so it ended." * 300,
}


@pytest.mark.parametrize("task", REPORTS)
@pytest.mark.parametrize("form", FORMS)
def test_a_copy_is_caught_in_whatever_layout(task: str, form: str) -> None:
    report = report_words(REPORTS[task])
    found = copied(report, page_words(FORMS[form](REPORTS[task])), run_length(report))
    assert isinstance(found, Copied)
    assert found.share > 0.75


def on_one_line(report: str) -> str:
    return re.sub(r"\n\s*", "", MarkdownIt("commonmark").enable("table").render(report))


@pytest.mark.parametrize("task", [task.id for task in MINI.tasks])
def test_a_copy_in_html_without_line_breaks_is_a_whole_one(task: str) -> None:
    text = next(row.report for row in MINI.tasks if row.id == task)
    report = report_words(text)
    found = copied(report, page_words(on_one_line(text)), run_length(report))
    assert isinstance(found, Copied)
    assert found.share == 1


@pytest.mark.parametrize(
    "page",
    [
        "<table><tr><th>alpha</th><td>beta</td></tr><tr><td>gamma</td></tr></table>",
        '<p class="x">alpha</p><P>beta</P><div>gamma</div>',
        "alpha<br/>beta<hr>gamma",
        "<ul><li>1. alpha<li>2. beta</li></ul><h2>ga<b>mm</b>a</h2>",
        r"<td>alpha<\/td><td>beta<\/td><td>gamma<\/td>",
    ],
)
def test_cells_and_paragraphs_of_a_page_are_words_of_their_own(page: str) -> None:
    assert page_words(page) == ["alpha", "beta", "gamma"]


def test_a_tenth_of_a_report_is_caught_too() -> None:
    for text in REPORTS.values():
        report = report_words(text)
        found = copied(report, page_words(text[len(text) // 3 : len(text) // 3 + len(text) // 10]), run_length(report))
        assert isinstance(found, Copied)
        assert 100 * found.share > LIMIT


def test_reports_of_mini_are_far_from_every_document_that_they_were_written_from() -> None:
    assert MINI.corpus is not None
    pages = [page_words(document.text) for document in read_documents(MINI.corpus)]
    for task in MINI.tasks:
        report = report_words(task.report)
        found = [copied(report, page, run_length(report)) for page in pages]
        assert max(100 * one.share for one in found if isinstance(one, Copied)) < LIMIT / 2


def test_source_lists_and_citations_of_a_report_are_no_text_of_it() -> None:
    entry = "A history of the bee in eleven chapters and an appendix on wax"
    report = report_words(f"# Bees\n\nBees winter in a ball [1].\n\n## Sources\n\n[1] {entry}: https://a.example/x\n")
    assert report == ["bees", "winter", "in", "a", "ball"]
    assert copied(report, page_words(entry), 3) == Copied(0.0, 0, "")


def test_the_numbers_of_a_list_are_no_words_of_a_page() -> None:
    listed = "\n".join(f"{n}. {kind} sleep in winter" for n, kind in enumerate(("Queens", "Workers", "Drones"), 1))
    report = report_words(listed)
    assert copied(report, page_words(f"In 1930.\n{listed}"), 8) == Copied(1.0, 12, " ".join(report))


def test_a_bracket_that_is_never_closed_hides_no_page() -> None:
    text = re.sub(r"\s?\[[^\]]*\]", "", REPORTS["en-beekeeping"])
    report = report_words(text)
    for form in (json.dumps, lambda text: " ".join(text.split())):
        page = form(f"It is so [8][9\n\n{text}\n\n and so on]")
        found = copied(report, page_words(page), run_length(report))
        assert isinstance(found, Copied)
        assert found.share > 0.75
