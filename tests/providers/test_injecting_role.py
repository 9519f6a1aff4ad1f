"""The offline injector and judges: lengths that are asked for, clauses as they stand, points in the source's words."""

import pytest
from inspect_ai.model import get_model

from idrbench_inspect.making.from_dataset import given_queries
from idrbench_inspect.making.injecting import NotMade, inject
from idrbench_inspect.making.sources import Source
from idrbench_inspect.making.targets import DECILES
from idrbench_inspect.prompting import Prompt, fence
from idrbench_inspect.providers import idrbench  # noqa: F401 - registers the provider
from idrbench_inspect.providers.request import Request
from idrbench_inspect.providers.roles_injecting import injection_verdict, open_points
from idrbench_inspect.replies import opening

OFFLINE = "idrbench/extractive"
_, SOURCES = given_queries("mini")


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.id)
async def test_every_decile_is_reached_at_the_first_attempt_and_always_alike(source: Source) -> None:
    model = get_model(OFFLINE)
    for target in DECILES:
        row, tries = await inject(source, target, model, model)
        assert not tries
        assert abs(row.compression - target) <= 0.1 + 1e-3
        assert (await inject(source, target, model, model))[0] == row


async def test_a_source_of_one_clause_is_cut_at_a_word() -> None:
    model = get_model(OFFLINE)
    text = "Please write me a long report on the many kinds of moss that grow on old roofs"
    row, _ = await inject(Source(id="a", language="en", source_query=text), 0.5, model, model)
    assert text.startswith(row.query.rstrip("."))
    with pytest.raises(NotMade, match="too_short"):
        await inject(Source(id="a", language="en", source_query="Moss?"), 0.5, model, model)


@pytest.mark.parametrize(
    ("source", "query"),
    [
        ("Write on moss in roof gardens, compare Norway since 1990, for builders.", "Compare Norway since 1990."),
        ("请写一份报告，只讲挪威一九九〇年以后的事，读者是建筑工人。", "只讲挪威一九九〇年以后的事。"),
    ],
)
def test_a_clause_that_the_query_keeps_with_another_mark_at_its_end_is_not_left_open(source: str, query: str) -> None:
    def quoted(short: str) -> set[str]:
        shown = Prompt("", f"{fence('source_query', source)}\n{fence('query', short)}")
        return {point["quote"] for point in open_points(Request(opening(shown)))["points"]}

    (kept,) = quoted("Moss?") - quoted(query)
    assert kept[:-1].casefold() == query[:-1].casefold()


def judged(source: str, query: str) -> str:
    shown = Prompt("", f"{fence('source_query', source)}\n{fence('query', query)}")
    return str(injection_verdict(Request(opening(shown)))["verdict"])


def test_the_offline_judge_sees_an_added_word_and_a_lost_subject() -> None:
    source = "Please write a report on moss on roofs. Keep to Norway and to builders."
    assert judged(source, "Please write a report on moss on roofs.") == "kept"
    assert judged(source, "Please write a report on moss on roofs in Oslo.") == "constraint_added"
    assert judged(source, "Keep to Norway and to builders.") == "objective_lost"
