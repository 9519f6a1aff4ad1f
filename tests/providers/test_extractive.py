"""The provider: names, usage, determinism, unknown requests, and that it sees no more than its call."""

import asyncio
import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageUser,
    GenerateConfig,
    ResponseSchema,
    get_model,
)
from inspect_ai.tool import ToolFunction
from inspect_ai.util import json_schema
from pydantic import BaseModel, Field

from idrbench_inspect.errors import BadInput
from idrbench_inspect.prompting import fence, notice
from idrbench_inspect.providers import extractive
from idrbench_inspect.providers.reading import count_tokens, full_sentences, terms
from idrbench_inspect.providers.request import evidence, readings, subject
from idrbench_inspect.providers.wishes import preferences, wishes
from tests.providers.asking import NEUTRAL, SUPERVISOR, call, tool
from tests.providers.test_working_roles import reported, supervisor

ROOT = Path(__file__).parents[2]


class Judged(BaseModel):
    reason: str
    score: int = Field(ge=0, le=5)
    kind: str | None


def test_another_model_name_is_refused_with_the_known_one() -> None:
    with pytest.raises(BadInput, match="idrbench/extractive"):
        get_model("idrbench/other")


def test_the_same_call_gets_the_same_reply_and_call_ids_in_another_process() -> None:
    script = (
        "import asyncio\n"
        "from tests.providers.test_working_roles import call, reported, supervisor, SUPERVISOR, WISH\n"
        "async def main():\n"
        "    print(await reported('en', WISH['en']))\n"
        "    print([c.id for c in (await call(await supervisor('en'), SUPERVISOR)).message.tool_calls])\n"
        "asyncio.run(main())\n"
    )
    seen = {
        subprocess.run(
            [sys.executable, "-c", script],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(seen) == 1
    assert "call_" in seen.pop()


async def test_call_ids_differ_within_a_turn_and_between_conversations() -> None:
    first = (await call(await supervisor("en"), SUPERVISOR)).message.tool_calls or []
    second = (await call(await supervisor("zh"), SUPERVISOR)).message.tool_calls or []
    ids = [made.id for made in (*first, *second)]
    assert len(ids) == len(set(ids)) == 4


async def test_nothing_but_the_call_is_seen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    before = await reported("en")
    monkeypatch.setenv("IDRBENCH_CANARY", "I am mostly interested in swarming in spring.")
    (tmp_path / "report.md").write_text("## Swarming in spring\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert await reported("en") == before


async def test_tokens_are_counted_without_any_download() -> None:
    assert await get_model("idrbench/extractive").api.count_tokens("trees 植树") == count_tokens("trees 植树") == 4


async def test_a_reply_over_the_output_limit_is_cut_and_can_be_continued() -> None:
    model = get_model("idrbench/extractive")
    page = fence("finding", "Bees\n\nBees make honey in the summer [1]. Bees rest in the winter [1].")
    asked: list[ChatMessage] = [ChatMessageUser(content=f"{fence('query', 'Write about bees.')}\n{page}")]
    whole = (await model.generate(asked)).completion
    cut = await model.generate(asked, config=GenerateConfig(max_tokens=8))
    assert cut.stop_reason == "max_tokens"
    assert 0 < count_tokens(cut.completion) <= 8
    on: list[ChatMessage] = [ChatMessageAssistant(content=cut.completion), ChatMessageUser(content=notice("go_on"))]
    assert cut.completion + (await model.generate([*asked, *on])).completion == whole


@pytest.mark.parametrize(("second", "least", "most"), [("Bees make honey.", 4, 5), ("Trains run late.", 0, 1)])
async def test_an_unknown_schema_gets_a_valid_instance_by_likeness(second: str, least: int, most: int) -> None:
    asked = ResponseSchema(name="judged", json_schema=json_schema(Judged))
    blocks = fence("page", "Bees make honey in summer. They rest in winter.") + "\n" + fence("other", second)
    output = await call([ChatMessageUser(content=f"How alike, 0-5?\n{blocks}")], response_schema=asked)
    judged = Judged.model_validate(json.loads(output.completion))
    assert least <= judged.score <= most
    assert judged.reason


async def test_an_unknown_text_request_gets_the_sentences_that_match() -> None:
    page = fence("page", "Bees make honey. Trains run late. Trams run on rails.")
    assert (await call([ChatMessageUser(content=f"What do bees make?\n{page}")])).completion == "Bees make honey."


async def test_a_forced_tool_is_called_with_readable_arguments() -> None:
    asked = [ChatMessageUser(content="Bees make honey.")]
    known = tool("note", **{"text": SUPERVISOR[0].parameters.properties["topic"]})
    output = await get_model("idrbench/extractive").generate(
        list(asked), tools=[known], tool_choice=ToolFunction(name="note")
    )
    assert [(c.function, c.arguments) for c in output.message.tool_calls or []] == [
        ("note", {"text": "Bees make honey."})
    ]


@pytest.mark.parametrize(
    ("sentence", "wanted"),
    [
        ("No preference, use your judgement.", []),
        ("没有偏好，请您自行判断。", []),
        ("Do you want swarming?", []),
        ("I am mostly interested in everyday riders rather than champions.", ["everyday riders"]),
        ("No strong view on length, but keep to swarming in spring.", ["swarming in spring"]),
        ("我主要关心福建的白茶，不用谈普洱。", ["福建的白茶"]),
    ],
)
def test_preferences_of_a_sentence(sentence: str, wanted: list[str]) -> None:
    assert preferences(sentence) == wanted


@pytest.mark.parametrize("language", ["en", "zh"])
def test_wishes_come_from_the_person_alone(language: str) -> None:
    said = f"Team: The request leaves open swarming and wax. Is it swarming?\nPerson: {NEUTRAL[language]}"
    assert wishes([("dialogue", said)]).terms == ()
    assert wishes([("brief", "A report on swarming."), ("clarifications", NEUTRAL[language])]).terms == ()
    assert wishes([("given", "I want swarming.\nI want wax.")]).phrases == ("swarming", "wax")


def test_subject_of_requests() -> None:
    assert subject("I run a club. Please write a report on the history of the bicycle.") == "history of the bicycle"
    assert subject("我刚开始喝茶，想请你写一篇介绍茶叶的文章。") == "茶叶"


def test_sentences_keep_abbreviations_decimals_and_citations() -> None:
    assert full_sentences("Dr. Langstroth kept 3.5 hives in it. [2] The second one follows here now.") == [
        "Dr. Langstroth kept 3.5 hives in it. [2]",
        "The second one follows here now.",
    ]


def test_evidence_reads_citations_before_and_behind_the_stop_and_skips_what_has_none() -> None:
    text = "Topic\n\nBees make honey in the summer [1]. This has no number at all.\n\n"
    text += "Wax is made by bees. It melts early on. [2]"
    found = [(item.text, item.cites) for item in evidence(text)]
    assert ("Bees make honey in the summer.", (1,)) in found
    assert ("Wax is made by bees.", (2,)) in found
    assert not any("no number" in said for said, _ in found)
    assert readings("no source here") == []


def test_terms_leave_out_the_words_of_asking() -> None:
    assert terms("I would like the report to focus on planted trees") == terms("planting tree")


async def test_replies_are_made_off_the_event_loop_one_at_a_time_and_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[tuple[str, int]] = []
    inside: list[int] = []
    whole = extractive._answer

    def noted(messages: list[ChatMessage], *rest: Any) -> Any:
        inside.append(len(inside) - len(made))
        answer = whole(messages, *rest)
        made.append((messages[-1].text, threading.get_ident()))
        return answer

    monkeypatch.setattr(extractive, "_answer", noted)
    model = get_model("idrbench/extractive")
    await asyncio.gather(*(model.generate(f"Say {number}.") for number in range(20)))
    assert [text for text, _ in made] == [f"Say {number}." for number in range(20)]
    assert threading.get_ident() not in {thread for _, thread in made}
    assert set(inside) == {0}
