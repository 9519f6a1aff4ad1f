"""Fetching: once, resumed, checked, safe beside others; every fault is one sentence and leaves no broken file."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

from idrbench_inspect.dataset import fetching, public
from idrbench_inspect.dataset.public import Copy, PublicFile, git_blob
from tests.dataset import small
from tests.dataset.server import Move, Server, serving
from tests.test_dataset import refusal

FILE = small.QUERY_FILE
CONTENT = small.query_lines()
HALF = len(CONTENT) // 2
REAL = small.PUBLIC / "queries.jsonl"


def kept(file: PublicFile) -> Copy:
    (copy,) = fetching.kept([file])
    return copy


def shown(folder: Path) -> list[str]:
    """What a user sees in the folder."""
    return sorted(path.name for path in folder.iterdir() if not path.name.startswith("."))


def part(folder: Path) -> Path:
    return folder / ".query.jsonl.part"


def told(folder: Path, server: Server) -> str:
    """The one sentence of a failed fetch, which says what to download and where to put it."""
    said = refusal(lambda: kept(FILE))
    assert f"download {server.address}{small.path_of(FILE)} to {folder / 'query.jsonl'}" in said
    assert "data_dir=" in said
    assert "-T profile=mini" not in said  # that is for a run that was given no dataset of its own
    return said


def test_a_file_is_fetched_once_from_the_pinned_place(
    server: Server, kept_in: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = kept(FILE)
    assert (copy.content, copy.blob, copy.pinned) == (CONTENT, FILE.blob, True)
    assert kept(FILE) == copy
    assert server.asked == [(f"/Ayanami0730/deep_research_bench/{public.COMMIT}/data/prompt_data/query.jsonl", None)]
    assert shown(kept_in) == ["query.jsonl"]
    assert not part(kept_in).exists()
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "Fetching query.jsonl from 127.0.0.1" in printed.err


def test_what_is_kept_needs_no_server_and_no_right_to_write(server: Server, kept_in: Path) -> None:
    kept(FILE)
    server.moves = [503]
    kept_in.chmod(0o555)
    try:
        assert kept(FILE).content == CONTENT
    finally:
        kept_in.chmod(0o755)
    assert len(server.asked) == 1


def test_a_kept_file_that_was_changed_is_fetched_anew(server: Server, kept_in: Path) -> None:
    kept(FILE)
    (kept_in / "query.jsonl").write_bytes(CONTENT[:-1])
    assert kept(FILE).content == CONTENT
    assert (kept_in / "query.jsonl").read_bytes() == CONTENT


def test_a_cut_download_goes_on_where_it_broke_off(server: Server, kept_in: Path) -> None:
    server.moves = ["cut", "cut", "serve"]
    assert kept(FILE).content == CONTENT
    assert server.ranges == [None, f"bytes={HALF}-", f"bytes={HALF + (len(CONTENT) - HALF) // 2}-"]


def test_a_download_that_stays_cut_is_gone_on_with_by_the_next_run(server: Server, kept_in: Path) -> None:
    server.moves = ["cut", "close"]
    said = told(kept_in, server)
    assert "the connection broke off (RemoteProtocolError: " in said
    assert f"after {HALF:,} bytes, from which the next attempt goes on" in said
    assert shown(kept_in) == []
    server.moves = ["serve"]
    assert kept(FILE).content == CONTENT
    assert server.ranges[-1] == f"bytes={HALF}-"


@pytest.mark.parametrize("move", ["whole", "shift"])
def test_a_server_without_the_range_that_was_asked_gives_the_whole(server: Server, kept_in: Path, move: Move) -> None:
    server.moves = ["cut", move, "serve"]
    assert kept(FILE).content == CONTENT
    assert shown(kept_in) == ["query.jsonl"]


@pytest.mark.parametrize("left", [b"x" * HALF, b"x" * len(CONTENT), CONTENT + b"x", CONTENT])
def test_what_another_run_left_is_used_or_thrown_away(server: Server, kept_in: Path, left: bytes) -> None:
    kept_in.mkdir()
    part(kept_in).write_bytes(left)
    assert kept(FILE).content == CONTENT


@pytest.mark.parametrize("moves", [["serve"], ["cut", "serve"], ["cut", "whole"]])
def test_one_changed_byte_is_refused_and_thrown_away(server: Server, kept_in: Path, moves: list[Move]) -> None:
    changed = CONTENT.replace(b"Norway", b"Norwau")
    server.files = {small.path_of(FILE): changed}
    server.moves = moves
    said = told(kept_in, server)
    assert f"{len(CONTENT):,} bytes with the git blob hash {git_blob(changed)}, not {FILE.blob}" in said
    assert shown(kept_in) == []
    assert not part(kept_in).exists()


def test_a_changed_byte_does_not_replace_what_was_there(server: Server, kept_in: Path) -> None:
    kept_in.mkdir()
    (kept_in / "query.jsonl").write_bytes(b"an older one")
    server.files = {small.path_of(FILE): CONTENT + b"\n"}
    told(kept_in, server)
    assert (kept_in / "query.jsonl").read_bytes() == b"an older one"


def test_a_file_that_is_not_there_is_asked_for_once(server: Server, kept_in: Path) -> None:
    server.moves = [404]
    assert "the server answered 404 Not Found, under the address in IDRBENCH_DATA_URL" in told(kept_in, server)
    assert len(server.asked) == 1
    assert shown(kept_in) == []


def test_a_passing_fault_of_the_server_is_waited_for(server: Server, kept_in: Path) -> None:
    server.moves = [503, 503, "serve"]
    assert kept(FILE).content == CONTENT
    server.moves = [503]
    (kept_in / "query.jsonl").unlink()
    assert "answered 503" in told(kept_in, server)
    assert len(server.asked) == 3 + 4


def test_offline_is_said_at_once(
    server: Server, kept_in: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("IDRBENCH_DATA_URL", "http://127.0.0.1:9")
    said = refusal(lambda: kept(FILE))
    assert capsys.readouterr().err == ""  # nothing was fetched, and the sentence stands alone
    assert "the server cannot be reached (ConnectError: " in said
    assert server.asked == []
    assert shown(kept_in) == []


def test_a_folder_that_cannot_be_made_is_said(server: Server, kept_in: Path) -> None:
    kept_in.write_text("a file", encoding="utf-8")
    assert "it cannot be kept there (FileExistsError" in told(kept_in, server)


@pytest.mark.parametrize("base", ["ftp://example.org", "example.org", "http://", "http://x:port"])
def test_a_mirror_that_is_no_address_is_refused(server: Server, monkeypatch: pytest.MonkeyPatch, base: str) -> None:
    monkeypatch.setenv("IDRBENCH_DATA_URL", base)
    assert "IDRBENCH_DATA_URL is no address" in refusal(lambda: kept(FILE))


def test_a_password_in_the_mirrors_address_is_not_shown(
    server: Server, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("IDRBENCH_DATA_URL", server.address.replace("//", "//me:secret@"))
    server.moves = [404]
    assert "secret" not in refusal(lambda: kept(FILE)) + capsys.readouterr().err


def test_what_another_process_fetched_while_one_waited_is_taken(
    server: Server, kept_in: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Waiting(FileLock):
        """A lock that another process holds until it has the file."""

        def acquire(self, *args: Any, **kwargs: Any) -> Any:
            (kept_in / "query.jsonl").write_bytes(CONTENT)
            return super().acquire(*args, **kwargs)

    monkeypatch.setattr("idrbench_inspect.dataset.fetching.FileLock", Waiting)
    assert kept(FILE).content == CONTENT
    assert server.asked == []


FETCH = """
import sys
from idrbench_inspect.dataset.fetching import kept
from idrbench_inspect.dataset.public import PublicFile
print(len(kept([PublicFile(*sys.argv[1:])])[0].content))
"""


def test_two_processes_get_one_whole_file(server: Server, kept_in: Path) -> None:
    command = [sys.executable, "-c", FETCH, FILE.name, FILE.path, FILE.blob]
    both = [subprocess.Popen(command, env={**os.environ}, stdout=subprocess.PIPE) for _ in range(2)]
    assert [process.communicate()[0].strip() for process in both] == [str(len(CONTENT)).encode()] * 2
    assert len(server.asked) == 1
    assert (kept_in / "query.jsonl").read_bytes() == CONTENT


@pytest.mark.skipif(not REAL.is_file(), reason="the public queries are not at hand")
def test_the_real_queries_have_the_pinned_hash(kept_in: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file: PublicFile = public.QUERIES
    with serving({small.path_of(file): REAL.read_bytes()}) as script:
        monkeypatch.setenv("IDRBENCH_DATA_URL", script.address)
        assert kept(file).blob == "20a0c689704c364c9e85b5eb30c1fc139a73f86e"
        assert (kept_in / "query.jsonl").read_bytes() == REAL.read_bytes()
