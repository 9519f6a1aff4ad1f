"""All five measures over a bag of words and a scripted judge: values by hand, and what is unscored, and why."""

import json
import math
from collections.abc import Sequence

import numpy as np
import pytest

from idrbench_inspect.embedding.protocol import Matrix
from idrbench_inspect.metrics.alignment import MEASURES
from idrbench_inspect.scorers.alignment_keys import COVERAGE_KEYS, KEYS
from tests.embedding.embedders import BagOfWords
from tests.judging.scripted import GRADE, Grader, grades
from tests.scorers.bench import REPORT, SENTENCES, TARGETS, Bench, f1, said, score_of, values, write_tasks


def similar(reference: str, report: str) -> float:
    one, other = BagOfWords().embed([reference, report]).astype(np.float64)
    return float(100 * (1 + one @ other) / 2)


def test_every_sample_has_every_key_and_every_key_says_its_unit(bench: Bench) -> None:
    log = bench.run({"bees": REPORT, "fares": "", "tea": None})
    for number in range(3):
        assert list(values(score_of(log, number))) == list(KEYS)
    assert all(": " in meaning for meaning in KEYS.values())
    assert log.results
    assert {score.name for score in log.results.scores} == set(KEYS)


def test_the_measures_and_their_control_are_those_of_a_computation_by_hand(bench: Bench) -> None:
    bench.judge = Grader(**{GRADE: [grades(4), grades(4), grades(4), grades(1, 2, 3, 4, 5, 4, 3, 2)]})
    score = bench.score(REPORT)
    found = values(score)
    assert found["report_similarity"] == pytest.approx(similar(TARGETS["bees"], REPORT), abs=1e-4)
    assert found["report_cosine"] == pytest.approx(2 * found["report_similarity"] / 100 - 1)
    assert found["sentence_f1"] == found["sentence_f1_cos60"] == pytest.approx(f1("bees", "report", 0.6))
    assert found["sentence_f1_cos80"] == pytest.approx(f1("bees", "report", 0.8))
    assert (found["sentence_units"], found["sentence_units_target"]) == (3, 3)
    assert found["llm_acs"] == pytest.approx(100 * (0.25 + 0.5 + 0.75 + 1 + 1 + 1 + 0.75 + 0.5) / 8)
    assert (found["acs_hidden"], found["aspects"], found["aspects_uncovered"]) == (found["llm_acs"], 8, 0)
    assert math.isnan(found["acs_stated"])
    assert found["average_alignment"] == pytest.approx(sum(found[name] for name in MEASURES) / 5)
    assert said(score, "control")["tasks"] == ["fares", "tea"]
    control = [f1(other, "report", 0.6) for other in ("fares", "tea")]
    assert control[0] != control[1]
    assert found["control_sentence_f1"] == pytest.approx(sum(control) / 2)
    unlike = [similar(TARGETS[other], REPORT) for other in ("fares", "tea")]
    assert found["control_report_similarity"] == pytest.approx(sum(unlike) / 2, abs=1e-4)


def test_the_metadata_trace_every_unit_to_its_match(bench: Bench) -> None:
    score = bench.score(REPORT)
    matches = json.loads(said(score, "matches")["sentence"]["report"])
    assert [REPORT[start:end] for *_, start, end in matches] == SENTENCES["report"]
    assert (matches[0][:2], matches[2][:2]) == ([0, 1.0], [1, 1.0])
    back = json.loads(said(score, "matches")["sentence"]["target"])
    assert [TARGETS["bees"][start:end] for *_, start, end in back] == SENTENCES["bees"]
    assert said(score, "embedder")["model"] == "bag-of-words"
    assert said(score, "tau") == {
        "value": 0.8, "scale": "normalised", "cosine": 0.6, "calibrated": False,
        "basis": "the default; nobody has measured which threshold fits bag-of-words",
    }  # fmt: skip
    assert said(score, "segmentation").startswith("rules-")
    assert len(said(score, "aspects")) == 8
    assert said(score, "judges")[0]["grades"][0] == {
        "id": "a1", "target": [3, 3, 3], "median": 3, "report": [3], "reasons": ["Of a1, something."],
    }  # fmt: skip
    assert said(score, "left_out")["report"] == {"headings": 1}
    assert score.answer == "On bees"
    explained = str(score.explanation)
    for part in ("closeness to one user's target, not quality", "sentences 3/3", "(fares, tea)", "not calibrated"):
        assert part in explained
    assert "NaN" not in json.dumps(score.metadata)


def test_a_report_like_its_target_has_all_that_can_be_had(bench: Bench) -> None:
    found = values(bench.score(TARGETS["bees"]))
    assert all(found[name] == pytest.approx(100) for name in MEASURES)
    assert found["average_alignment"] == pytest.approx(100)


# ----------------------------------------------------------------------------------------------------------- unscored


@pytest.mark.parametrize("report", ["", " \n\u200b", "---\n\n* * *"])
def test_a_report_with_nothing_in_it_scores_nothing_which_is_not_unscored(bench: Bench, report: str) -> None:
    score = bench.score(report)
    found = values(score)
    assert {name: found[name] for name in ("average_alignment", *MEASURES)} == dict.fromkeys(
        ("average_alignment", *MEASURES), 0.0
    )
    assert (found["control_report_similarity"], found["control_sentence_f1"]) == (0, 0)
    assert said(score, "unscored") == {}
    assert len(bench.judge.of(GRADE)) == 3


def test_a_run_without_an_end_and_a_target_without_words_are_unscored(bench: Bench) -> None:
    dead = bench.score(None)
    assert dead.reason == "no_report"
    assert all(math.isnan(value) for value in values(dead).values())
    assert said(dead, "unscored")["llm_acs"] == "no_report: the run ended by limit: token"
    (sample,) = bench.samples("bees")
    sample.target = " --- "
    aimless = score_of(bench.run({"bees": REPORT}, samples=[sample]))
    assert aimless.reason == "no_reference"
    assert set(said(aimless, "unscored")) >= set(MEASURES)
    assert bench.judge.calls == []


def broken_for(word: str) -> BagOfWords:
    def change(given: Sequence[str], matrix: Matrix) -> Matrix:
        broken: Matrix = np.where([[text == word] for text in given], np.float32(np.nan), matrix)
        return broken

    return BagOfWords(change=change)


@pytest.mark.parametrize(
    ("text", "unscored"),
    [
        (SENTENCES["report"][1], {"sentence_f1"}),
        (REPORT, {"report_similarity"}),
        (TARGETS["bees"], {"report_similarity"}),
        (SENTENCES["tea"][2], {"control_sentence_f1", "control_paragraph_f1"}),
    ],
)
def test_a_text_without_a_vector_takes_its_own_measure_only(bench: Bench, text: str, unscored: set[str]) -> None:
    whole = values(bench.score(REPORT))
    bench.embed_with(broken_for(text))
    score = bench.score(REPORT)
    found = values(score)
    assert set(said(score, "unscored")) - {"average_alignment"} == unscored
    assert {
        key for key in (*MEASURES, *(k for k in KEYS if k.startswith("control"))) if math.isnan(found[key])
    } >= unscored
    measures = [name for name in MEASURES if name not in unscored]
    assert [found[name] for name in measures] == [whole[name] for name in measures]
    assert math.isnan(found["average_alignment"]) == bool(unscored & set(MEASURES))


def test_a_judge_without_a_reading_takes_its_own_measure_only(bench: Bench) -> None:
    whole = values(bench.score(REPORT))
    bench.judge = Grader(**{GRADE: ["I would rather not say."]})
    score = bench.score(REPORT)
    found = values(score)
    assert {key for key in KEYS if math.isnan(found[key]) != math.isnan(whole[key])} == {
        *(key for key in COVERAGE_KEYS if not math.isnan(whole[key])),
        "average_alignment",
    }
    assert said(score, "unscored")["llm_acs"].startswith("invalid_response_format: ")
    assert said(score, "judge_reply") == "I would rather not say."
    assert "Unscored: llm_acs" in str(score.explanation)


def test_a_target_without_units_at_a_level_is_unscored_at_it(bench: Bench) -> None:
    write_tasks(bench.folder, bees="# A heading that says everything\n\n- Costs:\n- Gains:")
    score = bench.score(REPORT)
    found = values(score)
    assert math.isnan(found["sentence_f1"])
    assert (found["sentence_units"], found["sentence_units_target"]) == (3, 0)
    assert said(score, "unscored")["sentence_f1"] == "no_units: the reference has no units at this level"
    assert found["report_similarity"] > 0


def test_a_dataset_that_changed_or_went_leaves_the_control_alone_unscored(bench: Bench) -> None:
    samples = bench.samples("bees")
    write_tasks(bench.folder, tea="Another report on tea.")
    changed = score_of(bench.run({"bees": REPORT}, samples=samples))
    assert "has changed" in said(changed, "unscored")["control"]
    bench.file.unlink()
    gone = score_of(bench.run({"bees": REPORT}, samples=samples))
    assert "cannot be loaded" in said(gone, "unscored")["control"]
    for score in (changed, gone):
        missing = {key for key, value in values(score).items() if math.isnan(value)}
        assert missing >= {key for key in KEYS if key.startswith("control_")}
        assert values(score)["average_alignment"] > 0
