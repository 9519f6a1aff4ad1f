"""Results on blocked domains: dropped before they are read, marked as lost, and nothing else is changed by a list."""

import pytest

from idrbench_inspect.prompting import notice
from tests.pipeline.scripted import Ran, Script, ScriptedSearch, delegate, done, in_turn, look_up, page, run

ONE = in_turn(delegate("hives"), done())
MIRROR = page("mirror", "The report itself.")


def blocked(*entries: str, **given: ScriptedSearch) -> Ran:
    search = given.get("search") or ScriptedSearch(lambda query: [page(query), MIRROR, page("honey")])
    return run(Script(supervisor=ONE), search, metadata={"blocked_domains": list(entries) or "none"})


def test_a_blocked_result_is_neither_read_nor_shown_and_is_marked_as_lost() -> None:
    ran = blocked("mirror.example.org/page")
    assert [(loss.what, loss.kind, loss.subject, loss.reason) for loss in ran.run.losses] == [
        ("page", "skipped", MIRROR.url, "blocked: mirror.example.org/page")
    ]
    assert [source.title for source in ran.run.findings[0].sources] == ["About hives", "About honey"]
    assert not any("The report itself." in call.text or MIRROR.url in call.text for call in ran.script.calls)
    assert (ran.run.searches, ran.run.failed_searches) == (1, 0)


def test_when_all_results_are_blocked_nothing_was_found_and_nothing_failed() -> None:
    ran = blocked("example.org", search=ScriptedSearch(lambda query: [MIRROR]))
    (delegation,) = ran.run.delegations
    assert delegation.loss
    assert (delegation.loss.kind, len(ran.run.losses)) == ("unsourced", 1)
    assert ran.sample.error is None
    assert notice("report_nothing") in ran.script.of("reporter")[0].user


def test_losses_follow_the_order_of_the_queries() -> None:
    script = Script(supervisor=ONE, researcher=in_turn(look_up("a", "b"), done()))
    search = ScriptedSearch(lambda query: [page(f"x {query}")])
    ran = run(script, search, metadata={"blocked_domains": ["x-a.example.org", "x-b.example.org"]})
    assert [loss.subject for loss in ran.run.losses] == [page("x a").url, page("x b").url]


@pytest.mark.parametrize("metadata", [{}, {"blocked_domains": ["other.example"]}])
def test_a_list_that_blocks_nothing_changes_nothing(metadata: dict[str, list[str]]) -> None:
    def shown(ran: Ran) -> list[tuple[str, str]]:
        return [(call.role, call.text) for call in ran.script.calls]

    find = ScriptedSearch(lambda query: [page(query), MIRROR])
    without = blocked(search=find)
    ran = run(Script(supervisor=ONE), ScriptedSearch(find.find), metadata=metadata)
    assert shown(ran) == shown(without)
    assert (ran.report, ran.run.losses) == (without.report, ()) == (without.report, without.run.losses)


def test_the_shipped_list_holds_where_a_sample_names_none() -> None:
    mirror = page("x")
    mirror = type(mirror)("https://github.com/somebody/deep_research_bench/x", "M", "The report itself.")
    ran = run(Script(supervisor=ONE), ScriptedSearch(lambda query: [mirror, page(query)]))
    assert [loss.reason for loss in ran.run.losses] == ["blocked: github.com/*/*deep_research_bench*"]
