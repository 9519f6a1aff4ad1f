import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer as Fast
from tokenizers import decoders, models, pre_tokenizers, trainers

from idrbench_inspect.errors import BadInput
from idrbench_inspect.units.tokenizers import VOCABULARIES, FastTokenizer, Tokenizer, Vocabulary
from idrbench_inspect.units.tokens import count_tokens

ANY = st.text(st.characters(exclude_categories=()), max_size=60)


def byte_level() -> Fast:
    made = Fast(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=300, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False
    )
    made.train_from_iterator(["rents rose in 2019", "租金上涨"], trainer)
    made.enable_truncation(4)
    made.enable_padding(length=4)
    return made


TOKENIZERS = [*map(Vocabulary, VOCABULARIES), FastTokenizer("own", byte_level())]


@pytest.mark.parametrize("tokenizer", TOKENIZERS, ids=lambda tokenizer: tokenizer.name)
@given(text=ANY)
@settings(deadline=None)  # the first use loads the vocabulary
def test_tokens_are_in_order_and_hold_every_character(tokenizer: Tokenizer, text: str) -> None:
    readable = "".join("\ufffd" if "\ud800" <= character <= "\udfff" else character for character in text)
    spans = tokenizer.spans(readable if isinstance(tokenizer, FastTokenizer) else text)
    assert spans.shape[1] == 2
    assert (spans[:, 0] < spans[:, 1]).all()
    assert (spans[1:] >= spans[:-1]).all()
    assert {place for start, end in spans for place in range(start, end)} == set(range(len(text)))


def test_a_character_of_several_tokens_belongs_whole_to_each() -> None:
    spans = Vocabulary("qwen3").spans("aꙮb").tolist()
    assert spans[0] == [0, 1]
    assert spans[-1] == [2, 3]
    assert len(spans) > 3
    assert all(span == [1, 2] for span in spans[1:-1])


def test_tokens_are_those_of_the_named_vocabulary() -> None:
    text = "The rents in 2019 rose. 租金上涨了很多。 <|endoftext|>"
    counts = {name: len(Vocabulary(name).spans(text)) for name in VOCABULARIES}
    assert counts["cl100k_base"] == count_tokens(text)
    assert counts["qwen3"] < counts["cl100k_base"]


def test_the_length_that_a_fast_tokenizer_cuts_at_is_set_aside_and_the_object_left_alone() -> None:
    own = byte_level()
    assert len(FastTokenizer("own", own).spans("rents rose in 2019, and wages")) > 4
    assert own.truncation is not None
    assert own.padding is not None


def test_a_tokenizer_of_transformers_is_taken_by_its_backend() -> None:
    class Wrapped:
        backend_tokenizer = byte_level()

    wrapped = FastTokenizer("wrapped", Wrapped())
    assert wrapped.spans("租金").tolist()[-1][1] == 2
    assert wrapped.name == "wrapped"
    assert wrapped.spans("").shape == (0, 2)


def test_a_slow_tokenizer_and_an_unknown_vocabulary_are_refused() -> None:
    with pytest.raises(BadInput, match="give a fast tokenizer"):
        FastTokenizer("slow", object())
    with pytest.raises(BadInput, match="choose one of qwen3"):
        Vocabulary("qwen4")


@pytest.mark.parametrize("text", ["\U0002f94c", "e\u0301", "\u212b ab", "\u1100\u1161x", "a\u0301\ud800b"])
def test_spans_point_into_the_text_as_given_where_a_vocabulary_composes_it(text: str) -> None:
    spans = Vocabulary("qwen3").spans(text)
    assert {place for start, end in spans.tolist() for place in range(start, end)} == set(range(len(text)))
