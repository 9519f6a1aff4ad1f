from hypothesis import given
from hypothesis import strategies as st

from idrbench_inspect.units.tokens import ENCODING, count_tokens


def test_counts_as_the_named_encoding_does() -> None:
    assert ENCODING == "cl100k_base"
    assert count_tokens("") == 0
    assert count_tokens("hello world") == 2
    assert count_tokens("antidisestablishmentarianism") == 6


def test_a_special_token_is_ordinary_text() -> None:
    assert count_tokens("<|endoftext|>") > 1
    assert count_tokens("\ud800") == count_tokens("\ufffd")


@given(st.text(max_size=80))
def test_never_raises_and_never_exceeds_the_bytes(text: str) -> None:
    size = len(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode())
    assert (count_tokens(text) > 0) == bool(text)
    assert count_tokens(text) <= size
