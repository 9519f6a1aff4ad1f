import unicodedata

import quicktok
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, pre_tokenizers, processors

from idrbench_inspect.embedding.tokenizers import OfModel, Qwen3

READABLE = st.text(st.characters(exclude_categories=["Cs"]))
MARKED = ["a", " ", "e\u0301", "龘", "你", "\u1100\u1161", "\U0001f642", "か\u3099", "\u0301", "\u212b"]
DECOMPOSED = st.lists(st.sampled_from(MARKED)).map("".join)


def words() -> Tokenizer:
    """A word-level tokenizer that puts a mark at the end, as some models do."""
    made = Tokenizer(models.WordLevel({"[UNK]": 0, "one": 1, "two": 2, "[END]": 3}, unk_token="[UNK]"))
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    made.post_processor = processors.TemplateProcessing(single="$A [END]", special_tokens=[("[END]", 3)])
    return made


@settings(deadline=None)  # the vocabulary is loaded in the first example
@given(READABLE | DECOMPOSED)
def test_the_spans_of_qwen3_cover_the_text_as_given_in_order(text: str) -> None:
    spans = Qwen3().spans(text)
    assert {place for start, end in spans for place in range(start, end)} == set(range(len(text)))
    assert spans == sorted(spans)


@settings(deadline=None)  # the vocabulary is loaded in the first example
@given(READABLE)
def test_qwen3_has_a_span_for_each_token(text: str) -> None:
    assert len(Qwen3().spans(text)) == quicktok.get_encoding("qwen3").count(text)


def test_spans_of_a_decomposed_text_point_into_that_text_and_not_into_its_composed_form() -> None:
    text = unicodedata.normalize("NFD", "déjà vu à la carte") + " end"
    start, end = Qwen3().spans(text)[-1]
    assert text[start:end] == " end"


def test_a_special_token_written_out_is_ordinary_text() -> None:
    assert len(Qwen3().spans("<|endoftext|>")) > 1


def test_a_models_tokenizer_goes_on_counting_when_the_model_has_switched_truncation_on() -> None:
    fast = words()
    fast.enable_truncation(2)
    fast.enable_padding(length=8)
    tokenizer = OfModel("words", fast)
    assert tokenizer.spans("one two one two one") == [(0, 3), (4, 7), (8, 11), (12, 15), (16, 19)]
    assert tokenizer.spans("one") == [(0, 3)]


def test_tokens_that_a_model_adds_are_counted_apart() -> None:
    tokenizer = OfModel("words", words())
    assert (tokenizer.special, len(tokenizer.spans("one two"))) == (1, 2)
