from hypothesis import given
from hypothesis import strategies as st

from idrbench_inspect.units.traced import Edit, Traced, joined

TEXT = st.text("ab \n", max_size=30)


def whole(text: str) -> Traced:
    return Traced.of(text, 0, len(text))


@given(TEXT, st.data())
def test_what_is_kept_stays_where_it_was(text: str, data: st.DataObject) -> None:
    ends = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=6).filter(lambda ends: len(ends) % 2 == 0)))
    edits = [Edit(a, b) for a, b in zip(ends[::2], ends[1::2], strict=True) if a < b]
    gone = {place for a, b, _ in edits for place in range(a, b)}
    kept = [place for place in range(len(text)) if place not in gone]
    edited = whole(text).edited(edits)
    assert edited.text == "".join(text[place] for place in kept)
    assert edited.starts.tolist() == kept
    assert edited.ends.tolist() == [place + 1 for place in kept]


def test_what_is_new_stands_for_what_it_replaces() -> None:
    edited = whole("a &eacute; b").edited([Edit(2, 10, "é")])
    assert edited.text == "a é b"
    assert edited.cut(2, 3).span() == (2, 10)
    assert edited.span() == (0, 12)


def test_a_text_without_edits_is_the_text_itself() -> None:
    text = whole("abc")
    assert text.edited([]) is text


@given(st.lists(TEXT, max_size=5))
def test_joined_parts_keep_their_places(parts: list[str]) -> None:
    source = "|".join(parts)
    places = [0]
    for part in parts:
        places.append(places[-1] + len(part) + 1)
    pieces = [Traced.of(source, start, start + len(part)) for start, part in zip(places, parts, strict=False)]
    found = joined(pieces, "; ")
    assert found.text == "; ".join(part for part in parts if part)
    assert len(found.starts) == len(found.ends) == len(found.text)
    own = [(c, p) for c, p, e in zip(found.text, found.starts, found.ends, strict=True) if e > p]
    assert all(source[place] == character for character, place in own)
    assert len(own) == sum(map(len, parts))


@given(TEXT)
def test_lines_are_stripped_and_none_is_blank(text: str) -> None:
    lines = whole(text).lines()
    assert [line.text for line in lines] == [line.strip() for line in text.split("\n") if line.strip()]
    assert all(text[slice(*line.span())] == line.text for line in lines)


def test_a_blank_text_strips_to_nothing() -> None:
    assert whole("  \n ").stripped().text == ""
