"""Rows that leave source query and report to the public files: what they become, and what is refused."""

import json
from pathlib import Path
from typing import Any

import pytest

from idrbench_inspect.dataset import load, to_sample
from idrbench_inspect.dataset.public import git_blob
from tests.dataset import small
from tests.dataset.server import Server
from tests.test_dataset import jsonl, refusal, row

UNKNOWN = {"system": "unknown", "model_family": "unknown"}
JUDGED = small.POINT | {"preference": "Norway", "shown_in": "In Norway."}


@pytest.fixture
def rows(tmp_path: Path) -> str:
    return small.written(tmp_path / "rows")


def copies(folder: Path, **stated: str) -> Path:
    """A folder of the user's with both public files; `stated` hashes are written beside them, `_` for `.`."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "query.jsonl").write_bytes(small.query_lines())
    (folder / "reference.jsonl").write_bytes(small.reference_lines())
    if stated:
        named = {name.replace("_", "."): blob for name, blob in stated.items()}
        (folder / "git_blobs.json").write_text(json.dumps(named), encoding="utf-8")
    return folder


def reports(folder: Path, *lines: dict[str, Any]) -> str:
    path = folder / "mine.jsonl"
    path.write_bytes(small.lines(*lines))
    return str(path)


# ------------------------------------------------------------------------------------------------------ what is joined


def test_rows_get_source_query_and_report_by_id_whatever_the_order(server: Server, rows: str) -> None:
    dataset = load(rows)
    assert {task.id: (task.source_query, task.report) for task in dataset.tasks} == {
        n: (small.PROMPTS[n], small.REPORTS[n]) for n in small.PROMPTS
    }
    assert [task.id for task in dataset.tasks] == ["1", "2", "3"]
    assert dataset.joined is not None
    assert (dataset.joined.left_out, dataset.joined.pinned, dataset.joined.notices) == ((), True, ())
    metadata = to_sample(dataset.tasks[1], dataset).metadata or {}
    assert metadata["target_origin"] == UNKNOWN
    assert metadata["dataset_with"] == {"data_dir": None, "reports": None}
    assert metadata["compression"] == round(1 - len(small.QUERIES["2"]) / len(small.PROMPTS["2"]), 3)


def test_ids_may_be_numbers_everywhere(server: Server, tmp_path: Path) -> None:
    where = small.written(tmp_path / "rows", small.row("1", id=1, source_id=1), small.row("2"))
    assert [task.id for task in load(where).tasks] == ["1", "2"]
    own = jsonl(tmp_path, row("7"), row() | {"id": 8, "second_user_of": 7})
    assert [(task.id, task.second_user_of) for task in load(own).tasks] == [("7", None), ("8", "7")]


def test_7_and_text_7_are_the_same_id(server: Server, tmp_path: Path) -> None:
    where = small.written(tmp_path / "rows", small.row("1"), small.row("2", id=1))
    assert "line 2: the id '1' occurs twice" in refusal(lambda: load(where))
    given = reports(tmp_path, {"id": 2, "article": "x"}, {"id": "2", "article": "y"})
    other = small.written(tmp_path / "other", small.row("2"))
    assert "line 2: the id '2' occurs twice" in refusal(lambda: load(other, reports=given))


def test_other_reports_need_the_queries_alone_and_count_what_they_leave_out(
    server: Server, rows: str, tmp_path: Path
) -> None:
    given = reports(tmp_path, {"id": 3, "article": "Mine."}, {"id": "1", "article": "我的。", "model": "x"})
    dataset = load(rows, reports=given)
    assert [(task.id, task.report) for task in dataset.tasks] == [("1", "我的。"), ("3", "Mine.")]
    assert [path.rsplit("/", maxsplit=1)[1] for path, _ in server.asked] == ["query.jsonl"]
    assert dataset.joined is not None
    assert dataset.joined.left_out == ("2",)
    assert dataset.joined.notices == ("1 row has no report and is left out: 2.",)
    assert dataset.tasks[0].target_origin.system == f"given by the user: {given}"
    assert dataset.tasks[0].target_origin.model_family == "unknown"
    metadata = to_sample(dataset.tasks[0], dataset).metadata or {}
    assert metadata["dataset_with"] == {"data_dir": None, "reports": given}
    assert load(rows, **metadata["dataset_with"]) == dataset


def test_the_revision_covers_rows_and_what_was_joined(server: Server, rows: str, tmp_path: Path) -> None:
    revisions = [load(rows).revision]
    assert load(rows, data_dir=str(copies(tmp_path / "same"))).revision == revisions[0]
    for text in ("a", "b"):
        revisions.append(load(rows, reports=reports(tmp_path, {"id": 1, "article": text})).revision)
    small.written(tmp_path / "rows", small.row("1"), small.row("2"))
    revisions.append(load(rows).revision)
    assert len(set(revisions)) == len(revisions)


def test_a_subset_may_name_a_row_that_is_left_out(server: Server, rows: str, tmp_path: Path) -> None:
    (Path(rows) / "subsets.yaml").write_text("10: [1, '2']\n", encoding="utf-8")
    dataset = load(rows, reports=reports(tmp_path, {"id": 1, "article": "x"}, {"id": 3, "article": "x"}))
    assert [task.subsets for task in dataset.tasks] == [("10",), ()]


# --------------------------------------------------------------------------------------------------------- preferences


def test_preferences_hold_for_the_report_that_they_were_read_in(server: Server, tmp_path: Path) -> None:
    judged = small.row("2", ambiguity=[JUDGED], report_sha256=small.sha256(small.REPORTS["2"]))
    where = small.written(tmp_path / "rows", judged)
    assert load(where).tasks[0].ambiguity[0].preference == "Norway"
    dataset = load(where, reports=reports(tmp_path, {"id": 2, "article": "In Canada."}))
    assert (dataset.tasks[0].ambiguity[0].preference, dataset.tasks[0].ambiguity[0].shown_in) == (None, None)
    assert dataset.joined is not None
    assert dataset.joined.unjudged == ("2",)
    assert dataset.joined.notices[0] == (
        "The preferences of 1 task were read in another report than the one paired here, and are taken as unknown: 2."
    )


def test_a_preference_without_its_reports_hash_is_refused(server: Server, tmp_path: Path) -> None:
    where = small.written(tmp_path / "rows", small.row("2", ambiguity=[JUDGED]))
    assert "must have report_sha256" in refusal(lambda: load(where))


# --------------------------------------------------------------------------------------------------------- local copies


def test_a_local_folder_or_a_clone_needs_no_server(server: Server, rows: str, tmp_path: Path) -> None:
    flat = copies(tmp_path / "flat")
    clone = tmp_path / "clone"
    for file, content in ((small.QUERY_FILE, small.query_lines()), (small.REFERENCE_FILE, small.reference_lines())):
        (clone / file.path).parent.mkdir(parents=True)
        (clone / file.path).write_bytes(content)
    assert load(rows, data_dir=str(flat)).tasks == load(rows, data_dir=str(clone)).tasks
    assert server.asked == []


def test_a_local_file_of_another_name_is_known_by_its_hash(server: Server, rows: str, tmp_path: Path) -> None:
    (tmp_path / "queries.jsonl").write_bytes(small.query_lines())
    (tmp_path / "mine.jsonl").write_bytes(small.reference_lines())
    (tmp_path / "other.jsonl").write_bytes(small.lines({"id": 1, "article": "Other."}))
    found = load(rows, data_dir=str(tmp_path))
    assert [task.report for task in found.tasks] == [small.REPORTS[n] for n in small.PROMPTS]
    assert (found.joined is not None and found.joined.pinned, server.asked) == (True, [])


def test_a_local_copy_is_checked_unless_its_folder_says_otherwise(server: Server, rows: str, tmp_path: Path) -> None:
    changed = small.reference_lines(r2="# Mine")
    folder = copies(tmp_path / "mine")
    (folder / "reference.jsonl").write_bytes(changed)
    said = refusal(lambda: load(rows, data_dir=str(folder)))
    assert f"its git blob hash is {git_blob(changed)}, not {small.REFERENCE_FILE.blob}" in said
    copies(tmp_path / "mine", reference_jsonl=git_blob(changed))
    (folder / "reference.jsonl").write_bytes(changed)
    dataset = load(rows, data_dir=str(folder))
    assert dataset.tasks[1].report == "# Mine"
    assert dataset.joined is not None
    assert not dataset.joined.pinned
    assert "not those of the pinned commit" in dataset.joined.notices[0]
    assert dataset.tasks[1].target_origin.system == f"given by the user: {folder}"
    (folder / "reference.jsonl").write_bytes(changed + b"\n")
    assert "is not the file that was meant" in refusal(lambda: load(rows, data_dir=str(folder)))


@pytest.mark.parametrize("stated", ["[1]", '{"reference.jsonl": "abc"}', "{", "[" * 100_000])
def test_hashes_that_cannot_be_read_are_refused(server: Server, rows: str, tmp_path: Path, stated: str) -> None:
    folder = copies(tmp_path / "mine")
    (folder / "git_blobs.json").write_text(stated, encoding="utf-8")
    assert "must be one JSON object of file names" in refusal(lambda: load(rows, data_dir=str(folder)))


def test_a_local_folder_that_lacks_something_is_refused(server: Server, rows: str, tmp_path: Path) -> None:
    assert "is no folder" in refusal(lambda: load(rows, data_dir=str(tmp_path / "gone")))
    folder = copies(tmp_path / "mine")
    (folder / "reference.jsonl").unlink()
    said = refusal(lambda: load(rows, data_dir=str(folder)))
    assert "holds no reference.jsonl" in said
    assert small.REFERENCE_FILE.path in said
    given = reports(tmp_path, {"id": 1, "article": "x"})
    assert len(load(rows, data_dir=str(folder), reports=given).tasks) == 1


# ------------------------------------------------------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"source_id": "9"}, "the task '2': there is no public query '9'"),
        ({"source_sha256": "0" * 64}, "the task '2': the public query '2' has the SHA-256"),
        ({"source_sha256": "0"}, "line 1: the field source_sha256 is '0'"),
        ({"source_id": "1"}, "has the SHA-256"),
        ({"language": "zh"}, "the language is 'zh', that of the public query 'en'"),
        ({"compression": 0.5}, "the compression is stated as 0.5 and measured as 0.7"),
        ({"compression": ...}, "the field compression is missing"),
        ({"compression": float("nan")}, "the field compression is nan"),
        ({"query": small.PROMPTS["2"] + "?", "compression": 0}, "must not be longer than its source_query"),
        ({"source_query": "x"}, "the field source_query is not known (a row's fields are id, language,"),
        ({"ambiguity": [small.POINT | {"alternatives": ["Norway", " norway"]}]}, "must differ"),
        ({"ambiguity": [small.POINT | {"dimension": "mood"}]}, "field ambiguity.0.dimension is 'mood'"),
    ],
)
def test_a_row_that_does_not_fit_its_source_is_refused(
    server: Server, tmp_path: Path, changes: dict[str, Any], words: str
) -> None:
    assert words in refusal(lambda: load(small.written(tmp_path / "rows", small.row("2", **changes))))


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ({"id": 9, "article": "x"}, "there is no public query '9' for a report"),
        ({"id": 2, "article": " "}, "line 1: the article of '2' cannot be used: it must not be blank"),
        ({"id": 2, "article": None}, "the field article is missing or no text"),
        ({"id": None, "article": "x"}, "the id is None"),
        ({"id": True, "article": "x"}, "the id is True"),
        ({"id": 2, "article": "x", "prompt": small.PROMPTS["3"]}, "answers another query"),
        ({"id": 2, "article": "\ud800"}, "half a surrogate pair"),
        ({"id": 2, "article": "a\0b"}, "the character NUL"),
        ({"id": 3, "article": "x"}, "has no report for any task of "),
    ],
)
def test_reports_that_cannot_be_paired_are_refused(
    server: Server, tmp_path: Path, line: dict[str, Any], words: str
) -> None:
    where = small.written(tmp_path / "rows", small.row("2"))
    given = tmp_path / "mine.jsonl"
    given.write_text(json.dumps(line) + "\n", encoding="utf-8")
    assert words in refusal(lambda: load(where, reports=str(given)))


def test_a_file_of_reports_that_is_not_there_or_not_utf_8_is_refused(server: Server, rows: str, tmp_path: Path) -> None:
    for name in ("", "gone.jsonl"):
        assert "There is no file of reports" in refusal(lambda name=name: load(rows, reports=name))  # type: ignore[misc]  # bound at once
    (tmp_path / "mine.jsonl").write_bytes(b'{"id": 1, "article": "\xff"}\n')
    assert "is not UTF-8" in refusal(lambda: load(rows, reports=str(tmp_path / "mine.jsonl")))


def test_rows_of_two_kinds_do_not_mix_and_own_rows_take_no_public_files(server: Server, tmp_path: Path) -> None:
    mixed = small.written(tmp_path / "rows", small.row("2"), row("t1"))
    assert "the task 't1' has no source_id" in refusal(lambda: load(mixed))
    own = jsonl(tmp_path, row())
    for given in ({"data_dir": str(tmp_path)}, {"reports": own}):
        assert "has no meaning" in refusal(lambda given=given: load(own, **given))  # type: ignore[misc]  # bound at once
    assert server.asked == []


def test_without_a_server_one_sentence_says_what_to_do(
    server: Server, rows: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("IDRBENCH_DATA_URL", "http://127.0.0.1:9")
    said = refusal(lambda: load(rows))
    assert said.startswith("The hundred tasks, and others with a source_id, need query.jsonl and reference.jsonl")


# ------------------------------------------------------------------------------------------------------------ real data


@pytest.mark.skipif(not small.PUBLIC.is_dir(), reason="the public queries are not at hand")
def test_real_queries_are_paired_with_real_reports(tmp_path: Path) -> None:
    local = tmp_path / "local"
    local.mkdir()
    (local / "query.jsonl").write_bytes((small.PUBLIC / "queries.jsonl").read_bytes())
    public = [
        json.loads(line) for line in (small.PUBLIC / "queries.jsonl").read_text(encoding="utf-8").split("\n") if line
    ]
    made = []
    for line in public:
        prompt = line["prompt"]
        query = prompt[: len(prompt) // 2]
        made.append({
            "id": line["id"], "source_id": line["id"], "source_sha256": small.sha256(prompt),
            "language": line["language"], "topic": line["topic"], "query": query,
            "compression": 1 - len(query) / len(prompt),
        })  # fmt: skip
    where = small.written(tmp_path / "rows", *made)
    dataset = load(where, data_dir=str(local), reports=str(small.PUBLIC / "reports_a.jsonl"))
    assert [task.id for task in dataset.tasks] == [str(n) for n in range(1, 101, 2)]
    assert dataset.joined is not None
    assert dataset.joined.left_out == tuple(str(n) for n in range(2, 101, 2))
    assert dataset.joined.files["query.jsonl"] == "git:20a0c689704c364c9e85b5eb30c1fc139a73f86e"
