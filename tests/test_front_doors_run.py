"""Whole runs over the mini set, offline: what is in the reports, the prompts and the log."""

import re
from pathlib import Path

import pytest
from inspect_ai.event import timeline_build
from inspect_ai.log import EvalSample
from inspect_ai.model import ChatMessageAssistant, ChatMessageTool

from idrbench_inspect.limits import Budgets, Limits
from idrbench_inspect.log_events import payloads
from idrbench_inspect.prompting import notice
from idrbench_inspect.records import AGENT_ROLES, SCHEMA, STAGES
from idrbench_inspect.resources import prompts_sha256
from tests import door_runs as doors

CANARY = "Quillmarsh"
CITED = re.compile(r"[^.!?。！？\n]*\[\d+\]")


@pytest.mark.parametrize("door", ["interactive", "autonomous"])
def test_every_sample_is_scored_and_cites_only_what_was_retrieved(door: str) -> None:
    log = doors.mini(door)
    assert log.results
    assert (log.results.completed_samples, log.results.total_samples) == (4, 4)
    for sample in doors.samples(log):
        run = doors.record(sample)
        retrieved = {source.url for finding in run.findings for source in finding.sources}
        assert run.report is not None
        body, _, listed = run.report.rpartition("\n## ")
        assert len(CITED.findall(body)) >= 8
        assert {source.url for source in run.cited} <= retrieved
        assert set(re.findall(r"https?://[^\s)]+", listed)) <= retrieved
        assert set(re.findall(r"\[(\d+)\]", body)) <= {str(n) for n in range(1, len(run.cited) + 1)}
        assert run.ungrounded == ()
        assert doors.scored(sample, "report_alignment")["average_alignment"] > 0
        assert doors.scored(sample)["lost_delegations"] == 0


def test_the_user_is_asked_at_every_stage_over_the_set_and_within_the_budgets() -> None:
    runs = [doors.record(sample) for sample in doors.samples(doors.mini("interactive"))]
    assert {exchange.stage for run in runs for exchange in run.exchanges} == set(STAGES)
    for sample, run in zip(doors.samples(doors.mini("interactive")), runs, strict=True):
        for stage in STAGES:
            used = sum(exchange.stage == stage for exchange in run.exchanges)
            assert used == doors.scored(sample)[f"turns_{stage}"] <= Budgets().allowed(stage)


def test_autonomous_asks_nothing_of_anyone() -> None:
    for sample in doors.samples(doors.mini("autonomous")):
        assert doors.record(sample).exchanges == ()
        assert doors.scored(sample)["turns"] == 0
        assert doors.calls(sample, "user", "evaluator", "questioner") == []
        assert {decision["ask"] for decision in payloads(sample.events, "decision")} == {None}


def test_a_neutral_user_changes_no_report_though_the_reply_is_everywhere() -> None:
    neutral = doors.mini("interactive", user="neutral")
    assert doors.reports(neutral) == doors.reports(doors.mini("autonomous"))
    for sample in doors.samples(neutral):
        reply = notice("neutral_zh" if str(sample.id).startswith("zh") else "neutral_en")
        assert doors.calls(sample, "user") == []
        for role in ("planner", "supervisor", "researcher", "reporter"):
            assert any(reply in shown for shown in doors.prompts(sample, role)), role


def test_two_runs_are_equal_byte_for_byte() -> None:
    assert doors.reports(doors.mini("interactive", again=1)) == doors.reports(doors.mini("interactive"))
    assert doors.reports(doors.mini("interactive")) != doors.reports(doors.mini("autonomous"))


def test_no_agent_sees_report_source_query_or_preferences(tmp_path: Path) -> None:
    row = next(doors.rows())
    for name in ("report", "source_query"):
        row[name] = re.sub(r"(?<=\w)\. ", f" {CANARY}{name.title()}. ", row[name])
        assert row[name].count(CANARY) > 2
    points = [{**p, "preference": f"{CANARY}Preference {p['preference']}"} for p in row["ambiguity"]]
    file = doors.write_rows(tmp_path / "planted.jsonl", [{**row, "ambiguity": points}])
    given = {"profile": "mini", "dataset": str(file), "search": f"corpus:{doors.MINI / 'corpus'}"}
    arms = "autonomous,interactive,forced"
    for sample in doors.samples(doors.run("idrbench_inspect/paired", task_args={**given, "arms": arms})):
        agent = [call for call in doors.calls(sample) if call.role not in {"user", "grader"}]
        seen = "\n".join(call.model_dump_json(include={"input", "tools", "output"}) for call in agent)
        replies = "\n".join(exchange.reply for exchange in doors.record(sample).exchanges)
        assert {call.role for call in agent} >= {"planner", "supervisor", "researcher", "reporter", "summarizer"}
        assert CANARY not in seen, sample.id
        assert CANARY not in replies
        if doors.settings(sample)["arm"] in {"interactive", "forced"}:
            assert any(f"{CANARY}Report" in shown for shown in doors.prompts(sample, "user"))


def test_the_log_says_what_made_it() -> None:
    log = doors.mini("interactive")
    made = log.eval.metadata
    assert made is not None
    assert made["prompts_sha256"] == prompts_sha256()
    assert re.fullmatch(r"[0-9a-f]{64}", made["dataset_revision"])
    assert (made["schema"], made["arms"]) == (SCHEMA, ["interactive"])
    assert made["suite"].startswith("idrbench-inspect ")
    assert made["limits"] == Limits().model_dump()
    assert made["budgets"] == Budgets().model_dump()
    assert made["roles"] == dict.fromkeys(("user", "summarizer", "grader"), doors.OFFLINE)
    assert (log.eval.task_version, log.eval.config.continue_on_fail) == ("3-A", True)
    for sample in doors.samples(log):
        found = doors.settings(sample)
        assert set(found["models"]) == {*AGENT_ROLES, "summarizer"}
        assert (found["limits"], found["budgets"]) == (made["limits"], made["budgets"])
        assert found["made_by"]["prompts"] == made["prompts_sha256"]
        assert re.fullmatch(r"corpus:[0-9a-f]{12}", found["made_by"]["search"])
        assert sample.metadata["dataset_revision"] == made["dataset_revision"]


def test_the_viewer_is_told_which_columns_to_show() -> None:
    view = doors.mini("interactive").eval.viewer
    assert view is not None
    assert view.task_samples_view is not None
    shown = str(view.task_samples_view)
    for key in ("average_alignment", "turns_planning", "tokens_agent_total", "lost_delegations"):
        assert key in shown


def test_the_timeline_has_a_lane_for_every_stage_and_researcher() -> None:
    for sample in doors.samples(doors.mini("interactive")):
        drawn = timeline_build(sample.events).render(width=100)
        lanes = [line.split("│")[0].strip() for line in drawn.splitlines()]
        assert {"planning", "research", "clarification", "generation"} <= set(lanes)
        delegated = [
            f"researcher-{round_.number}.{n}"
            for round_ in doors.record(sample).rounds
            for n, _ in enumerate(round_.delegations, 1)
        ]
        assert [lane for lane in lanes if lane.startswith("researcher-")] == delegated


def spoken(sample: EvalSample) -> list[tuple[str, str]]:
    return [
        (message.tool_calls[0].function, str(message.tool_calls[0].arguments["questions"]))
        if isinstance(message, ChatMessageAssistant) and message.tool_calls
        else (message.role, message.text)
        for message in sample.messages
    ]


def test_the_messages_tab_holds_query_exchanges_and_report() -> None:
    for sample in doors.samples(doors.mini("interactive")):
        run = doors.record(sample)
        exchanges = [
            turn
            for exchange in run.exchanges
            for turn in (("ask_user", str(list(exchange.questions))), ("tool", exchange.reply))
        ]
        assert spoken(sample) == [("user", sample.input), *exchanges, ("assistant", run.report)]
        asked = [m.tool_calls[0].id for m in sample.messages if isinstance(m, ChatMessageAssistant) and m.tool_calls]
        assert asked == [m.tool_call_id for m in sample.messages if isinstance(m, ChatMessageTool)]
        assert sample.output.completion == run.report


def test_one_failed_sample_leaves_the_results_of_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doors.Breaking, "on", ("history of the bicycle",))
    log = doors.run(
        "idrbench_inspect/autonomous",
        status="error",
        task_args={"profile": "mini", "subset": "quick", "language": "en"},
        model_roles={"planner": "breaking/extractive"},
    )
    broken, fine = doors.samples(log)
    assert broken.error is not None
    assert "this call breaks" in broken.error.message
    assert doors.reports(doors.mini("autonomous"))[str(fine.id)] == doors.record(fine).report
    assert log.results is not None
    assert (log.results.completed_samples, log.results.total_samples) == (1, 2)
    assert [score.scored_samples for score in log.results.scores if score.name == "average_alignment"] == [1]
