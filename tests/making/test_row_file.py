"""The file of rows: whole rows or none, the first of an id stays, and a torn end is dropped with a notice."""

import os
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from idrbench_inspect.errors import BadInput
from idrbench_inspect.making.row_file import RowFile, rewrite
from idrbench_inspect.records import Record


class Note(Record):
    id: str
    text: str


def notes(path: Path) -> RowFile[Note]:
    return RowFile(path, Note)


def written(path: Path, *names: str) -> bytes:
    for name in names:
        notes(path).add(Note(id=name, text=f"{name}\u2028 茶"))
    return path.read_bytes()


@pytest.mark.parametrize("kept", [1, 5, 20, 25])
def test_a_torn_last_line_is_dropped_with_a_notice_and_made_again(tmp_path: Path, kept: int) -> None:
    path = tmp_path / "rows.jsonl"
    first = written(path, "a")
    whole = written(path, "b")
    path.write_bytes(whole[: len(first) + kept])
    file = notes(path)
    (notice,) = file.check()
    assert "line 2 was not written to its end" in notice
    assert path.read_bytes() == first
    assert list(file.rows()) == ["a"]
    assert written(path, "b") == whole


def test_a_last_row_that_lacks_only_its_line_end_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    whole = written(path, "a", "b")
    path.write_bytes(whole[:-1])
    assert notes(path).check() == []
    assert path.read_bytes() == whole


@pytest.mark.parametrize("content", ["Dear diary", '{"id":"a","text":"x"}\nDear diary', '{"name": 1}\n', "[1]\n"])
def test_a_file_of_another_kind_is_refused_and_left_as_it_is(tmp_path: Path, content: str) -> None:
    path = tmp_path / "diary.txt"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(BadInput, match=r"line \d"):
        notes(path).check()
    assert path.read_text(encoding="utf-8") == content


def test_an_id_twice_and_a_folder_that_is_not_there_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes(written(path, "a") * 2)
    with pytest.raises(BadInput, match="line 2: 'a' occurs twice"):
        notes(path).check()
    with pytest.raises(BadInput, match="no folder"):
        notes(tmp_path / "none" / "rows.jsonl").check()
    with pytest.raises(BadInput, match="is a folder"):
        notes(tmp_path).check()


def test_the_first_row_of_an_id_stays_whoever_adds_the_second(tmp_path: Path) -> None:
    one, other = notes(tmp_path / "rows.jsonl"), notes(tmp_path / "rows.jsonl")
    assert not other.rows()
    first = one.add(Note(id="a", text="first"))
    assert other.add(Note(id="a", text="second")) == first
    assert one.rows() == other.rows() == {"a": first}


def test_rows_that_are_added_side_by_side_are_all_there_and_whole(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    rows = [Note(id=f"n{n}", text="x" * 50_000) for n in range(24)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda row: notes(path).add(row), rows))
    assert notes(path).check() == []
    assert dict(notes(path).rows()) == {row.id: row for row in rows}


def test_a_row_is_put_in_the_place_of_another_and_every_other_byte_stays(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes(written(path, "a", "b", "c").replace(b'{"id":"c"', b'{"id": "c"') + b"\n")
    lines, reader = path.read_bytes().split(b"\n"), notes(path)
    held = reader.rows()["b"]
    other = notes(path)
    new = Note(id="b", text=held.text[::-1])  # as long as the one before
    assert other.replace(held, new) == new
    assert [n for n, line in enumerate(path.read_bytes().split(b"\n")) if line != lines[n]] == [1]
    assert reader.rows()["b"] == new
    assert reader.replace(held, Note(id="b", text="late")) == new
    assert [file.name for file in tmp_path.iterdir() if file.name.endswith(".new")] == []


def test_whoever_is_stopped_while_replacing_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "rows.jsonl"
    whole = written(path, "a", "b")
    file = notes(path)
    held = file.rows()["a"]

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("os.replace", stop)
    with pytest.raises(KeyboardInterrupt):
        file.replace(held, Note(id="a", text="new"))
    monkeypatch.undo()
    assert path.read_bytes() == whole
    assert notes(path).replace(held, Note(id="a", text="new")).text == "new"


def test_a_file_is_closed_before_it_takes_the_place_of_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows renames no open file."""
    opened: list[int] = []
    closed: list[int] = []
    made, renamed = tempfile.mkstemp, os.replace

    def noted(**given: Any) -> tuple[int, str]:
        handle, name = made(**given)
        opened.append(handle)
        return handle, name

    def checked(old: str, new: Path) -> None:
        try:
            os.fstat(opened[-1])
        except OSError:
            closed.append(opened[-1])
        renamed(old, new)

    monkeypatch.setattr("tempfile.mkstemp", noted)
    monkeypatch.setattr("os.replace", checked)
    path = tmp_path / "rows.jsonl"
    for content in (b"one\n", b"two\n"):
        rewrite(path, content)
        assert path.read_bytes() == content
    assert len(opened) == 2
    assert closed == opened
