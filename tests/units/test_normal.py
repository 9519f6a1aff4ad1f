from hypothesis import given
from hypothesis import strategies as st

from idrbench_inspect.units.normal import normalised

ANY = st.text(st.characters(exclude_categories=()), max_size=60)


@given(ANY)
def test_every_character_stays_one_character_with_an_encoding(report: str) -> None:
    text = normalised(report)
    assert len(text) == len(report)
    text.encode()
    assert not set(text) & {"\r", "\0", "\x0c", "\u2028", "\u2029", "\x85"}


@given(st.text(st.characters(categories=("L", "N", "P", "S"), include_characters=" \t\n"), max_size=60))
def test_what_people_write_is_left_alone(report: str) -> None:
    assert normalised(report) == report


def test_line_ends_of_every_kind_end_a_line_once() -> None:
    assert [line.rstrip() for line in normalised("a\r\nb\rc\u2028d\u2029e\x85f\ng").split("\n")] == list("abcdefg")


def test_a_form_feed_in_mid_sentence_is_a_blank() -> None:
    assert normalised("\ufeffRents\x0crose\x0bby\x004 %") == " Rents rose by 4 %"
