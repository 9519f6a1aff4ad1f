"""Reports and targets with HTML in them: what stands in HTML blocks is no unit, and nothing is 0 for it in silence."""

import math

import pytest
from markdown_it import MarkdownIt

from idrbench_inspect.metrics.points import LEVELS
from idrbench_inspect.scorers.report_alignment import report_alignment
from tests.scorers.bench import INSTRUMENTS, REPORT, TARGETS, Bench, said, values

TABLE = "<table>\n<tr><td>Drones leave in autumn.</td><td>Queens stay with the cluster.</td></tr>\n</table>"


def html(markdown: str) -> str:
    return str(MarkdownIt("commonmark").render(markdown))


def test_a_report_in_html_is_unscored_by_units_with_its_reason(bench: Bench) -> None:
    score = bench.score(html(TARGETS["bees"]))
    found = values(score)
    told = "html: 20 of the report's 20 words stand in HTML blocks"
    for level in LEVELS:
        assert said(score, "unscored")[f"{level}_f1"].startswith(told)
        assert math.isnan(found[f"{level}_f1"])
        assert math.isnan(found[f"{level}_precision"])
    assert (found["sentence_units"], found["sentence_units_target"]) == (0, 3)
    assert math.isnan(found["average_alignment"])
    assert found["report_similarity"] > 50
    assert found["llm_acs"] > 0
    assert "give it as Markdown" in str(score.explanation)


def test_markdown_in_an_html_frame_is_read_as_markdown(bench: Bench) -> None:
    framed = values(bench.score(f"<div>\n\n{TARGETS['bees']}\n\n</div>"))
    assert [framed[f"{level}_f1"] for level in LEVELS] == [100, 100, 100]


def test_a_table_in_html_is_told_where_the_rest_is_measured(bench: Bench) -> None:
    score = bench.score(f"{REPORT}\n\n{TABLE}")
    assert values(score)["sentence_f1"] == values(bench.score(REPORT))["sentence_f1"]
    assert "Beware: 9 of the report's 28 words stand in HTML blocks, which give no units." in str(score.explanation)


@pytest.mark.parametrize("harmless", ["<!-- words that no reader sees -->", "<br>", "<style>p {a: b; c: d}</style>"])
def test_what_nobody_sees_of_html_is_not_spoken_of(bench: Bench, harmless: str) -> None:
    assert "HTML" not in str(bench.score(f"{REPORT}\n\n{harmless}").explanation)


def test_raw_units_take_html_as_it_is_written(bench: Bench) -> None:
    score = bench.score(html(TARGETS["bees"]), scorer=report_alignment(**INSTRUMENTS, units="raw"))
    assert values(score)["sentence_units"] > 0


def test_a_target_in_html_is_no_reference(bench: Bench) -> None:
    samples = bench.samples("bees")
    samples[0].target = html(TARGETS["bees"])
    score = bench.score(REPORT, samples=samples)
    assert said(score, "unscored")["chunk_f1"].startswith("html: 20 of the target's 20 words")


def test_a_report_that_gives_no_unit_is_0_and_says_so(bench: Bench) -> None:
    score = bench.score("# Bees in winter\n\n# And honey")
    assert values(score)["sentence_f1"] == 0
    assert "no units by sentence, paragraph, chunk, so its F1 is 0 there (left out: headings 2)" in str(
        score.explanation
    )
    assert "no units" not in str(bench.score("").explanation)
