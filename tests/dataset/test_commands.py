"""`idrbench data check` and `idrbench data fetch`."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from idrbench_inspect.cli import main
from tests.dataset import small
from tests.dataset.server import Server
from tests.test_dataset import jsonl, row


def idrbench(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def test_check_prints_what_is_in_a_dataset(server: Server, tmp_path: Path) -> None:
    done = idrbench("data", "check", small.written(tmp_path / "rows"))
    assert done.exit_code == 0, done.output
    assert "rows: 3 rows" in done.stdout
    assert "languages: en 2, zh 1" in done.stdout
    assert "topics (2): Home & Hobbies 2, History 1" in done.stdout
    assert f"joined with query.jsonl, git:{small.QUERY_FILE.blob}" in done.stdout
    assert f"joined with reference.jsonl, git:{small.REFERENCE_FILE.blob}" in done.stdout
    table = {
        line.split()[0]: line.split()[1:] for line in done.stdout.splitlines() if line[:3] in {"com", "en ", "zh "}
    }
    assert table["compression"][7] == "70-80"
    assert table["en"] == ["0"] * 6 + ["1", "1", "0", "0"]
    assert table["zh"] == ["0"] * 7 + ["0", "1", "0"]
    assert done.stdout.endswith("problems: none\n")


def test_check_counts_what_has_no_report(server: Server, tmp_path: Path) -> None:
    (tmp_path / "mine.jsonl").write_bytes(small.lines({"id": 2, "article": "Mine."}))
    given = ("--reports", str(tmp_path / "mine.jsonl"))
    done = idrbench("data", "check", small.written(tmp_path / "rows"), *given)
    assert "3 rows, 2 of them left out for want of a report" in done.stdout
    assert done.exit_code == 0


def test_check_names_problems_by_row_and_exits_with_1(tmp_path: Path) -> None:
    done = idrbench("data", "check", jsonl(tmp_path, row("a", qurey=1), row("b", language="zh")))
    assert done.exit_code == 1
    assert "problems: 1 error, 3 warnings" in done.stdout
    assert "  error (a, qurey): the field qurey is not known" in done.stdout
    assert "  warning (b, query): the query reads as en, and the row says zh; look at both." in done.stdout


def test_check_without_a_name_is_of_the_hundred_tasks(
    server: Server, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    small.written(tmp_path / "datasets" / "idrbench")
    monkeypatch.setattr("idrbench_inspect.dataset.loading.shipped", tmp_path.joinpath)
    assert idrbench("data", "check").stdout.startswith("idrbench: 3 rows\n")


def test_what_cannot_be_checked_is_one_sentence(server: Server, tmp_path: Path) -> None:
    done = idrbench("data", "check", str(tmp_path / "gone.jsonl"))
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.startswith("Error: There is nothing at")


def test_without_the_public_files_the_rows_are_checked_all_the_same(server: Server, tmp_path: Path) -> None:
    server.moves = [404]
    rows = small.written(tmp_path / "rows", small.row("1"), small.row("2", compression=0.95))
    done = idrbench("data", "check", rows)
    assert done.exit_code == 1
    assert "rows: 2 rows\n" in done.stdout
    assert "joined with" not in done.stdout
    assert "problems: 0 errors, 1 warning" in done.stdout
    assert "not everything was checked: The rows were compared neither with their source queries nor" in done.stdout
    assert f"download {server.address}{small.path_of(small.QUERY_FILE)} to" in done.stdout
    assert len(server.asked) == 1


def test_without_reports_the_rows_are_compared_with_their_sources(server: Server, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "query.jsonl").write_bytes(small.query_lines())
    given = ("--data-dir", str(tmp_path / "data"))
    done = idrbench("data", "check", small.written(tmp_path / "rows"), *given)
    assert done.exit_code == 1
    assert "rows: 3 rows\n" in done.stdout
    assert "problems: none in what was checked\nnot everything was checked: The rows were not compared" in done.stdout
    done = idrbench("data", "check", small.written(tmp_path / "other", small.row("1", source_sha256="0" * 64)), *given)
    assert "error (1, source_sha256): the public query '1' has the SHA-256" in done.stdout


def test_fetch_gets_both_files_and_says_where_they_are(server: Server, kept_in: Path) -> None:
    done = idrbench("data", "fetch")
    assert done.exit_code == 0, done.output
    first, second = done.stdout.splitlines()
    assert first.startswith(f"{kept_in / 'query.jsonl'}: ")
    assert f"git blob hash {small.REFERENCE_FILE.blob}, as pinned" in second
    assert sorted(path.name for path in kept_in.iterdir() if path.name[0] != ".") == ["query.jsonl", "reference.jsonl"]
    idrbench("data", "fetch")
    assert len(server.asked) == 2


def test_offline_a_fetch_names_both_files_and_nothing_that_helps_elsewhere(
    server: Server, kept_in: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("IDRBENCH_DATA_URL", "http://127.0.0.1:9")
    done = idrbench("data", "fetch")
    assert done.exit_code == 1
    for file in (small.QUERY_FILE, small.REFERENCE_FILE):
        assert f"http://127.0.0.1:9{small.path_of(file)} to {kept_in / file.name}" in done.stderr
    assert not any(word in done.stderr for word in ("profile", "data_dir", "data-dir"))


def test_offline_a_check_names_its_own_options(
    server: Server, tmp_path: Path, kept_in: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = small.written(tmp_path / "rows")
    kept_in.mkdir()
    (kept_in / "query.jsonl").write_bytes(small.query_lines())
    monkeypatch.setenv("IDRBENCH_DATA_URL", "http://127.0.0.1:9")
    done = idrbench("data", "check", rows)
    assert "need reference.jsonl of" in done.stdout  # the other one is there
    assert "or give a folder that holds it as --data-dir." in done.stdout
    assert "profile" not in done.stdout
    (tmp_path / "empty").mkdir()
    done = idrbench("data", "check", rows, "--data-dir", str(tmp_path / "empty"))
    assert "given as --data-dir, holds no query.jsonl and no reference.jsonl" in done.stdout
    assert "no file of reports 'gone' (--reports)" in idrbench("data", "check", rows, "--reports", "gone").stderr
    done = idrbench("data", "check", jsonl(tmp_path, row("a")), "--reports", "gone")
    assert "so --reports has no meaning; leave it out." in done.stdout
