"""Write-up and report: what enters them, what is cited, and what becomes of overflows, cuts and failures."""

from itertools import pairwise

import pytest

from idrbench_inspect.log_events import decisions
from idrbench_inspect.prompting import fenced, notice
from tests.pipeline.scripted import (
    TOPICS,
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
    output,
    overflow,
    page,
    run,
)

ONE = in_turn(delegate("hives"), done())
LONG = " ".join(f"Bees are kept, says sentence {n} [1]." for n in range(60))


def shorter_every_time(calls: list[Call]) -> bool:
    return len(calls) >= 3 and all(len(later.text) < len(earlier.text) for earlier, later in pairwise(calls))


def unusable(fault: str) -> Said:
    return {"empty": output(""), "cut": output("Bees [1]", "max_tokens"), "refused": output("No.", "content_filter")}[
        fault
    ]


def broken_write_up(ran: Ran) -> list[tuple[str, str]]:
    return [(loss.what, loss.reason) for loss in ran.run.losses]


def test_neither_errors_nor_notices_nor_reflections_reach_the_reporter() -> None:
    first = [*delegate("a", "b", "c", "d"), call("think", reflection="REFLECTION"), call("browse", url="x")]
    researcher = in_turn([*look_up("a", "bad"), call("think", reflection="REFLECTION")], done())
    ran = run(Script(supervisor=in_turn(first, done()), researcher=researcher), ScriptedSearch(fail=["bad"]))
    asked = ran.script.of("reporter")[0]
    assert [text for _, text in fenced(asked.text, "finding")] == [f"{f.topic}\n\n{f.text}" for f in ran.run.findings]
    told = {reply.text for c in ran.script.of("supervisor") + ran.script.of("researcher") for reply in c.replies}
    notices = {text for text in told if not fenced(text)}
    assert notice("over_limit", limit=3) in notices
    assert not [text for text in (*notices, "REFLECTION", "the provider is down") if text in asked.text]


@pytest.mark.parametrize(
    ("reply", "asked", "reason"),
    [
        (output(""), 3, "compressor: reply empty: no text"),
        (output("Bees [1]", "max_tokens"), 3, "compressor: reply cut: Bees [1]"),
        (output("No.", "content_filter"), 3, "compressor: reply refused: No."),
        (output("word " * 30_000), 3, "compressor: reply too long: "),
        (output("Bees are kept [9]."), 1, "the write-up cites none of the sources"),
        (RuntimeError("bad parameter"), 1, "RuntimeError: bad parameter"),
    ],
    ids=["empty", "cut", "refused", "too long", "uncited", "exception"],
)
def test_a_failed_write_up_falls_back_on_the_notes_and_is_marked(reply: Said, asked: int, reason: str) -> None:
    ran = run(Script(supervisor=ONE, compressor=in_turn(reply)))
    assert len(ran.script.of("compressor")) == asked
    finding = ran.run.findings[0]
    assert finding.write_up == "notes"
    assert finding.text.startswith("Summary of About hives.")
    assert finding.text.endswith("[1]")
    ((what, why),) = broken_write_up(ran)
    assert (what, why[: len(reason)]) == ("write-up", reason)


def test_an_unusable_write_up_is_asked_for_again() -> None:
    ran = run(Script(supervisor=ONE, compressor=in_turn(output("Bees", "max_tokens"), "Bees are kept [1].")))
    assert ran.script.of("compressor")[1].messages[-1].text == notice("reask_cut")
    assert ran.run.findings[0].write_up == "compressed"
    assert not ran.run.losses


def test_an_overflow_of_the_compressor_alone_cuts_its_sources_and_nothing_else() -> None:
    def compressor(call: Call) -> Said:
        return overflow() if len(call.block("source")) > 800 else "Bees are kept [1]. And winter [2]."

    script = Script(
        supervisor=ONE,
        compressor=compressor,
        researcher=in_turn(look_up("a", "b"), done()),
        summarizer=lambda call: {"summary": LONG if "a" in call.block("page").split()[1] else "Short."},
    )
    ran = run(script, ScriptedSearch(lambda query: [page(query, "z" * 5_000)]))
    tried = script.of("compressor")
    assert shorter_every_time(tried)
    assert {c.system for c in tried} == {tried[0].system}
    for kind in ("topic", "brief"):
        assert {c.block(kind) for c in tried} == {tried[0].block(kind)}
    assert all(c.user.endswith("it is made for you.") for c in tried)
    assert [len(fenced(c.text, "source")) for c in tried] == [2] * len(tried)
    assert ran.run.findings[0].text == "Bees are kept [1]. And winter [2]."
    assert len(script.of("researcher")) == 2


def test_an_overflow_of_the_compressor_that_cutting_does_not_cure_leaves_the_notes() -> None:
    ran = run(Script(supervisor=ONE, compressor=in_turn(overflow())))
    assert ran.run.findings[0].write_up == "notes"
    assert broken_write_up(ran)[0][1].startswith("compressor: reply overflow")


def test_an_overflow_of_the_reporter_cuts_the_longest_findings_and_drops_none() -> None:
    def reporter(call: Call) -> Said:
        return overflow() if len(call.block("finding")) > 800 else "# Bees\n\nBees are kept [1][3]."

    script = Script(compressor=in_turn(LONG, "Short [1].", "Short too [1]."), reporter=reporter)
    ran = run(script)
    tried = script.of("reporter")
    assert shorter_every_time(tried)
    for kind in ("query", "brief", "sources"):
        assert {c.block(kind) for c in tried} == {tried[0].block(kind)}
    assert [len(fenced(c.text, "finding")) for c in tried] == [3] * len(tried)
    assert all("Short too" in c.text for c in tried)
    assert all(c.user.endswith("it is made for you.") for c in tried)
    assert len(ran.run.cited) == 2


def test_the_findings_reach_the_reporter_whole_when_their_numbers_grow() -> None:
    # Ten sources before it make every [1] of the longest finding a [11], which is one character longer.
    script = Script(
        supervisor=in_turn(delegate("hives"), delegate("honey"), done()),
        researcher=lambda c: done() if c.replies else look_up(*(f"{c.block('topic')} {n}" for n in range(10))),
        compressor=in_turn(" ".join(f"Fact [{n}]." for n in range(1, 11)), f"{LONG} The very end."),
    )
    run(script, limits={"queries_per_search": 10})
    assert script.of("reporter")[0].text.count("The very end.") == 1


def test_a_report_that_overflows_whatever_is_cut_errs_the_sample_and_leaves_the_run() -> None:
    ran = run(Script(reporter=in_turn(overflow())))
    assert ran.sample.error
    assert "reporter: reply overflow" in ran.sample.error.message
    assert len(ran.run.findings) == 3


@pytest.mark.parametrize("role", ["supervisor", "compressor", "reporter", "planner", "evaluator"])
def test_a_permanent_error_is_not_answered_by_cutting(role: str) -> None:
    error = RuntimeError("400: max_tokens is too large for this model's context length")
    script = Script(**{role: in_turn(error), "summarizer": in_turn({"summary": LONG})})
    run(script, arm="interactive")
    assert len(script.of(role)) == (3 if role == "compressor" else 1)


def test_a_report_call_that_breaks_leaves_the_run_and_its_decisions() -> None:
    ran = run(Script(reporter=in_turn(RuntimeError("400: bad parameter"))))
    assert ran.sample.error
    assert ran.run.report is None
    assert ran.run.ended_by == "error: RuntimeError: 400: bad parameter"
    assert [finding.topic for finding in ran.run.findings] == list(TOPICS)
    found = decisions(ran.sample.events)
    assert [decision.point for decision in found] == ["planning", "research:1", "generation"]
    assert found[-1].state.findings == ran.run.findings


def test_a_cut_report_is_continued() -> None:
    parts = output("# Bees\n\nBees are ke", "max_tokens"), output("pt [1]. The end.")
    ran = run(Script(supervisor=ONE, reporter=in_turn(*parts)))
    assert ran.report.startswith("# Bees\n\nBees are kept [1]. The end.")
    assert not ran.run.report_cut
    again = ran.script.of("reporter")[1].messages
    assert [message.text for message in again[-2:]] == ["# Bees\n\nBees are ke", notice("go_on")]


def test_a_report_that_stays_cut_is_flagged() -> None:
    ran = run(Script(supervisor=ONE, reporter=in_turn(output("Bees [1] and ", "max_tokens"))))
    assert len(ran.script.of("reporter")) == 3
    assert ran.report.startswith("Bees [1] and Bees [1] and Bees [1] and")
    assert ran.run.report_cut
    assert ran.sample.error is None


@pytest.mark.parametrize("fault", ["empty", "refused"])
def test_a_report_that_cannot_be_had_is_asked_for_again_and_then_said_to_be_missing(fault: str) -> None:
    ran = run(Script(supervisor=ONE, reporter=in_turn(unusable(fault))))
    assert [c.messages[-1].text for c in ran.script.of("reporter")[1:]] == [notice(f"reask_{fault}")] * 2
    assert ran.report == ""
    assert ran.run.ended_by.startswith(f"reporter reply {fault}")
    second = run(Script(supervisor=ONE, reporter=in_turn(unusable(fault), "Bees [1].")))
    assert second.report.startswith("Bees [1].")
    assert second.run.ended_by == "finished"


def test_a_report_of_nothing_but_sources_counts_as_empty() -> None:
    ran = run(Script(supervisor=ONE, reporter=in_turn(f"## Sources\n\n[1] Hives: {page('hives').url}")))
    assert ran.report == ""
    assert ran.run.ended_by == "reporter reply empty: nothing but sources"


def test_citations_of_several_researchers_get_numbers_of_their_own() -> None:
    ran = run(Script(compressor=lambda call: f"{call.block('topic')} [1]. More {call.block('topic')} [1]."))
    texts = [text.partition("\n\n")[2] for _, text in fenced(ran.script.of("reporter")[0].text, "finding")]
    assert texts == [f"{topic} [{n}]. More {topic} [{n}]." for n, topic in enumerate(TOPICS, 1)]
    assert [source.url for source in ran.run.cited] == [page(topic).url for topic in TOPICS]


def test_invented_markers_and_altered_links_are_taken_out_and_recorded() -> None:
    right, altered = page("winter").url, f"{page('honey').url}s"
    written = f"# Bees\n\nOne [2]. Two [7]. Three [here]({altered}). Four [there]({right}). Five [1, 8].\n\n"
    listed = f"## References\n\n[1] Hives: {page('hives').url}\n[2] Altered: {altered}\n[3] Winter: {right}"
    ran = run(Script(reporter=in_turn(written + listed)))
    assert ran.report == (
        "# Bees\n\nOne. Two. Three here. Four there [1]. Five [2].\n\n## Sources\n\n"
        f"[1] About winter: {right}  \n[2] About hives: {page('hives').url}\n"
    )
    assert ran.run.ungrounded == (altered, "[7]", "[8]")


def test_what_a_write_up_invents_is_taken_out_and_recorded() -> None:
    ran = run(Script(supervisor=ONE, compressor=in_turn("One [1]. Two [4]. See https://invented.example.org/x.")))
    assert ran.run.findings[0].text == "One [1]. Two. See ."
    assert [(loss.what, loss.kind, loss.subject) for loss in ran.run.losses] == [
        ("source", "unsourced", "[4]"),
        ("source", "unsourced", "https://invented.example.org/x"),
    ]
