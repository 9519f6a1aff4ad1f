"""Researchers and their searches: failures are told apart from emptiness, and a page is read once."""

import asyncio
from itertools import pairwise

import pytest

from idrbench_inspect.pipeline.pages import OPENING_CHARACTERS
from idrbench_inspect.prompting import notice
from idrbench_inspect.search import Result, Results
from tests.pipeline.scripted import (
    Call,
    Ran,
    Said,
    Script,
    ScriptedSearch,
    call,
    delegate,
    done,
    in_turn,
    look_up,
    not_json,
    output,
    overflow,
    page,
    run,
)

ONE = in_turn(delegate("hives"), done())


def researcher_saw(ran: Ran) -> str:
    return ran.script.of("researcher")[-1].replies[-1].text


def test_malformed_searches_are_told_and_corrected() -> None:
    wrong = [not_json("search"), call("search", query="x"), call("search", queries="x"), call("browse", url="x")]
    ran = run(Script(supervisor=ONE, researcher=in_turn(wrong, look_up("hives"), done())))
    told = ran.script.of("researcher")[1].replies
    assert [reply.tool_call_id for reply in told] == [c.id for c in wrong]
    assert all(reply.error for reply in told)
    assert "arguments are not JSON" in told[0].text
    assert told[3].text == notice("unknown_tool", tool="browse", known="search, think, research_complete")
    assert ran.queries == ["hives"]
    assert [finding.topic for finding in ran.run.findings] == ["hives"]


def test_a_researcher_that_calls_nothing_is_asked_to_search_before_it_is_taken_for_done() -> None:
    ran = run(Script(supervisor=ONE, researcher=in_turn("I know it all.", look_up("hives"), "I know it all.")))
    assert ran.script.of("researcher")[1].messages[-1].text == notice("nudge_researcher")
    assert len(ran.script.of("researcher")) == 3
    assert len(ran.run.findings) == 1


def test_when_every_search_fails_the_sample_is_errored_with_the_reason() -> None:
    ran = run(search=ScriptedSearch(fail=["*"]))
    assert ran.sample.error
    assert "NothingWorked" in ran.sample.error.traceback
    assert "the provider is down" in ran.sample.error.message
    assert ran.run.report is None
    assert ran.run.ended_by.startswith("error: NothingWorked: no finding: 3 delegations failed")
    assert (ran.run.searches, ran.run.failed_searches) == (3, 3)
    assert {d.loss.kind for d in ran.run.delegations if d.loss} == {"failed"}


def test_when_no_page_at_all_can_be_summarised_the_sample_is_errored() -> None:
    script = Script(summarizer=in_turn(RuntimeError("the key is wrong")))
    ran = run(script, ScriptedSearch(lambda query: [page(f"{query} {n}") for n in range(2)]))
    assert ran.sample.error
    assert "could be summarised, the last: not summarised: RuntimeError: the key is wrong" in ran.sample.error.message
    assert ran.run.report is None
    assert ran.run.findings


def test_a_failing_query_leaves_the_results_of_its_siblings() -> None:
    ran = run(
        Script(supervisor=ONE, researcher=in_turn(look_up("good", "bad", "better"), done())),
        ScriptedSearch(fail=["bad"]),
    )
    assert [source.url for source in ran.run.findings[0].sources] == [page("good").url, page("better").url]
    assert [(loss.what, loss.subject, loss.reason) for loss in ran.run.losses] == [
        ("search", "bad", "the provider is down")
    ]
    assert "could not be carried out: the provider is down" in researcher_saw(ran)
    assert (ran.run.searches, ran.run.failed_searches) == (3, 1)


def test_a_search_that_finds_nothing_is_no_failure_and_the_report_says_so() -> None:
    ran = run(Script(reporter=in_turn("Nothing was found [1].")), ScriptedSearch(lambda query: []))
    assert ran.sample.error is None
    assert (ran.run.searches, ran.run.failed_searches) == (3, 0)
    assert {d.loss.kind for d in ran.run.delegations if d.loss} == {"unsourced"}
    assert notice("report_nothing") in ran.script.of("reporter")[0].user
    assert not ran.script.of("compressor")
    assert (ran.report, ran.run.cited, ran.run.ungrounded) == ("Nothing was found.\n", (), ("[1]",))


def test_queries_over_the_limit_are_told_and_marked() -> None:
    ran = run(
        Script(supervisor=ONE, researcher=in_turn(look_up("a", "b", "c"), done())), limits={"queries_per_search": 2}
    )
    assert sorted(ran.queries) == ["a", "b"]
    assert notice("query_skipped", limit=2, query="c") in researcher_saw(ran)
    assert [(loss.what, loss.kind, loss.subject) for loss in ran.run.losses] == [("query", "skipped", "c")]


def test_a_shortened_query_is_recorded() -> None:
    class Shortening(ScriptedSearch):
        async def search(self, query: str, results: int) -> Results:
            return Results(query, query[:3], (await super().search(query, results)).results)

    ran = run(Script(supervisor=ONE), Shortening())
    assert [(loss.what, loss.kind, loss.reason) for loss in ran.run.losses] == [("query", "shortened", "sent as: hiv")]


def test_results_are_numbered_by_the_order_of_the_calls_across_turns_and_once_per_page() -> None:
    turns = in_turn([*look_up("a"), *look_up("b")], look_up("b", "c"), done())
    ran = run(Script(supervisor=ONE, researcher=turns))
    second = [reply.text for reply in ran.script.of("researcher")[-1].replies]
    assert [f"[{n}] About {name}" in text for n, name, text in zip((1, 2, 2), "abb", second, strict=True)] == [True] * 3
    assert "[3] About c" in second[2]
    assert [source.title for source in ran.run.findings[0].sources] == ["About a", "About b", "About c"]
    assert len(ran.script.of("summarizer")) == 3


@pytest.mark.parametrize(
    ("reply", "asked", "reason"),
    [
        (output("{not json"), 3, "not summarised: malformed"),
        (output(""), 3, "not summarised: empty"),
        (output("{}", "content_filter"), 3, "not summarised: refused"),
        (overflow(), 8, "not summarised: overflow"),
        (RuntimeError("bad parameter"), 1, "not summarised: RuntimeError: bad parameter"),
    ],
    ids=["malformed", "empty", "refused", "overflow", "exception"],
)
def test_a_page_that_cannot_be_summarised_is_its_bounded_opening_and_marked(
    reply: Said, asked: int, reason: str
) -> None:
    text = "The opening. " + "x" * 40_000
    ran = run(Script(supervisor=ONE, summarizer=in_turn(reply)), ScriptedSearch(lambda query: [page(query, text)]))
    tried = ran.script.of("summarizer")
    assert len(tried) == asked
    assert asked < 8 or all(len(later.text) < len(earlier.text) for earlier, later in pairwise(tried))
    shown = researcher_saw(ran)
    assert "The opening." in shown
    assert len(shown) < OPENING_CHARACTERS + 500
    assert [(loss.what, loss.subject, loss.reason) for loss in ran.run.losses] == [("page", page("hives").url, reason)]
    assert len(ran.run.findings) == 1


def test_a_page_is_cut_before_it_is_summarised_and_a_missing_one_is_not_summarised() -> None:
    found = [page("long", "y" * 5_000), page("gone", "", missing="a bot check")]
    ran = run(Script(supervisor=ONE), ScriptedSearch(lambda query: found), limits={"page_characters": 1_000})
    asked = ran.script.of("summarizer")
    assert [c.block("page").count("y") for c in asked] == [1_000]
    assert [source.title for source in ran.run.findings[0].sources] == ["About long"]
    assert [(loss.what, loss.subject, loss.reason) for loss in ran.run.losses] == [
        ("page", page("gone").url, "a bot check")
    ]


@pytest.mark.parametrize("first", ["hives", "honey"])
def test_a_page_found_by_two_researchers_is_summarised_once_whoever_comes_first(first: str) -> None:
    class InOrder(ScriptedSearch):
        """The other's search does not end before the first one's page is being summarised."""

        async def search(self, query: str, results: int) -> Results:
            if query != first:
                await begun.wait()
            return await super().search(query, results)

    async def summarizer(call: Call) -> Said:
        begun.set()
        return {"summary": f"Bees, in summary of {call.block('page')[:30]}", "key_excerpts": []}

    begun = asyncio.Event()
    shared = page("bees", "All about bees.")
    script = Script(supervisor=in_turn(delegate("hives", "honey"), done()), summarizer=summarizer)
    ran = run(script, InOrder(lambda query: [shared, page(query)]))
    assert ran.queries[0] == first
    assert sum("bees" in c.block("page").splitlines()[0] for c in script.of("summarizer")) == 1
    body = "# Bees\n\nhives fact 1 [1]. hives fact 2 [2].\n\nhoney fact 1 [1]. honey fact 2 [3]."
    sources = enumerate((shared, page("hives"), page("honey")), 1)
    listed = "  \n".join(f"[{n}] {source.title}: {source.url}" for n, source in sources)
    assert ran.report == f"{body}\n\n## Sources\n\n{listed}\n"


def test_a_page_of_an_earlier_round_is_not_summarised_again() -> None:
    def find(query: str) -> list[Result]:
        url = "http://www.example.org/bees/#top" if query == "honey" else "https://www.example.org/bees?utm_source=x"
        return [Result(url, "Bees", "All about bees.")]

    ran = run(Script(supervisor=in_turn(delegate("hives"), delegate("honey"), done())), ScriptedSearch(find))
    assert len(ran.run.findings) == 2
    assert len(ran.script.of("summarizer")) == 1
    assert len(ran.run.cited) == 1


def test_an_overflow_of_a_researcher_ends_its_search_and_what_it_found_is_written_up() -> None:
    ran = run(Script(supervisor=ONE, researcher=in_turn(look_up("hives"), overflow())))
    assert len(ran.script.of("researcher")) == 2
    assert len(ran.run.findings) == 1
    assert ran.run.losses[0].reason.startswith("the search ended early: researcher: reply overflow")


@pytest.mark.parametrize("fault", ["empty", "cut", "refused"])
def test_an_unusable_reply_of_a_researcher_is_asked_for_again(fault: str) -> None:
    bad = {"empty": output(""), "cut": output("I", "max_tokens"), "refused": output("No", "content_filter")}[fault]
    ran = run(Script(supervisor=ONE, researcher=in_turn(bad, bad, look_up("hives"), done())))
    assert ran.script.of("researcher")[1].messages[-1].text == notice(f"reask_{fault}")
    assert not ran.run.losses
    assert len(ran.run.findings) == 1
