"""Small evaluations of alignment: four tasks, a bag of words as embedder, and a scripted judge."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from inspect_ai import Task, eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import EvalLog
from inspect_ai.model import Model, ModelOutput
from inspect_ai.scorer import Score, Scorer
from inspect_ai.solver import TaskState

from idrbench_inspect.dataset import load, to_sample
from idrbench_inspect.embedding.protocol import Embedder
from idrbench_inspect.embedding.service import Embedding
from idrbench_inspect.scorers import reading
from idrbench_inspect.scorers.report_alignment import report_alignment
from tests import logged_runs as runs
from tests.embedding.embedders import BagOfWords
from tests.judging.scripted import Grader

ORIGIN = {"system": "by hand", "model_family": "none"}
TARGETS = {
    "bees": "# Bees\n\nBees winter in a tight ball. They eat the honey of summer.\n\nA keeper lifts no lid in frost.",
    "fares": "# Fares\n\nFares rose in spring. Riders paid more for each mile.\n\nThe council froze them in autumn.",
    "tea": "# Tea\n\nTea leaves wilt in the sun. Hands roll them before noon.\n\nA slow fire dries what is rolled.",
    "zh": "# 茶\n\n茶叶在阳光下萎凋。人们在中午以前揉捻。\n\n慢火烘干揉过的叶子。",
}
REPORT = (
    "# On bees\n\nBees winter in a tight ball. Nobody knows why fares rose in spring.\n\nThey eat the honey of summer."
)
SENTENCES = {
    "report": [
        "Bees winter in a tight ball.",
        "Nobody knows why fares rose in spring.",
        "They eat the honey of summer.",
    ],
    "bees": ["Bees winter in a tight ball.", "They eat the honey of summer.", "A keeper lifts no lid in frost."],
    "fares": ["Fares rose in spring.", "Riders paid more for each mile.", "The council froze them in autumn."],
    "tea": ["Tea leaves wilt in the sun.", "Hands roll them before noon.", "A slow fire dries what is rolled."],
}
CUT = "Bees winter in a tight ball. They eat the"
INSTRUMENTS = {"embedder": "bag-of-words", "tau": 0.8}


def write_tasks(folder: Path, **targets: str) -> Path:
    rows = [
        {
            "id": name, "language": "zh" if name == "zh" else "en", "topic": "Nature" if name != "fares" else "Money",
            "query": f"Tell me about {name}.", "source_query": f"Tell me about {name}, in detail and by season.",
            "target_origin": ORIGIN, "report": report,
        }
        for name, report in {**TARGETS, **targets}.items()
    ]  # fmt: skip
    file = folder / "tasks-of-test.jsonl"
    file.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return file


class Bench:
    """Runs samples with given reports; a report that is `None` is a run that did not come to its end."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self.file = write_tasks(folder)
        self._patch = monkeypatch
        self.embed_with(BagOfWords())
        self.judge = Grader()

    def embed_with(self, embedder: Embedder) -> None:
        self.embedding = Embedding(embedder)
        self._patch.setattr(reading, "embedding_named", lambda *_: self.embedding)

    def samples(self, *names: str) -> list[Sample]:
        dataset = load(str(self.file))
        return [to_sample(row, dataset) for row in dataset.tasks if row.id in names]

    def run(
        self,
        reports: dict[str, str | None],
        scorer: Scorer | None = None,
        samples: Sequence[Sample] | None = None,
        **options: Any,
    ) -> EvalLog:
        async def play(state: TaskState) -> None:
            report = reports[str(state.metadata["task"])]
            ended_by = "finished" if report is not None else "limit: token"
            runs.leave(state, report=report, ended_by=ended_by, report_cut=report == CUT)

        task = Task(
            dataset=MemoryDataset(list(samples or self.samples(*reports))),
            solver=runs.play_of(play),
            scorer=scorer or report_alignment(**INSTRUMENTS),
        )
        grader: Model | list[Model] = options.pop("grader", None) or self.judge.model()
        given = {"model": runs.mock(), "display": "log", "log_dir": "memory://alignment", **options}
        (log,) = eval(task, model_roles={"grader": grader}, **given)
        assert log.status == "success", log.error
        return log

    def score(self, report: str | None, name: str = "bees", **options: Any) -> Score:
        return score_of(self.run({name: report}, **options))


def score_of(log: EvalLog, number: int = 0, scorer: str = "report_alignment") -> Score:
    assert log.samples
    scores = log.samples[number].scores
    assert scores is not None, log.samples[number].error
    return scores[scorer]


def values(score: Score) -> dict[str, float]:
    assert isinstance(score.value, dict)
    return {key: float(value) for key, value in score.value.items() if isinstance(value, int | float)}


def said(score: Score, name: str) -> Any:
    assert score.metadata is not None
    return score.metadata[name]


def output(text: str) -> ModelOutput:
    return ModelOutput.from_content("m", text)


def f1(reference: str, generated: str, cosine: float) -> float:
    """By the definition, from a whole matrix in float64."""
    one, other = (BagOfWords().embed(SENTENCES[name]).astype(np.float64) for name in (reference, generated))
    reached = one @ other.T >= cosine - 1e-6
    recall, precision = reached.any(axis=1).mean(), reached.any(axis=0).mean()
    return float(200 * precision * recall / (precision + recall)) if precision + recall else 0.0
