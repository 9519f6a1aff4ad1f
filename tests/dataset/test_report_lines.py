"""A file of reports: all that is wrong with it is named in one go, and the loader refuses it with one sentence."""

import json
from pathlib import Path

import pytest

from idrbench_inspect.dataset import Audit, audit, load
from idrbench_inspect.dataset.public import git_blob
from tests.dataset import small
from tests.dataset.server import Server
from tests.dataset.test_joining import copies
from tests.test_dataset import refusal

GOOD = '{"id": 2, "article": "In Norway."}'


@pytest.fixture
def rows(server: Server, tmp_path: Path) -> str:
    return small.written(tmp_path / "rows")


def given(folder: Path, content: str | bytes) -> str:
    path = folder / "mine.jsonl"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return str(path)


def named(found: Audit) -> list[tuple[str, str, str]]:
    return [(problem.kind, problem.row, problem.field) for problem in found.problems]


def test_every_fault_of_the_file_is_named_in_one_go(rows: str, tmp_path: Path) -> None:
    lines = [
        GOOD,
        "{",
        "[1]",
        '{"id": 1, "id": 3, "article": "x"}',
        '{"id": true, "article": "x"}',
        '{"id": 3}',
        '{"id": "2", "article": "y"}',
        '{"id": 9, "article": "z"}',
        '{"id": 1, "article": "x", "prompt": "another one"}',
        '{"id": 1, "article": "second line of a refused one"}',
    ]
    file = given(tmp_path, "\n".join(lines))
    found = audit(rows, reports=file)
    assert named(found) == [
        ("error", "line 2", ""),
        ("error", "line 3", ""),
        ("error", "line 4", ""),
        ("error", "line 5", "id"),
        ("error", "line 6", "article"),
        ("error", "line 7", "id"),
        ("error", "line 8", "id"),
        ("error", "line 9", "prompt"),
        ("error", "line 10", "id"),
    ]
    assert {problem.file for problem in found.problems} == {file}
    assert "the field id occurs twice in one object" in found.problems[2].sentence
    assert [row.left_out for row in found.rows] == [True, False, True]
    assert refusal(lambda: load(rows, reports=file)).startswith(f"{file}, line 2: not JSON")


BAD_ARTICLES = [
    ("", "it must not be blank"),
    (" \n", "it must not be blank"),
    ("a\0b", "it must not hold the character NUL"),
    ("a\ud800", "it must not hold half a surrogate pair"),
]


@pytest.mark.parametrize(("article", "wrong"), BAD_ARTICLES)
def test_an_article_that_cannot_be_used_is_named_by_file_line_and_id(
    rows: str, tmp_path: Path, article: str, wrong: str
) -> None:
    bad = json.dumps({"id": 3, "article": article})
    file = given(tmp_path, f"{GOOD}\n{bad}\n")
    (problem,) = audit(rows, reports=file).problems
    assert (problem.kind, problem.file, problem.row, problem.field) == ("error", file, "line 2", "article")
    said = f"{file}, line 2: the article of '3' cannot be used: {wrong}; correct the line."
    assert refusal(lambda: load(rows, reports=file)) == said


def test_marks_line_ends_and_separators_are_warnings(rows: str, tmp_path: Path) -> None:
    lines = [GOOD.replace("In ", "In\u2028"), '{"id": 3, "article": "x"}', ""]
    file = given(tmp_path, b"\xef\xbb\xbf" + "\r\n".join(lines).encode())
    found = audit(rows, reports=file)
    assert [(p.kind, p.file, p.row, p.field) for p in found.problems] == [
        ("warning", file, "", ""),
        ("warning", file, "", ""),
        ("warning", "", "2", "report"),
    ]
    assert len(load(rows, reports=file).tasks) == 2


def test_a_file_that_is_not_utf_8_does_not_hide_what_is_wrong_with_the_rows(server: Server, tmp_path: Path) -> None:
    where = small.written(tmp_path / "rows", small.row("2", compression=0.1))
    file = given(tmp_path, b"\xff\xfe")
    found = audit(where, reports=file)
    assert [(p.kind, p.file, p.row) for p in found.problems] == [("error", file, ""), ("error", "", "2")]
    assert refusal(lambda: load(where, reports=file)).startswith(f"{file}: the file is not UTF-8 (byte 0")


def test_a_report_of_no_row_is_a_warning(server: Server, tmp_path: Path) -> None:
    where = small.written(tmp_path / "rows", small.row("2"))
    file = given(tmp_path, f'{GOOD}\n{{"id": 1, "article": "x"}}\n{{"id": 3, "article": "x"}}\n')
    (problem,) = audit(where, reports=file).problems
    assert (problem.kind, problem.file) == ("warning", file)
    assert problem.sentence == "2 of 3 reports are of no row of this dataset and are not used: 1, 3."


def test_references_of_the_users_own_are_named_line_by_line_too(rows: str, tmp_path: Path) -> None:
    content = small.reference_lines() + b"{\n[]\n"
    folder = copies(tmp_path / "mine", reference_jsonl=git_blob(content))
    (folder / "reference.jsonl").write_bytes(content)
    found = audit(rows, data_dir=str(folder))
    assert named(found) == [("error", "line 4", ""), ("error", "line 5", "")]
    assert "reference.jsonl, line 4: not JSON" in refusal(lambda: load(rows, data_dir=str(folder)))


def test_a_hash_named_twice_is_refused(rows: str, tmp_path: Path) -> None:
    folder = copies(tmp_path / "mine")
    twice = f'{{"reference.jsonl": "{"0" * 40}", "reference.jsonl": "{git_blob(small.reference_lines())}"}}'
    (folder / "git_blobs.json").write_text(twice, encoding="utf-8")
    assert "the field reference.jsonl occurs twice" in refusal(lambda: load(rows, data_dir=str(folder)))


def test_an_incomplete_subset_is_said_with_its_rows(rows: str, tmp_path: Path) -> None:
    (Path(rows) / "subsets.yaml").write_text("2: [1, 2]\n1: [2]\n", encoding="utf-8")
    found = audit(rows, reports=given(tmp_path, GOOD))
    assert found.notices[-1] == (
        "The subset 2 is incomplete: 1 of its 2 rows has no report and is left out (1), so figures over it are not "
        "those of the frozen subset."
    )
    dataset = load(rows, reports=given(tmp_path, GOOD))
    assert dataset.notices("2") == (*dataset.notices(), found.notices[-1])
    assert dataset.notices("1") == dataset.notices() == found.notices[:-1]
