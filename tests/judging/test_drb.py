"""The criteria of DeepResearch Bench as aspects: those about content, tagged by the grader, none lost in silence."""

import json
from pathlib import Path
from typing import Any

import pytest

from idrbench_inspect.errors import BadInput
from idrbench_inspect.judging import Aspects, from_drb
from idrbench_inspect.judging.store import Store
from tests.judging.scripted import INTENT, Grader, tags

WEIGHTS = {"readability": 0.1, "insight": 0.5, "comprehensiveness": 0.2, "instruction_following": 0.2}


def criterion(name: str, weight: float, explanation: str = "Whether it is there.") -> dict[str, Any]:
    return {"criterion": name, "explanation": explanation, "weight": weight, "comment": "Not read."}


def row(**dimensions: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "id": 7,
        "language": "en",
        "prompt": INTENT.source_query,
        "dimension_weight": WEIGHTS,
        "criterions": {"readability": [criterion("Style", 1.0)], **dimensions},
    }


def written(tmp_path: Path, *rows: dict[str, Any]) -> Path:
    path = tmp_path / "criteria.jsonl"
    path.write_text("\n".join(json.dumps(held, ensure_ascii=False) for held in rows), encoding="utf-8")
    return path


def several(name: str, count: int, weight: float = 0.1) -> list[dict[str, Any]]:
    return [criterion(f"{name} {n}", weight) for n in range(count)]


async def test_criteria_about_content_become_aspects_that_the_grader_tags(tmp_path: Path) -> None:
    path = written(tmp_path, row(comprehensiveness=several("Bees", 5), insight=several("Why", 4)))
    grader = Grader(aspect_tags=[tags("inferable", [f"a{n}" for n in range(1, 10)])])
    source = Aspects(f"drb:{path}", Store(tmp_path))
    source.check([INTENT])
    held = await source.of(INTENT, grader.model())
    assert grader.counts == (0, 1, 0)
    assert held.aspects[0].text == "Bees 0: Whether it is there."
    assert [aspect.text.split(":")[0] for aspect in held.aspects[5:]] == [f"Why {n}" for n in range(4)]
    assert {aspect.tag for aspect in held.aspects} == {"inferable"}
    assert held.author.model == "deep_research_bench"
    assert held.left_out == ()


def test_of_more_than_20_the_weightiest_stay_in_order_and_the_others_are_named(tmp_path: Path) -> None:
    # 0.2 x 0.3 weighs more than 0.5 x 0.1, and that more than 0.2 x 0.2; of the equal ones the last two go.
    asked = {"insight": several("Why", 19), "instruction_following": several("So", 1, 0.2)}
    path = written(tmp_path, row(comprehensiveness=several("Bees", 3, 0.3), **asked))
    (draft,) = from_drb(path).values()
    assert len(draft.texts) == 20
    assert [text.split(":")[0] for text in draft.texts] == [f"Bees {n}" for n in range(3)] + [
        f"Why {n}" for n in range(17)
    ]
    assert [text.split(":")[0] for text in draft.left_out] == ["Why 17", "Why 18", "So 0"]


def test_a_chinese_criterion_is_joined_as_chinese_is_written(tmp_path: Path) -> None:
    held = {**row(insight=several("蜜蜂", 8)), "language": "zh"}
    (draft,) = from_drb(written(tmp_path, held)).values()
    assert draft.texts[0] == "蜜蜂 0：Whether it is there."


def test_a_task_whose_source_query_is_another_is_refused(tmp_path: Path) -> None:
    source = Aspects(f"drb:{written(tmp_path, row(insight=several('Why', 8)))}")
    with pytest.raises(BadInput, match="no criteria for the source query of the task 'bees'"):
        source.check([INTENT.model_copy(update={"source_query": "Tell me about wasps."})])


@pytest.mark.parametrize(
    ("rows", "wrong"),
    [
        ([row(insight=several("Why", 7))], "7 criteria about content"),
        ([row(insight=several("Why", 8, -0.1))], "criterions.insight.0.weight"),
        ([row(insight=[{"criterion": "Why"}])], "criterions.insight.0.explanation"),
        ([{**row(insight=several("Why", 8)), "dimension_weight": {"readability": 1}}], "insight has no weight"),
        ([row(insight=several("Why", 8))] * 2, "line 2: its prompt occurs twice"),
        ([{"id": 7}], "language"),
    ],
)
def test_a_line_of_another_form_is_refused(tmp_path: Path, rows: list[dict[str, Any]], wrong: str) -> None:
    with pytest.raises(BadInput) as caught:
        from_drb(written(tmp_path, *rows))
    assert wrong in str(caught.value)
    assert "\n" not in str(caught.value)
