"""Several processes on one cache."""

import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from idrbench_inspect.embedding.cache import FILE
from tests.embedding.embedders import embed_in_process

TEXTS = [f"text number {number}" for number in range(60)]


def test_processes_that_open_and_fill_one_cache_at_once_lose_nothing(tmp_path: Path) -> None:
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(2, mp_context=spawn) as processes:
        runs = [processes.submit(embed_in_process, str(tmp_path), texts) for texts in (TEXTS, TEXTS[::-1])]
        made = [run.result(timeout=120) for run in runs]
        assert sum(made) >= len(TEXTS)
        assert processes.submit(embed_in_process, str(tmp_path), TEXTS).result(timeout=120) == 0
    assert {path.name.removeprefix(FILE) for path in tmp_path.iterdir()} <= {"", "-wal", "-shm"}
