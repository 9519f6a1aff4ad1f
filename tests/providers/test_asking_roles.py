"""Planner, evaluator, questioner and the users."""

import re

import pytest

from idrbench_inspect.prompting import fence, notice
from tests.providers.asking import NEUTRAL, Clarification, ResearchBrief, Verdict, clarified, dialogue, structured, text
from tests.providers.material import LANGUAGE, QUERY, REFERENCE, SOURCES, WISH, WISHED

LANGUAGES = ("en", "zh")
DETAILED = {
    "en": "Write a report on keeping honey bees in Norway since 1990 for beginners. Cover only hives in gardens, "
    "focus on swarming, and close with a calendar of jobs.",
    "zh": "请面向新手写一份介绍中国养蜂的报告，只讲近年的家庭养蜂，重点讲越冬，最后按月份列一张清单。",
}
ASKED = {"en": "Which side should get most room?", "zh": "哪个方面应当作为重点？"}


def finding(language: str, *which: int) -> str:
    shown = [SOURCES[language][i] for i in which]
    body = "\n\n".join(f"### {title}\n\n{text}" for title, text in shown)
    return fence("finding", f"topic\n\n{body}")


async def plan(language: str, *turns: tuple[str, str]) -> str:
    reply = await structured(
        "planner",
        ResearchBrief,
        query=fence("query", QUERY[language]),
        dialogue=dialogue(*turns),
        language=LANGUAGE[language],
    )
    return reply.research_brief


async def verdict(language: str, stage: str, query: str, findings: str = "", *turns: tuple[str, str]) -> Verdict:
    later = (
        {}
        if stage == "planning"
        else {
            "brief": fence("brief", await plan(language, *turns)),
            "clarifications": clarified(*(said for _, said in turns)),
            "findings": findings,
        }
    )
    return await structured(
        f"evaluator_{stage}",
        Verdict,
        query=fence("query", query),
        dialogue=dialogue(*turns),
        turns_left=1,
        turns_left_overall=3,
        **later,
    )


async def questions(language: str, stage: str, findings: str) -> Clarification:
    return await structured(
        "questioner",
        Clarification,
        query=fence("query", QUERY[language]),
        dialogue=dialogue(),
        brief=fence("brief", await plan(language)) if findings else notice("nothing"),
        clarifications="",
        findings=findings or notice("nothing"),
        stage=stage,
        rationale=fence("rationale", "open"),
        language=LANGUAGE[language],
    )


async def reply(language: str, question: str, said: str = "") -> str:
    shown = fence("dialogue", said) if said else notice("no_dialogue")
    return await text(
        "user",
        reference=fence("reference", REFERENCE[language]),
        query=fence("query", QUERY[language]),
        dialogue=shown,
        question=fence("question", question),
    )


@pytest.mark.parametrize("language", LANGUAGES)
async def test_brief_holds_the_request_and_what_was_said(language: str) -> None:
    brief = await plan(language, (ASKED[language], WISH[language]))
    assert QUERY[language] in brief
    assert WISH[language] in brief
    assert ASKED[language] not in brief


@pytest.mark.parametrize("language", LANGUAGES)
async def test_brief_after_a_neutral_reply_is_the_brief_without_an_exchange(language: str) -> None:
    assert await plan(language, (ASKED[language], NEUTRAL[language])) == await plan(language)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_planning_asks_about_a_bare_request_only(language: str) -> None:
    bare = await verdict(language, "planning", QUERY[language])
    assert bare.ask
    assert not (await verdict(language, "planning", DETAILED[language])).ask
    answered = await verdict(language, "planning", QUERY[language], "", (ASKED[language], NEUTRAL[language]))
    assert not answered.ask


@pytest.mark.parametrize("language", LANGUAGES)
async def test_research_asks_when_the_findings_open_facets(language: str) -> None:
    found = await verdict(language, "research", QUERY[language], finding(language, 0, 1, 2))
    assert found.ask
    assert SOURCES[language][2][0][:4] in found.rationale
    assert not (await verdict(language, "research", QUERY[language], finding(language, 0))).ask


@pytest.mark.parametrize("language", LANGUAGES)
async def test_generation_asks_only_while_no_wish_ranks_the_findings(language: str) -> None:
    every = finding(language, 0, 1, 2)
    assert (await verdict(language, "generation", QUERY[language], every)).ask
    ranked = await verdict(language, "generation", QUERY[language], every, (ASKED[language], WISH[language]))
    assert not ranked.ask


@pytest.mark.parametrize("language", LANGUAGES)
async def test_questions_offer_what_was_found(language: str) -> None:
    planning = await questions(language, "planning", "")
    assert planning.question.endswith(("?", "？"))
    research = await questions(language, "research", finding(language, 0, 1, 2))
    assert sum(title in research.question for title, _ in SOURCES[language]) >= 2
    assert research.question != planning.question


@pytest.mark.parametrize("language", LANGUAGES)
async def test_user_names_the_heading_that_bears_on_the_question_and_corrects_what_does_not_fit(language: str) -> None:
    offered = {"en": 'Should "swarming" or "taxes on wax" come first?', "zh": "“越冬”还是“缴税”先写？"}[language]
    said = await reply(language, offered)
    assert WISHED[language] in said.lower()
    assert {"en": "wax", "zh": "缴税"}[language] not in said
    strange = {"en": 'Which should get most room: "queens of Egypt"?', "zh": "重点是“古埃及陶管”吗？"}[language]
    assert (await reply(language, strange)).startswith(("None of these", "这些都不是"))


@pytest.mark.parametrize("language", LANGUAGES)
async def test_user_does_not_repeat_itself_and_may_have_no_preference(language: str) -> None:
    first = await reply(language, ASKED[language])
    assert first != NEUTRAL[language]
    assert await reply(language, ASKED[language], f"The team: {ASKED[language]}\nYou: {first}") == NEUTRAL[language]
    aside = {"en": "Do you use metric units?", "zh": "是否使用公制？"}[language]
    assert await reply(language, aside) == NEUTRAL[language]


async def test_user_quotes_no_run_of_nine_words() -> None:
    long = REFERENCE["en"].replace(
        "## Swarming in spring", "## Swarming and what a keeper can do about it in the weeks of spring"
    )
    said = await text(
        "user",
        reference=fence("reference", long),
        query=fence("query", QUERY["en"]),
        dialogue=notice("no_dialogue"),
        question=fence("question", ASKED["en"]),
    )
    words = re.findall(r"\w+", long.lower())
    runs = {" ".join(words[i : i + 9]) for i in range(len(words) - 8)}
    own = re.findall(r"\w+", said.lower())
    assert len(own) >= 9
    assert not runs & {" ".join(own[i : i + 9]) for i in range(len(own) - 8)}
    assert "report" not in own


async def test_self_user_states_the_request_or_nothing() -> None:
    known = {"query": fence("query", "Write about bees in Norway since 1990."), "dialogue": notice("no_dialogue")}
    assert "Norway" in await text("user_self", question=fence("question", "Which region?"), **known)
    assert await text("user_self", question=fence("question", "Which readers?"), **known) == NEUTRAL["en"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("lowest", "highest"), [(60, 90), (100, 180)])
async def test_reference_summary_keeps_to_the_asked_length(language: str, lowest: int, highest: int) -> None:
    reference = REFERENCE[language]
    short = await text("reference_summary", reference=fence("reference", reference), lowest=lowest, highest=highest)
    assert lowest <= len(short) <= highest
    assert "## " in short
