import logging
import sqlite3
from pathlib import Path

import numpy as np
import pytest

from idrbench_inspect.embedding import cache as cache_module
from idrbench_inspect.embedding.cache import FILE, FOLDER, MEGABYTES, SMALLEST, Cache, Memory, users_cache
from idrbench_inspect.embedding.protocol import Identity, unit
from idrbench_inspect.embedding.readings import Reading
from idrbench_inspect.errors import BadInput

IDENTITY = Identity(model="m", revision="1", dimension=8, dtype="float32", max_tokens=None, tokenizer="words")
OTHER = IDENTITY.model_copy(update={"revision": "2"})


def reading(number: int, dimension: int = 8, pooled: bool = False) -> Reading:
    row = np.random.default_rng(number).normal(size=dimension).astype(np.float32)
    return Reading(unit(row), pooled)


def key(number: int) -> bytes:
    return number.to_bytes(32, "big")


def kept(cache: Cache | Memory, *numbers: int, identity: Identity = IDENTITY) -> list[int]:
    """Which of `numbers` the cache still has."""
    found = cache.read(identity, [key(number) for number in numbers])
    return [number for number in numbers if key(number) in found]


def query(folder: Path, sql: str, *values: object) -> list[tuple[object, ...]]:
    with sqlite3.connect(folder / FILE) as file:
        rows = file.execute(sql, values).fetchall()
    file.close()
    return rows


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path)


def test_what_is_written_is_read_bit_by_bit_after_a_restart(cache: Cache, tmp_path: Path) -> None:
    cache.write(IDENTITY, {key(1): reading(1), key(2): reading(2, pooled=True)})
    cache.close()
    found = Cache(tmp_path).read(IDENTITY, [key(1), key(2), key(3)])
    assert sorted(found) == [key(1), key(2)]
    assert np.array_equal(found[key(1)].vector, reading(1).vector)
    assert found[key(1)].vector.dtype == np.float32
    assert (found[key(1)].pooled, found[key(2)].pooled) == (False, True)


def test_vectors_of_two_embedders_never_meet(cache: Cache) -> None:
    cache.write(IDENTITY, {key(1): reading(1)})
    cache.write(OTHER, {key(1): reading(2)})
    assert np.array_equal(cache.read(IDENTITY, [key(1)])[key(1)].vector, reading(1).vector)
    assert np.array_equal(cache.read(OTHER, [key(1)])[key(1)].vector, reading(2).vector)


def test_more_keys_than_sqlite_takes_at_once_can_be_read(cache: Cache) -> None:
    cache.write(IDENTITY, {key(number): reading(number) for number in range(2000)})
    assert len(cache.read(IDENTITY, [key(number) for number in range(40_000)])) == 2000


SPOILED = {
    "smaller": reading(1, dimension=4).vector.tobytes(),
    "without length": b"\0" * 32,
    "NaN": b"\xff" * 32,
    "no numbers": b"odd",
    "a byte short": reading(1).vector.tobytes()[:-1],
    "not of length one": (reading(1).vector * 2).tobytes(),
}


@pytest.mark.parametrize("vector", SPOILED.values(), ids=SPOILED)
def test_a_row_that_is_no_unit_vector_of_the_right_size_is_as_good_as_none(
    cache: Cache, tmp_path: Path, vector: bytes
) -> None:
    cache.write(IDENTITY, {key(1): reading(1), key(2): reading(2)})
    query(tmp_path, "UPDATE vectors SET vector = ? WHERE text = ?", vector, key(1))
    assert kept(cache, 1, 2) == [2]
    cache.write(IDENTITY, {key(1): reading(1)})
    assert kept(cache, 1, 2) == [1, 2]


def filled(cache: Cache, identity: Identity, rows: int) -> None:
    for number in range(rows):
        cache.write(identity, {key(number): reading(number, identity.dimension)})


def test_the_file_keeps_to_its_limit_and_the_least_used_go_first(tmp_path: Path) -> None:
    wide = IDENTITY.model_copy(update={"dimension": 1024})
    cache = Cache(tmp_path, 20 * SMALLEST)
    filled(cache, wide, 100)
    assert kept(cache, 0, identity=wide) == [0]  # used again, so that it is not the oldest any more
    for number in range(100, 350):
        cache.write(wide, {key(number): reading(number, 1024)})
    left = [number for (number,) in query(tmp_path, "SELECT text FROM vectors ORDER BY used")]
    numbers = [int.from_bytes(text, "big") for text in left if isinstance(text, bytes)]
    cache.close()
    assert 200 < len(numbers) < 320
    assert max(numbers) == 349
    assert 1 not in numbers
    assert (tmp_path / FILE).stat().st_size <= 21 * SMALLEST


def test_what_was_read_lately_outlives_what_was_written_later(tmp_path: Path) -> None:
    wide = IDENTITY.model_copy(update={"dimension": 1024})
    cache = Cache(tmp_path, 4 * SMALLEST)
    cache.write(wide, {key(0): reading(0, 1024)})
    for number in range(1, 200):
        cache.write(wide, {key(number): reading(number, 1024)})
        assert kept(cache, 0, identity=wide) == [0]
    assert kept(cache, 1, identity=wide) == []


def test_a_limit_that_holds_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="at least 65536"):
        Cache(tmp_path, SMALLEST - 1)


@pytest.mark.parametrize(
    "content", [b"no database at all" * 300, b"SQLite format 3\0" + b"\7" * 5000], ids=["text", "header"]
)
def test_a_broken_file_is_set_aside_with_a_warning_and_begun_anew(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, content: bytes
) -> None:
    (tmp_path / FILE).write_bytes(content)
    cache = Cache(tmp_path)
    cache.write(IDENTITY, {key(1): reading(1)})
    assert kept(cache, 1) == [1]
    assert (tmp_path / f"{FILE}.broken").read_bytes() == content
    assert [record.levelno for record in caplog.records] == [logging.WARNING]
    assert "broken" in caplog.text
    cache.close()
    assert kept(Cache(tmp_path), 1) == [1]


def test_a_file_that_breaks_while_it_is_open_is_set_aside(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    first = Cache(tmp_path)
    filled(first, IDENTITY, 300)
    first.close()
    size = (tmp_path / FILE).stat().st_size
    second = Cache(tmp_path)
    assert kept(second, 1) == [1]
    second.close()
    with (tmp_path / FILE).open("r+b") as file:
        file.seek(4096)
        file.write(b"\xa5" * (size - 4096))
    assert kept(second, *range(300)) == []
    second.write(IDENTITY, {key(1): reading(1)})
    assert kept(second, 1) == [1]
    assert "broken" in caplog.text


def test_a_table_of_another_shape_is_set_aside(tmp_path: Path) -> None:
    query(tmp_path, "CREATE TABLE vectors (something)")
    cache = Cache(tmp_path)
    cache.write(IDENTITY, {key(1): reading(1)})
    assert kept(cache, 1) == [1]


def test_a_file_that_another_process_has_set_aside_already_is_not_set_aside_again(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"no database" * 1000)
    mine, others = Cache(tmp_path), Cache(tmp_path)
    broken = sqlite3.DatabaseError("broken")
    mine._inode = (tmp_path / FILE).stat().st_ino
    others.write(IDENTITY, {key(1): reading(1)})
    mine._set_aside(tmp_path / FILE, broken)
    assert kept(others, 1) == [1]
    assert kept(mine, 1) == [1]


def test_a_folder_that_cannot_be_made_is_replaced_by_memory_with_one_warning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    cache = Cache(tmp_path / "file" / "below")
    cache.write(IDENTITY, {key(1): reading(1)})
    cache.write(IDENTITY, {key(2): reading(2)})
    assert kept(cache, 1, 2) == [1, 2]
    assert [record.levelno for record in caplog.records] == [logging.WARNING]
    assert "kept in memory" in caplog.text


def test_a_file_that_cannot_be_written_is_replaced_by_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Cache(tmp_path).write(IDENTITY, {key(1): reading(1)})
    opened = sqlite3.connect

    def read_only(path: Path, **options: float | bool | None) -> sqlite3.Connection:
        return opened(f"file:{path}?mode=ro", uri=True, isolation_level=None, check_same_thread=False)

    monkeypatch.setattr(sqlite3, "connect", read_only)
    cache = Cache(tmp_path)
    cache.write(IDENTITY, {key(2): reading(2)})
    assert kept(cache, 2) == [2]


def test_a_file_that_is_held_by_another_is_passed_over_and_used_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("idrbench_inspect.embedding.database.BUSY_SECONDS", 0)
    cache = Cache(tmp_path)
    cache.write(IDENTITY, {key(1): reading(1)})
    holder = sqlite3.connect(tmp_path / FILE, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    cache.write(IDENTITY, {key(2): reading(2)})
    assert kept(cache, 1, 2) == [1, 2]  # the second from memory
    holder.execute("ROLLBACK")
    cache.write(IDENTITY, {key(3): reading(3)})
    holder.close()
    cache.close()
    assert kept(Cache(tmp_path), 1, 2, 3) == [1, 3]
    assert not caplog.records


def test_memory_evicts_the_least_used() -> None:
    memory = Memory(max_bytes=3 * 32)
    for number in (1, 2, 3):
        memory.write(IDENTITY, {key(number): reading(number)})
    assert kept(memory, 1) == [1]
    memory.write(IDENTITY, {key(4): reading(4)})
    assert kept(memory, 1, 2, 3, 4) == [1, 3, 4]


def test_memory_does_not_count_a_vector_twice() -> None:
    memory = Memory(max_bytes=2 * 32)
    for _ in range(5):
        memory.write(IDENTITY, {key(1): reading(1), key(2): reading(2)})
    assert kept(memory, 1, 2) == [1, 2]


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> pytest.MonkeyPatch:
    """No wishes in the environment, and a cache folder of the user that is not the user's."""
    monkeypatch.delenv(FOLDER, raising=False)
    monkeypatch.delenv(MEGABYTES, raising=False)
    monkeypatch.setattr(cache_module, "user_cache_path", lambda name: tmp_path / name)
    return monkeypatch


def files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob(FILE)}


def test_vectors_are_kept_in_the_users_cache_folder(environment: pytest.MonkeyPatch, tmp_path: Path) -> None:
    users_cache().write(IDENTITY, {key(1): reading(1)})
    assert files(tmp_path) == {f"idrbench_inspect/embedding/{FILE}"}


def test_the_environment_can_move_the_cache_and_an_argument_wins(
    environment: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    environment.setenv(FOLDER, str(tmp_path / "moved"))
    users_cache().write(IDENTITY, {key(1): reading(1)})
    users_cache(str(tmp_path / "given")).write(IDENTITY, {key(1): reading(1)})
    assert files(tmp_path) == {f"moved/{FILE}", f"given/{FILE}"}


def test_the_cache_can_be_switched_off(environment: pytest.MonkeyPatch, tmp_path: Path) -> None:
    environment.setenv(FOLDER, "off")
    cache = users_cache()
    cache.write(IDENTITY, {key(1): reading(1)})
    assert kept(cache, 1) == [1]
    assert files(tmp_path) == set()


@pytest.mark.parametrize("wrong", ["many", "-1", "1.5", "0"])
def test_a_limit_that_is_no_number_is_refused(environment: pytest.MonkeyPatch, wrong: str) -> None:
    environment.setenv(MEGABYTES, wrong)
    with pytest.raises(BadInput):
        users_cache()


def test_tests_keep_out_of_the_users_folder() -> None:
    import os  # noqa: PLC0415 -- only this test looks at what the session has set

    assert "pytest" in os.environ[FOLDER]
