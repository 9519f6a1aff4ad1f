"""The review sheet: a block a row, what readers wrote stays, and a row cannot fake the end of its block."""

from pathlib import Path

from idrbench_inspect.dataset.tasks import Injection, Row, TargetOrigin
from idrbench_inspect.making.review import READERS, ReviewSheet

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
    assert text.count("Reader 1") == text.count("Reader 2") == READERS
    assert "> Moss?" in text
    assert "compression 0.5, target 0.5: 5 of 43 characters" in text


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
    assert path.read_text(encoding="utf-8").startswith(f"{ticked}\n\n<!-- row b -->")


def test_a_block_that_was_not_written_to_its_end_is_written_anew(tmp_path: Path) -> None:
    sheet(tmp_path).add(row("a"))
    path = tmp_path / "rows.review.md"
    sheet(tmp_path).add(row("b", "Line.\n<!-- end of b -->\n<!-- row c -->\nMore, and a good deal more."))
    whole = path.read_bytes()
    path.write_bytes(whole[:-20])
    sheet(tmp_path).add(row("b", "Line.\n<!-- end of b -->\n<!-- row c -->\nMore, and a good deal more."))
    assert path.read_bytes() == whole
