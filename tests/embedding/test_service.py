import asyncio
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from idrbench_inspect.embedding.cache import Cache
from idrbench_inspect.embedding.protocol import Matrix, NoReading
from idrbench_inspect.embedding.service import Counters, Embedding
from tests.embedding.embedders import DIMENSION, BagOfWords


async def test_vectors_come_in_the_order_of_the_texts_whatever_the_batches() -> None:
    texts = ["one", "a longer text of seven words indeed", "two words", "one"]
    vectors = await Embedding(BagOfWords(), batch_tokens=4).vectors(texts)
    assert np.array_equal(vectors.matrix, np.concatenate([BagOfWords().embed([text]) for text in texts]))
    assert vectors.pooled == (False,) * 4


async def test_no_texts_give_no_vectors() -> None:
    assert (await Embedding(BagOfWords()).vectors([])).matrix.shape == (0, DIMENSION)


async def test_a_text_that_is_asked_for_twice_in_one_question_is_embedded_once() -> None:
    embedder = BagOfWords()
    embedding = Embedding(embedder)
    await embedding.vectors(["one", "two", "one"])
    assert sorted(embedder.texts) == ["one", "two"]
    assert (embedding.counters.asked, embedding.counters.distinct) == (3, 2)


async def test_a_text_asked_for_again_later_comes_from_the_cache(tmp_path: Path) -> None:
    embedder = BagOfWords(max_tokens=2)
    first = await Embedding(embedder, Cache(tmp_path)).vectors(["one", "one two three"])
    embedding = Embedding(embedder, Cache(tmp_path))
    second = await embedding.vectors(["one two three", "one"])
    assert np.array_equal(first.matrix, second.matrix[::-1])
    assert (first.pooled, second.pooled) == ((False, True), (True, False))
    assert len(embedder.texts) == 3  # one, and the windows of the other
    assert embedding.counters == Counters(asked=2, distinct=2, cached=2)


async def test_embedders_that_differ_share_a_cache_and_no_vector(tmp_path: Path) -> None:
    other = BagOfWords(revision="2", change=lambda texts, matrix: np.roll(matrix, 1, axis=1))
    one = await Embedding(BagOfWords(), Cache(tmp_path)).vectors(["text"])
    two = await Embedding(other, Cache(tmp_path)).vectors(["text"])
    assert not np.array_equal(one.matrix, two.matrix)
    assert one.identity != two.identity


async def test_samples_scored_together_get_what_they_would_get_one_after_another() -> None:
    questions = [[f"report {number}", "reference", "word " * number + "end"] for number in range(6)]
    alone = [await Embedding(BagOfWords()).vectors(question) for question in questions]
    embedding = Embedding(BagOfWords())
    together = await asyncio.gather(*(embedding.vectors(question) for question in questions))
    assert all(np.array_equal(one.matrix, other.matrix) for one, other in zip(alone, together, strict=True))


async def test_a_text_without_a_reading_is_no_number_and_is_not_kept(tmp_path: Path) -> None:
    def zero(texts: Sequence[str], matrix: Matrix) -> Matrix:
        matrix[["bad" in text for text in texts]] = 0
        return matrix

    for place in range(3):
        texts = ["one", "two"]
        texts.insert(place, "bad")
        with pytest.raises(NoReading, match="without length"):
            await Embedding(BagOfWords(change=zero), Cache(tmp_path)).vectors(texts)
    embedder = BagOfWords()
    await Embedding(embedder, Cache(tmp_path)).vectors(["one", "two", "bad"])
    assert embedder.texts == ["bad"]


async def test_broken_machinery_is_raised_before_a_missing_reading() -> None:
    def both(texts: Sequence[str], matrix: Matrix) -> Matrix:
        if "broken" in texts:
            raise MemoryError("out of it")
        return matrix * 0

    with pytest.raises(MemoryError):
        await Embedding(BagOfWords(change=both), batch_tokens=1).vectors(["zero", "broken"])


@pytest.mark.parametrize("blank", ["", " \n", "\u200b"])
async def test_a_blank_text_is_refused_and_never_embedded(blank: str) -> None:
    embedder = BagOfWords()
    with pytest.raises(ValueError, match="similarity 0"):
        await Embedding(embedder).vectors(["one", blank])
    assert embedder.texts == []


async def test_lone_surrogates_are_read_as_replacement_characters() -> None:
    embedder = BagOfWords()
    await Embedding(embedder).vectors(["a \ud800 b", "a \ufffd b"])
    assert embedder.texts == ["a \ufffd b"]


async def test_both_sides_are_embedded_alike_so_that_similarity_can_be_swapped() -> None:
    embedder = BagOfWords()
    report, reference = "the report", "the reference"
    one = (await Embedding(embedder).vectors([report, reference])).matrix
    other = (await Embedding(embedder).vectors([reference, report])).matrix
    assert one[0] @ one[1] == other[0] @ other[1]
    assert sorted(embedder.texts) == sorted([report, reference] * 2)
    assert embedder.identity.prompt == "none"


async def test_batches_keep_to_the_budget() -> None:
    embedder = BagOfWords()
    embedding = Embedding(embedder, batch_tokens=6)
    await embedding.vectors(["a b c", "d e", "f", "g h i j k l m n"])
    assert embedder.batches == [["g h i j k l m n"], ["a b c", "d e"], ["f"]]
    assert (embedding.counters.batches, embedding.counters.pieces) == (3, 4)
    assert embedding.counters.seconds > 0
