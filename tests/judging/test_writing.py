"""Aspects: from the source query alone, in its language, tagged against the short query in a call of its own."""

from typing import Any

import pytest

from idrbench_inspect.judging import Aspects, Intent, NoReading
from idrbench_inspect.judging.store import Store
from idrbench_inspect.judging.writing import write_draft
from tests.judging.scripted import IDS, INTENT, TAG, TEXTS, WRITE, Grader, Reply, said, tags, texts

CHINESE = Intent(id="feng", language="zh", query="讲讲养蜂。", source_query="讲讲四季怎样养蜂，写给新手看。")
CHINESE_TEXTS = tuple(f"第{n}季的养蜂要点" for n in "一二三四五六七八")


async def written(grader: Grader, intent: Intent = INTENT) -> Any:
    return await Aspects(store=Store()).of(intent, grader.model())


async def test_the_writer_sees_the_source_query_and_not_the_short_one() -> None:
    intent = Intent(id="bees", language="en", query="CANARY-short", source_query="CANARY-source")
    grader = Grader()
    await written(grader, intent)
    (write,), (tag,) = grader.of(WRITE), grader.of(TAG)
    assert "CANARY-source" in write.block("source_query")
    assert "CANARY-short" not in write.text
    assert (tag.block("source_query"), tag.block("query")) == ("CANARY-source", "CANARY-short")
    assert tag.block("aspects").splitlines() == [f"{id_}: {text}" for id_, text in zip(IDS, TEXTS, strict=True)]
    assert "CANARY" not in write.outside_fences + tag.outside_fences


async def test_another_short_query_leaves_the_aspects_and_changes_the_hash_that_carries_the_tags() -> None:
    grader = Grader(aspect_tags=[tags("stated"), tags("hidden")])
    aspects, model = Aspects(store=Store()), grader.model()
    first = await aspects.of(INTENT, model)
    second = await aspects.of(INTENT.model_copy(update={"query": "Bees?"}), model)
    assert grader.counts == (1, 2, 0)
    assert [a.text for a in first.aspects] == [a.text for a in second.aspects] == list(TEXTS)
    assert ({a.tag for a in first.aspects}, {a.tag for a in second.aspects}) == ({"stated"}, {"hidden"})
    assert first.sha256 != second.sha256


async def test_the_language_is_asked_for_and_another_is_asked_for_again() -> None:
    grader = Grader(aspect_texts=[texts(*TEXTS), texts(*CHINESE_TEXTS)])
    held = await written(grader, CHINESE)
    assert [aspect.text for aspect in held.aspects] == list(CHINESE_TEXTS)
    assert "in Chinese (简体中文)" in grader.calls[0].text
    assert "the aspects are not in Chinese" in grader.calls[1].messages[-1].text


@pytest.mark.parametrize(
    ("reply", "wrong"),
    [
        (texts(*TEXTS[:7]), "there are 7 aspects"),
        (texts(*(f"Aspect {n}" for n in range(21))), "there are 21 aspects"),
        (texts(*TEXTS[:7], f" {TEXTS[0].upper()} "), "occurs twice"),
        (texts(*TEXTS[:7], " \n"), "must not be blank"),
        ({"aspects": [{"text": text} for text in TEXTS]}, "valid string"),
        ("Gladly.", "no JSON object"),
    ],
)
async def test_aspects_that_cannot_be_used_are_asked_for_again_with_the_reason_and_then_given_up(
    reply: Reply, wrong: str
) -> None:
    grader = Grader(aspect_texts=[reply, texts(*TEXTS)])
    assert (await written(grader)).ids == IDS
    assert wrong in grader.calls[1].messages[-1].text
    grader = Grader(aspect_texts=[reply])
    with pytest.raises(NoReading) as caught:
        await written(grader)
    assert (caught.value.reason, grader.counts) == ("invalid_response_format", (3, 0, 0))


@pytest.mark.parametrize(
    ("reply", "wrong"),
    [
        (tags(ids=IDS[:7]), "missing: a8"),
        (tags(ids=[*IDS, "a1"]), "a1: it is there 2 times"),
        (tags("Stated"), "a1: tag"),
        (tags("maybe"), "a1: tag"),
    ],
)
async def test_every_aspect_gets_one_tag_of_three(reply: Reply, wrong: str) -> None:
    grader = Grader(aspect_tags=[reply, tags("inferable")])
    assert {aspect.tag for aspect in (await written(grader)).aspects} == {"inferable"}
    assert wrong in grader.of(TAG)[1].messages[-1].text


async def test_aspects_that_could_not_be_written_are_tried_again_by_the_next_who_asks() -> None:
    grader = Grader(aspect_texts=[said("No.", "content_filter")] * 3 + [texts(*TEXTS)])
    aspects, model = Aspects(store=Store()), grader.model()
    with pytest.raises(NoReading, match="refusal"):
        await aspects.of(INTENT, model)
    assert (await aspects.of(INTENT, model)).ids == IDS


async def test_the_temperature_is_0_unless_the_role_sets_one() -> None:
    for config, wanted in (({}, 0.0), ({"temperature": 0.7}, 0.7)):
        grader = Grader()
        draft = await write_draft(INTENT, grader.model(**config))
        assert grader.calls[0].config.temperature == wanted
        assert draft.author.settings["temperature"] == wanted
        assert (draft.author.model, len(draft.author.prompt_sha256 or "")) == ("mockllm/model", 64)


async def test_the_hash_is_of_what_is_judged_and_not_of_who_wrote_it() -> None:
    held = await written(Grader())
    other = held.model_copy(update={"author": held.author.model_copy(update={"model": "another"})})
    changed = held.aspects[0].model_copy(update={"text": "Another text"})
    assert held.sha256 == other.sha256
    assert held.sha256 != held.model_copy(update={"aspects": (changed, *held.aspects[1:])}).sha256
    # Frozen: a changed way of hashing would part runs that were judged alike.
    assert held.sha256 == "13d6cbe700a131cfa6032049dd0fddb3a20aaeab39d41f5bb3792eece57e541e"
