"""A run is restarted from its log alone: same decisions, same report; or another reply, and what follows from it."""

from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Task, eval
from inspect_ai.log import EvalLog, EvalSample

from idrbench_inspect.errors import BadInput
from idrbench_inspect.log_events import payloads, read_decisions
from idrbench_inspect.pipeline.clarify import after
from idrbench_inspect.pipeline.solver import RUN_KEY, deep_research
from idrbench_inspect.records import Decision, ResearchRun, RunState
from idrbench_inspect.resources import shipped
from idrbench_inspect.search.corpus import CorpusSearch
from idrbench_inspect.user.seat import seat_user
from tests.pipeline.scripted import (
    ASKING,
    DATE,
    TOPICS,
    Ran,
    Script,
    ScriptedSearch,
    delegate,
    done,
    in_turn,
    run,
    sample,
)

CORPUS = shipped("datasets", "mini", "corpus", "en-urban-tree-planting")
QUERY = "How should a city plant trees along its streets?"
REPORT = shipped("datasets", "mini", "reports", "en-urban-tree-planting.md")
OTHER = "I care most about shade and cooling in hot summers."
EXTRACTIVE = "idrbench/extractive"


def play(log_dir: Path, arm: str, start: RunState | None = None) -> EvalLog:
    """One run over a closed corpus in which the extractive model plays every role."""
    bees = sample(arm)
    bees.input, bees.target = QUERY, REPORT.read_text(encoding="utf-8")
    task = Task(
        dataset=[bees],
        setup=seat_user(user_model=EXTRACTIVE),
        solver=deep_research(date=DATE, search=CorpusSearch(CORPUS), summarizer=EXTRACTIVE, start=start),
    )
    log = eval(task, model=EXTRACTIVE, display="log", log_dir=str(log_dir))[0]
    assert log.status == "success", log.error
    return log


def only(log: EvalLog) -> EvalSample:
    assert log.samples
    return log.samples[0]


def run_of(log: EvalLog) -> ResearchRun:
    return ResearchRun.model_validate(only(log).store[RUN_KEY])


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[EvalLog, list[Decision]]:
    log = play(tmp_path_factory.mktemp("logs"), "interactive")
    return log, read_decisions(log.location, "bees")


def test_a_run_restarted_from_any_of_its_decisions_gives_the_same_report(
    played: tuple[EvalLog, list[Decision]], tmp_path: Path
) -> None:
    log, found = played
    before = run_of(log)
    assert [decision.ask for decision in found].count(True) == len(before.exchanges) >= 3
    for n, decision in enumerate(found):
        again = play(tmp_path, "interactive", after(decision))
        run = run_of(again)
        assert (run.report, run.rounds, run.exchanges) == (before.report, before.rounds, before.exchanges)
        last = n == len(found) - 1
        later = [] if last else read_decisions(again.location, "bees")
        assert [decision.digest() for decision in later] == [decision.digest() for decision in found[n + 1 :]]
        assert len(payloads(only(again).events, "decision")) == len(later)


def test_an_autonomous_run_can_be_restarted_as_well(tmp_path: Path) -> None:
    log = play(tmp_path, "autonomous")
    for decision in read_decisions(log.location, "bees"):
        assert run_of(play(tmp_path, "autonomous", after(decision))).report == run_of(log).report


def test_another_reply_is_delivered_in_place_of_the_one_that_was_given(
    played: tuple[EvalLog, list[Decision]], tmp_path: Path
) -> None:
    log, found = played
    first = run_of(play(tmp_path, "interactive", after(found[0], reply=OTHER)))
    assert first.exchanges[0].reply == OTHER
    assert first.exchanges[0].questions == run_of(log).exchanges[0].questions
    assert first.brief != run_of(log).brief
    assert first.report != run_of(log).report


@pytest.fixture
def asked(tmp_path: Path) -> tuple[Ran, list[Decision]]:
    ran = run(Script(**ASKING), arm="interactive", log_dir=tmp_path)
    return ran, read_decisions(ran.log.location, "bees")


def test_a_restart_calls_nobody_again_for_what_is_done(asked: tuple[Ran, list[Decision]]) -> None:
    _, found = asked
    ran = run(arm="interactive", start=after(found[-1]))
    assert [call.role for call in ran.script.calls] == ["reporter"]
    assert not ran.queries
    middle = run(arm="interactive", start=after(found[1]))
    assert "planner" not in {call.role for call in middle.script.calls}
    assert [finding.topic for finding in middle.run.findings] == [*TOPICS, *TOPICS]


def test_a_reply_put_in_place_of_another_reaches_what_comes_later(asked: tuple[Ran, list[Decision]]) -> None:
    _, found = asked
    ran = run(
        Script(supervisor=in_turn(delegate("wax"), done())), arm="interactive", start=after(found[1], reply=OTHER)
    )
    assert OTHER in ran.script.of("supervisor")[0].messages[-1].text
    assert all(OTHER in ran.script.of(role)[0].text for role in ("researcher", "reporter"))
    assert not [call.role for call in ran.script.calls if "Mostly winter, reply 2." in call.text]


def test_the_user_of_a_restarted_run_remembers_what_was_exchanged(tmp_path: Path) -> None:
    plays = {
        **ASKING,
        "questioner": lambda call: {"summary": "", "question": f"And {call.block('topic')}?", "second_question": ""},
        "user": lambda call: f"I say {call.block('dialogue').count('You:')}.",
    }
    before = run(Script(**plays), arm="interactive", log_dir=tmp_path)
    found = read_decisions(before.log.location, "bees")
    ran = run(Script(**plays), arm="interactive", start=after(found[0]))
    assert [call.user for call in ran.script.of("user")] == [call.user for call in before.script.of("user")[1:]]
    assert ran.run.exchanges == before.run.exchanges


def test_pages_of_the_run_before_are_not_summarised_again(asked: tuple[Ran, list[Decision]]) -> None:
    _, found = asked
    script = Script(supervisor=in_turn(delegate("hives"), done()))
    ran = run(script, ScriptedSearch(), arm="interactive", start=after(found[1]))
    assert ran.queries == ["hives"]
    assert not script.of("summarizer")


def test_large_records_enter_a_log_once(asked: tuple[Ran, list[Decision]]) -> None:
    ran, _ = asked
    named = [p["hash"] for p in payloads(ran.sample.events) if "hash" in p]
    assert len(named) == len(set(named))
    kinds = [p["kind"] for p in payloads(ran.sample.events)]
    counts: dict[str, int] = {kind: kinds.count(kind) for kind in ("brief", "finding", "page", "round", "exchange")}
    assert counts == {"brief": 1, "finding": 3, "page": 3, "round": 2, "exchange": 3}


@pytest.mark.parametrize(("log", "sample_id"), [("nowhere.eval", "bees"), (None, "ants")])
def test_a_log_or_sample_that_is_not_there_is_refused(
    asked: tuple[Ran, list[Decision]], log: Any, sample_id: str
) -> None:
    with pytest.raises(BadInput, match="give a log of this task"):
        read_decisions(log or asked[0].log.location, sample_id)
