"""Ambiguity injection: what our checks and the judge turn down is written again, and nothing else becomes a row."""

from typing import Any

import pytest

from idrbench_inspect.judging import NoReading
from idrbench_inspect.making.injecting import ATTEMPTS, NotMade, inject
from idrbench_inspect.making.sources import Source
from tests.judging.scripted import Grader
from tests.making.scripted import (
    CHINESE,
    ENGLISH,
    HALF,
    HALF_CHINESE,
    JUDGE,
    LABEL,
    POINT,
    WRITE,
    player,
    points,
    query,
    verdict,
)


async def made(grader: Grader, source: Source = ENGLISH, target: float = 0.5) -> Any:
    model = grader.model()
    return await inject(source, target, model, model)


def asked_again(grader: Grader) -> str:
    """What the second call for a query says besides the request."""
    return grader.of(WRITE)[1].block("earlier")


async def test_a_row_says_how_it_was_made() -> None:
    row, tries = await made(player())
    assert row.injection is not None
    assert (row.id, row.query, row.source_query, row.topic) == ("moss", HALF, ENGLISH.source_query, "Gardens")
    assert (row.injection.source_sha256, row.injection.target) == (ENGLISH.sha256, 0.5)
    assert row.injection.compression == round(1 - len(HALF) / len(ENGLISH.source_query), 3)
    assert (row.injection.attempts, row.injection.dropped, tries) == (1, ("the years",), ())
    (point,) = row.ambiguity
    assert (point.preference, point.settled_by) == ("the years since 1990", "to the years since 1990")
    assert point.shown_in is None


async def test_a_missed_ratio_is_told_in_characters_and_costs_no_judge() -> None:
    grader = player(**{WRITE: [query(HALF + " Keep to the years since 1990."), query(HALF)]})
    row, (tried,) = await made(grader)
    assert row.injection is not None
    assert row.injection.attempts == 2
    assert tried.wrong == "It has 86 characters; between 42 and 62 are wanted."
    assert tried.wrong in asked_again(grader)
    assert len(grader.of(JUDGE)) == 1


async def test_another_language_is_turned_down_by_code() -> None:
    english = "A report on moss in gardens"
    grader = player(**{WRITE: [query(english), query(HALF_CHINESE)], LABEL: [points()]})
    row, (tried,) = await made(grader, CHINESE)
    assert "not in Chinese" in tried.wrong
    assert (row.query, row.ambiguity) == (HALF_CHINESE, ())
    assert len(grader.of(JUDGE)) == 1


async def test_an_added_constraint_is_caught_by_the_judge_and_its_reason_reaches_the_next_attempt() -> None:
    bad = "Please write a report on moss in roof gardens in Oslo."
    refused = verdict("constraint_added", "CANARY: Oslo is not in the full request.")
    grader = player(**{WRITE: [query(bad), query(HALF)], JUDGE: [refused, verdict()]})
    row, (tried,) = await made(grader)
    assert row.query == HALF
    assert tried.query == bad
    assert "CANARY: Oslo" in asked_again(grader)
    assert "CANARY" not in grader.of(WRITE)[1].outside_fences
    assert [call.block("query") for call in grader.of(JUDGE)] == [bad, HALF]


async def test_a_lost_objective_four_times_gives_no_row() -> None:
    grader = player(**{JUDGE: [verdict("objective_lost", "No subject.")]})
    with pytest.raises(NotMade, match=r"not_accepted.*No subject") as failed:
        await made(grader)
    assert (len(failed.value.tries), len(grader.of(WRITE)), len(grader.of(LABEL))) == (ATTEMPTS, ATTEMPTS, 0)


async def test_a_judge_without_a_readable_verdict_is_no_reading() -> None:
    with pytest.raises(NoReading, match="invalid_response_format"):
        await made(player(**{JUDGE: [{"reason": "Hm.", "verdict": "kept, mostly"}]}))


async def test_an_injector_that_gives_no_query_makes_no_row() -> None:
    with pytest.raises(NotMade, match="no_query"):
        await made(player(**{WRITE: ["Gladly."]}))


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        (ENGLISH.source_query, "It is the full request."),
        (ENGLISH.source_query + " And more of it.", "between 84 and 103 are wanted"),
        ("M" * 84, "at least 4 words"),
    ],
)
async def test_a_query_is_shorter_than_its_source_and_says_something(text: str, wrong: str) -> None:
    grader = player(**{WRITE: [query(text)]})
    with pytest.raises(NotMade) as failed:
        await made(grader, target=0.1)
    assert wrong in failed.value.tries[0].wrong
    assert not grader.of(JUDGE)


async def test_a_source_in_another_language_than_stated_costs_nothing() -> None:
    grader = player()
    with pytest.raises(NotMade, match=r"other_language: The source query is not in English"):
        await made(grader, CHINESE.model_copy(update={"language": "en"}))
    assert not grader.calls


async def test_a_source_that_is_too_short_costs_nothing() -> None:
    grader = player()
    with pytest.raises(NotMade, match="too_short"):
        await made(grader, Source(id="a", language="zh", source_query="请介绍茶叶的历史和现状。"), target=0.9)
    assert not grader.calls


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        ({"quote": "since the war"}, "does not stand in the full request"),
        ({"quote": "moss in roof gardens"}, "stands in the short request too"),
        ({"quote": " "}, "quote"),
        ({"settled": "since 1990"}, "none of the alternatives"),
        ({"dimension": "colour"}, "dimension"),
        ({"alternatives": ["the years since 1990"]}, "alternatives"),
        ({"alternatives": ["the years since 1990", "The  years since 1990"]}, "must differ"),
        ({"question": "哪些年份", "alternatives": ["一九九〇年以后", "二十世纪"], "settled": "二十世纪"}, "English"),
    ],
)
async def test_a_point_that_does_not_hold_is_asked_for_again(change: dict[str, Any], wrong: str) -> None:
    grader = player(**{LABEL: [points({**POINT, **change}), points(POINT)]})
    row, _ = await made(grader)
    assert len(row.ambiguity) == 1
    assert wrong in grader.of(LABEL)[1].messages[-1].text


@pytest.mark.parametrize("quote", ["in roof gardens", "in roof gardens.", "moss in roof gardens. Keep to Norway"])
async def test_words_that_the_query_has_with_a_capital_or_other_marks_are_not_left_open(quote: str) -> None:
    moved = query("In roof gardens! On moss in roof gardens: keep to Norway.")
    bad = points({**POINT, "quote": quote})
    grader = player(**{WRITE: [moved], LABEL: [bad, points()]})
    row, _ = await made(grader)
    assert row.ambiguity == ()
    assert "stands in the short request too" in grader.of(LABEL)[1].messages[-1].text


async def test_seven_points_or_one_twice_are_asked_for_again_and_then_no_row_is_made() -> None:
    seven = points(*({**POINT, "question": f"Question {n}"} for n in range(7)))
    with pytest.raises(NotMade, match="no_points"):
        await made(player(**{LABEL: [seven, points(POINT, POINT)]}))


async def test_a_quote_may_differ_from_the_source_in_whitespace_only() -> None:
    row, _ = await made(player(**{LABEL: [points({**POINT, "quote": "to the  years\nsince 1990"})]}))
    assert row.ambiguity[0].settled_by == "to the years since 1990"


async def test_half_a_surrogate_pair_is_asked_for_again() -> None:
    broken = '{"left_out": [], "query": "Please write a report on moss in roof gardens \\ud800"}'
    row, tries = await made(player(**{WRITE: [broken, query(HALF)]}))
    assert (row.query, tries) == (HALF, ())
