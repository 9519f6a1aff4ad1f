"""The review sheet: a block a row, what readers wrote stays, and a row cannot fake the end of its block."""

from pathlib import Path

import pytest

from idrbench_inspect.dataset.tasks import Injection, Row, TargetOrigin
from idrbench_inspect.making.injecting import Try
from idrbench_inspect.making.review import HEAD, READERS, ReviewSheet, blocks
from idrbench_inspect.making.sources import Source

HASH = "0" * 64


def row(name: str, source: str = "Tell me of moss on roofs in Norway, please.") -> Row:
    injection = Injection(
        source_sha256=HASH,
        target=0.5,
        compression=0.5,
        attempts=1,
        model="m",
        prompt_sha256=HASH,
        judge="j",
        judge_prompt_sha256=HASH,
        verdict_reason="Kept. <!-- end of a -->",
    )
    origin = TargetOrigin(system="s", model_family="f")
    return Row(
        id=name, language="en", topic="t", query="Moss?", source_query=source, target_origin=origin, injection=injection
    )


def sheet(folder: Path) -> ReviewSheet:
    return ReviewSheet(folder / "rows.jsonl")


def test_each_row_has_one_block_with_boxes_for_two_readers(tmp_path: Path) -> None:
    for name in ("a", "b", "a"):
        sheet(tmp_path).add(row(name))
    text = (tmp_path / "rows.review.md").read_text(encoding="utf-8")
    assert [line for line in text.splitlines() if line.startswith("## ")] == ["## a (en, t)", "## b (en, t)"]
    lines = text.splitlines()
    assert lines.count("Reader 1 (name, date):") == lines.count("Reader 2 (name, date):") == READERS
    assert lines.count("Decision:") == 2
    assert "> Moss?" in lines
    assert "compression 0.5, target 0.5: 5 of 43 characters, 18 to 25 wanted; attempt 1, by m" in text
    assert "idrbench data accept" in text


def test_what_a_reader_wrote_stays_when_rows_are_added(tmp_path: Path) -> None:
    sheet(tmp_path).add(row("a"))
    path = tmp_path / "rows.review.md"
    ticked = (
        path.read_text(encoding="utf-8").replace("- [ ] nothing", "- [x] nothing") + "A last remark, without an end"
    )
    path.write_text(ticked, encoding="utf-8")
    sheet(tmp_path).add(row("a"))
    assert path.read_text(encoding="utf-8") == ticked
    sheet(tmp_path).add(row("b"))
    assert path.read_text(encoding="utf-8").startswith(f"{ticked}\n\n<!-- row b ")


def test_a_row_that_is_another_one_now_has_a_block_of_its_own(tmp_path: Path) -> None:
    sheet(tmp_path).add(row("a"))
    sheet(tmp_path).add(row("a", "Tell me of moss on roofs in Sweden, please."))
    text = (tmp_path / "rows.review.md").read_text(encoding="utf-8")
    first, second = blocks(text)
    assert (first.row, second.row) == ("a", "a")
    assert first.made != second.made


def test_texts_cannot_fake_the_end_of_their_block_or_another_one(tmp_path: Path) -> None:
    sly = row("b", "Line.\n<!-- end of b -->\n<!-- row c 0123456789abcdef -->\nMore, and a good deal more.")
    sly = sly.model_copy(update={"topic": "t\n<!-- row d 0123456789abcdef -->"})
    for one in (row("a"), sly):
        sheet(tmp_path).add(one)
    found = blocks((tmp_path / "rows.review.md").read_text(encoding="utf-8"))
    assert [block.row for block in found] == ["a", "b"]
    assert found[1].text.endswith("\n<!-- end of b -->")
    assert "More, and a good deal more." in found[1].text


def failed(folder: Path, why: str) -> None:
    source = Source(id="b", language="en", source_query="Tell me of moss.")
    sheet(folder).add_failure(source, 0.5, why, [Try(query="Moss", wrong="It says too little.")])


def test_a_source_without_a_row_is_named_once_with_its_reasons_until_a_row_is_made(tmp_path: Path) -> None:
    path = tmp_path / "rows.review.md"
    sheet(tmp_path).add(row("a"))
    whole = path.read_bytes()
    failed(tmp_path, "first reason")
    failed(tmp_path, "second reason")
    text = path.read_text(encoding="utf-8")
    assert text.count("## b (en, unspecified): no row") == 1
    assert "- why: second reason" in text
    assert "- turned down: Moss (It says too little.)" in text
    sheet(tmp_path).add(row("b"))
    assert "no row" not in path.read_text(encoding="utf-8").removeprefix(HEAD)
    assert path.read_bytes().startswith(whole)


def test_a_reason_that_utf_8_cannot_hold_is_told_all_the_same(tmp_path: Path) -> None:
    failed(tmp_path, "a call broke, \ud800")
    assert "- why: a call broke, \\ud800\n" in (tmp_path / "rows.review.md").read_text(encoding="utf-8")


def test_a_run_that_is_stopped_while_writing_leaves_the_sheet_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "rows.review.md"
    sheet(tmp_path).add(row("a"))
    whole = path.read_bytes()

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("os.replace", stop)
    monkeypatch.setattr("os.unlink", lambda *_: None)  # as after a kill, which tidies nothing up
    with pytest.raises(KeyboardInterrupt):
        sheet(tmp_path).add(row("b"))
    monkeypatch.undo()
    assert path.read_bytes() == whole
    sheet(tmp_path).add(row("b"))
    assert path.read_bytes().startswith(whole)
    assert not list(tmp_path.glob(".*.new"))


def test_a_sheet_that_an_editor_has_saved_with_windows_line_ends_is_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "rows.review.md"
    sheet(tmp_path).add(row("a"))
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    sheet(tmp_path).add(row("a"))
    sheet(tmp_path).add(row("b"))
    assert [block.row for block in blocks(path.read_text(encoding="utf-8"))] == ["a", "b"]
