"""Aspects as a file: what was written is read again, and what does not fit the tasks is refused before any call."""

import json
from pathlib import Path
from typing import Any

import pytest

from idrbench_inspect.errors import BadInput
from idrbench_inspect.judging import (
    AspectJudge,
    Aspects,
    Intent,
    NoReading,
    read_aspects,
    write_aspects,
    write_aspects_file,
)
from idrbench_inspect.judging.store import Store
from tests.judging.scripted import INTENT, TEXTS, Grader, aspect_set, said

OTHER = INTENT.model_copy(update={"id": "wasps", "source_query": "Tell me about wasps in all seasons."})


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "aspects.jsonl"
    write_aspects(path, {"bees": aspect_set(), "wasps": aspect_set(OTHER)})
    return path


async def refused(path: Path, *intents: Intent) -> str:
    """The sentence, said alike by the check and by the judging of a single sample, neither of which calls a model."""
    judge = AspectJudge(aspects=str(path))
    with pytest.raises(BadInput) as caught:
        judge.check(intents)
    grader = Grader()
    with pytest.raises(BadInput) as again:
        await Aspects(str(path)).of(intents[-1], grader.model())
    assert (str(caught.value), grader.calls) == (str(again.value), [])
    return str(caught.value)


async def test_given_aspects_are_used_as_they_are_without_a_call(file: Path) -> None:
    AspectJudge(aspects=str(file)).check([OTHER, INTENT])
    grader = Grader()
    assert await Aspects(str(file)).of(INTENT, grader.model()) == aspect_set()
    assert grader.calls == []


async def test_what_is_written_for_a_dataset_is_read_again_with_the_same_hashes(tmp_path: Path) -> None:
    grader, path = Grader(), tmp_path / "aspects.jsonl"
    hashes = await write_aspects_file([INTENT, OTHER], path, grader.model())
    assert {task: held.sha256 for task, held in read_aspects(path).items()} == hashes
    assert list(hashes) == ["bees", "wasps"]
    first = path.read_bytes()
    await write_aspects_file([INTENT, OTHER], path, grader.model())
    assert path.read_bytes() == first
    row = json.loads(first.split(b"\n")[0])
    assert row["task"] == "bees"
    assert row["source_query_sha256"] == INTENT.source_query_sha256
    assert row["author"]["model"] == "mockllm/model"
    assert len(row["author"]["prompt_sha256"]) == 64


async def test_a_file_that_broke_off_is_not_half_written_and_what_was_paid_is_kept(tmp_path: Path) -> None:
    grader, path = Grader(), tmp_path / "aspects.jsonl"
    path.write_text("before", encoding="utf-8")
    broken = Grader(aspect_texts=[said({"aspects": list(TEXTS)}), said("No.", "content_filter")])
    with pytest.raises(NoReading):
        await write_aspects_file([INTENT, OTHER], path, broken.paid(), tmp_path / "kept")
    assert path.read_text(encoding="utf-8") == "before"
    await write_aspects_file([INTENT, OTHER], path, grader.paid(), tmp_path / "kept")
    assert grader.counts == (1, 1, 0)


async def test_a_place_that_cannot_be_written_is_refused_before_any_call(tmp_path: Path) -> None:
    grader = Grader()
    with pytest.raises(BadInput, match="no folder"):
        await write_aspects_file([INTENT], tmp_path / "none" / "aspects.jsonl", grader.model())
    assert grader.calls == []


async def test_a_missing_task_is_refused_in_one_sentence(file: Path) -> None:
    message = await refused(file, INTENT, INTENT.model_copy(update={"id": "ants"}))
    assert "holds no aspects of the task 'ants'" in message
    assert message.count(".") == message.count(".jsonl") + 1


@pytest.mark.parametrize("field", ["source_query", "query"])
async def test_another_query_is_refused_in_one_sentence(file: Path, field: str) -> None:
    message = await refused(file, INTENT.model_copy(update={field: "Tell me about bees, please."}))
    assert f"aspects of the task 'bees' for another {field} (sha256 " in message
    assert message.endswith("or write it again.")


def test_marks_line_ends_and_line_separators_are_no_hindrance(tmp_path: Path) -> None:
    rows = {name: aspect_set(written=[*TEXTS, "Wax and honey"]) for name in ("a", "b", "c")}
    write_aspects(tmp_path / "lf.jsonl", rows)
    lines = (tmp_path / "lf.jsonl").read_text(encoding="utf-8").removesuffix("\n").split("\n")
    lines = [line.replace("Wax and", "Wax\u2028and\u0085") for line in lines]
    (tmp_path / "crlf.jsonl").write_bytes(b"\xef\xbb\xbf" + "\r\n\r\n".join(lines).encode())
    assert read_aspects(tmp_path / "crlf.jsonl") == read_aspects(tmp_path / "lf.jsonl") == rows


def row(**fields: Any) -> str:
    held = {"task": "bees", **aspect_set().model_dump(mode="json"), **fields}
    return json.dumps({key: value for key, value in held.items() if value is not ...})


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("{", "line 1: not JSON"),
        ("[]", "line 1: got [], a row must be one JSON object"),
        (row(task=...), "line 1: the field task"),
        (f"{row()}\n{row()}", "line 2: the task 'bees' occurs twice"),
        (row(aspects=[]), "the field aspects"),
        (row(source_query_sha256="abc"), "the field source_query_sha256"),
        (row(aspects=[{"id": "a1", "text": "Bees", "tag": "maybe"}] * 8), "the field aspects.0.tag"),
        (row(aspects=[{"id": "a1", "text": "Bees", "tag": "stated"}] * 8), "'a1' occurs twice"),
        (row(colour="red"), "the field colour"),
    ],
)
def test_a_line_that_cannot_be_used_is_named(tmp_path: Path, text: str, wrong: str) -> None:
    path = tmp_path / "aspects.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadInput) as caught:
        AspectJudge(aspects=str(path))
    assert wrong in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("source", ["nowhere.jsonl", "drb:nowhere.jsonl", "drb", "", "drb:"])
def test_a_source_that_is_not_there_is_refused_at_once(source: str) -> None:
    with pytest.raises(BadInput):
        Aspects(source)


def test_a_file_that_is_not_utf8_is_refused(tmp_path: Path) -> None:
    (tmp_path / "aspects.jsonl").write_bytes("{é}".encode("latin-1"))
    with pytest.raises(BadInput, match="not UTF-8"):
        Aspects(str(tmp_path / "aspects.jsonl"), Store())
