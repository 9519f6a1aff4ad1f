"""What is kept: made once, found again, made again where it cannot be read, and the first result wins."""

import json
import logging
from collections.abc import Awaitable, Callable
from pathlib import Path

import anyio
import anyio.lowlevel
import pytest
from pydantic import JsonValue

from idrbench_inspect.judging.aspects import Instrument
from idrbench_inspect.judging.store import Store

KEY: dict[str, JsonValue] = {"model": "m", "temperature": 0}


def files(folder: Path, ending: str = ".json") -> list[Path]:
    return sorted(folder.rglob(f"*{ending}"))


def making(*names: str) -> Callable[[], Awaitable[Instrument]]:
    left = list(names)

    async def make() -> Instrument:
        await anyio.lowlevel.checkpoint()
        return Instrument(model=left.pop(0))

    return make


async def test_what_was_made_is_found_again_and_another_key_is_another_result(tmp_path: Path) -> None:
    make = making("first", "second", "third")
    assert (await Store(tmp_path).once(KEY, Instrument, make)).model == "first"
    assert (await Store(tmp_path).once(dict(reversed(KEY.items())), Instrument, make)).model == "first"
    assert (await Store(tmp_path).once({**KEY, "temperature": 1}, Instrument, make)).model == "second"
    held = [json.loads(path.read_text(encoding="utf-8")) for path in files(tmp_path)]
    keys = {entry["value"]["model"]: entry["key"] for entry in held}
    assert keys["first"] == {**KEY, "form": 1, "kind": "Instrument"}
    assert not files(tmp_path, ".new")


async def test_who_asks_meanwhile_waits_even_in_another_store(tmp_path: Path) -> None:
    make, found = making("first", "second"), list[str]()

    async def ask(store: Store) -> None:
        found.append((await store.once(KEY, Instrument, make)).model)

    async with anyio.create_task_group() as together:
        for store in (Store(tmp_path), Store(tmp_path)):
            together.start_soon(ask, store)
    assert found == ["first", "first"]


@pytest.mark.parametrize("content", ["", '{"key": {"model', "[]", '{"key": {}, "value": {"model": "x"}}', "null"])
async def test_a_file_that_cannot_be_used_is_made_again_with_a_warning(
    tmp_path: Path, content: str, caplog: pytest.LogCaptureFixture
) -> None:
    make = making("first", "second", "third")
    await Store(tmp_path).once(KEY, Instrument, make)
    (path,) = files(tmp_path)
    path.write_text(content, encoding="utf-8")
    with caplog.at_level(logging.WARNING):
        assert (await Store(tmp_path).once(KEY, Instrument, make)).model == "second"
    assert "made again" in caplog.text
    assert (await Store(tmp_path).once(KEY, Instrument, make)).model == "second"


async def test_of_two_processes_the_first_result_wins(tmp_path: Path) -> None:
    await Store(tmp_path).once(KEY, Instrument, making("theirs"))
    (path,) = files(tmp_path)
    theirs = path.read_text(encoding="utf-8")
    path.unlink()

    async def make() -> Instrument:
        path.write_text(theirs, encoding="utf-8")
        return Instrument(model="ours")

    assert (await Store(tmp_path).once(KEY, Instrument, make)).model == "theirs"


async def test_what_could_not_be_made_is_not_kept(tmp_path: Path) -> None:
    async def broken() -> Instrument:
        raise RuntimeError("no")

    store = Store(tmp_path)
    with pytest.raises(RuntimeError):
        await store.once(KEY, Instrument, broken)
    assert (await store.once(KEY, Instrument, making("first"))).model == "first"


async def test_a_folder_that_cannot_be_written_costs_a_warning_only(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("", encoding="utf-8")
    store, make = Store(blocked), making("first", "second")
    with caplog.at_level(logging.WARNING):
        assert (await store.once(KEY, Instrument, make)).model == "first"
    assert (await store.once(KEY, Instrument, make)).model == "first"
    assert "this process only" in caplog.text


async def test_nothing_is_read_or_written_where_results_are_not_to_outlive_the_process(tmp_path: Path) -> None:
    await Store(tmp_path).once(KEY, Instrument, making("kept"))
    store, make = Store(tmp_path), making("first", "second")
    assert (await store.once(KEY, Instrument, make, on_disk=False)).model == "first"
    assert (await store.once(KEY, Instrument, make, on_disk=False)).model == "first"
