"""What is said of a row or a judged point that is none: what was got, what was wanted, and what to do."""

import json
from pathlib import Path

import pytest

from idrbench_inspect.dataset import audit, load
from tests import own_data as own
from tests.test_dataset import refusal

ONE = '["Norway", "Spain"]'
ORIGIN = '{"system": "a system", "model_family": "a family"}'
A_POINTS_FIELDS = "id, question, reason, answerable, span, preference, alternative"

ROWS = [
    (own.replaced("tasks.jsonl", '"id": "north"', '"id": ["north"]'), "the field id is ['north'], it must be text"),
    (own.replaced("tasks.jsonl", ONE, '"Norway"'), "the field ambiguity.0.alternatives is 'Norway', it must be a list"),
    (own.replaced("tasks.jsonl", ONE, '["a"]'), "alternatives is ['a'], it must have at least 2 items"),
    (own.replaced("tasks.jsonl", ONE, '["a", "b", "c", "d"]'), "'b', 'c', 'd'], it must have at most 3 items"),
    (own.replaced("tasks.jsonl", ORIGIN, '"me"'), "the field target_origin is 'me', it must be a JSON object"),
    (own.replaced("tasks.jsonl", '"topic"', '"report_file": "", "topic"'), "report_file is '', it must not be blank"),
    (
        own.replaced("tasks.jsonl", '"system"', '"sys": 1, "system"'),
        "not known (the fields are system, model_family",
    ),
]
POINTS = [
    (own.judged(extra=1), "the field extra is not known (the fields are task, points, query_sha256,"),
    (own.point(0, extra=1), f"the field points.0.extra is not known (the fields are {A_POINTS_FIELDS})"),
    (own.point(0, reason=None), "the field points.0.reason is None, it must be text"),
    (own.point(0, reason=" "), "the field points.0.reason is ' ', it must not be blank"),
    (own.point(0, preference="a\0b"), "points.0.preference is 'a\\x00b', it must not hold the character NUL"),
    (own.point(0, span="a\ud800"), "points.0.span is 'a\\ud800', it must not hold half a surrogate pair"),
    (own.point(0, answerable="perhaps"), "the field points.0.answerable is 'perhaps', it must be true or false"),
    (own.point(0, id="x"), "the field points.0.id is 'x', it must be p1 to p99"),
    (own.judged(query_sha256="abc"), "the field query_sha256 is 'abc', it must be 64 hex digits in small letters"),
    (own.judged(points={}), "the field points is {}, it must be a list"),
    (own.point(0, span=None), "an answerable point has span, preference and alternative"),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return own.whole(tmp_path)


@pytest.mark.parametrize(("act", "said"), ROWS)
def test_a_row(folder: Path, act: own.Break, said: str) -> None:
    act(folder)
    (problem, *_) = audit(str(folder)).errors
    assert said in problem.sentence
    assert problem.sentence.endswith("; correct the row.")
    assert problem.sentence in refusal(lambda: load(str(folder)))


@pytest.mark.parametrize(("act", "said"), POINTS)
def test_a_judged_point(folder: Path, act: own.Break, said: str) -> None:
    act(folder)
    (problem,) = audit(str(folder)).problems
    assert (problem.kind, problem.file, problem.row) == ("error", "points.jsonl", "line 1")
    assert said in problem.sentence
    assert problem.sentence.endswith("; correct the line.")
    assert refusal(lambda: load(str(folder))) == f"{folder / 'points.jsonl'}, line 1: {problem.sentence}"


def test_a_blank_id_leaves_it_open_what_belongs_to_it(folder: Path) -> None:
    own.replaced("tasks.jsonl", '"id": "north"', '"id": " "')(folder)
    (problem,) = audit(str(folder)).problems
    assert (problem.row, problem.field) == ("line 1", "id")


def test_a_file_without_any_row_is_said_alone(folder: Path) -> None:
    own.written("tasks.jsonl", " \n\n")(folder)
    (problem,) = audit(str(folder)).problems
    assert problem.sentence == "it holds no task: it must have one JSON object a line; add some."
    assert "holds no task: it must have one JSON object a line; add some." in refusal(lambda: load(str(folder)))


@pytest.mark.parametrize("all_in_one", [False, True])
def test_json_that_is_spread_over_lines_is_said_once(folder: Path, all_in_one: bool) -> None:
    rows = [json.loads(line) for line in (folder / "tasks.jsonl").read_text(encoding="utf-8").splitlines()]
    text = json.dumps(rows, indent=1) if all_in_one else "\n".join(json.dumps(row, indent=1) for row in rows)
    own.written("tasks.jsonl", text)(folder)
    (problem,) = audit(str(folder)).problems
    assert (problem.kind, problem.row) == ("error", "")
    assert problem.sentence == "the JSON is spread over several lines; write each task as one object on one line."
    refusal(lambda: load(str(folder)))


def test_one_broken_row_among_others_is_named_by_its_line(folder: Path) -> None:
    own.replaced("tasks.jsonl", '"topic": "Gardens",', '"topic": "Gardens",,')(folder)
    (problem,) = audit(str(folder)).problems
    assert problem.row == "line 1"
    assert problem.sentence.startswith("not JSON (")
