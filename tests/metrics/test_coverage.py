from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from idrbench_inspect.metrics.coverage import TAGS, AspectCoverage, Tag, aspect_coverage, median_grades
from idrbench_inspect.metrics.undefined import Undefined

TAGGED: dict[str, Tag] = {"a": "stated", "b": "stated", "c": "hidden", "d": "hidden"}
REFERENCE = {"a": 4, "b": 5, "c": 0, "d": 2}
GENERATED = {"a": 2, "b": 5, "c": 0, "d": 5}
GRADES = st.dictionaries(
    st.sampled_from("abcdefgh"), st.tuples(st.integers(0, 5), st.integers(0, 5), st.sampled_from(TAGS)), min_size=1
)


def covered(*arguments: Any, **settings: Any) -> AspectCoverage:
    found = aspect_coverage(*arguments, **settings)
    assert isinstance(found, AspectCoverage)
    return found


def test_coverage_by_hand() -> None:
    found = covered(REFERENCE, GENERATED, TAGGED)
    assert found.value == pytest.approx((0.5 + 1 + 0 + 1) / 4)
    assert (found.aspects, found.uncovered) == (4, 1)
    assert found.by_tag["stated"] == pytest.approx(0.75)
    assert found.by_tag["hidden"] == pytest.approx(0.5)
    assert found.by_tag["inferable"] == Undefined("no aspect is inferable")
    assert found.aspects_by_tag == {"stated": 2, "inferable": 0, "hidden": 2}
    assert found.by_aspect["d"] == 1


def test_a_reference_with_an_uncovered_aspect_scores_below_1_against_itself() -> None:
    assert covered(REFERENCE, REFERENCE, TAGGED).value == pytest.approx(3 / 4)
    assert covered(REFERENCE, REFERENCE, TAGGED, drop_uncovered=True).value == 1
    assert covered({"a": 0}, {"a": 1}, {"a": "hidden"}).value == 1
    assert covered({"a": 0}, {"a": 0}, {"a": "hidden"}).value == 0


@pytest.mark.parametrize("grade", [1, 2, 3, 4, 5, 2.5])
def test_full_coverage_is_exactly_1_whatever_the_grade(grade: float) -> None:
    tags: dict[str, Tag] = {f"a{n}": "hidden" for n in range(7)}
    grades = dict.fromkeys(tags, grade)
    found = covered(grades, grades, tags)
    assert (found.value, found.by_tag["hidden"], set(found.by_aspect.values())) == (1, 1, {1})
    assert covered(grades, dict.fromkeys(tags, grade / 2), tags).value == 0.5


def test_uncovered_aspects_are_dropped_on_demand_and_still_counted() -> None:
    found = covered(REFERENCE, GENERATED, TAGGED, drop_uncovered=True)
    assert found.value == pytest.approx(2.5 / 3)
    assert (found.aspects, found.uncovered, found.aspects_by_tag["hidden"]) == (3, 1, 1)


def test_a_true_zero_is_0_and_nothing_to_cover_is_undefined() -> None:
    assert covered({"a": 3}, {"a": 0}, {"a": "stated"}).value == 0.0
    assert aspect_coverage({}, {}, {}) == Undefined("there are no aspects")
    dropped = aspect_coverage({"a": 0}, {"a": 3}, {"a": "stated"}, drop_uncovered=True)
    assert dropped == Undefined("the reference covers no aspect")


@given(GRADES)
def test_coverage_is_a_fraction_that_grows_with_the_grades(grades: dict[str, tuple[int, int, Tag]]) -> None:
    reference = {aspect: grade for aspect, (grade, _, _) in grades.items()}
    generated = {aspect: grade for aspect, (_, grade, _) in grades.items()}
    tags = {aspect: tag for aspect, (_, _, tag) in grades.items()}
    found = covered(reference, generated, tags)
    slow = sum(min(1.0, max(0.0, generated[a] / (reference[a] + 1e-9))) for a in grades) / len(grades)
    assert found.value == pytest.approx(slow)
    assert 0 <= found.value <= 1
    assert covered(reference, dict.fromkeys(grades, 5), tags).value >= found.value
    assert covered(dict(reversed(reference.items())), generated, tags).value == found.value
    weighted = [(found.by_tag[tag], found.aspects_by_tag[tag]) for tag in TAGS]
    total = sum(value * count for value, count in weighted if not isinstance(value, Undefined))
    assert total / len(grades) == pytest.approx(found.value)


@pytest.mark.parametrize("wrong", [-1, 5.1, float("nan"), True, "4", None])
def test_a_grade_that_is_none_is_refused_and_never_0(wrong: Any) -> None:
    with pytest.raises(ValueError, match="number from 0 to 5"):
        aspect_coverage({"a": 3}, {"a": wrong}, {"a": "stated"})
    with pytest.raises(ValueError, match="number from 0 to 5"):
        aspect_coverage({"a": wrong}, {"a": 3}, {"a": "stated"})
    with pytest.raises(ValueError, match="number from 0 to 5"):
        median_grades([{"a": wrong}])


def test_unequal_aspects_are_refused() -> None:
    with pytest.raises(ValueError, match=r"\['B', 'b'\]"):
        aspect_coverage({"a": 1, "b": 1}, {"a": 1, "B": 1}, {"a": "stated", "b": "stated"})
    with pytest.raises(ValueError, match="tags"):
        aspect_coverage({"a": 1}, {"a": 1}, {})
    with pytest.raises(ValueError, match="unknown tags"):
        aspect_coverage({"a": 1}, {"a": 1}, {"a": "guessed"})  # type: ignore[dict-item]  # what a file may hold
    with pytest.raises(ValueError, match="one of the gradings"):
        median_grades([{"a": 1}, {"b": 1}, {"a": 1}])


def test_the_median_of_three_is_taken_aspect_by_aspect() -> None:
    readings = [{"a": 5, "b": 0}, {"a": 3, "b": 4}, {"a": 4, "b": 1}]
    assert median_grades(readings) == {"a": 4, "b": 1}
    assert median_grades(readings[::-1]) == {"a": 4, "b": 1}
    for even in ([], readings[:2]):
        with pytest.raises(ValueError, match="odd number"):
            median_grades(even)
