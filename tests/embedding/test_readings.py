from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest

from idrbench_inspect.embedding.protocol import Matrix, NoReading
from idrbench_inspect.embedding.readings import Outcome, Reading, Work, read
from tests.embedding.embedders import DIMENSION, BagOfWords

TEXTS = ["one", "two words", "three short words", "and four of them"]
Change = Callable[[Sequence[str], Matrix], Matrix]


def outcomes_of(embedder: BagOfWords, texts: Sequence[str], budget: int = 1000) -> list[Outcome]:
    """What comes of each text, all of them wanted to the end."""
    found: dict[bytes, Outcome] = {}
    read(embedder, {text.encode(): text for text in texts}, budget, lambda _: True, found.update, Work())
    return [found[text.encode()] for text in texts]


def spoiled(target: str, value: float) -> Change:
    """Fill the vector of one text with `value`, in whatever company it is."""

    def change(texts: Sequence[str], matrix: Matrix) -> Matrix:
        matrix[[text == target for text in texts]] = value
        return matrix

    return change


@pytest.mark.parametrize("value", [0.0, np.nan, np.inf, -np.inf, 0.5])
@pytest.mark.parametrize("target", TEXTS)
def test_a_vector_that_is_none_is_no_reading_wherever_its_text_stands(target: str, value: float) -> None:
    outcomes = outcomes_of(BagOfWords(change=spoiled(target, value)), TEXTS)
    assert [isinstance(outcome, NoReading) for outcome in outcomes] == [text == target for text in TEXTS]


@pytest.mark.parametrize("target", TEXTS)
def test_a_faulty_vector_leaves_those_of_its_company_as_they_are(target: str) -> None:
    sound = outcomes_of(BagOfWords(), TEXTS)
    for one, other in zip(sound, outcomes_of(BagOfWords(change=spoiled(target, np.nan)), TEXTS), strict=True):
        if isinstance(one, Reading) and isinstance(other, Reading):
            assert np.array_equal(one.vector, other.vector)


def test_a_fault_that_passes_when_the_text_is_alone_is_a_reading() -> None:
    def in_company(texts: Sequence[str], matrix: Matrix) -> Matrix:
        return matrix * np.nan if len(texts) > 1 else matrix

    embedder = BagOfWords(change=in_company)
    outcomes = outcomes_of(embedder, TEXTS)
    assert all(isinstance(outcome, Reading) for outcome in outcomes)
    assert [len(batch) for batch in embedder.batches] == [4, 1, 1, 1, 1]


def too_few(texts: Sequence[str], matrix: Matrix) -> Matrix:
    return matrix[:-1]


def too_short(texts: Sequence[str], matrix: Matrix) -> Matrix:
    return matrix[:, :-1]


def flat(texts: Sequence[str], matrix: Matrix) -> Matrix:
    return matrix.ravel()


@pytest.mark.parametrize("change", [too_few, too_short])
def test_a_matrix_of_the_wrong_shape_gives_nobody_anothers_vector(change: Change) -> None:
    assert all(isinstance(outcome, NoReading) for outcome in outcomes_of(BagOfWords(change=change), TEXTS))


def test_the_reason_says_what_was_got_and_what_was_wanted() -> None:
    (outcome,) = outcomes_of(BagOfWords(change=flat), ["one"])
    assert str(outcome) == (
        f"bag-of-words gave vectors of shape ({DIMENSION},), wanted (1, {DIMENSION}), "
        "for a text of 3 characters embedded alone"
    )


def test_what_an_embedder_raises_reaches_the_texts_of_that_batch_only() -> None:
    def broken(texts: Sequence[str], matrix: Matrix) -> Matrix:
        if "one" in texts:
            raise MemoryError("out of it")
        return matrix

    outcomes = outcomes_of(BagOfWords(change=broken), TEXTS, budget=3)
    assert [type(outcome) for outcome in outcomes] == [MemoryError, Reading, Reading, Reading]


def test_a_long_text_is_pooled_from_all_its_windows_and_marked() -> None:
    embedder = BagOfWords(max_tokens=4)
    long, short = outcomes_of(embedder, ["a b c d e f", "a b"])
    assert isinstance(long, Reading)
    assert isinstance(short, Reading)
    assert (long.pooled, short.pooled) == (True, False)
    assert sorted(embedder.texts) == ["a b", "a b c d ", "e f"]


def test_reports_that_share_only_their_beginning_are_not_alike() -> None:
    beginning = " ".join(f"shared{number}" for number in range(200))
    first, second = (f"{beginning} " + " ".join(f"{name}{n}" for n in range(2800)) for name in ("this", "that"))
    one, other = outcomes_of(BagOfWords(max_tokens=200, change=rotated), [first, second])
    assert isinstance(one, Reading)
    assert isinstance(other, Reading)
    assert one.vector @ other.vector < 0.5


def rotated(texts: Sequence[str], matrix: Matrix) -> Matrix:
    """Tell apart by the word of the tail what many hashed words would make alike."""
    for row, text in zip(matrix, texts, strict=True):
        row[:] = 0
        row[0 if "shared" in text else 1 if "this" in text else 2] = 1
    return matrix


def test_windows_that_cancel_each_other_out_are_no_reading() -> None:
    def opposed(texts: Sequence[str], matrix: Matrix) -> Matrix:
        return np.stack([np.eye(DIMENSION, dtype=np.float32)[0] * (1 if "a" in text else -1) for text in texts])

    (outcome,) = outcomes_of(BagOfWords(max_tokens=1, change=opposed), ["a b"])
    assert isinstance(outcome, NoReading)
    assert "without length" in str(outcome)


def test_one_faulty_window_leaves_the_whole_text_without_a_reading() -> None:
    (outcome,) = outcomes_of(BagOfWords(max_tokens=2, change=spoiled("e f", np.nan)), ["a b c d e f"])
    assert isinstance(outcome, NoReading)


def test_a_text_that_nobody_waits_for_any_more_is_left_out() -> None:
    embedder = BagOfWords()
    found: dict[bytes, Outcome] = {}
    read(embedder, {b"1": "one", b"2": "two"}, 1, lambda key: key == b"2", found.update, Work())
    assert embedder.batches == [["two"]]
    assert list(found) == [b"2"]


def test_no_embedder_is_given_a_blank_window() -> None:
    embedder = BagOfWords(max_tokens=1)
    outcomes_of(embedder, ["a   \n\n  \u200b "])
    assert all(text.strip() for text in embedder.texts)


def test_work_is_counted() -> None:
    embedder = BagOfWords(max_tokens=4, change=spoiled("one", np.nan))
    work = Work()
    told: list[Work] = []
    read(embedder, {b"1": "one", b"2": "a b c d e"}, 4, lambda _: True, lambda _: told.append(replace(work)), work)
    assert (work.pieces, work.batches, work.retried) == (3, 2, 1)
    assert replace(told[-1], seconds=0) == replace(work, seconds=0)  # counted before it is told
    assert (work.taken()["pieces"], work) == (3, Work())
