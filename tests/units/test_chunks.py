from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from idrbench_inspect.errors import BadInput
from idrbench_inspect.units.chunks import check_chunking, chunk_spans, windows

SIZES = st.integers(1, 40).flatmap(lambda size: st.tuples(st.just(size), st.integers(0, size - 1)))


@given(st.integers(0, 300), SIZES)
def test_windows_cover_all_overlap_as_asked_and_none_lies_within_another(tokens: int, sizes: tuple[int, int]) -> None:
    size, overlap = sizes
    found = windows(tokens, size, overlap)
    assert {place for start, end in found for place in range(start, end)} == set(range(tokens))
    assert all(end - start == size for start, end in found[:-1])
    assert all(b[0] - a[0] == size - overlap for a, b in pairwise(found))
    assert all(a[1] < b[1] for a, b in pairwise(found))


@pytest.mark.parametrize(
    ("tokens", "chunks"), [(0, 0), (1, 1), (300, 1), (301, 2), (500, 2), (510, 2), (550, 2), (551, 3), (4263, 17)]
)
def test_the_last_window_is_the_first_that_reaches_the_end(tokens: int, chunks: int) -> None:
    assert len(windows(tokens, 300, 50)) == chunks


@pytest.mark.parametrize(("size", "overlap"), [(2, 2), (2, 3), (0, 0), (-1, 0), (2, -1)])
def test_windows_that_make_no_progress_are_refused(size: int, overlap: int) -> None:
    with pytest.raises(BadInput, match="chunk_"):
        check_chunking(size, overlap)


def test_characters_are_those_of_the_tokens() -> None:
    spans = np.array([[0, 2], [2, 5], [6, 7], [7, 9]])
    assert chunk_spans(spans, 2, 1) == [(0, 5), (2, 7), (6, 9)]
