"""Datasets: what loads, what is refused and how the sentence reads."""

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from idrbench_inspect.dataset import Dataset, load, to_sample
from idrbench_inspect.errors import BadInput

ORIGIN = {"system": "a system", "model_family": "a family"}
POINT = {
    "dimension": "region",
    "question": "Which region?",
    "alternatives": ["Europe", "Asia"],
    "preference": "Europe",
    "shown_in": "Section 2",
}


def row(name: str = "t1", **changes: Any) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "id": name,
        "language": "en",
        "topic": "Energy",
        "query": "Heat pumps?",
        "source_query": "How do heat pumps compare in cold climates?",
        "target_origin": ORIGIN,
        "report": "# Report",
    }
    fields.update(changes)
    return {key: value for key, value in fields.items() if value is not ...}


def jsonl(folder: Path, *rows: dict[str, Any], name: str = "own.jsonl") -> str:
    path = folder / name
    path.write_bytes("".join(json.dumps(r, ensure_ascii=False) + "\n" for r in rows).encode())
    return str(path)


def a_folder(root: Path, *rows: dict[str, Any], **files: str) -> str:
    """A dataset folder; `files` are named with `__` for `/` and end in `.md` unless they are the subsets."""
    jsonl(root, *rows, name="tasks.jsonl")
    for key, text in files.items():
        path = root / ("subsets.yaml" if key == "subsets" else f"{key.replace('__', '/')}.md")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return str(root)


def refusal(act: Callable[[], object]) -> str:
    with pytest.raises(BadInput) as caught:
        act()
    message = caught.value.message
    assert "\n" not in message
    assert message.endswith(".")
    return message


# ------------------------------------------------------------------------------------------------------------ loading


def test_a_folder_loads_with_reports_corpus_and_subsets(tmp_path: Path) -> None:
    rows = (row("a", report=..., ambiguity=[POINT]), row("b", report=..., report_file="more/b.md"), row("c"))
    where = a_folder(
        tmp_path, *rows, reports__a="Report a", more__b="Report b", corpus__doc="x", subsets="10: [a]\nbig: [a, b]\n"
    )
    dataset = load(where)
    assert (dataset.name, dataset.folder, dataset.corpus) == (tmp_path.name, tmp_path, tmp_path / "corpus")
    assert [task.report for task in dataset.tasks] == ["Report a", "Report b", "# Report"]
    assert [task.subsets for task in dataset.tasks] == [("10", "big"), ("big",), ()]
    assert dataset.tasks[0].ambiguity[0].preference == "Europe"


def test_a_file_loads_and_its_revision_is_its_sha256(tmp_path: Path) -> None:
    where = jsonl(tmp_path, row())
    dataset = load(where)
    assert (dataset.name, dataset.corpus) == ("own", None)
    assert dataset.revision == hashlib.sha256(Path(where).read_bytes()).hexdigest()


def test_the_revision_follows_the_content_and_nothing_else(tmp_path: Path) -> None:
    where = a_folder(tmp_path, row("a", report=...), reports__a="one", corpus__doc="x", subsets="10: [a]")
    revisions = [load(where).revision]
    for changed in ("reports/a.md", "corpus/doc.md", "tasks.jsonl", "subsets.yaml"):
        with (tmp_path / changed).open("a", encoding="utf-8") as file:
            file.write("\n")
        revisions.append(load(where).revision)
    (tmp_path / "notes.txt").write_text("of no matter", encoding="utf-8")
    (tmp_path / "reports" / "unused.md").write_text("of no matter", encoding="utf-8")
    assert len(set(revisions)) == len(revisions)
    assert load(where).revision == revisions[-1]


def test_paths_are_relative_to_the_working_directory_and_to_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    jsonl(tmp_path, row())
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    assert load("~/own.jsonl").name == "own"
    monkeypatch.chdir(tmp_path)
    assert load("own.jsonl").name == "own"
    a_folder(tmp_path, row())
    assert load(".").name == tmp_path.name


def test_a_shipped_name_goes_before_a_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for part in ("datasets/mini", "here/mini"):
        (tmp_path / part).mkdir(parents=True)
        a_folder(tmp_path / part, row(part.split("/", maxsplit=1)[0]))
    monkeypatch.setattr("idrbench_inspect.dataset.loading.shipped", tmp_path.joinpath)
    monkeypatch.chdir(tmp_path / "here")
    assert load("mini").tasks[0].id == "datasets"
    assert load("./mini").tasks[0].id == "here"


SEPARATORS = "one\u2028two\u0085three\u2029four"


def test_separators_inside_strings_survive_with_a_mark_and_windows_ends(tmp_path: Path) -> None:
    lines = [json.dumps(row(name, report=SEPARATORS), ensure_ascii=False) for name in "abc"]
    (tmp_path / "own.jsonl").write_bytes(b"\xef\xbb\xbf" + "\r\n".join([*lines, "", ""]).encode())
    loaded = load(str(tmp_path / "own.jsonl")).tasks
    assert [(task.id, task.report) for task in loaded] == [(name, SEPARATORS) for name in "abc"]


def test_the_locale_does_not_matter(tmp_path: Path) -> None:
    where = a_folder(tmp_path, row("a", report=..., topic="能源"), reports__a="报告", subsets="10: [a]")
    code = f"from idrbench_inspect.dataset import load; t = load({where!r}).tasks[0]; print(ascii(t.topic + t.report))"
    env = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    shown = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == ascii("能源报告")


def test_a_report_file_loses_windows_line_ends_and_its_mark(tmp_path: Path) -> None:
    where = a_folder(tmp_path, row("a", report=...))
    (tmp_path / "reports").mkdir()
    (tmp_path / "reports" / "a.md").write_bytes(b"\xef\xbb\xbfone\r\ntwo")
    assert load(where).tasks[0].report == "one\ntwo"


# ------------------------------------------------------------------------------------------------------------ samples


def test_a_sample_carries_query_report_and_metadata(tmp_path: Path) -> None:
    dataset = load(jsonl(tmp_path, row("a", query="q" * 10, source_query="s" * 30, ambiguity=[POINT])))
    sample = to_sample(dataset.tasks[0], dataset)
    assert (sample.id, sample.input, sample.target) == ("a", "q" * 10, "# Report")
    assert sample.metadata == {
        "task": "a",
        "language": "en",
        "topic": "Energy",
        "query": "q" * 10,
        "source_query": "s" * 30,
        "compression": 0.667,
        "ambiguity": [{**POINT, "settled_by": None, "answerable": None}],
        "target_origin": ORIGIN,
        "second_user_of": None,
        "dataset": "own",
        "dataset_at": str(tmp_path / "own.jsonl"),
        "dataset_revision": dataset.revision,
    }
    assert json.loads(json.dumps(sample.metadata)) == sample.metadata


def test_a_query_as_long_as_its_source_is_compressed_by_nothing(tmp_path: Path) -> None:
    assert load(jsonl(tmp_path, row(query="same", source_query="same"))).tasks[0].compression == 0


# ------------------------------------------------------------------------------------------------------------ refusals


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"query": ...}, "field query is missing"),
        ({"query": " \n"}, "field query is ' \\n', it must not be blank"),
        ({"query": 3}, "field query is 3"),
        ({"query": "x" * 99}, "the query has 99 characters, it must not be longer than its source_query (43)"),
        ({"query": "\ud800"}, "field query is '\\ud800', it must not hold half a surrogate pair"),
        ({"report": "\ud800"}, "field report is '\\ud800', it must not hold half a surrogate pair"),
        ({"language": "fr"}, "field language is 'fr', it must be 'en' or 'zh'"),
        ({"qurey": "x"}, "field qurey is not known (a row's fields are id, language,"),
        ({"target_origin": {"system": "x"}}, "field target_origin.model_family is missing"),
        ({"ambiguity": [POINT | {"dimension": "taste"}]}, "field ambiguity.0.dimension is 'taste'"),
        ({"ambiguity": [POINT | {"alternatives": ["one"]}]}, "field ambiguity.0.alternatives"),
        ({"ambiguity": [POINT | {"alternatives": list("four")}]}, "field ambiguity.0.alternatives"),
    ],
)
def test_a_wrong_row_is_named_by_file_line_and_field(tmp_path: Path, changes: dict[str, Any], words: str) -> None:
    path = tmp_path / "own.jsonl"
    path.write_text(json.dumps(row("fine")) + "\n\n" + json.dumps(row("wrong", **changes)) + "\n", encoding="utf-8")
    message = refusal(lambda: load(str(path)))
    assert f"{path}, line 3" in message
    assert words in message


@pytest.mark.parametrize("name", ["../escaped", "a/b", "a\\b", ".hidden", "..", "", "a b", "ä", "a\n", "x" * 101])
def test_an_id_that_is_no_file_name_is_refused(tmp_path: Path, name: str) -> None:
    assert "field id is" in refusal(lambda: load(jsonl(tmp_path, row(name))))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b'{"id": \n', "line 1: not JSON"),
        (b"[1]\n", "line 1: got [1], a row must be one JSON object"),
        (b"\xff\xfe\n", "is not UTF-8 (byte 0"),
        (b"", "holds no task"),
        (b"\xef\xbb\xbf\r\n \n", "holds no task"),
    ],
)
def test_a_file_that_is_no_jsonl_is_refused(tmp_path: Path, content: bytes, words: str) -> None:
    (tmp_path / "own.jsonl").write_bytes(content)
    assert words in refusal(lambda: load(str(tmp_path / "own.jsonl")))


def test_an_id_given_twice_is_refused(tmp_path: Path) -> None:
    assert "line 2: the id 't1' occurs twice" in refusal(lambda: load(jsonl(tmp_path, row(), row())))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, "there is no file"),
        ({"report_file": "gone.md"}, "there is no file"),
        ({"report_file": "../a.md"}, "must lie inside the dataset"),
        ({"report_file": "/etc/hostname"}, "must lie inside the dataset"),
        ({"report_file": "blank.md"}, "has an empty report"),
        ({"report": ""}, "has an empty report"),
        ({"report": "x", "report_file": "blank.md"}, "has a report and a report_file"),
    ],
)
def test_a_task_without_its_report_is_refused(tmp_path: Path, changes: dict[str, Any], words: str) -> None:
    where = a_folder(tmp_path, row("a", **({"report": ...} | changes)), blank=" \n")
    assert words in refusal(lambda: load(where))


def test_a_file_dataset_must_carry_its_reports(tmp_path: Path) -> None:
    assert "must carry one" in refusal(lambda: load(jsonl(tmp_path, row(report=...))))


@pytest.mark.parametrize(
    ("subsets", "words"),
    [
        ("10: [a, gone]", "the subset 10 names 'gone'"),
        ("10: []", "at least one task id"),
        ("- a", "must hold names"),
        ("10: [a", "is not YAML"),
        ("", "must hold names"),
    ],
)
def test_subsets_that_do_not_fit_are_refused(tmp_path: Path, subsets: str, words: str) -> None:
    assert words in refusal(lambda: load(a_folder(tmp_path, row("a"), subsets=subsets)))


def test_unknown_names_and_paths_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "datasets" / "mini").mkdir(parents=True)
    a_folder(tmp_path / "datasets" / "mini", row())
    (tmp_path / "plain.txt").write_text("x", encoding="utf-8")
    monkeypatch.setattr("idrbench_inspect.dataset.loading.shipped", tmp_path.joinpath)
    monkeypatch.chdir(tmp_path)
    assert "no dataset 'other': the shipped datasets are mini;" in refusal(lambda: load("other"))
    assert "no dataset ''" in refusal(lambda: load(""))
    assert "nothing at other/folder" in refusal(lambda: load("other/folder"))
    assert "nothing at ~nobody-of-that-name/x" in refusal(lambda: load("~nobody-of-that-name/x"))
    assert "nothing at gone.jsonl" in refusal(lambda: load("gone.jsonl"))
    assert "datasets has no tasks.jsonl" in refusal(lambda: load("datasets"))
    assert "plain.txt is not a .jsonl file" in refusal(lambda: load("plain.txt"))


def test_records_are_frozen(tmp_path: Path) -> None:
    dataset: Dataset = load(jsonl(tmp_path, row()))
    with pytest.raises(ValueError, match="frozen"):
        dataset.tasks[0].query = "other"  # type: ignore[misc]  # the very thing that must not work
