"""Subsets, languages and shards: what a selection keeps, and what it refuses."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from idrbench_inspect.dataset import ResearchTask, TargetOrigin, select
from idrbench_inspect.errors import BadInput
from idrbench_inspect.records import Language


def tasks(*names: str, language: Language = "en", subsets: tuple[str, ...] = ()) -> tuple[ResearchTask, ...]:
    origin = TargetOrigin(system="a system", model_family="a family")
    return tuple(
        ResearchTask(
            id=name,
            language=language,
            topic="Energy",
            query="Heat pumps?",
            source_query="How do heat pumps compare?",
            target_origin=origin,
            report="# Report",
            subsets=subsets,
        )
        for name in names
    )


def refusal(act: Callable[[], object]) -> str:
    with pytest.raises(BadInput) as caught:
        act()
    message = caught.value.message
    assert "\n" not in message
    assert message.endswith(".")
    return message


def test_no_choice_keeps_everything_in_order() -> None:
    assert select(tasks("b", "a")) == tasks("b", "a")


@pytest.mark.parametrize("subset", [10, "10"])
def test_a_subset_is_chosen_by_its_name(subset: str | int) -> None:
    inside, outside = tasks("a", subsets=("10",)), tasks("b", subsets=("30",))
    assert select(outside + inside, subset=subset) == inside


def test_an_unknown_subset_is_refused_with_the_known_ones() -> None:
    known = tasks("a", subsets=("10", "30"))
    assert "the subsets of this dataset are 10, 30 (a number is the name of a frozen subset, not a size)" in refusal(
        lambda: select(known, subset=20)
    )
    assert "has no subsets" in refusal(lambda: select(tasks("a"), subset=20))


def test_a_subset_whose_rows_all_lack_a_report_is_known_all_the_same() -> None:
    known = {"10": ("b",), "30": ("a", "b")}
    inside = tasks("a", subsets=("30",))
    assert select(inside, subset="30", subsets=known) == inside
    assert "No task of the subset '10' has a report" in refusal(lambda: select(inside, subset="10", subsets=known))
    assert "are 10, 30 (a number" in refusal(lambda: select(inside, subset="2", subsets=known))


def test_a_language_is_chosen() -> None:
    both = tasks("a") + tasks("b", language="zh")
    assert select(both, language="zh") == both[1:]
    assert "must be one of en, zh" in refusal(lambda: select(both, language="fr"))


def test_a_selection_of_nothing_is_refused() -> None:
    assert "No task is left" in refusal(lambda: select(tasks("a"), language="zh"))
    assert "No task is left" in refusal(lambda: select(()))


@pytest.mark.parametrize("shard", ["0/8", "9/8", "x/8", "3", "", "1/0", "-1/8", "1/8/9", " 1/8", "1.0/8", "１/８"])
def test_a_shard_that_is_none_is_refused(shard: str) -> None:
    assert f"shard={shard!r} cannot be used" in refusal(lambda: select(tasks(*"abcdefghij"), shard=shard))


def test_an_empty_shard_is_refused() -> None:
    assert select(tasks("a", "b"), shard="2/3")
    assert "is empty: there are only 2 tasks" in refusal(lambda: select(tasks("a", "b"), shard="3/3"))


@given(st.sets(st.from_regex(r"[a-z0-9_-]{1,8}", fullmatch=True), min_size=1, max_size=40), st.data())
def test_shards_are_disjoint_whole_balanced_and_stable(names: set[str], data: st.DataObject) -> None:
    order = data.draw(st.permutations(sorted(names)))
    of = data.draw(st.integers(1, len(names)))
    shards = [[task.id for task in select(tasks(*order), shard=f"{part}/{of}")] for part in range(1, of + 1)]
    sizes = [len(shard) for shard in shards]
    assert sorted(name for shard in shards for name in shard) == sorted(names)
    assert max(sizes) - min(sizes) <= 1
    assert all(shard == [name for name in order if name in shard] for shard in shards)
    again = [{task.id for task in select(tasks(*sorted(names)), shard=f"{part}/{of}")} for part in range(1, of + 1)]
    assert again == [set(shard) for shard in shards]


def test_a_second_user_takes_part_only_where_a_subset_names_it() -> None:
    (first,) = tasks("a", subsets=("pairs",))
    second = first.model_copy(update={"id": "a-second", "second_user_of": "a"})
    unnamed = second.model_copy(update={"id": "a-third", "subsets": ()})
    assert select((first, second, unnamed)) == (first,)
    assert select((first, second, unnamed), subset="pairs") == (first, second)
