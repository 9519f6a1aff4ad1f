import hashlib
from typing import Any

import pytest

from idrbench_inspect.errors import BadInput
from idrbench_inspect.units.segment import RULES, Unit, segmentation_version
from tests.units.cutting import cut, texts

REPORT = """# Rents in Kyoto

Rents **rose** by 4 % in 2019 [1]. Wages did not ([2](https://b.example)).
Nobody knows why.

## 1. Costs

1. Rent rose. 2. Fuel fell.
2. Labels:
   - 交通成本上涨了百分之三【3】。其他成本没有变化。
   - [Reuters](https://a.example) says that rents rose.

| Year | Rent in yen |
|------|-------------|
| 2018 | 50 thousand |
| 2019 | 52 thousand<br>or more |

---

```python
print("no unit of this report")
```

<div>
no unit of this report
</div>

> Nobody knows why.

### Sources
[1] Rents of Kyoto: https://a.example/rents
"""
SENTENCES = [
    *("Rents rose by 4 % in 2019.", "Wages did not.", "Nobody knows why.", "Rent rose.", "2. Fuel fell."),
    *("交通成本上涨了百分之三。", "其他成本没有变化。", "Reuters says that rents rose."),
    *("2018; 50 thousand", "2019; 52 thousand or more", "Nobody knows why."),
]
PARAGRAPHS = [
    "Rents rose by 4 % in 2019. Wages did not.\nNobody knows why.",
    "Rent rose. 2. Fuel fell.\nLabels:\n交通成本上涨了百分之三。其他成本没有变化。\nReuters says that rents rose.",
    "Year; Rent in yen\n2018; 50 thousand\n2019; 52 thousand or more",
    "Nobody knows why.",
]


def test_every_rule_on_one_report() -> None:
    found = cut(REPORT)
    assert texts(found.sentences) == SENTENCES
    assert texts(found.paragraphs) == PARAGRAPHS
    assert texts(found.chunks) == ["\n\n".join(PARAGRAPHS)]
    assert texts(found.headings) == ["Rents in Kyoto", "1. Costs"]
    assert found.left_out.headings == 2
    assert (found.left_out.rules, found.left_out.code, found.left_out.html, found.left_out.unclosed) == (1, 1, 1, 0)
    assert (found.left_out.reference_sections, found.left_out.reference_blocks, found.left_out.short) == (1, 0, 1)


def test_no_unit_is_a_mark_a_number_or_a_rule_of_a_table() -> None:
    found = cut("## 1. Costs\n\n1. Rent rose. 2. Fuel fell.\n\n| a | b |\n|---|---|\n| c | d e f |\n\n```\nx y z\n```")
    assert texts(found.sentences) == ["Rent rose.", "2. Fuel fell.", "c; d e f"]


def test_a_unit_knows_where_it_stands() -> None:
    found = cut(REPORT)
    places = {unit.text: REPORT[unit.start : unit.end] for unit in found.sentences}
    assert places["Rents rose by 4 % in 2019."] == "Rents **rose** by 4 % in 2019 [1]."
    assert places["2019; 52 thousand or more"] == "2019 | 52 thousand<br>or more"
    assert places["Reuters says that rents rose."] == "Reuters](https://a.example) says that rents rose."
    assert REPORT[found.headings[1].start : found.headings[1].end] == "1. Costs"
    assert REPORT[found.chunks[0].start :].startswith("Rents **rose**")
    firsts = [unit.start for unit in found.sentences if unit.text == "Nobody knows why."]
    assert firsts[0] < firsts[1]


def test_what_is_said_twice_is_two_units() -> None:
    assert len(cut("Rents rose.\n\nRents rose.\n\nRents rose. Rents rose.").sentences) == 4


@pytest.mark.parametrize(
    "report", ["", " \n\t ", "\u2028", "\x00\x01\x7f", "---", "# Heading of many words", "Yes.", "####", "😀"]
)
def test_a_report_that_says_nothing_has_no_units(report: str) -> None:
    found = cut(report)
    assert (found.sentences, found.paragraphs, found.chunks) == ((), (), ())


@pytest.mark.parametrize(
    ("report", "sentences", "paragraphs"),
    [
        ("| a | b |\n|---|---|\n| one two | three |", ["one two; three"], 1),
        ("- one two three\n- four five six", ["one two three", "four five six"], 1),
        ("## References\n\n[1] One two three: https://a.example", [], 0),
        ("[1] One two three: https://a.example", [], 0),
        ("Rents rose.\r\nWages fell.\r\n\r\nNobody knows.", ["Rents rose.", "Wages fell.", "Nobody knows."], 2),
        ("Rents rose.\u2028Wages fell.", ["Rents rose.", "Wages fell."], 1),
        ("Rents\x0crose\x00here.", ["Rents rose here."], 1),
        ("```\nRents rose.\n\n# Heading\n\nWages fell.", ["Rents rose.", "Wages fell."], 2),
        ("```markdown\n# Heading\n\nRents rose.\n```", ["Rents rose."], 1),
        ("Rents rose, 租金上涨。\n\n租金上涨。工资下降。", ["Rents rose, 租金上涨。", "租金上涨。", "工资下降。"], 2),
        ("Rents \ud800 rose \ud83d\ude00.", ["Rents \ufffd rose \ufffd\ufffd."], 1),
        ("    Rents rose.", ["Rents rose."], 1),
        ("- # Heading\n- one two three\n\n  | a | b |\n  |---|---|\n  | c d | e |", ["one two three", "c d; e"], 1),
    ],
)  # fmt: skip
def test_reports_of_every_kind(report: str, sentences: list[str], paragraphs: int) -> None:
    found = cut(report)
    assert texts(found.sentences) == sentences
    assert len(found.paragraphs) == paragraphs
    assert bool(found.chunks) == bool(sentences)


def test_chunks_are_windows_over_the_tokens_of_the_body() -> None:
    report = "# Heading\n\n" + "\n\n".join(f"w{n}a w{n}b w{n}c." for n in range(4)) + "\n\n# Sources\n\nleft out here"
    found = cut(report, chunk_tokens=5, chunk_overlap=1)
    assert found.tokens == 12
    assert texts(found.chunks) == [
        "w0a w0b w0c.\n\nw1a w1b", "w1b w1c.\n\nw2a w2b w2c.", "w2c.\n\nw3a w3b w3c.",
    ]  # fmt: skip


def test_raw_units_leave_nothing_out() -> None:
    found = cut(REPORT, units="raw")
    assert texts(found.chunks) == [REPORT.strip()]
    assert {"Rents in Kyoto", "1. Costs", "Sources", "[1] Rents of Kyoto: https://a.example/rents"} <= set(
        texts(found.paragraphs)
    )
    assert "Rents **rose** by 4 % in 2019 [1]." in texts(found.sentences)
    assert "2018 | 50 thousand" in texts(found.sentences)
    assert any("print(" in text for text in texts(found.paragraphs))
    assert found.headings == ()


@pytest.mark.parametrize(
    ("settings", "message"),
    [({"chunk_tokens": 2, "chunk_overlap": 2}, "less than chunk_tokens"), ({"chunk_tokens": 0}, "at least 1"),
     ({"chunk_overlap": -1}, "at least 0"), ({"units": "naive"}, "'body' or 'raw'")],
)  # fmt: skip
def test_settings_that_cannot_work_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        cut("Rents rose.", **settings)


def test_a_unit_that_holds_nothing_cannot_be_built() -> None:
    for text, start, end in (("", 0, 1), (" ", 0, 1), ("a", 2, 2), ("a", -1, 1)):
        with pytest.raises(ValueError, match="no unit"):
            Unit(text, start, end)


def test_what_made_the_units_is_named() -> None:
    made_by = cut("Rents rose.", chunk_tokens=9, chunk_overlap=3).made_by
    assert made_by == f"{segmentation_version()} body words 9/3"
    assert cut("Rents rose.", units="raw").made_by != cut("Rents rose.").made_by


def test_the_rules_are_those_of_their_version() -> None:
    units = cut(REPORT, chunk_tokens=20, chunk_overlap=5)
    said = repr((units.sentences, units.paragraphs, units.chunks, units.left_out))
    digest = hashlib.sha256(said.encode()).hexdigest()[:12]
    assert (RULES, digest) == (2, "b2602ebf5d38"), (
        "a change that can move a unit raises RULES; note the new digest here"
    )


def test_a_long_report_of_one_line_is_cut() -> None:
    found = cut("Rents rose by 4 percent, nobody knows why. " * 3000)
    assert len(found.sentences) == 3000
    assert len(found.paragraphs) == 1
