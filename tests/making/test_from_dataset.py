"""What makers take from a dataset: queries without reports, tasks without what was judged before."""

from pathlib import Path

import pytest

from idrbench_inspect.dataset import load, public
from idrbench_inspect.dataset.joining import UNKNOWN
from idrbench_inspect.dataset.points import POINTS
from idrbench_inspect.dataset.public import PublicFile
from idrbench_inspect.errors import BadInput
from idrbench_inspect.making.from_dataset import given_queries, tasks_to_judge
from tests.dataset import small
from tests.making.judged_sets import own, row_of


@pytest.fixture
def queries_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A folder that holds the public queries and nothing else."""
    monkeypatch.setattr(public, "QUERIES", small.QUERY_FILE)
    folder = tmp_path / "public"
    folder.mkdir()
    (folder / "query.jsonl").write_bytes(small.query_lines())
    return str(folder)


def test_public_queries_are_shortened_without_any_report(tmp_path: Path, queries_only: str) -> None:
    rows = small.written(tmp_path / "rows")
    with pytest.raises(BadInput, match=r"reference\.jsonl"):
        load(rows, queries_only)
    name, sources = given_queries(rows, queries_only)
    assert name == "rows"
    assert {source.id: source.source_query for source in sources} == small.PROMPTS
    assert [(s.language, s.topic, s.report, s.target_origin) for s in sources] == [
        (small.LANGUAGES[n], small.TOPICS[n], None, UNKNOWN) for n in small.PROMPTS
    ]


def test_reports_that_are_given_come_along_where_they_are_there(tmp_path: Path, queries_only: str) -> None:
    given = tmp_path / "mine.jsonl"
    given.write_bytes(small.lines({"id": 2, "article": "# Mine"}))
    _, sources = given_queries(small.written(tmp_path / "rows"), queries_only, str(given))
    assert {source.id: source.report for source in sources} == {"1": None, "2": "# Mine", "3": None}
    assert sources[1].target_origin.system == f"given by the user: {given}"
    assert sources[0].target_origin == UNKNOWN


@pytest.mark.parametrize(
    ("row", "wrong"),
    [
        (small.row("1", source_id="9"), "there is no public query '9'"),
        (small.row("1", source_sha256="0" * 64), "has the SHA-256"),
    ],
)
def test_a_row_over_another_text_is_refused(tmp_path: Path, queries_only: str, row: dict[str, str], wrong: str) -> None:
    with pytest.raises(BadInput, match=wrong):
        given_queries(small.written(tmp_path / "rows", row), queries_only)


def test_a_public_file_that_is_not_the_pinned_one_is_refused(
    tmp_path: Path, queries_only: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = PublicFile("query.jsonl", public.QUERIES.path, "0" * 40)
    monkeypatch.setattr(public, "QUERIES", other)
    with pytest.raises(BadInput, match="git blob hash"):
        given_queries(small.written(tmp_path / "rows"), queries_only)


def test_rows_of_a_dataset_of_ones_own_need_no_report_either(tmp_path: Path) -> None:
    folder = own(tmp_path / "own", "en-beekeeping", "en-beekeeping-second", "en-chess")
    for row in ("en-beekeeping", "en-chess"):
        assert row_of(folder, row)["report_file"]
    text = (folder / "tasks.jsonl").read_text(encoding="utf-8").replace('"report_file": "reports/en-chess.md", ', "")
    (folder / "tasks.jsonl").write_text(text, encoding="utf-8")
    (folder / "reports" / "en-chess.md").unlink()
    (folder / POINTS).write_text("{}\n", encoding="utf-8")  # of judged points nothing is read
    _, sources = given_queries(str(folder))
    assert {source.id: source.report is None for source in sources} == {"en-beekeeping": False, "en-chess": True}


def test_what_has_no_meaning_is_refused(tmp_path: Path) -> None:
    bare = tmp_path / "sources.jsonl"
    bare.write_bytes(small.lines({"id": "a", "source_query": "Moss, all of it, please."}))
    for where in (str(bare), "mini"):
        for given in ((str(tmp_path), None), (None, str(bare))):
            with pytest.raises(BadInput, match="has no meaning; leave it out"):
                given_queries(where, *given)


def test_tasks_are_read_as_load_reads_them_but_for_judged_points(tmp_path: Path) -> None:
    folder = own(tmp_path / "own")
    assert tasks_to_judge(str(folder)).tasks == tuple(
        task.model_copy(update={"subsets": ()}) for task in load(str(folder)).tasks
    )
    before = tasks_to_judge(str(folder)).revision
    (folder / POINTS).write_text("not even JSON\n", encoding="utf-8")
    assert tasks_to_judge(str(folder)).revision == before
    with pytest.raises(BadInput, match="not JSON"):
        load(str(folder))


def test_rows_without_a_report_are_named_before_judging(tmp_path: Path, queries_only: str) -> None:
    given = tmp_path / "mine.jsonl"
    given.write_bytes(small.lines({"id": 2, "article": "# Mine"}))
    found = tasks_to_judge(small.written(tmp_path / "rows"), queries_only, str(given))
    assert [task.id for task in found.tasks] == ["2"]
    assert found.notices == ("2 rows have no report and are left out: 1, 3.",)
