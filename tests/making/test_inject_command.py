"""`idrbench data inject`: what it will cost is said first, three counts last; what is done is not paid again."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from idrbench_inspect.dataset.tasks import Row
from idrbench_inspect.making.making_rows import AT_ONCE, RowMaker, make_rows
from idrbench_inspect.making.row_file import RowFile
from idrbench_inspect.making.sources import Source
from tests.judging.scripted import Call
from tests.making.judged_sets import COUNTING, Counting, data, killed
from tests.making.scripted import ENGLISH, HALF, JUDGE, LABEL, POINT, WRITE, player, points, query, verdict

SOURCES = {
    "good": "Please write a report on moss in roof gardens. Keep to Norway, and to the years since 1990, for builders.",
    "dead": "Please write a report on CANARY moss in roof gardens. Keep to Norway, and to the years since 1990.",
    "tiny": "Moss?",
}


def sources_file(folder: Path, **texts: str) -> str:
    path = folder / "sources.jsonl"
    lines = [json.dumps({"id": id_, "language": "en", "source_query": text}) for id_, text in texts.items()]
    path.write_text("\n".join(lines), encoding="utf-8")
    return str(path)


def inject(folder: Path, *more: str, **texts: str) -> tuple[Result, int]:
    out = ("--grader", COUNTING, "--out", str(folder / "rows.jsonl"))
    return data("inject", sources_file(folder, **(texts or SOURCES)), "--model", COUNTING, *out, *more)


def rows(folder: Path) -> dict[str, Row]:
    return dict(RowFile(folder / "rows.jsonl", Row).rows())


def test_three_counts_and_every_source_without_a_row_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Counting, "breaks_on", "CANARY")
    done, _ = inject(tmp_path)
    assert done.exit_code == 1
    assert "To make: 3 rows, 6 model calls if every first reply is good, 54 at most." in done.output
    last = done.stdout.splitlines()[-1]
    assert last.startswith("made 1, rejected 1: tiny (too_short: The source query has 5 characters")
    assert last.endswith("errored 1: dead (broken: RuntimeError: the line is dead)")
    assert "dead errored" in done.stderr
    assert list(rows(tmp_path)) == ["good"]
    sheet = (tmp_path / "rows.review.md").read_text(encoding="utf-8")
    assert "## tiny (en, unspecified): no row" in sheet
    assert "- why: a call broke, RuntimeError: the line is dead" in sheet

    monkeypatch.setattr(Counting, "breaks_on", "")
    done, calls = inject(tmp_path)
    assert (done.exit_code, calls) == (1, 3)
    assert "1 of 3 rows is there, made by counting/extractive; it stays." in done.output
    assert "made 2 (1 of them was there), rejected 1: tiny" in done.output
    sheet = (tmp_path / "rows.review.md").read_text(encoding="utf-8")
    assert "## dead (en, unspecified): no row" not in sheet
    assert "## dead (en, unspecified)" in sheet
    done, calls = inject(tmp_path, good=SOURCES["good"])
    assert (done.exit_code, calls) == (0, 0)
    assert "To make: 0 rows, no model call." in done.output


def test_what_cannot_be_done_is_refused_before_any_call(tmp_path: Path) -> None:
    for more, wrong in ((["--target", "2"], "target=2.0"), (["--target", "half"], "target='half'")):
        done, calls = inject(tmp_path, *more)
        assert (done.exit_code, calls) == (1, 0)
        assert wrong in done.output
    (tmp_path / "rows.review.md").write_bytes("Prüfung".encode("latin-1"))
    done, calls = inject(tmp_path)
    assert (done.exit_code, calls) == (1, 0)
    assert "is not UTF-8" in done.output
    (tmp_path / "rows.review.md").unlink()
    done, calls = inject(tmp_path, "--grader", "nobody/x")
    assert (done.exit_code, calls) == (1, 0)
    assert "The model nobody/x cannot be made" in done.output


def test_a_source_in_another_language_than_stated_is_refused_without_a_call(tmp_path: Path) -> None:
    wrong = Source(id="wrong", language="zh", source_query=SOURCES["good"])
    path = tmp_path / "wrong.jsonl"
    path.write_text(json.dumps(wrong.model_dump(include={"id", "language", "source_query"})), encoding="utf-8")
    command = ("inject", str(path), "--model", COUNTING, "--grader", COUNTING, "--out", str(tmp_path / "rows.jsonl"))
    done, calls = data(*command)
    assert (done.exit_code, calls) == (1, 0)
    assert "To make: 1 row, no model call." in done.output
    assert "rejected 1: wrong (other_language: The source query is not in Chinese" in done.output
    assert "correct its language" in done.output


async def test_rejections_tell_the_sheet_every_query_and_reason(tmp_path: Path) -> None:
    grader = player(**{JUDGE: [verdict("constraint_added", f"Reason {n}.") for n in range(4)]})
    model = grader.model()
    (outcome,) = (await make_rows([ENGLISH], {"moss": 0.5}, RowMaker(tmp_path / "rows.jsonl"), (model, model))).values()
    assert (outcome.kind, outcome.reason, len(outcome.tries)) == ("rejected", "not_accepted", 4)
    sheet = (tmp_path / "rows.review.md").read_text(encoding="utf-8")
    assert all(f"- turned down: {HALF} (It adds something that the full" in sheet for n in range(4))
    assert all(f"Reason {n}." in sheet for n in range(4))
    assert not (tmp_path / "rows.jsonl").exists()


async def test_a_judge_without_a_reading_is_an_error_and_no_rejection(tmp_path: Path) -> None:
    model = player(**{JUDGE: ["Fine with me."]}).model()
    (outcome,) = (await make_rows([ENGLISH], {"moss": 0.5}, RowMaker(tmp_path / "rows.jsonl"), (model, model))).values()
    assert (outcome.kind, outcome.row) == ("errored", None)
    assert "the judge gave no reading" in (tmp_path / "rows.review.md").read_text(encoding="utf-8")


async def test_the_settled_alternative_stands_anywhere_though_its_author_names_it_first(tmp_path: Path) -> None:
    def labelled(call: Call) -> dict[str, Any]:
        return points(POINT)

    model = player(**{LABEL: labelled}).model()
    sources = [Source(**{**ENGLISH.model_dump(), "id": f"moss-{n}"}) for n in range(60)]
    targets = {source.id: 0.5 for source in sources}
    found = await make_rows(sources, targets, RowMaker(tmp_path / "rows.jsonl"), (model, model))
    made = [one.row.ambiguity[0] for one in found.values() if one.row]
    first = sum(point.alternatives[0] == point.preference for point in made)
    assert len(made) == 60
    assert 18 < first < 42


def test_a_kill_in_the_middle_of_a_row_costs_the_calls_under_way_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    out = tmp_path / "rows.jsonl"
    command = ("inject", "mini", "--model", COUNTING, "--grader", COUNTING, "--out", str(out))
    killed(25, *command)
    whole, kept = out.read_bytes(), len(rows(tmp_path))
    assert 0 < kept < 14
    out.write_bytes(whole + whole.splitlines(keepends=True)[0][:150].replace(b"en-", b"xx-").replace(b"zh-", b"xx-"))
    again, calls = data(*command)
    assert again.exit_code == 0, again.output
    assert calls <= 3 * 14 - (25 - AT_ONCE)
    assert calls <= 3 * (14 - kept)
    assert "was not written to its end and is dropped" in again.output
    assert out.read_bytes().startswith(whole)
    assert len(rows(tmp_path)) == 14
    assert (tmp_path / "rows.review.md").read_text(encoding="utf-8").count("\n## ") == 14


def dead(call: Call) -> dict[str, Any]:
    raise RuntimeError("the line is dead")


async def test_a_row_that_was_broken_off_goes_on_from_its_last_reply(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr("idrbench_inspect.making.paid.worth_keeping", lambda model: True)
    torn = player(**{WRITE: [query("Too short."), query(HALF)], LABEL: [dead]})
    file = tmp_path / "rows.jsonl"
    (outcome,) = (await make_rows([ENGLISH], {"moss": 0.5}, RowMaker(file), (torn.model(), torn.model()))).values()
    assert (outcome.kind, len(torn.of(WRITE)), len(torn.of(JUDGE))) == ("errored", 2, 1)

    whole = player(**{WRITE: [dead], JUDGE: [dead]})
    (outcome,) = (await make_rows([ENGLISH], {"moss": 0.5}, RowMaker(file), (whole.model(), whole.model()))).values()
    assert (outcome.kind, len(whole.of(WRITE)), len(whole.of(JUDGE)), len(whole.of(LABEL))) == ("made", 0, 0, 1)
    assert outcome.row is not None
    assert (outcome.row.query, outcome.row.injection and outcome.row.injection.attempts) == (HALF, 2)

    assert [
        folder for folder in (tmp_path / "cache" / "idrbench_inspect" / "making").iterdir() if any(folder.iterdir())
    ] == []

    anew = player()  # the row is taken out to be drawn again, and nothing of the first draw is left
    file.write_text("", encoding="utf-8")
    await make_rows([ENGLISH], {"moss": 0.5}, RowMaker(file), (anew.model(), anew.model()))
    assert len(anew.of(WRITE)) == 1


async def test_a_kill_between_a_row_and_the_end_of_its_keeping_leaves_no_old_draw(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr("idrbench_inspect.making.paid.worth_keeping", lambda model: True)
    file = tmp_path / "rows.jsonl"

    async def run() -> int:
        grader = player()
        await make_rows([ENGLISH], {"moss": 0.5}, RowMaker(file), (grader.model(), grader.model()))
        return len(grader.calls)

    with monkeypatch.context() as killed_there:
        killed_there.setattr("idrbench_inspect.making.paid.Paid.forget", lambda self: None)
        assert await run() == 3
    assert await run() == 0
    file.write_text("", encoding="utf-8")
    assert await run() == 3
