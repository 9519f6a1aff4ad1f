import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from idrbench_inspect.metrics.term_overlap import content_terms, term_overlap

WORDS = st.lists(st.sampled_from(["fare", "rail", "subsidy", "铁路补贴", "2019", "Zürich"]), min_size=1).map(" ".join)


def test_counts_terms_as_a_multiset() -> None:
    measured = term_overlap("rail rail fare", "rail fare fare budget")
    assert measured == {"precision": 50.0, "recall": pytest.approx(200 / 3), "f1": pytest.approx(400 / 7)}


def test_function_words_inflection_and_case_make_no_difference() -> None:
    assert content_terms("The subsidies are rising") == content_terms("A SUBSIDY that has risings")
    assert set(content_terms("It's the user’s 5 policies")) == {"user", "policy"}


def test_chinese_is_read_in_pairs_of_characters() -> None:
    assert content_terms("铁路补贴, AI 与") == {"铁路": 1, "路补": 1, "补贴": 1, "ai": 1} | {"与": 1}
    assert term_overlap("铁路补贴", "铁路票价")["f1"] == pytest.approx(100 / 3)


def test_links_markers_and_the_closing_source_list_count_for_nothing() -> None:
    plain = "# Fares\nRail fares rose."
    dressed = "# Fares\nRail [fares](https://unrelated.example/budget) rose [3, 4].\n\n## 8. References\n[3] Budget\n"
    assert term_overlap(plain, dressed)["f1"] == 100.0
    assert content_terms("铁路【2】\n\n## 七、参考来源\n### 网页\n补贴") == {"铁路": 1}


def test_only_a_closing_source_list_is_removed() -> None:
    assert "budget" in content_terms("## Sources\nRail\n## Outlook\nBudget")
    assert "energy" in content_terms("## Energy sources\nRail")


def test_a_reference_without_terms_cannot_be_measured_against() -> None:
    for empty in ("", "# Sources\nRail", "the of and [1]"):
        with pytest.raises(ValueError, match="no content terms"):
            term_overlap(empty, "rail")


def test_a_generated_text_without_terms_scores_zero() -> None:
    assert term_overlap("rail", "of the") == {"precision": 0.0, "recall": 0.0, "f1": 0.0}


@given(WORDS, WORDS)
def test_in_range_and_swapping_swaps_precision_and_recall(one: str, other: str) -> None:
    there, back = term_overlap(one, other), term_overlap(other, one)
    assert there["precision"] == back["recall"]
    assert there["f1"] == pytest.approx(back["f1"])
    assert all(0 <= value <= 100 for value in there.values())
    assert term_overlap(one, one)["f1"] == 100.0


@given(st.text(max_size=200), st.text(max_size=200))
def test_any_text_stays_in_range(one: str, other: str) -> None:
    assume(content_terms(one))
    assert all(0 <= value <= 100 for value in term_overlap(one, other).values())


def test_tags_are_no_terms() -> None:
    said = term_overlap("Fares rose. Riders paid.", "<table><tr><td>Fares rose.</td><td>Riders paid.</td></tr></table>")
    assert said == {"precision": 100, "recall": 100, "f1": 100}
