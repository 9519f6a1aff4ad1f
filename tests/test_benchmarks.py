"""The benchmark programs run on little, and print what they promise."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from idrbench_inspect.dataset import load
from tests.door_runs import rows, write_rows

BENCHMARKS = Path(__file__).parent.parent / "benchmarks"
TASKS = [task for task in load("mini").tasks if task.second_user_of is None]
PAIRS = [task for language in ("en", "zh") for task in [task for task in TASKS if task.language == language][:2]]


def ran(program: str, *options: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(BENCHMARKS / program), *map(str, options)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def written(file: Path, rows: list[dict[str, Any]]) -> Path:
    file.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return file


@pytest.fixture
def files(tmp_path: Path) -> list[object]:
    """Queries, openings of reports as targets, and as generated reports openings that are shorter."""
    queries = [{"id": task.id, "language": task.language, "prompt": task.source_query} for task in PAIRS]
    targets = [{"id": task.id, "article": task.report[:1500]} for task in PAIRS]
    generated = [{"id": task.id, "article": task.report[:900]} for task in PAIRS]
    return [
        *("--queries", written(tmp_path / "queries.jsonl", queries)),
        *("--target", written(tmp_path / "a.jsonl", targets)),
        *("--generated", written(tmp_path / "b.jsonl", generated)),
    ]


def test_real_pairs_tells_reports_on_one_task_from_those_on_another(files: list[object]) -> None:
    done = ran("real_pairs.py", *files)
    assert done.returncode == 0, done.stderr
    assert "pairs of the same task, of different tasks: 4, 4\n" in done.stdout
    for level in ("sentence", "paragraph", "chunk"):
        assert f"AUC of {level} f1, own: 1.0000 (goal 0.99)" in done.stdout
    named = {line[:28].rstrip() for line in done.stdout.splitlines()}
    assert named >= {"report similarity", "chunk recall, cos_0.8", "LLM-ACS, offline", "TF-IDF cosine", "8-gram share"}


def test_real_pairs_can_do_without_a_control(files: list[object]) -> None:
    done = ran("real_pairs.py", *files, "--control", 0)
    assert "pairs of the same task, of different tasks: 4, 0\n" in done.stdout
    assert "AUC of" not in done.stdout


def test_real_pairs_says_in_a_sentence_what_it_cannot_use(files: list[object], tmp_path: Path) -> None:
    other = written(tmp_path / "c.jsonl", [{"id": "another", "article": "text"}])
    done = ran("real_pairs.py", *files[:-1], other)
    assert done.returncode == 2
    assert "share no id" in done.stderr


def test_scoring_embeds_each_text_once_and_nothing_at_the_second_time() -> None:
    done = ran("scoring.py", "--models", 2, "--tasks", 2)
    assert done.returncode == 0, done.stderr
    assert "2 models x 2 conditions x 2 tasks = 8 samples; hashing\n" in done.stdout
    assert " = 1.00 (goal 1)\n" in done.stdout
    assert "texts embedded at the second scoring: 0 (goal 0)\n" in done.stdout


def test_contamination_finds_copies_and_raises_no_alarm_on_mini() -> None:
    done = ran("contamination.py", "--dataset", "mini", "--others", 3, "--reports", 2)
    assert done.returncode == 0, done.stderr
    lines = {line[:33].strip(): line[33:].split() for line in done.stdout.splitlines()}
    for kind, pairs in (("same question", 216), ("other question", 54)):
        found = lines[f"runs of 8/16, {kind}"]
        assert (int(found[0]), found[6:]) == (pairs, ["0", "0", "0"])  # none at 5, 10 and 20 percent
    (tenth,) = (line for line in done.stdout.splitlines() if line.startswith("runs of 8/16, 10 % copied"))
    assert [float(rate) for rate in tenth.split()[7:11]] == [100, 100, 100, 100]  # at 1, 2, 3 and 5 percent


def test_contamination_says_in_a_sentence_what_it_cannot_use(files: list[object], tmp_path: Path) -> None:
    alone = write_rows(tmp_path / "tasks.jsonl", list(rows()))
    assert "has no corpus" in ran("contamination.py", "--dataset", alone).stderr
    for given in ([], files[:2], [*files, "--dataset", "mini"]):
        done = ran("contamination.py", *given)
        assert done.returncode == 2
        assert "give --queries, --target and --generated, or --dataset alone" in done.stderr
