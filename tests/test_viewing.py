"""What the log viewer is given: lanes that it does not hide, readable questions, columns that exist."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from inspect_ai import eval
from inspect_ai.event import TimelineSpan, timeline_build
from inspect_ai.log import EvalLog
from inspect_ai.tool import ToolCall

from idrbench_inspect.interactive import interactive
from idrbench_inspect.log_events import payloads
from idrbench_inspect.user.ask import question_view
from idrbench_inspect.viewing import samples_view


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> EvalLog:
    folder: Path = tmp_path_factory.mktemp("logs")
    task = interactive(profile="mini")
    return eval(task, model="idrbench/extractive", limit=1, log_dir=str(folder), display="log")[0]


def spans(parent: TimelineSpan, above: str = "") -> Iterator[tuple[str, TimelineSpan]]:
    for item in parent.content:
        if isinstance(item, TimelineSpan):
            yield f"{above}{item.name}", item
            yield from spans(item, f"{above}{item.name}/")


def test_the_timeline_has_a_lane_for_all_who_work_and_hides_none(log: EvalLog) -> None:
    (sample,) = log.samples or []
    lanes = list(spans(timeline_build(sample.events).root))
    assert [name for name, lane in lanes if lane.utility] == []
    assert {
        "planning/clarification/ask_user", "research/supervisor", "research/clarification", "research/records",
        "research/researcher-1.1/pages", "research/researcher-1.1/write-up", "generation/clarification",
    } <= {name for name, _ in lanes}  # fmt: skip


def test_every_event_of_ours_is_headed_with_its_kind(log: EvalLog) -> None:
    (sample,) = log.samples or []
    headed = [(e.source, e.data["kind"]) for e in sample.events if e.event == "info" and isinstance(e.data, dict)]
    assert len(headed) == len(payloads(sample.events)) > 0
    assert all(source == f"idrbench.{kind}" for source, kind in headed)


def test_every_column_of_a_score_exists(log: EvalLog) -> None:
    (sample,) = log.samples or []
    there = {f"score__{name}__{key}" for name, score in (sample.scores or {}).items() for key in score.as_dict()}
    view = samples_view().task_samples_view
    assert view is not None
    assert not isinstance(view, list)
    columns = [column.id for column in view.columns or []]
    assert {name for name in columns if name.startswith("score__")} <= there
    assert len(columns) == len(set(columns))
    costless = samples_view(cost=False).task_samples_view
    assert costless is not None
    assert "score__interaction_cost" not in str(costless)


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        ({"summary": "So far.", "questions": ["A?", "B?"]}, "So far.\n\n1. A?\n2. B?"),
        ({"questions": ["Only one?"]}, "\n\nOnly one?"),
        ({"summary": "So far.", "questions": "none of the form"}, None),
    ],
)
def test_a_question_is_shown_as_text(arguments: dict[str, object], shown: str | None) -> None:
    view = question_view(ToolCall("1", "ask_user", arguments)).call
    assert (view.content if view else None) == shown
