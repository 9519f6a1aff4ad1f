"""The offline grader: its aspects, tags and grades, through the real templates and replies."""

import pytest
from inspect_ai.model import get_model

from idrbench_inspect.judging import Aspects, AspectSet, Intent
from idrbench_inspect.judging.grading import grade
from idrbench_inspect.providers import idrbench  # noqa: F401 - registers the provider
from idrbench_inspect.records import Language

LONG = " ".join(f"Cover{' moss' * (n < 21)} {name}wood." for n, name in enumerate("abcdefghijklmnopqrstuvwxy"))


async def aspects(source_query: str, query: str = "?", language: Language = "en") -> AspectSet:
    intent = Intent(id="t", language=language, query=query, source_query=source_query)
    return await Aspects().of(intent, get_model("idrbench/extractive"))


def texts(held: AspectSet) -> list[str]:
    return [aspect.text for aspect in held.aspects]


async def test_aspects_are_what_the_clauses_want_and_nothing_that_they_decline() -> None:
    query = "Please report on bees, their wax, their honey and their queens. Tell of winter rather than summer. "
    query += "Write it for beginners; leave out wasps. Finish with a table of dates, a list of plants, and a map."
    found = texts(await aspects(query))
    assert found[:3] == ["bees", "wax", "honey and their queens"]
    assert not [text for text in found if "summer" in text or "wasps" in text]


@pytest.mark.parametrize(("query", "language"), [("Bees?", "en"), ("!", "en"), ("茶", "zh"), ("请讲茶和酒。", "zh")])
async def test_a_short_request_still_has_8_different_aspects(query: str, language: Language) -> None:
    held = await aspects(query, language=language)
    assert len(held.aspects) == 8
    assert held == await aspects(query, language=language)


async def test_a_long_request_keeps_the_20_fullest_aspects_in_order() -> None:
    found = texts(await aspects(LONG))
    assert len(found) == 20
    assert found == [f"moss {name}wood" for name in "abcdefghijklmnopqrst"]


async def test_tags_follow_how_much_of_an_aspect_the_short_query_says() -> None:
    held = await aspects(
        "Report on bees in winter, their wax in spring, on honey.", "Report on bees in winter, and spring."
    )
    tags = {aspect.text: aspect.tag for aspect in held.aspects}
    assert tags["bees in winter"] == "stated"
    assert tags["wax in spring"] == "inferable"
    assert tags["honey"] == "hidden"


@pytest.mark.parametrize(
    ("report", "wanted"),
    [("Wax melts in spring.", 5), ("Wax melts.", 3), ("Trains run late.", 0), ("x" * 300_000 + " wax in spring", 5)],
)
async def test_grades_follow_how_much_of_an_aspect_the_whole_report_says(report: str, wanted: int) -> None:
    held = await aspects("Report on wax in spring, on honey.")
    reading = await grade(get_model("idrbench/extractive"), held, report, anew=False)
    graded = dict(zip(texts(held), reading.grades, strict=True))["wax in spring"]
    assert graded.grade == wanted
    assert graded.reason == f"The report holds {2 if wanted == 5 else wanted and 1} of the 2 terms of this aspect."
