"""What `scoring.py` scores: a log made without any agent, and embedders whose work can be seen."""

import json
import random
import re
import tempfile
import time
import zlib
from collections.abc import Sequence
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import numpy as np
from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.log import EvalLog
from inspect_ai.model import ModelOutput
from inspect_ai.solver import Generate, Solver, TaskState, solver

from idrbench_inspect.dataset import load, to_sample
from idrbench_inspect.embedding.protocol import Embedder, Identity, Matrix, unit
from idrbench_inspect.embedding.tokenizers import Qwen3

CONDITIONS = ("autonomous", "interactive")
HASHED = 512

_SENTENCE_ENDS = re.compile(r"(?<=[.!?。！？])(?=\s|[^\x00-\x7f])|(?<=\n)")
_CJK = re.compile(r"[\u4e00-\u9fff]")


class Hashing:
    """Counts of words by hash: an embedder for next to nothing."""

    device = "cpu"

    def __init__(self) -> None:
        self.tokenizer = Qwen3()
        self.identity = Identity(
            model="hashing",
            revision="1",
            dimension=HASHED,
            dtype="float32",
            max_tokens=None,
            tokenizer=self.tokenizer.name,
        )

    def embed(self, texts: Sequence[str]) -> Matrix:
        """Unit vectors, `[n, 512]`."""
        rows = np.zeros((len(texts), HASHED), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            words = [zlib.crc32(word.encode()) % HASHED for word in re.findall(r"[\u4e00-\u9fff]|\w+", text.lower())]
            np.add.at(row, words or [0], 1)
        return unit(rows)


class Watched:
    """An embedder that notes which texts it is given, and when; seconds of the clock and of its thread's CPU."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self.identity, self.tokenizer, self.device = embedder.identity, embedder.tokenizer, embedder.device
        self.forget()

    def forget(self) -> None:
        """Begin anew."""
        self.texts: list[str] = []
        self.began = self.ended = self.cpu = 0.0

    @property
    def stretch(self) -> float:
        """Seconds from the beginning of the first call to the end of the last."""
        return self.ended - self.began

    def embed(self, texts: Sequence[str]) -> Matrix:
        """As the embedder that is watched."""
        self.began = self.began or time.perf_counter()
        cpu = time.thread_time()
        found = self._embedder.embed(texts)
        self.cpu += time.thread_time() - cpu
        self.ended = time.perf_counter()
        self.texts += texts
        return found


def varied(report: str, *seed: object) -> str:
    """A variation of a report: a tenth of its sentences is gone, and another word stands in half of the others."""
    drawn = random.Random("/".join(map(str, seed)))
    other = "".join(map(str, seed))
    kept = []
    for sentence in _SENTENCE_ENDS.split(report):
        words = list(re.finditer(r"[^\W\d_]+", sentence))
        change = drawn.random()
        if words and change < 0.45:
            word = drawn.choice(words)
            kept.append(f"{sentence[: word.start()]}{other}{sentence[word.end() :]}")
        elif not words or change < 0.9:
            kept.append(sentence)
    return "".join(kept)


def articles(file: Path | None) -> list[str]:
    """The reports that are varied: of a file, or those of `mini`."""
    if file is None:
        return [task.report for task in load("mini").tasks]
    lines = file.read_text(encoding="utf-8").split("\n")
    return [json.loads(line)["article"] for line in lines if line.strip()]


def matrix(reports: Sequence[str], models: int, tasks: int, name: str = "t") -> EvalLog:
    """A log with one sample for each model, condition and task of a dataset made for it; unscored."""
    folder = Path(tempfile.mkdtemp())
    chosen = list(islice(cycle(reports), tasks))
    rows = [_row(f"{name}{number}", report) for number, report in enumerate(chosen)]
    file = folder / "tasks.jsonl"
    file.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    dataset = load(str(file))
    samples: list[Sample] = []
    for task, report in zip(dataset.tasks, chosen, strict=True):
        for condition, model in ((condition, model) for condition in CONDITIONS for model in range(models)):
            sample = to_sample(task, dataset)
            sample.id = f"{task.id}.{condition}.m{model}"
            written = varied(report, task.id, condition, model)
            sample.metadata = {**(sample.metadata or {}), "arm": condition, "written": written}
            samples.append(sample)
    whole = Task(dataset=samples, solver=given(), name="matrix")
    (log,) = eval(whole, model="mockllm/model", display="none", log_dir=str(folder), max_samples=100)
    assert log.status == "success", log.error
    return log


def _row(id_: str, report: str) -> dict[str, Any]:
    language = "zh" if len(_CJK.findall(report)) > 0.2 * len(report) else "en"
    alike = next(task for task in load("mini").tasks if task.language == language)
    return {
        "id": id_,
        "language": language,
        "topic": alike.topic,
        "query": f"{id_} {alike.query}",
        "source_query": f"{id_} {alike.source_query}",
        "target_origin": alike.target_origin.model_dump(),
        "report": varied(report, id_, "target"),
    }


@solver
def given() -> Solver:
    """The report that the sample holds, as if an agent had written it."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        state.output = ModelOutput.from_content("given", state.metadata["written"])
        return state

    return solve
