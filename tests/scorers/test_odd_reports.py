"""Reports of every kind: what is odd is scored, what is too long has no reading, what is pooled is said."""

import math

import pytest

from idrbench_inspect.scorers.nearness import LONGEST
from tests.embedding.embedders import BagOfWords
from tests.scorers.bench import REPORT, Bench, said, values


@pytest.mark.parametrize(
    ("report", "units"),
    [
        ("| Season | What bees do |\n|---|---|\n| winter | they sit in a ball |", (1, 1)),
        ("- Bees winter in a ball.\n- They eat honey then.\n  - A lot of it.", (3, 1)),
        ("## Sources\n\n[1] Bees: https://bees.example\n[2] Tea: https://tea.example", (0, 0)),
        ("Bees", (0, 0)),
        ("\x00\x01\xff\xfe PNG \ud800 bees fly far" * 3, (1, 1)),
        ("Bees fly far in May. 蜜蜂在五月飞得很远。 They rest in June.", (2, 1)),
        ("```\nBees winter in a tight ball.\n\nThey eat honey.", (2, 2)),
    ],
    ids=["table", "list", "sources", "one word", "binary", "two languages", "unclosed"],
)
def test_odd_reports_are_scored(bench: Bench, report: str, units: tuple[int, int]) -> None:
    found = values(bench.score(report))
    assert (found["sentence_units"], found["paragraph_units"]) == units
    assert 0 < found["report_similarity"] < 100
    assert found["average_alignment"] > 0
    assert (found["sentence_f1"] > 0) <= (units[0] > 0)


def test_a_megabyte_is_scored_and_ten_have_no_reading(bench: Bench) -> None:
    megabyte = "".join(f"Bees number {n} winter in a tight ball.\n\n" for n in range(25_000))
    assert len(megabyte) > 1_000_000
    found = values(bench.score(megabyte))
    assert found["sentence_units"] == 25_000
    assert found["sentence_f1"] > 0
    endless = bench.score("Bees fly. " * 1_000_000)
    assert len("Bees fly. " * 1_000_000) > LONGEST
    assert said(endless, "unscored")["sentence_f1"].startswith("too_long: the report has 10,000,000 characters")
    assert math.isnan(values(endless)["report_similarity"])
    assert values(endless)["llm_acs"] > 0


def test_texts_beyond_the_window_are_counted_and_spoken_of(bench: Bench, caplog: pytest.LogCaptureFixture) -> None:
    bench.embed_with(BagOfWords(max_tokens=12))
    score = bench.score(REPORT)
    pooled = said(score, "pooled")
    assert pooled["report"] == 2
    assert values(score)["pooled_texts"] == sum(pooled.values()) > 2
    assert "2 of whole reports: longer than the embedder's window of 12 tokens" in str(score.explanation)
    assert any("window of 12 tokens" in record.message for record in caplog.records)
