"""The audit names everything that is wrong, by row and field; errors are exactly what `load` refuses."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from idrbench_inspect.dataset import Problem, audit, load
from idrbench_inspect.errors import BadInput
from tests.dataset import small
from tests.dataset.server import Server
from tests.test_dataset import POINT, a_folder, jsonl, row

OTHER = {
    "query": "Which Danube towns?",
    "source_query": "Which towns on the Danube lived by the river trade, and when?",
}


def found(where: str, reports: str | None = None) -> list[tuple[str, str, str]]:
    return [(problem.kind, problem.row, problem.field) for problem in audit(where, reports=reports).problems]


def sentence(where: str, reports: str | None = None) -> str:
    (problem,) = audit(where, reports=reports).problems
    assert problem.sentence.endswith(".")
    assert "\n" not in problem.sentence
    return problem.sentence


def loads(where: str) -> bool:
    try:
        load(where)
    except BadInput:
        return False
    return True


def test_the_shipped_mini_set_has_no_problem() -> None:
    seen = audit("mini")
    assert seen.problems == ()
    assert len(seen.rows) == 18


def test_all_problems_of_all_rows_are_named_at_once(tmp_path: Path) -> None:
    bad = row("a", qurey="x", query=" ", ambiguity=[POINT | {"dimension": "mood", "alternatives": ["one"]}])
    path = tmp_path / "own.jsonl"
    broken = [json.dumps(bad), "{", json.dumps(row("b", report="")), json.dumps(row() | {"id": 7} | OTHER)]
    path.write_text("\n".join([*broken, json.dumps(row("7"))]), encoding="utf-8")
    assert found(str(path)) == [
        ("error", "a", "query"),
        ("error", "a", "ambiguity.0.dimension"),
        ("error", "a", "ambiguity.0.alternatives"),
        ("error", "a", "qurey"),
        ("error", "line 2", ""),
        ("error", "7", "id"),
        ("error", "b", "report"),
    ]


ERRORS: list[tuple[dict[str, Any], str]] = [
    ({"qurey": "x"}, "qurey"),
    ({"report": ""}, "report"),
    ({"report": ...}, "report"),
    ({"query": "a\0b"}, "query"),
    ({"query": "\ud800"}, "query"),
    ({"report": "a\0b"}, "report"),
    ({"ambiguity": [POINT | {"alternatives": ["Asia", "ＡＳＩＡ"]}]}, "ambiguity.0"),
    ({"ambiguity": [POINT | {"dimension": "mood"}]}, "ambiguity.0.dimension"),
    ({"second_user_of": "gone"}, "second_user_of"),
]


@pytest.mark.parametrize(("changes", "field"), ERRORS)
def test_an_error_is_named_and_refused(tmp_path: Path, changes: dict[str, Any], field: str) -> None:
    path = tmp_path / "own.jsonl"
    path.write_text(json.dumps(row("a", **changes)) + "\n", encoding="utf-8")
    (problem,) = audit(str(path)).problems
    assert (problem.kind, problem.field) == ("error", field)
    assert not loads(str(path))


WARNINGS: list[tuple[dict[str, Any], str, str]] = [
    ({"query": "HOW do heat pumps compare in cold climates?"}, "query", "nothing is left to ask for"),
    ({"language": "zh", "report": "热泵"}, "query", "reads as en, and the row says zh"),
    ({"report": "热泵报告"}, "report", "reads as zh"),
    ({"report": "one\u2028two"}, "report", "a line separator (U+2028)"),
    ({"query": "Heat\u0085pumps?"}, "query", "a next-line character (U+0085)"),
    ({"source_query": "How do heat pumps\u2029compare in cold climates?"}, "source_query", "U+2029"),
]


@pytest.mark.parametrize(("changes", "field", "words"), WARNINGS)
def test_a_warning_is_named_and_loads(tmp_path: Path, changes: dict[str, Any], field: str, words: str) -> None:
    where = jsonl(tmp_path, row("a", **changes))
    problems = [problem for problem in audit(where).problems if problem.field == field]
    assert [(problem.kind, problem.row) for problem in problems] == [("warning", "a")]
    assert words in problems[0].sentence
    assert loads(where)


@pytest.mark.parametrize(
    ("change", "words", "kind"),
    [
        (lambda content: b"\xef\xbb\xbf" + content, "byte-order mark", "warning"),
        (lambda content: content.replace(b"\n", b"\r\n"), "Windows line ends", "warning"),
        (lambda content: content + b"\xff\n", "is not UTF-8", "error"),
        (lambda content: b"\xff\xfe" + content, "is not UTF-8", "error"),
        (lambda content: content.replace(b"Energy", b"Ener\0gy"), "not JSON", "error"),
        (lambda content: content.replace(b'"topic"', b'"id": "x", "topic"'), "the field id occurs twice", "error"),
    ],
)
def test_the_encoding_of_the_file_is_looked_at(
    tmp_path: Path, change: Callable[[bytes], bytes], words: str, kind: str
) -> None:
    where = jsonl(tmp_path, row("a"))
    Path(where).write_bytes(change(Path(where).read_bytes()))
    (problem,) = audit(where).problems
    assert (words in problem.sentence, problem.kind) == (True, kind)
    assert loads(where) is (kind == "warning")


def test_near_duplicates_are_named_for_different_users_only(tmp_path: Path) -> None:
    second = row("b", second_user_of="a")
    assert found(jsonl(tmp_path, row("a"), second)) == []
    where = jsonl(tmp_path, row("a"), row("b", query="Heat pumps!", source_query=OTHER["source_query"]))
    assert found(where) == [("warning", "b", "query")]
    assert sentence(where) == "the query is nearly that of 'a' (ratio 0.91); reword one of them."
    far = row("b", query="Heat pump?", source_query=OTHER["source_query"])  # 0.95
    assert found(jsonl(tmp_path, row("a", query="Boilers?"), far)) == []


def test_a_group_of_near_duplicates_is_one_problem_that_names_its_members(tmp_path: Path) -> None:
    rows = [row(name, query="Heat pumps?", source_query=f"{name * 9} {OTHER['source_query']}") for name in "abcdef"]
    apart = row("z", query="Boilers, then?", source_query="How long does a boiler last in a flat by the sea?")
    where = jsonl(tmp_path, *rows, apart)
    assert found(where) == [("warning", "f", "query")]
    assert sentence(where) == (
        "the query is nearly that of 'a', 'b', 'c', 'd', 'e' (ratio at least 1.00 from one to the next); reword all "
        "of them but one."
    )


def test_a_chain_of_near_duplicates_is_one_group_and_two_groups_are_two(tmp_path: Path) -> None:
    queries = {"a": "abcdefghij", "b": "abcdefghiX", "c": "abcdefghYX", "p": "qrstuvwxyz", "q": "qrstuvwxyA"}
    sources = {name: f"{query * 3} {name * 30}" for name, query in queries.items()}
    where = jsonl(tmp_path, *(row(name, query=query, source_query=sources[name]) for name, query in queries.items()))
    said = [problem.sentence for problem in audit(where).problems]
    assert ["nearly that of 'a', 'b' (ratio at least 0.90" in one for one in said] == [True, False]
    assert "nearly that of 'p' (ratio 0.90); reword one of them" in said[1]


# ----------------------------------------------------------------------------------------------------------- own rows


@pytest.mark.parametrize(
    ("query", "wrong"),
    [("How?", True), ("How do heat pumps compare in cold climate?", True), ("How do pumps compare?", False)],
)
def test_the_compression_of_own_rows_is_looked_at(tmp_path: Path, query: str, wrong: bool) -> None:
    where = jsonl(tmp_path, row("a", query=query))
    named = [problem for problem in audit(where).problems if problem.field == "compression"]
    assert [problem.kind for problem in named] == ["warning"] * wrong
    assert not wrong or "outside of 0.1 to 0.9" in named[0].sentence
    assert loads(where)


SOURCE = "How do heat pumps compare in cold climates?"
MADE = {
    "source_sha256": small.sha256(SOURCE),
    "target": 0.7,
    "compression": 0.744,
    "attempts": 1,
    "model": "m",
    "prompt_sha256": "0" * 64,
    "judge": "j",
    "judge_prompt_sha256": "0" * 64,
    "verdict_reason": "It is shorter.",
}
SETTLED = {"dimension": "region", "question": "Where?", "alternatives": ["cold", "warm"], "settled_by": "cold climates"}


@pytest.mark.parametrize(
    ("changes", "field", "words"),
    [
        ({}, None, ""),
        ({"query": "Heat pumps now?"}, "injection.compression", "stated as 0.744 and measured as 0.651"),
        ({"injection": MADE | {"compression": 0.9}}, "injection.compression", "stated as 0.9 and measured as 0.744"),
        ({"source_query": SOURCE.replace("do", "DO")}, "injection.source_sha256", "so it was edited"),
        ({"ambiguity": [SETTLED | {"settled_by": "hot climates"}]}, "ambiguity.0.settled_by", "do not stand in"),
    ],
)
def test_what_a_hand_edit_left_stale_is_a_warning(
    tmp_path: Path, changes: dict[str, Any], field: str | None, words: str
) -> None:
    where = jsonl(tmp_path, row("a", **{"injection": MADE, "ambiguity": [SETTLED]} | changes))
    assert found(where) == ([("warning", "a", field)] if field else [])
    assert not field or words in sentence(where)
    assert loads(where)


@pytest.mark.parametrize("compression", ["much", None, 1.5, ...])
def test_a_compression_that_cannot_be_read_is_an_error(tmp_path: Path, compression: Any) -> None:
    made = {key: value for key, value in (MADE | {"compression": compression}).items() if value is not ...}
    where = jsonl(tmp_path, row("a", injection=made))
    assert found(where) == [("error", "a", "injection.compression")]
    assert not loads(where)


def test_what_only_the_whole_shows_is_an_error(tmp_path: Path) -> None:
    where = a_folder(tmp_path, row("a"), subsets="10: [gone]")
    assert found(where) == [("error", "", "")]
    assert "names 'gone'" in sentence(where)
    twins = (row("b", second_user_of="a"), row("c", second_user_of="b"), row("d", second_user_of="broken"))
    where = jsonl(tmp_path, row("a"), *twins, row("broken", qurey=1))
    errors = [(problem.row, problem.field) for problem in audit(where).errors]
    assert errors == [("broken", "qurey"), ("c", "second_user_of")]  # of d nothing is known


# ---------------------------------------------------------------------------------------------------------- public rows


def test_public_rows_that_fit_have_no_problem(server: Server, tmp_path: Path) -> None:
    where = small.written(tmp_path / "rows")
    seen = audit(where)
    assert seen.problems == ()
    assert [row.compression for row in seen.rows] == [task.compression for task in load(where).tasks]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"source_sha256": "0" * 64}, ("error", "2", "source_sha256")),
        ({"source_id": "9"}, ("error", "2", "source_id")),
        ({"compression": 0.5}, ("error", "2", "compression")),
        ({"topic": "History"}, ("warning", "2", "topic")),
        ({"query": "Heat pumps?", "compression": 0.89}, None),
        ({"query": "Pumps?", "compression": 0.94}, ("warning", "2", "compression")),
    ],
)
def test_public_rows_are_held_against_their_source(
    server: Server, tmp_path: Path, changes: dict[str, Any], expected: tuple[str, str, str] | None
) -> None:
    where = small.written(tmp_path / "rows", small.row("2", **changes), small.row("1"))
    assert found(where) == ([expected] if expected else [])
    assert loads(where) is (expected is None or expected[0] == "warning")


def test_a_compression_is_right_to_two_decimals(server: Server, tmp_path: Path) -> None:
    measured = 1 - len(small.QUERIES["2"]) / len(small.PROMPTS["2"])
    for stated, right in ((measured, True), (measured + 0.0049, True), (measured - 0.0051, False)):
        assert loads(small.written(tmp_path / "rows", small.row("2", compression=stated))) is right


def test_rows_without_a_report_are_counted_and_no_problem(server: Server, tmp_path: Path) -> None:
    given = tmp_path / "mine.jsonl"
    given.write_bytes(small.lines({"id": 2, "article": "Mine."}))
    seen = audit(small.written(tmp_path / "rows"), reports=str(given))
    assert seen.problems == ()
    assert [row.left_out for row in seen.rows] == [True, False, True]
    assert seen.joined is not None
    assert seen.joined.left_out == ("1", "3")


def test_rows_without_a_report_are_looked_at_all_the_same(server: Server, tmp_path: Path) -> None:
    given = tmp_path / "mine.jsonl"
    given.write_bytes(small.lines({"id": 2, "article": "Mine."}))
    same = small.row("3", query="How good are heat pumps!", compression=0.76)
    where = small.written(tmp_path / "rows", small.row("2"), small.row("1", compression=0.1), same)
    assert found(where, reports=str(given)) == [("error", "1", "compression"), ("warning", "3", "query")]


# --------------------------------------------------------------------------------------------------------------- locale


@pytest.mark.parametrize(
    ("environment", "shown"),
    [({"LC_ALL": "C"}, "能源".encode()), ({"PYTHONIOENCODING": "latin-1"}, b"\\u80fd\\u6e90")],
)
def test_the_locale_does_not_matter(tmp_path: Path, environment: dict[str, str], shown: bytes) -> None:
    where = jsonl(
        tmp_path, row("a", language="zh", topic="能源", query="热泵？", source_query="热泵如何？", report="a")
    )
    env = {**os.environ, "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", **environment}
    command = [sys.executable, "-m", "idrbench_inspect.cli", "data", "check", where]
    done = subprocess.run(command, env=env, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (1, b"")
    assert b"warning (a, report): the report reads as en" in done.stdout
    assert shown in done.stdout


def test_a_problem_is_frozen() -> None:
    problem = Problem(row="a", field="query", sentence="It is wrong.")
    with pytest.raises(ValueError, match="frozen"):
        problem.kind = "warning"  # type: ignore[misc]  # the very thing that must not work
