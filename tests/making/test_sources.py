"""Sources: of a dataset, or of a file with nothing but detailed queries; what is wrong with one is said by line."""

import json
from pathlib import Path
from typing import Any

import pytest

from idrbench_inspect.dataset import load, select
from idrbench_inspect.errors import BadInput
from idrbench_inspect.making.from_dataset import given_queries
from idrbench_inspect.making.sources import NO_TOPIC


def file_of(folder: Path, *rows: Any) -> str:
    path = folder / "sources.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return str(path)


def test_language_and_topic_may_be_left_out(tmp_path: Path) -> None:
    rows = ({"id": 7, "source_query": "Tell me all about moss."}, {"id": "b", "source_query": "请介绍苔藓。"})
    name, (first, second) = given_queries(file_of(tmp_path, *rows))
    assert (name, first.id, first.language, first.topic) == ("sources", "7", "en", NO_TOPIC)
    assert (second.language, second.report) == ("zh", None)


def test_a_dataset_gives_its_first_users_with_their_reports() -> None:
    name, sources = given_queries("mini")
    tasks = select(load("mini").tasks)
    assert name == "mini"
    assert [(source.id, source.source_query, source.report) for source in sources] == [
        (task.id, task.source_query, task.report) for task in tasks
    ]


def test_a_file_whose_rows_have_queries_is_read_as_a_dataset(tmp_path: Path) -> None:
    row = {"id": "a", "language": "en", "source_query": "Moss, all of it."}
    with pytest.raises(BadInput, match="target_origin"):
        given_queries(file_of(tmp_path, {**row, "query": "Moss", "topic": "t"}))


@pytest.mark.parametrize(
    ("row", "wrong"),
    [
        ({"id": "a"}, "source_query"),
        ({"id": "../a", "source_query": "Moss"}, "the field id"),
        ({"id": "a", "source_query": "  ", "language": "en"}, "source_query"),
        ({"id": "a", "source_query": "42"}, "language cannot be told"),
        ({"id": "a", "source_query": "Moss", "language": "fr"}, "the field language"),
        ({"id": "a", "source_query": "Moss", "region": "Norway"}, "the field region is not known"),
        ({"id": "a", "source_query": "Moss \ud800"}, "surrogate"),
    ],
)
def test_what_is_wrong_with_a_line_is_said(tmp_path: Path, row: dict[str, Any], wrong: str) -> None:
    with pytest.raises(BadInput, match=f"line 2.*{wrong}"):
        given_queries(file_of(tmp_path, {"id": "ok", "source_query": "Moss"}, row))


def test_an_id_twice_and_an_empty_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="occurs twice"):
        given_queries(file_of(tmp_path, *[{"id": "a", "source_query": "Moss"}] * 2))
    with pytest.raises(BadInput, match="holds no query"):
        given_queries(file_of(tmp_path))
