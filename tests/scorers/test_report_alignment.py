"""All five measures over a bag of words and a scripted judge: values by hand, and what is unscored, and why."""

import json
import math
from collections.abc import Sequence

import numpy as np
import pytest
from inspect_ai.dataset import Sample
from inspect_ai.log import EvalLog
from inspect_ai.solver import TaskState

from idrbench_inspect.embedding.protocol import Matrix
from idrbench_inspect.metrics.alignment import MEASURES
from idrbench_inspect.scorers.alignment_keys import COVERAGE_KEYS, KEYS
from idrbench_inspect.scorers.nearness import LONGEST
from idrbench_inspect.scorers.report_alignment import report_alignment
from tests import logged_runs as runs
from tests.embedding.embedders import BagOfWords
from tests.judging.scripted import GRADE, Grader, Reply, grades
from tests.scorers.bench import REPORT, SENTENCES, TARGETS, Bench, f1, said, score_of, values, write_tasks

REPORT = (
    "# On bees\n\nBees winter in a tight ball. Nobody knows why fares rose in spring.\n\nThey eat the honey of summer."
)
SENTENCES = {
    "report": [
        "Bees winter in a tight ball.",
        "Nobody knows why fares rose in spring.",
        "They eat the honey of summer.",
    ],
    "bees": ["Bees winter in a tight ball.", "They eat the honey of summer.", "A keeper lifts no lid in frost."],
    "fares": ["Fares rose in spring.", "Riders paid more for each mile.", "The council froze them in autumn."],
    "tea": ["Tea leaves wilt in the sun.", "Hands roll them before noon.", "A slow fire dries what is rolled."],
}


def f1(reference: str, generated: str, cosine: float) -> float:
    """By the definition, from a whole matrix in float64."""
    one, other = (BagOfWords().embed(SENTENCES[name]).astype(np.float64) for name in (reference, generated))
    reached = one @ other.T >= cosine - 1e-6
    recall, precision = reached.any(axis=1).mean(), reached.any(axis=0).mean()
    return float(200 * precision * recall / (precision + recall)) if precision + recall else 0.0


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


# -------------------------------------------------------------------------------------------------------- odd reports


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


# -------------------------------------------------------------------------------------------- judges, arms and epochs


def test_repeats_give_a_spread_and_several_judges_an_agreement(bench: Bench) -> None:
    unsteady = Grader(**{GRADE: [grades(4), grades(4), grades(4), grades(2), grades(4)]})
    other = Grader(**{GRADE: [grades(4), grades(4), grades(4), grades(*(1, 2, 3, 4) * 2)]})
    judges = [unsteady.model(), other.model()]
    score = score_of(bench.run({"bees": REPORT}, report_alignment(**INSTRUMENTS, judge_repeats=2), grader=judges))
    found = values(score)
    assert found["llm_acs"] == pytest.approx(75)
    assert found["acs_spread"] == pytest.approx(50 / math.sqrt(2))
    assert found["acs_alpha"] < 1
    assert len(said(score, "judges")) == 2


def test_the_full_query_as_input_is_judged_by_the_same_aspects(bench: Bench) -> None:
    (plain,), (full,) = bench.samples("bees"), bench.samples("bees")
    assert full.metadata
    full.input, full.id = full.metadata["source_query"], "bees.full_query"
    full.metadata |= {"arm": "full_query"}
    log = bench.run({"bees": REPORT}, samples=[plain, full])
    assert said(score_of(log, 0), "aspects_sha256") == said(score_of(log, 1), "aspects_sha256")
    assert bench.judge.counts == (1, 1, 5)
    del full.metadata["query"]
    old = score_of(bench.run({"bees": REPORT}, samples=[full]))
    assert said(old, "unscored")["llm_acs"].startswith("no_intent: ")


def test_an_agent_of_another_make_is_scored_as_far_as_its_samples_tell(bench: Bench) -> None:
    async def play(state: TaskState) -> None:
        state.output = output(REPORT)

    samples = [Sample(id="x", input="Q", target=TARGETS["bees"])]
    log = runs.run_eval(play, report_alignment(**INSTRUMENTS), samples, model_roles={"grader": bench.judge.model()})
    found = values(score_of(log))
    assert found["sentence_f1"] == pytest.approx(f1("bees", "report", 0.6))
    assert set(said(score_of(log), "unscored")) == {"llm_acs", "control", "average_alignment"}
    assert math.isnan(found["report_cut"])
    assert metric(log, "report_similarity", "aligned_mean") == found["report_similarity"]


def metric(log: EvalLog, key: str, name: str) -> float:
    found = {given.rpartition("/")[2]: value.value for given, value in runs.result(log, key).metrics.items()}
    return found[name]


def test_epochs_are_reduced_and_an_unscored_one_is_left_out(bench: Bench) -> None:
    replies: list[Reply] = [*[grades(4)] * 3, *["nonsense"] * 3, grades(2)]
    bench.judge = Grader(**{GRADE: replies})
    log = bench.run({"bees": REPORT}, epochs=2, max_samples=1)
    assert log.samples
    each = [values(score_of(log, number))["llm_acs"] for number in range(2)]
    assert math.isnan(each[0])
    assert metric(log, "llm_acs", "aligned_mean") == each[1] == pytest.approx(50)
    row = runs.result(log, "average_alignment")
    assert (row.scored_samples, row.unscored_samples) == (1, 0)


def test_groups_have_means_of_their_own(bench: Bench) -> None:
    log = bench.run({"bees": REPORT, "fares": REPORT, "tea": TARGETS["tea"]})
    near = [values(score_of(log, number))["report_similarity"] for number in range(3)]
    assert metric(log, "report_similarity", "aligned_mean") == pytest.approx(sum(near) / 3)
    assert metric(log, "report_similarity", "means_by_group_topic:Nature") == pytest.approx((near[0] + near[2]) / 2)
    assert metric(log, "report_similarity", "means_by_group_topic:Money") == pytest.approx(near[1])
    assert metric(log, "report_similarity", "means_by_group_language:en") == pytest.approx(sum(near) / 3)
