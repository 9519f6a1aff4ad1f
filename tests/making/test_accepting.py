"""The way back from the sheet: rows that people took, with their queries and points, checked again and marked."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from idrbench_inspect.cli import main
from idrbench_inspect.dataset.tasks import Row
from idrbench_inspect.making.injecting import inject
from idrbench_inspect.making.review import EDIT, EDITED, LEFT_OUT, QUESTIONS, REFUSE, TAKE, ReviewSheet, blocks
from idrbench_inspect.making.row_file import RowFile
from tests.making.scripted import ENGLISH, HALF, LABEL, POINT, player, points

SECOND = {**POINT, "quote": "for builders", "question": "For whom", "alternatives": ["builders", "all"]}
BETTER = "Could you report on moss in Norway's roof gardens, please?"


async def made(folder: Path, *names: str) -> Path:
    """A file of rows with its sheet; each row has two points."""
    rows = folder / "rows.jsonl"
    model = player(**{LABEL: [points(POINT, {**SECOND, "settled": "builders"})]}).model()
    for name in names:
        row, _ = await inject(ENGLISH.model_copy(update={"id": name}), 0.5, model, model)
        RowFile(rows, Row).add(row)
        ReviewSheet(rows).add(row)
    return rows.with_suffix(".review.md")


def fill(sheet: Path, name: str, *changes: tuple[str, str], signed: str = "Ada, 3 May") -> None:
    """Write into the block of a row: reader 1 signs and ticks all, and then the changes."""
    before, head, rest = sheet.read_text(encoding="utf-8").partition(f"<!-- row {name} ")
    text, end, after = rest.partition(f"<!-- end of {name} -->")
    text = text.replace("Reader 1 (name, date):", f"Reader 1 (name, date): {signed}", 1)
    for question in QUESTIONS:
        text = text.replace(f"- [ ] {question}", f"- [x] {question}", 1)
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    sheet.write_text(before + head + text + end + after, encoding="utf-8")


def tick(choice: str) -> tuple[str, str]:
    return f"- [ ] {choice}", f"- [X] {choice}"


def accept(sheet: Path, name: str = "good.jsonl", *more: str) -> tuple[Result, dict[str, Row]]:
    out = sheet.parent / name
    done = CliRunner().invoke(main, ["data", "accept", str(sheet), "--out", str(out), *more])
    return done, dict(RowFile(out, Row).rows()) if out.exists() else {}


async def test_rows_are_taken_left_out_or_undecided_and_those_that_stay_say_who_read_them(tmp_path: Path) -> None:
    sheet = await made(tmp_path, "a", "b", "c")
    fill(sheet, "a", tick(TAKE))
    fill(sheet, "b", tick(REFUSE))
    before = sheet.with_name("rows.jsonl").read_bytes()
    done, rows = accept(sheet)
    assert done.exit_code == 1
    assert (
        "taken 1, of which 1 read by one reader (see review), left out 1 (b), undecided 1 (c), not to be taken 0"
        in done.output
    )
    assert list(rows) == ["a"]
    review = rows["a"].review
    assert review is not None
    assert (review.readers, review.query_before, review.points_left_out, review.doubts) == (
        ("Ada, 3 May",),
        None,
        0,
        (),
    )
    assert (rows["a"].query, len(rows["a"].ambiguity)) == (HALF, 2)
    assert sheet.with_name("rows.jsonl").read_bytes() == before
    fill(sheet, "c", tick(TAKE))
    done, rows = accept(sheet)
    assert (done.exit_code, list(rows)) == (0, ["a", "c"])


async def test_a_query_that_a_person_wrote_is_taken_over_measured_again_and_marked(tmp_path: Path) -> None:
    sheet = await made(tmp_path, "a")
    fill(sheet, "a", tick(EDIT), (EDITED, f"{EDITED}\n\n> {BETTER}\n"), (LEFT_OUT, f"{LEFT_OUT} 2"))
    done, rows = accept(sheet)
    assert done.exit_code == 0, done.output
    row = rows["a"]
    assert row.query == BETTER
    assert row.review is not None
    assert row.injection is not None
    assert (row.review.query_before, row.review.points_left_out) == (HALF, 1)
    assert row.injection.compression == row.compression == round(1 - len(BETTER) / len(ENGLISH.source_query), 3)
    assert [point.dimension for point in row.ambiguity] == ["time"]


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ([tick(EDIT), (EDITED, f"{EDITED} Moss on Norwegian roofs.")], "characters; between 42 and 62 are wanted"),
        (
            [tick(EDIT), (EDITED, f"{EDITED}\n请写一份关于屋顶花园里苔藓的报告，{'最后列一张表，' * 4}谢谢。")],
            "not in English",
        ),
        ([tick(EDIT), (EDITED, f"{EDITED} Report on moss in Norway's roof gardens for builders")], "number 2 of those"),
        (
            [tick(EDIT), (EDITED, f"{EDITED} Report on moss in roof gardens, to the years, since 1990")],
            "number 1 of those",
        ),
        ([tick(EDIT)], "there is none; write it"),
        ([tick(TAKE), (EDITED, f"{EDITED}\n{BETTER}")], "tick 'take this row with the query below'"),
        ([tick(TAKE), tick(REFUSE)], "more than one box"),
        ([tick(TAKE), (LEFT_OUT, f"{LEFT_OUT} 3")], "no point 3"),
        ([tick(TAKE), (LEFT_OUT, f"{LEFT_OUT} 1-2")], "stands '1-2'; write numbers separated by commas, such as 1, 3"),
        ([tick(TAKE), (LEFT_OUT, f"{LEFT_OUT} all")], "stands 'all'"),
        ([tick(TAKE), (LEFT_OUT, f"{LEFT_OUT} 1 2")], "stands '1 2'"),
        ([tick(TAKE), (LEFT_OUT, f"{LEFT_OUT} -1")], "stands '-1'"),
        ([tick(TAKE), (LEFT_OUT, f"{LEFT_OUT}\n2")], "where it says '2'"),
        ([tick(TAKE), (f"> {HALF}", f"> {BETTER}")], f'where it says "> {BETTER[:54]}...; write'),
        ([tick(TAKE), ("whole twentieth century", "nineteenth century")], "where it says '- the nineteenth century';"),
        ([tick(TAKE), ("   - the whole twentieth century\n", "")], "no longer says '- the whole twentieth century';"),
        ([tick(TAKE), ("- [ ] leave this", "- [?] leave this")], "where it says '- [?] leave this row out'"),
        ([tick(TAKE), ("Decision:\n", "Decision:\nI like it.\n")], "where it says 'I like it.'; write"),
        ([tick(TAKE), ("Reader 2 (name, date):", "")], "no longer says 'Reader 2 (name, date):'"),
        ([tick(TAKE), (f"- [ ] {QUESTIONS[0]}", f"- [x] {QUESTIONS[0]}")], "reader 2 has not signed"),
        ([tick(TAKE), ("- notes:\n\nDecision", "- notes: Hm.\n\nDecision")], "reader 2 has not signed"),
        ([tick(TAKE), (": Ada, 3 May", ":")], "no reader has signed"),
    ],
)
async def test_what_does_not_hold_is_named_and_the_other_rows_are_taken(
    tmp_path: Path, changes: list[tuple[str, str]], wrong: str
) -> None:
    sheet = await made(tmp_path, "a", "b")
    fill(sheet, "a", *changes)
    fill(sheet, "b", tick(TAKE))
    done, rows = accept(sheet)
    assert (done.exit_code, list(rows)) == (1, ["b"])
    assert "a cannot be taken: " in done.output
    assert wrong in done.output


async def test_what_a_reader_did_not_tick_stands_in_the_row(tmp_path: Path) -> None:
    sheet = await made(tmp_path, "a")
    fill(sheet, "a", tick(TAKE), (f"- [x] {QUESTIONS[2]}", f"- [ ] {QUESTIONS[2]}"))
    _, rows = accept(sheet)
    assert rows["a"].review is not None
    assert rows["a"].review.doubts == (f"Ada, 3 May: {QUESTIONS[2]}",)


async def test_point_numbers_are_separated_by_commas_of_either_language(tmp_path: Path) -> None:
    sheet = await made(tmp_path, "a")
    fill(sheet, "a", tick(TAKE), (LEFT_OUT, f"{LEFT_OUT} 2，1 "))
    _, rows = accept(sheet)
    assert rows["a"].review is not None
    assert (rows["a"].ambiguity, rows["a"].review.points_left_out) == ((), 2)


async def test_a_block_that_stands_twice_is_taken_where_both_say_the_same_alone(tmp_path: Path) -> None:
    sheet = await made(tmp_path, "a", "b")
    for name in ("a", "b"):
        fill(sheet, name, tick(TAKE))
    text = sheet.read_text(encoding="utf-8")
    again = "\n\n".join(part.text for part in blocks(text))
    other = again.replace(tick(TAKE)[1], "- [ ] " + TAKE, 1).replace(*tick(REFUSE), 1)
    sheet.write_text(f"{text}\n{other}\n", encoding="utf-8")
    done, rows = accept(sheet)
    assert (done.exit_code, list(rows)) == (1, ["b"])
    assert "a cannot be taken: its block stands 2 times on the sheet, and they differ; leave one." in done.output


async def test_notes_stand_in_the_row_and_doubts_and_single_readers_are_counted(tmp_path: Path) -> None:
    sheet = await made(tmp_path, "a", "b", "c")
    both = ("Reader 2 (name, date):", "Reader 2 (name, date): Bo")
    fill(sheet, "a", tick(TAKE), ("- notes:", "- notes: The years\n  are odd.\n\n> So it is."))
    fill(sheet, "b", tick(TAKE), both)
    fill(sheet, "c", tick(TAKE), ("Reader 2 (name, date):", "Reader 2 (name, date):  ada, 3 MAY"))
    done, rows = accept(sheet)
    assert done.exit_code == 0, done.output
    assert "taken 3, of which 2 read by one reader, 2 with doubts, 1 with notes (see review), left out 0" in done.output
    assert [row.review and row.review.notes for row in rows.values()] == [
        ("Ada, 3 May: The years are odd. > So it is.",),
        (),
        (),
    ]
    assert [row.review and len(row.review.readers) for row in rows.values()] == [1, 2, 1]
    assert [row.review and len(row.review.doubts) for row in rows.values()] == [0, len(QUESTIONS), len(QUESTIONS)]


async def test_other_list_marks_and_blanks_of_an_editor_change_nothing(tmp_path: Path) -> None:
    sheet = await made(tmp_path, "a")
    fill(sheet, "a", tick(TAKE))
    text = sheet.read_text(encoding="utf-8").replace("- [", "* [").replace("Decision:\n", "Decision:   \n\n\n")
    sheet.write_text(text, encoding="utf-8")
    done, rows = accept(sheet)
    assert (done.exit_code, list(rows)) == (0, ["a"]), done.output


async def test_what_stands_in_no_block_is_said_not_to_be_read(tmp_path: Path) -> None:
    sheet = await made(tmp_path, "a", "b")
    fill(sheet, "a", tick(TAKE))
    fill(sheet, "b", tick(TAKE))
    text = sheet.read_text(encoding="utf-8").replace("<!-- end of a -->", "<!-- end of a -->\nDrop point 2, please.")
    sheet.write_text(text, encoding="utf-8")
    done, rows = accept(sheet)
    assert (done.exit_code, list(rows)) == (0, ["a", "b"])
    assert done.stderr == "  not read, since it stands in no block: Drop point 2, please.\n"


async def test_reviewed_rows_go_into_a_folder_that_is_made(tmp_path: Path) -> None:
    sheet = await made(tmp_path, "a")
    fill(sheet, "a", tick(TAKE))
    done, rows = accept(sheet, "reviewed/new/tasks.jsonl")
    assert (done.exit_code, list(rows)) == (0, ["a"]), done.output


async def test_a_row_that_was_changed_in_its_file_is_not_what_was_reviewed(tmp_path: Path) -> None:
    sheet = await made(tmp_path, "a")
    fill(sheet, "a", tick(TAKE))
    rows = sheet.with_name("rows.jsonl")
    rows.write_text(rows.read_text(encoding="utf-8").replace(HALF, BETTER), encoding="utf-8")
    done, taken = accept(sheet)
    assert (done.exit_code, taken) == (1, {})
    assert "the sheet shows it otherwise" in done.output
    assert "nothing is written" in done.output


async def test_nothing_that_was_not_reviewed_is_written_over(tmp_path: Path) -> None:
    sheet = await made(tmp_path, "a")
    fill(sheet, "a", tick(TAKE))
    rows = sheet.with_name("rows.jsonl").read_bytes()
    (tmp_path / "other.jsonl").write_bytes(rows)
    for name, wrong in (("rows.jsonl", "is the file that is reviewed"), ("other.jsonl", "no review let through")):
        done, _ = accept(sheet, name)
        assert done.exit_code == 1
        assert wrong in done.output
        assert (tmp_path / name).read_bytes() == rows


async def test_a_sheet_without_its_rows_and_windows_line_ends(tmp_path: Path) -> None:
    sheet = await made(tmp_path, "a")
    fill(sheet, "a", tick(TAKE))
    sheet.write_bytes(sheet.read_bytes().replace(b"\n", b"\r\n"))
    moved = tmp_path / "my review.md"
    sheet.rename(moved)
    done, _ = accept(moved)
    assert "give them as --rows FILE" in done.output
    done, rows = accept(moved, "good.jsonl", "--rows", str(tmp_path / "rows.jsonl"))
    assert (done.exit_code, list(rows)) == (0, ["a"])
    done, _ = accept(tmp_path / "none.review.md")
    assert "There is no sheet" in done.output


async def test_rows_that_were_accepted_before_are_neither_lost_nor_set_back(tmp_path: Path) -> None:
    sheet = await made(tmp_path, "a", "b")
    fill(sheet, "a", tick(TAKE))
    assert accept(sheet)[0].exit_code == 1  # b is undecided
    out = tmp_path / "good.jsonl"
    fill(sheet, "b", tick(TAKE))
    done, rows = accept(sheet)
    assert (done.exit_code, list(rows)) == (0, ["a", "b"]), done.output
    edited = out.read_bytes().replace(b'"system":"unknown"', b'"system":"Ada"', 1)
    assert edited != out.read_bytes()
    out.write_bytes(edited)
    done, _ = accept(sheet)
    assert done.exit_code == 1
    assert "holds the row 'a', which is not taken now or was changed there since; give another --out" in done.output
    assert out.read_bytes() == edited
