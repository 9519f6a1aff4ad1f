import math
import threading
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import score
from inspect_ai.dataset import Sample
from inspect_ai.log import read_eval_log, write_eval_log
from inspect_ai.model import Model, get_model
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer
from inspect_ai.solver import TaskState
from inspect_ai.util import collect

from idrbench_inspect import spending
from idrbench_inspect.metrics.interaction import reading_load
from idrbench_inspect.records import ROLES
from idrbench_inspect.scorers import interaction_cost as module
from idrbench_inspect.scorers.interaction_cost import COST_ROLES, KEYS, interaction_cost
from idrbench_inspect.units.tokens import count_tokens
from tests import logged_runs as runs


def bound(**changes: Model) -> dict[str, Model]:
    return {**{role: runs.mock(role) for role in ROLES}, **changes}


async def ask(role: str, *, cache: bool = False) -> None:
    await get_model(role=role).generate("x", cache=cache)


@scorer(metrics=[mean()])
def judged() -> Scorer:
    async def judge(state: TaskState, target: Target) -> Score:
        await get_model(role="grader").generate("x")
        await get_model().generate("a judge without a role")
        return Score(value=1.0)

    return judge


async def full_run(state: TaskState) -> None:
    runs.settings()
    await ask("planner")
    await collect(*(ask("researcher") for _ in range(3)))
    await ask("summarizer")
    await ask("user")
    turns = (
        runs.exchange(questions=("Which years? Which regions?",)),
        runs.exchange(stage="generation", status="rejected", reply="Use your judgement."),
    )
    for turn in turns:
        runs.tell(turn)
    runs.leave(state, exchanges=turns)


def same(one: dict[str, float], other: dict[str, float]) -> bool:
    return one.keys() == other.keys() and all(
        one[key] == other[key] or (math.isnan(one[key]) and math.isnan(other[key])) for key in one
    )


def test_every_key_is_there_and_each_says_its_unit() -> None:
    found = runs.values(runs.run_eval(full_run, interaction_cost(), model_roles=bound()), "interaction_cost")
    assert list(found) == list(KEYS)
    assert all(": " in meaning for meaning in KEYS.values())


def test_turns_and_what_the_user_reads() -> None:
    found = runs.values(runs.run_eval(full_run, interaction_cost(), model_roles=bound()), "interaction_cost")
    assert (found["turns"], found["turns_planning"], found["turns_research"], found["turns_generation"]) == (2, 1, 0, 1)
    assert (found["allowed"], found["allowed_research"], found["unanswered"]) == (5, 3, 1)
    assert found["questions_per_turn"] == 1.5
    assert found["read_tokens_per_turn"] == found["summary_tokens_per_turn"] + found["question_tokens_per_turn"] > 0
    assert found["response_tokens_per_turn"] == count_tokens("Only 2020.")


def test_every_call_counts_once_and_user_and_judge_stay_apart() -> None:
    log = runs.run_eval(full_run, [judged(), interaction_cost()], model_roles=bound())
    found = runs.values(log, "interaction_cost")
    assert found["model_calls"] == 5
    assert found["tokens_researcher"] == 300
    assert (found["tokens_user"], found["tokens_grader"]) == (100, 200)
    assert found["tokens_agent_total"] == 500
    by_role = sum(found[f"tokens_{role}"] for role in COST_ROLES)
    assert by_role == found["tokens_agent_total"] + found["tokens_user"] + found["tokens_grader"] == 800


def test_a_call_that_fails_and_is_asked_again_counts_twice_but_is_billed_once() -> None:
    replies = iter([RuntimeError("rate limit"), runs.reply()])

    def flaky(*_: object) -> object:
        reply = next(replies)
        if isinstance(reply, Exception):
            raise reply
        return reply

    async def play(state: TaskState) -> None:
        for _ in range(2):
            try:
                await ask("researcher")
            except RuntimeError:
                continue

    roles = bound(researcher=get_model("mockllm/researcher", custom_outputs=flaky))
    found = runs.values(runs.run_eval(play, interaction_cost(), model_roles=roles), "interaction_cost")
    assert (found["model_calls"], found["failed_calls"], found["tokens_researcher"]) == (2, 1, 100)


def test_an_unknown_price_is_unknown_in_its_role_and_in_the_total_only(caplog: pytest.LogCaptureFixture) -> None:
    module._warn_once.cache_clear()
    roles = bound(planner=runs.mock("planner", total_cost=0.5), user=runs.mock("user", total_cost=0.25))
    log = runs.run_eval(full_run, interaction_cost(), model_roles=roles)
    found = runs.values(log, "interaction_cost")
    assert (found["dollars_planner"], found["dollars_user"], found["dollars_reporter"]) == (0.5, 0.25, 0.0)
    assert math.isnan(found["dollars_researcher"])
    assert math.isnan(found["dollars_agent_total"])
    assert log.samples is not None
    assert log.samples[0].scores is not None
    said = log.samples[0].scores["interaction_cost"]
    assert said.metadata is not None
    assert said.metadata["unpriced"] == ["mockllm/researcher", "mockllm/summarizer"]
    assert said.explanation is not None
    assert "no price for mockllm/researcher, mockllm/summarizer" in said.explanation
    assert "no price is known for mockllm/summarizer" in caplog.text
    unknown = runs.result(log, "dollars_agent_total")
    assert (unknown.scored_samples, unknown.unscored_samples) == (0, 1)
    assert math.isnan(unknown.metrics["idrbench_inspect/aligned_mean"].value)


def test_a_known_price_gives_known_totals() -> None:
    roles = bound(**{role: runs.mock(role, total_cost=0.1) for role in ROLES})
    found = runs.values(runs.run_eval(full_run, interaction_cost(), model_roles=roles), "interaction_cost")
    assert found["dollars_agent_total"] == pytest.approx(0.5)
    assert found["dollars_search"] == pytest.approx(0.064)


def test_what_the_pipeline_found_and_lost() -> None:
    found = runs.values(runs.run_eval(full_run, interaction_cost(), model_roles=bound()), "interaction_cost")
    assert (found["delegations"], found["findings"], found["lost_delegations"], found["other_losses"]) == (2, 1, 1, 1)
    assert (found["searches"], found["failed_searches"]) == (10, 2)
    assert (found["reported"], found["report_cut"], found["ungrounded"]) == (1, 0, 0)


@pytest.mark.parametrize(
    ("changes", "reported", "ungrounded"), [({"cited": ()}, 1.0, 1.0), ({"report": None, "cited": ()}, 0.0, math.nan)]
)
def test_a_report_without_sources_is_ungrounded_and_no_report_is_neither(
    changes: dict[str, object], reported: float, ungrounded: float
) -> None:
    async def play(state: TaskState) -> None:
        runs.settings(search="elsewhere")
        runs.leave(state, **changes)

    found = runs.values(runs.run_eval(play, interaction_cost()), "interaction_cost")
    assert found["reported"] == reported
    assert found["ungrounded"] == pytest.approx(ungrounded, nan_ok=True)
    assert math.isnan(found["dollars_search"])
    assert math.isnan(found["questions_per_turn"])
    assert found["turns"] == found["turns_planning"] == found["tokens_agent_total"] == 0


def test_an_agent_that_is_not_ours() -> None:
    async def play(state: TaskState) -> None:
        await get_model().generate("x")
        await ask("user")
        runs.tell(runs.exchange(stage=None))

    found = runs.values(runs.run_eval(play, interaction_cost(), model_roles=bound()), "interaction_cost")
    assert (found["turns"], found["tokens_agent"], found["tokens_agent_total"]) == (1, 100, 100)
    for key in ("turns_planning", "allowed", "searches", "findings", "ungrounded", "reported", "retried_tokens"):
        assert math.isnan(found[key]), key


def test_tokens_are_compared_within_english_only() -> None:
    sample = Sample(id="z", input="Q", target="t", metadata={"language": "zh"})
    found = runs.values(runs.run_eval(full_run, interaction_cost(), [sample], model_roles=bound()), "interaction_cost")
    assert found["questions_per_turn"] == 1.5
    assert math.isnan(found["read_tokens_per_turn"])


def test_unknown_values_leave_a_mean_and_are_counted_through_epochs() -> None:
    seen: list[int] = []

    async def play(state: TaskState) -> None:
        seen.append(1)
        runs.settings()
        if len(seen) > 1:
            runs.tell(runs.exchange(questions=("One? Two? Three?",)))

    samples = [Sample(id=name, input="Q", target="t", metadata={"language": "en"}) for name in "ab"]
    log = runs.run_eval(play, interaction_cost(), samples, max_samples=1)
    asked, turns = runs.result(log, "questions_per_turn"), runs.result(log, "turns")
    assert (asked.scored_samples, asked.unscored_samples, asked.metrics["idrbench_inspect/aligned_mean"].value) == (
        1,
        1,
        3.0,
    )
    assert (turns.scored_samples, turns.metrics["idrbench_inspect/aligned_mean"].value) == (2, 0.5)
    seen.clear()
    log = runs.run_eval(play, interaction_cost(), samples[:1], max_samples=1, epochs=2)
    assert runs.result(log, "questions_per_turn").metrics["idrbench_inspect/aligned_mean"].value == 3.0


def test_the_cache_changes_what_is_billed_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INSPECT_CACHE_DIR", str(tmp_path))

    async def play(state: TaskState) -> None:
        await ask("planner", cache=True)

    first, second = (
        runs.values(runs.run_eval(play, interaction_cost(), model_roles=bound()), "interaction_cost") for _ in range(2)
    )
    assert (first["tokens_agent_total"], second["tokens_agent_total"]) == (100, 0)
    assert first["tokens_agent_with_cache"] == second["tokens_agent_with_cache"] == 100
    assert (first["model_calls"], second["model_calls"]) == (1, 0)


def test_a_token_limit_that_the_agent_nearly_reached_does_not_stop_the_scoring() -> None:
    log = runs.run_eval(full_run, [judged(), interaction_cost()], model_roles=bound(), token_limit=650)
    assert log.samples is not None
    assert log.samples[0].limit is None
    assert runs.values(log, "interaction_cost")["tokens_grader"] == 200


def test_a_stored_log_scores_as_the_run_did(tmp_path: Path) -> None:
    async def play(state: TaskState) -> None:
        with spending.attempt(state.uuid):
            await full_run(state)

    live = runs.run_eval(play, [judged(), interaction_cost()], model_roles=bound(), log_dir=str(tmp_path))
    spending._ledger.clear()
    stored = read_eval_log(live.location)
    again = score(stored, interaction_cost(), action="overwrite", display="log")
    write_eval_log(again, str(tmp_path / "again.eval"))
    found = runs.values(read_eval_log(str(tmp_path / "again.eval")), "interaction_cost")
    assert same(found, runs.values(live, "interaction_cost"))
    assert found["tokens_grader"] == 200


@pytest.mark.parametrize("breaks", ["solver", "scorer"])
def test_a_sample_that_is_run_again_reports_both_attempts(breaks: str, tmp_path: Path) -> None:
    begun: list[str] = []

    async def play(state: TaskState) -> None:
        begun.append(state.uuid)
        with spending.attempt(state.uuid):
            await ask("planner")
            await ask("user")
            if breaks == "solver" and len(begun) == 1:
                raise RuntimeError("the first attempt breaks")

    @scorer(metrics=[mean()])
    def fragile() -> Scorer:
        async def judge(state: TaskState, target: Target) -> Score:
            if breaks == "scorer" and len(begun) == 1:
                raise RuntimeError("the first scoring breaks")
            return Score(value=1.0)

        return judge

    roles = bound(planner=runs.mock("planner", total_cost=0.5))
    log = runs.run_eval(
        play, [fragile(), interaction_cost()], model_roles=roles, retry_on_error=1, log_dir=str(tmp_path)
    )
    assert len(begun) == 2
    assert begun[0] == begun[1]
    found = runs.values(log, "interaction_cost")
    assert (found["tokens_agent_total"], found["retried_tokens"], found["retried_dollars"]) == (100, 100, 0.5)
    spending._ledger.clear()
    again = score(read_eval_log(log.location), interaction_cost(), action="overwrite", display="log")
    assert runs.values(again, "interaction_cost")["retried_tokens"] == 100


def test_a_sample_that_is_run_once_has_no_earlier_attempt() -> None:
    async def play(state: TaskState) -> None:
        with spending.attempt(state.uuid):
            await ask("planner")

    found = runs.values(runs.run_eval(play, interaction_cost(), model_roles=bound()), "interaction_cost")
    assert (found["retried_tokens"], found["retried_dollars"]) == (0, 0)


def test_tokens_are_counted_off_the_event_loop_which_the_tokenizer_would_block(monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[int] = []
    whole = reading_load

    def noted(*given: Any, **named: Any) -> dict[str, float]:
        counted.append(threading.get_ident())
        return whole(*given, **named)

    monkeypatch.setattr(module, "reading_load", noted)
    runs.run_eval(full_run, interaction_cost(), [Sample(input="Q", metadata={"language": "en"})], model_roles=bound())
    assert len(counted) == 1
    assert counted[0] != threading.get_ident()
