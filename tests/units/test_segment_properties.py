import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from idrbench_inspect.units.segment import segment
from idrbench_inspect.units.tokenizers import Vocabulary
from tests.units.cutting import cut, texts


def in_order(letters: list[str], text: str) -> bool:
    place = 0
    for letter in letters:
        place = text.find(letter, place) + 1
        if place < 1:
            return False
    return True


PIECES = st.sampled_from(
    (
        *("Rents rose by 4 percent.", "工资没有上涨，但是成本上涨了。", "**Bold** words _here_ too.", "cited [3][4]."),
        *(
            "[link words](https://a.example/x) follow",
            "\n",
            "\n\n",
            "\r\n",
            "\u2028",
            "- item one two",
            "  - nested item",
        ),
        *(
            "  - nested item",
            "# Heading here",
            "> quoted words stand",
            "| a cell | two |\n|---|---|\n| three four | five |",
            "```",
        ),
        *(
            "```\ncode here\n```",
            "emoji 😀👨‍👩‍👧 words",
            "\ud800 broken",
            "x\x00y z",
            "https://a.example/b",
            "## Sources",
        ),
        *(
            "[1] Title: https://a.example",
            "caf\u00e9 d\u00e9j\u00e0 vu.",
            "<b>tag</b> <!-- no -->",
            "\t",
            " ",
            "\u3000",
        ),
    )
)
PROSE = st.sampled_from(("Rents rose by 4 percent.", "Wages fell a lot!", "工资没有上涨。", "Nobody (not one) knows?"))


@pytest.mark.parametrize("units", ["body", "raw"])
@settings(deadline=None)
@given(pieces=st.lists(PIECES, max_size=20))
def test_the_span_of_a_unit_holds_its_words_in_order(units: str, pieces: list[str]) -> None:
    report = " ".join(pieces)
    found = cut(report, units=units, chunk_tokens=7, chunk_overlap=2)
    for unit in (*found.sentences, *found.paragraphs, *found.chunks, *found.headings):
        assert in_order(re.findall(r"[^\W_]", unit.text), report[unit.start : unit.end])
        assert unit.end - unit.start >= len(unit.text.split()[0])
        assert unit.text[0] == report[unit.start] or not unit.text[0].isalnum()
        assert unit.text[-1] == report[unit.end - 1] or not unit.text[-1].isalnum()


@settings(deadline=None)
@given(st.lists(PIECES, max_size=20))
def test_units_stand_in_order_and_sentences_apart(pieces: list[str]) -> None:
    found = cut(" ".join(pieces), chunk_tokens=7, chunk_overlap=2)
    for level in (found.sentences, found.paragraphs):
        assert all(a.end <= b.start for a, b in pairwise(level))
    assert all(a.start < b.start for a, b in pairwise(found.chunks))


@settings(deadline=None)
@given(
    st.lists(
        st.sampled_from(("Rents rose by 4 percent.", "Wages fell a lot!", "工资没有上涨。", "Nobody (not one) knows?")),
        min_size=1,
    )
)
def test_no_word_of_plain_prose_is_lost(sentences: list[str]) -> None:
    report = "\n\n".join(" ".join(sentences[start : start + 3]) for start in range(0, len(sentences), 3))
    found = cut(report)
    for level in (found.sentences, found.paragraphs):
        assert "".join("".join(texts(level)).split()) == "".join(report.split())


@settings(deadline=None, max_examples=60)
@given(report=st.text(st.characters(exclude_categories=()), max_size=200), units=st.sampled_from(("body", "raw")))
def test_no_text_is_too_broken(report: str, units: str) -> None:
    found = segment(
        report, Vocabulary("qwen3"), chunk_tokens=5, chunk_overlap=2, units="raw" if units == "raw" else "body"
    )
    assert all(
        0 <= unit.start < unit.end <= len(report) for unit in (*found.sentences, *found.paragraphs, *found.chunks)
    )


@settings(deadline=None)
@given(st.text("上涨了😀ꙮ𠮷é a", min_size=12, max_size=60))
def test_no_chunk_breaks_a_character(text: str) -> None:
    found = segment(text, Vocabulary("qwen3"), chunk_tokens=2, chunk_overlap=1, units="raw")
    assert not any("\ufffd" in chunk.text for chunk in found.chunks)
    assert all(chunk.text in text for chunk in found.chunks)
