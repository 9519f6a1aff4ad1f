"""How samples are measured side by side: few at a time, in one thread, references once, on any event loop."""

import threading
from contextlib import AsyncExitStack
from copy import deepcopy
from typing import Any

import anyio
import pytest
from inspect_ai.log import read_eval_log
from inspect_ai.scorer import Score

from idrbench_inspect.embedding.service import Embedding
from idrbench_inspect.metrics.unit_f1 import Matches, matches_from_vectors
from idrbench_inspect.scorers import nearness, reading
from idrbench_inspect.scorers.aside import AT_ONCE, places
from idrbench_inspect.scorers.found import Found
from idrbench_inspect.scorers.instruments import Instruments
from idrbench_inspect.scorers.judged import Judges
from idrbench_inspect.scorers.measuring import Measuring
from idrbench_inspect.scorers.report_alignment import report_alignment
from idrbench_inspect.units.segment import Segments, segment
from tests.scorers.bench import INSTRUMENTS, REPORT, TARGETS, Bench, said, score_of, values

ENGLISH = ("bees", "fares", "tea")


@pytest.fixture
def cuts(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """What was cut, and in which thread."""
    seen: list[tuple[str, int]] = []
    whole = segment

    def noted(report: str, *args: Any, **settings: Any) -> Segments:
        seen.append((report, threading.get_ident()))
        return whole(report, *args, **settings)

    monkeypatch.setattr(reading, "segment", noted)
    return seen


def test_a_reference_is_cut_once_and_a_report_each_time(bench: Bench, cuts: list[tuple[str, int]]) -> None:
    bench.run(dict.fromkeys(ENGLISH, REPORT), epochs=2)
    texts = [text for text, _ in cuts]
    assert [texts.count(TARGETS[name]) for name in ENGLISH] == [1, 1, 1]
    assert texts.count(REPORT) == 6


def test_a_reference_is_cut_anew_by_other_settings_and_another_tokenizer(
    bench: Bench, cuts: list[tuple[str, int]]
) -> None:
    whole = bench.score(REPORT)
    small = bench.score(REPORT, scorer=report_alignment(**INSTRUMENTS, chunk_tokens=5, chunk_overlap=1))
    assert values(whole)["chunk_units_target"] < values(small)["chunk_units_target"]
    assert [text for text, _ in cuts].count(TARGETS["bees"]) == 2
    bench.embed_with(type(bench.embedding.embedder)())
    bench.score(REPORT)
    assert [text for text, _ in cuts].count(TARGETS["bees"]) == 3


def test_one_thread_cuts_and_matches_and_it_is_not_that_of_the_event_loop(
    bench: Bench, cuts: list[tuple[str, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    matched: list[int] = []
    whole = matches_from_vectors

    def noted(*vectors: Any) -> Matches:
        matched.append(threading.get_ident())
        return whole(*vectors)

    monkeypatch.setattr(nearness, "matches_from_vectors", noted)
    bench.run(dict.fromkeys(ENGLISH, REPORT))  # its event loop runs in this thread
    (one,) = {thread for _, thread in cuts} | set(matched)
    assert matched
    assert one != threading.get_ident()


def test_a_few_samples_are_measured_at_a_time(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    inside: list[int] = [0]
    full = anyio.Event()
    whole = nearness.similarity

    async def crowded(reader: reading.Reader, case: nearness.Case) -> Found:
        inside.append(inside[-1] + 1)
        if inside[-1] == AT_ONCE:
            full.set()
        await full.wait()
        for _ in range(100):  # time enough for one more to come in, if it may
            await anyio.lowlevel.checkpoint()
        found = await whole(reader, case)
        inside.append(inside[-1] - 1)
        return found

    monkeypatch.setattr(nearness, "similarity", crowded)
    log = bench.run(dict.fromkeys(ENGLISH, REPORT), epochs=4, max_samples=12)
    assert log.samples is not None
    assert len(log.samples) == 12
    assert max(inside) == AT_ONCE


def test_a_sample_gives_its_place_back_before_the_judge_is_asked(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    free: dict[str, float] = {}
    similarity, coverage = nearness.similarity, Judges.coverage

    async def measure(*given: Any) -> Found:
        free["similarity"] = places().value
        return await similarity(*given)

    async def judge(*given: Any) -> Found:
        free["coverage"] = places().value
        return await coverage(*given)

    monkeypatch.setattr(nearness, "similarity", measure)
    monkeypatch.setattr(Judges, "coverage", judge)
    bench.score(REPORT)
    assert free == {"similarity": AT_ONCE - 1, "coverage": AT_ONCE}


def test_one_scorer_serves_one_event_loop_after_another(bench: Bench) -> None:
    scorer = report_alignment(**INSTRUMENTS)
    first, second = (bench.run(dict.fromkeys(ENGLISH, REPORT), scorer, epochs=3, max_samples=9) for _ in range(2))
    for number in range(9):
        assert str(values(score_of(first, number))) == str(values(score_of(second, number)))


def test_two_event_loops_at_once_have_places_of_their_own() -> None:
    both = threading.Barrier(2, timeout=60)
    taken: list[int] = []

    async def take_all() -> None:
        async with AsyncExitStack() as held:
            for _ in range(AT_ONCE):
                await held.enter_async_context(places())
            both.wait()  # the other loop can only come here if none of its places is taken by this one
            taken.append(AT_ONCE)

    threads = [threading.Thread(target=anyio.run, args=(take_all,)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert taken == [AT_ONCE, AT_ONCE]


def test_what_cuts_reports_is_loaded_with_the_embedder(bench: Bench, cuts: list[tuple[str, int]]) -> None:
    reading.embedding_of(Instruments.of(embedder="bag-of-words"))
    assert cuts
    assert bench.embedding.embedder.tokenizer.longest > 0  # type: ignore[attr-defined]  # of the tokenizer of tests
    assert bench.embedding.counters.asked == 0


def test_the_embedder_is_looked_up_once_for_all_samples(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def named(*given: Any) -> Embedding:
        asked.append(given)
        return bench.embedding

    monkeypatch.setattr(reading, "embedding_named", named)
    bench.run(dict.fromkeys(ENGLISH, REPORT), epochs=2, max_samples=1)
    assert len(asked) == 1


async def test_copies_of_a_score_share_its_metadata(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Score] = []
    whole = Measuring.score

    async def kept(self: Measuring, *args: Any) -> Score:
        made.append(await whole(self, *args))
        return made[-1]

    monkeypatch.setattr(Measuring, "score", kept)
    log = await anyio.to_thread.run_sync(lambda: bench.run({"bees": REPORT}, log_dir=str(bench.folder / "logs")))
    metadata, copied = made[0].metadata or {}, deepcopy(made[0]).metadata or {}
    parts = [name for name, value in metadata.items() if isinstance(value, dict | list)]
    assert {"judges", "aspects", "made_by", "control", "matches"} <= set(parts)
    assert all(copied[name] is metadata[name] for name in parts)
    stored = score_of(read_eval_log(log.location))
    assert stored.metadata == metadata
    assert type(said(stored, "judges")) is list
