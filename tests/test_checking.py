"""`data check` looks at all that a folder holds; it finds an error exactly where a run refuses the dataset."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from idrbench_inspect.autonomous import autonomous
from idrbench_inspect.checking import check_dataset
from idrbench_inspect.cli import main
from idrbench_inspect.dataset import load
from idrbench_inspect.errors import BadInput
from tests import door_runs as doors
from tests import own_data as own
from tests.dataset.test_points import file_of, line

ALL = ("tasks.jsonl", "aspects.jsonl", "points.jsonl", "subsets.yaml", "reports/north.md", "corpus/north/roofs.md")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return own.whole(tmp_path)


def problems(folder: Path) -> list[tuple[str, str, str, str]]:
    return [(p.kind, p.file, p.row, p.field) for p in check_dataset(str(folder)).problems]


def refused(folder: Path, subset: str | None = None) -> bool:
    """Whether a run over the dataset, its own corpus and its own aspects is refused."""
    search = "corpus" if (folder / "corpus").is_dir() else f"corpus:{doors.MINI / 'corpus' / 'en-chess'}"
    try:
        autonomous(profile="mini", dataset=str(folder), subset=subset, search=search)
    except BadInput:
        return True
    return False


def test_a_whole_folder_has_no_problem(folder: Path) -> None:
    assert problems(folder) == []
    assert not refused(folder)


def test_the_shipped_mini_set_has_no_problem_in_corpus_aspects_and_reports_either() -> None:
    assert check_dataset("mini").problems == ()


ERRORS: list[tuple[own.Break, tuple[str, str, str], str]] = [
    # subsets
    (own.written("subsets.yaml", "1: [north]\n1: [south]\n"), ("subsets.yaml", "", ""), "the field 1 occurs twice"),
    (own.written("subsets.yaml", "1: [north, nroth]\n"), ("subsets.yaml", "", ""), "'nroth', which is no task's id"),
    (own.written("subsets.yaml", "1: [[north]]\n"), ("subsets.yaml", "", ""), "must hold names"),
    (own.written("subsets.yaml", "1: [north\n"), ("subsets.yaml", "", ""), "is not YAML"),
    (own.written("subsets.yaml", b"\xff"), ("subsets.yaml", "", ""), "is not UTF-8"),
    (own.a_folder_in_place_of("subsets.yaml"), ("subsets.yaml", "", ""), "cannot be read"),
    # reports
    (own.gone("reports/north.md"), ("", "north", "report"), "there is no file"),
    (own.written("reports/north.md", b"\xff"), ("", "north", "report"), "is not UTF-8"),
    (own.written("reports/north.md", " \n"), ("", "north", "report"), "empty report"),
    # judged points
    (own.judged(report_sha256="1" * 64), ("points.jsonl", "north", ""), "judged with another report"),
    (own.judged(query_sha256="1" * 64), ("points.jsonl", "north", ""), "judged with another query"),
    (own.judged(points=[]), ("points.jsonl", "north", ""), "another number of points"),
    (own.judged(task="nroth"), ("points.jsonl", "nroth", "task"), "no task of that id"),
    (own.judged(judge=None), ("points.jsonl", "line 1", "judge"), "the field judge"),
    (own.point(0, id="p2"), ("points.jsonl", "north", ""), "are p2, p2, and must be p1 to p2 in order"),
    (own.point(0, span=None), ("points.jsonl", "line 1", "points.0"), "an answerable point has span"),
    (own.replaced("points.jsonl", '"judge"', '"judge": "x", "judge"'), ("points.jsonl", "line 1", ""), "judge occurs"),
    (own.added("points.jsonl", "[]\n"), ("points.jsonl", "line 4", ""), "must be one JSON object"),
    (own.written("points.jsonl", b"\xff"), ("points.jsonl", "", ""), "is not UTF-8"),
    # aspects
    (
        own.replaced("aspects.jsonl", '"task":"south"', '"task":"sotuh"'),
        ("aspects.jsonl", "south", ""),
        "no aspects of",
    ),
    (own.replaced("tasks.jsonl", "lichen upon", "lichens on"), ("aspects.jsonl", "south", ""), "for another query"),
    (
        own.replaced("tasks.jsonl", "in the south", "of the south"),
        ("aspects.jsonl", "south", ""),
        "another source_query",
    ),
    (own.replaced("aspects.jsonl", '"tag":"hidden"', '"tag":"x"'), ("aspects.jsonl", "line 1", ""), "aspects.0.tag"),
    (
        own.replaced("aspects.jsonl", '"task":', '"task":"a","task":'),
        ("aspects.jsonl", "line 1", ""),
        "task occurs twice",
    ),
    (
        own.replaced("aspects.jsonl", '"id":"a1"', '"id":"a1","id":"a1"'),
        ("aspects.jsonl", "line 1", ""),
        "id occurs twice",
    ),
    (own.again("aspects.jsonl", "", ""), ("aspects.jsonl", "line 4", ""), "'north-2' occurs twice"),
    (own.added("aspects.jsonl", "{\n"), ("aspects.jsonl", "line 4", ""), "not JSON"),
    (own.written("aspects.jsonl", b"\xff"), ("aspects.jsonl", "", ""), "is not UTF-8"),
    # corpus
    (own.written("corpus/north/roofs.md", ""), ("corpus/north/roofs.md", "", ""), "has no front matter"),
    (own.written("corpus/north/b.md", "---\nurl: x\n---\nA.\n"), ("corpus/north/b.md", "", ""), "has no title"),
    (own.written("corpus/north/b.md", "---\na: b: c\n---\nA.\n"), ("corpus/north/b.md", "", ""), "is not YAML"),
    (
        own.written("corpus/b.md", "---\nurl: x\nurl: y\ntitle: z\n---\nA\n"),
        ("corpus/b.md", "", ""),
        "url occurs twice",
    ),
    (own.written("corpus/b.md", b"\xff"), ("corpus/b.md", "", ""), "is not UTF-8"),
    (
        own.written("corpus/b.md", own.DOCUMENT.format(name="north")),
        ("corpus/north/roofs.md", "", "url"),
        "2 documents have",
    ),
    # rows
    (own.replaced("tasks.jsonl", '"id"', '"id": "x", "id"'), ("", "line 1", ""), "the field id occurs twice"),
]


@pytest.mark.parametrize(("act", "where", "words"), ERRORS)
def test_an_error_is_named_where_a_run_refuses(
    folder: Path, act: own.Break, where: tuple[str, str, str], words: str
) -> None:
    act(folder)
    found = check_dataset(str(folder))
    matching = [p for p in found.errors if (p.file, p.row, p.field) == where and words in p.sentence]
    assert matching, found.problems
    assert all(p.sentence.endswith(".") and "\n" not in p.sentence for p in found.problems)
    assert refused(folder)


def test_a_corpus_without_a_document_is_an_error(folder: Path) -> None:
    for name in ("north", "south"):
        (folder / "corpus" / name / "roofs.md").unlink()
    assert problems(folder) == [("error", "corpus", "", "")]
    assert refused(folder)


NO_MATTER: list[own.Break] = [
    own.point(0, alternative="other"),
    own.point(0, span="Moss\n in  Norway"),
    own.written("subsets.yml", "1: [north]\n"),  # none is missing, so this may be anything
    own.written("labels.jsonl", "{}\n"),
    own.written("corpus/.hidden", "x"),
    own.written("reports/.hidden.md", "x"),
    own.written("corpus/all.md", own.DOCUMENT.format(name="all")),
]


@pytest.mark.parametrize("act", NO_MATTER)
def test_what_does_no_harm_is_passed_over(folder: Path, act: own.Break) -> None:
    act(folder)
    assert problems(folder) == []


def test_aspects_of_a_second_user_whom_no_run_takes_are_no_error(folder: Path) -> None:
    lines = (folder / "aspects.jsonl").read_text(encoding="utf-8").splitlines()
    (folder / "aspects.jsonl").write_text("\n".join(lines[:2]), encoding="utf-8")
    assert problems(folder) == []
    assert not refused(folder)
    (folder / "subsets.yaml").write_text("pair: [north, north-2]\n", encoding="utf-8")
    assert problems(folder) == [("error", "aspects.jsonl", "north-2", "")]
    assert refused(folder, subset="pair")


@pytest.mark.parametrize("content", [b"", b"a\0b", "热泵".encode("gbk")])
def test_a_report_that_cannot_be_read_is_named_once(folder: Path, content: bytes) -> None:
    own.written("reports/north.md", content)(folder)
    assert problems(folder) == [("error", "", "north", "report")]


def test_faults_of_all_parts_are_named_in_one_go(folder: Path) -> None:
    for act in (
        own.replaced("tasks.jsonl", '"topic"', '"topci"'),
        own.written("subsets.yaml", "1: [north, x, y]\n"),
        own.both(own.added("points.jsonl", "{\n"), own.added("points.jsonl", "[]\n")),
        own.both(own.added("aspects.jsonl", "{\n"), own.added("aspects.jsonl", "[]\n")),
        own.both(own.written("corpus/a.md", ""), own.written("corpus/b.md", "")),
    ):
        act(folder)
    assert problems(folder) == [
        ("error", "", "north", "topic"),
        ("error", "", "north", "topci"),
        ("error", "subsets.yaml", "", ""),
        ("error", "subsets.yaml", "", ""),
        ("error", "points.jsonl", "line 4", ""),
        ("error", "points.jsonl", "line 5", ""),
        ("error", "corpus/a.md", "", ""),
        ("error", "corpus/b.md", "", ""),
        ("error", "aspects.jsonl", "line 4", ""),
        ("error", "aspects.jsonl", "line 5", ""),
    ]


def test_a_row_whose_id_is_not_known_draws_no_complaints_about_what_belongs_to_it(folder: Path) -> None:
    own.written("subsets.yaml", "1: [north]\n")(folder)
    own.replaced("tasks.jsonl", '"id": "north"', '"id": "north" "x"')(folder)
    assert problems(folder) == [("error", "", "line 1", "")]


def test_the_command_prints_file_row_and_field(folder: Path) -> None:
    own.point(0, alternative="Peru")(folder)
    own.added("aspects.jsonl", "{\n")(folder)
    done = CliRunner().invoke(main, ["data", "check", str(folder)])
    assert done.exit_code == 1
    assert "problems: 1 error, 1 warning" in done.stdout
    assert "  warning (points.jsonl, north, points.0.alternative): it is 'Peru'" in done.stdout
    assert "  error (aspects.jsonl, line 4): not JSON" in done.stdout


WARNINGS: list[tuple[own.Break, tuple[str, str, str], str]] = [
    *((own.windows(file), (file, "north" if file[:3] == "rep" else "", ""), "Windows line ends") for file in ALL[1:]),
    (own.replaced("reports/south.md", "\n\n", "\r\n\n"), ("reports/south.md", "south", ""), "Windows line ends"),
    (own.replaced("corpus/south/roofs.md", "Moss", "\rMoss"), ("corpus/south/roofs.md", "", ""), "without a line feed"),
    (
        lambda f: file_of(f, line(load(str(f)).tasks[0])),
        ("points.jsonl", "", ""),
        "Nobody has judged 2 of 3 tasks with points: points.jsonl has no line on south, north-2, so",
    ),
    (own.written("points.jsonl", ""), ("points.jsonl", "", ""), "Nobody has judged 3 of 3 tasks"),
    *((own.windows(file), (file, "north" if file[:3] == "rep" else "", ""), "byte-order mark") for file in ALL[1:]),
    (own.windows("tasks.jsonl"), ("", "", ""), "byte-order mark"),
    (own.written("subsets.yaml", "1: [north, north]\n"), ("subsets.yaml", "", ""), "more than once"),
    (lambda f: (f / "subsets.yaml").rename(f / "subsets.yml"), ("subsets.yml", "", ""), "if subsets.yaml is meant"),
    (lambda f: (f / "aspects.jsonl").rename(f / "aspects.json"), ("aspects.json", "", ""), "if aspects.jsonl is meant"),
    (own.a_folder_in_place_of("aspects.jsonl"), ("aspects.jsonl", "", ""), "is no file"),
    (own.a_folder_in_place_of("points.jsonl"), ("points.jsonl", "", ""), "is no file"),
    (
        own.written("reports/nroth.md", "x"),
        ("reports/nroth.md", "", ""),
        "no row reads this report (no row has that id)",
    ),
    (
        own.both(own.gone("points.jsonl"), own.replaced("tasks.jsonl", '"topic"', '"report": "Moss.", "topic"')),
        ("reports/north.md", "", ""),
        "its row names another report",
    ),
    (own.point(0, span="Moss in Spain"), ("points.jsonl", "north", "points.0.span"), "does not stand in the paired"),
    (
        own.point(0, alternative="Peru"),
        ("points.jsonl", "north", "points.0.alternative"),
        "no alternative of the point",
    ),
    (own.point(1, question="Why"), ("points.jsonl", "north", "points.1.question"), "'For whom'"),
    (own.point(1, reason="a\u2028b"), ("points.jsonl", "north", "points.1.reason"), "U+2028"),
    (
        own.again("aspects.jsonl", '"task":"north-2"', '"task":"east"'),
        ("aspects.jsonl", "east", "task"),
        "no task of that id",
    ),
    (
        own.replaced("aspects.jsonl", '"language":"en"', '"language":"zh"'),
        ("aspects.jsonl", "north", "language"),
        "look at",
    ),
    (own.replaced("corpus/north/roofs.md", "Moss", "\u2028Moss"), ("corpus/north/roofs.md", "", ""), "U+2028"),
    (own.written("corpus/north/notes.txt", "x"), ("corpus/north/notes.txt", "", ""), "no .md file"),
    (
        own.replaced("corpus/south/roofs.md", "example.org/south", "example.org/north/"),
        ("corpus/south/roofs.md", "", "url"),
        "one page",
    ),
    (lambda f: (f / "corpus/south").rename(f / "corpus/sotuh"), ("corpus", "south", ""), "no document in corpus/south"),
    (
        own.both(own.gone("points.jsonl"), own.replaced("reports/north.md", "Moss", "Moss\u2029")),
        ("", "north", "report"),
        "U+2029",
    ),
]


@pytest.mark.parametrize(("act", "where", "words"), WARNINGS)
def test_a_warning_is_named_where_a_run_goes_on(
    folder: Path, act: own.Break, where: tuple[str, str, str], words: str
) -> None:
    act(folder)
    found = check_dataset(str(folder))
    assert not found.errors
    assert [p for p in found.problems if (p.file, p.row, p.field) == where and words in p.sentence], found.problems
    assert not refused(folder)
