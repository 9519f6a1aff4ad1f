"""Supervisor, researcher, summarizer, compressor and reporter."""

import re
from typing import Any

import pytest
from inspect_ai.model import ChatMessage, ChatMessageUser, ModelOutput

from idrbench_inspect.prompting import fence, notice, prompt
from idrbench_inspect.replies import opening
from tests.providers.asking import (
    NEUTRAL,
    RESEARCHER,
    SUPERVISOR,
    PageSummary,
    call,
    clarified,
    dialogue,
    source,
    structured,
    text,
    tool_reply,
)
from tests.providers.material import LANGUAGE, QUERY, SOURCES, WISH, WISHED
from tests.providers.test_asking_roles import ASKED, plan

LANGUAGES = ("en", "zh")


def topics(output: ModelOutput) -> list[str]:
    return [c.arguments["topic"] for c in output.message.tool_calls or [] if c.function == "conduct_research"]


def queries(output: ModelOutput) -> list[str]:
    return [q for c in output.message.tool_calls or [] if c.function == "search" for q in c.arguments["queries"]]


def functions(output: ModelOutput) -> list[str]:
    return [c.function for c in output.message.tool_calls or []]


async def briefed(language: str, *replies: str) -> dict[str, str]:
    turns = [(ASKED[language], reply) for reply in replies]
    return {"brief": fence("brief", await plan(language, *turns)), "clarifications": clarified(*replies)}


async def supervisor(language: str, *replies: str, concurrent: int = 2) -> list[ChatMessage]:
    known = await briefed(language, *replies)
    return opening(prompt("supervisor", date="d", iterations=6, concurrent=concurrent, **known))


def found(language: str, output: ModelOutput) -> list[ChatMessage]:
    title, body = SOURCES[language][0]
    shown = fence("finding", f"topic\n\n### {title}\n\n{body}\n\n[1] {title}: https://example.org/1")
    replies = [tool_reply(output, n, f"{notice('finding')}\n{shown}") for n in range(len(functions(output)))]
    return [output.message, *replies]


@pytest.mark.parametrize("language", LANGUAGES)
async def test_supervisor_delegates_wishes_first_and_keeps_to_the_limit(language: str) -> None:
    plain = await call(await supervisor(language), SUPERVISOR)
    wished = await call(await supervisor(language, WISH[language]), SUPERVISOR)
    assert len(topics(plain)) == len(topics(wished)) == 2
    assert WISHED[language] in topics(wished)[0]
    assert not any(WISHED[language] in topic for topic in topics(plain))
    assert len(topics(await call(await supervisor(language, concurrent=1), SUPERVISOR))) == 1


@pytest.mark.parametrize("language", LANGUAGES)
async def test_supervisor_ends_after_two_rounds_unless_a_wish_comes_in(language: str) -> None:
    messages = await supervisor(language)
    given: list[str] = []
    for _ in range(2):
        output = await call(messages, SUPERVISOR)
        assert topics(output)
        assert not set(topics(output)) & set(given)
        given += topics(output)
        messages += found(language, output)
    assert functions(await call(messages, SUPERVISOR)) == ["research_complete"]

    def late(reply: str) -> ChatMessageUser:
        return ChatMessageUser(content=f"{notice('clarified')}\n{fence('clarifications', reply)}")

    assert functions(await call([*messages, late(NEUTRAL[language])], SUPERVISOR)) == ["research_complete"]
    asked = topics(await call([*messages, late(WISH[language])], SUPERVISOR))
    assert len(asked) == 1
    assert WISHED[language] in asked[0]


async def researcher(language: str, topic: str, *replies: str) -> list[ChatMessage]:
    known = await briefed(language, *replies)
    return opening(prompt("researcher", date="d", turns=5, queries=5, topic=fence("topic", topic), **known))


@pytest.mark.parametrize("language", LANGUAGES)
async def test_researcher_searches_again_when_few_sources_come_and_then_stops(language: str) -> None:
    topic = topics(await call(await supervisor(language, WISH[language]), SUPERVISOR))[0]
    messages = await researcher(language, topic, WISH[language])
    first = await call(messages, RESEARCHER)
    assert 2 <= len(queries(first)) <= 3
    assert all(WISHED[language] in query for query in queries(first))
    enough = "\n\n".join(source(n, *SOURCES[language][n % 3]) for n in range(1, 5))
    done = await call([*messages, first.message, tool_reply(first, 0, enough)], RESEARCHER)
    assert functions(done) == ["research_complete"]
    empty = [*messages, first.message, tool_reply(first, 0, notice("no_results", query=fence("query", "x")))]
    second = await call(empty, RESEARCHER)
    assert queries(second)
    assert not set(queries(second)) & set(queries(first))
    failed = tool_reply(second, 0, notice("search_failed", query=fence("query", "x"), reason="no answer"))
    assert functions(await call([*empty, second.message, failed], RESEARCHER)) == ["research_complete"]


async def summarised(language: str, *replies: str) -> PageSummary:
    title, body = SOURCES[language][1]
    page = fence("page", f"{title}\nhttps://example.org/1\n\n{body}")
    return await structured("summarizer", PageSummary, page=page, **await briefed(language, *replies))


@pytest.mark.parametrize("language", LANGUAGES)
async def test_summary_and_excerpts_are_the_pages_own_sentences(language: str) -> None:
    body = SOURCES[language][1][1]
    summary = await summarised(language, WISH[language])
    assert summary.key_excerpts
    assert all(excerpt in body for excerpt in summary.key_excerpts)
    assert 0.2 * len(body) <= len(summary.summary) <= 0.6 * len(body)


async def test_page_without_sentences_and_page_without_text_have_a_summary() -> None:
    known = {"brief": fence("brief", "Bees"), "clarifications": ""}
    for page in ("T\nhttps://x.org\n\n| a | b |", "T\nhttps://x.org\n\n"):
        assert (await structured("summarizer", PageSummary, page=fence("page", page), **known)).summary


async def written_up(language: str, topic: str, *replies: str) -> str:
    shown = "\n\n".join(source(n, *item) for n, item in enumerate(SOURCES[language], 1))
    known = await briefed(language, *replies)
    fields = {"topic": fence("topic", topic), "sources": shown, "language": LANGUAGE[language], **known}
    return await text("compressor", date="d", **fields)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_write_up_cites_word_for_word_and_puts_the_nearest_source_first(language: str) -> None:
    topic = {"en": "Keeping honey bees: swarming in spring", "zh": "养蜂：越冬管理"}[language]
    written = await written_up(language, topic)
    cited = re.findall(r"\[(\d+)\]", written)
    assert cited[0] == "2"
    assert cited.count("2") >= 3
    body = "".join(text for _, text in SOURCES[language])
    for line in written.splitlines():
        if line and not line.startswith("#"):
            for sentence in re.split(r"(?<=\])[.。]\s*", line):
                assert re.sub(r"\s?\[\d+\]", "", sentence) in body


async def test_write_up_says_an_excerpt_once_and_where_the_summary_has_it() -> None:
    body = "Swarming is how a colony divides. The old queen leaves with half of the workers in spring."
    shown = source(1, "Swarming", f"{body}\n> Swarming is how a colony divides.")
    fields = {"topic": fence("topic", "Bees: swarming"), "sources": shown, "language": "English", **await briefed("en")}
    written = await text("compressor", date="d", **fields)
    assert written.count("how a colony divides") == 1
    assert written.index("how a colony divides") < written.index("The old queen")


def findings(language: str) -> str:
    blocks = []
    for n, (title, body) in enumerate(SOURCES[language], 1):
        stop = "。" if language == "zh" else "."
        sentences = [s.strip() for s in body.split(stop) if s.strip()]
        cited = "".join(f"{s}[{n}]。" if language == "zh" else f"{s} [{n}]. " for s in sentences)
        blocks.append(fence("finding", f"Topic {n}\n\n### {title}\n\n{cited.strip()}"))
    return "\n\n".join(blocks)


async def reported(language: str, *replies: str, **changes: Any) -> str:
    turns = [(ASKED[language], reply) for reply in replies]
    fields = {
        "query": fence("query", QUERY[language]),
        "dialogue": dialogue(*turns),
        "findings": findings(language),
        "sources": fence("sources", "[1] a: https://example.org/1"),
        "notes": "",
        "language": LANGUAGE[language],
        **await briefed(language, *replies),
        **changes,
    }
    return await text("reporter", date="d", **fields)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_report_puts_the_wish_first_and_gives_it_more_citations(language: str) -> None:
    plain, wished = await reported(language), await reported(language, WISH[language])
    assert plain.startswith("# ")
    assert len(re.findall(r"\[\d+\]", plain)) >= 8
    assert WISHED[language] in wished.split("## ")[1].splitlines()[0].lower()
    assert re.findall(r"\[(\d+)\]", wished)[0] == "2"
    assert re.findall(r"\[(\d+)\]", plain)[0] == "1"


@pytest.mark.parametrize("language", LANGUAGES)
async def test_report_says_only_what_the_findings_say(language: str) -> None:
    body = "".join(text for _, text in SOURCES[language])
    stop = {"en": r"(?<=\])\.\s*", "zh": r"(?<=\])。"}[language]
    for line in (await reported(language, WISH[language])).splitlines():
        for sentence in re.split(stop, line) if line and not line.startswith("#") else ():
            assert re.sub(r"\s?\[\d+\]", "", sentence) in body


async def test_report_tells_of_an_early_end_and_of_lost_parts() -> None:
    notes = notice("report_stopped", reason="the cap on research time was reached")
    lost = notice("report_losses", topics=fence("topics", "Wax in Egypt"))
    closing = (await reported("en", notes=f"{notes}\n\n{lost}")).splitlines()[-3:]
    assert "the cap on research time was reached" in closing[0]
    assert "Wax in Egypt" in closing[-1]
    assert "data=" not in "".join(closing)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_report_on_nothing_claims_and_cites_nothing(language: str) -> None:
    nothing = {"findings": notice("nothing"), "sources": notice("nothing"), "notes": notice("report_nothing")}
    empty = await reported(language, **nothing)
    assert "[" not in empty
    assert len(empty.split("\n\n")) == 2


@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_neutral_reply_changes_nothing_in_the_work(language: str) -> None:
    neutral = NEUTRAL[language]

    async def arguments(messages: list[ChatMessage], tools: Any) -> list[Any]:
        return [(c.function, c.arguments) for c in (await call(messages, tools)).message.tool_calls or []]

    plain, after = await supervisor(language), await supervisor(language, neutral)
    assert await arguments(plain, SUPERVISOR) == await arguments(after, SUPERVISOR)
    topic = topics(await call(plain, SUPERVISOR))[0]
    assert await arguments(await researcher(language, topic), RESEARCHER) == await arguments(
        await researcher(language, topic, neutral), RESEARCHER
    )
    assert await summarised(language) == await summarised(language, neutral)
    assert await written_up(language, topic) == await written_up(language, topic, neutral)
    assert await reported(language) == await reported(language, neutral, neutral)
    assert await reported(language) != await reported(language, WISH[language])
