"""Pages that hold the paired report, and pages on blocked domains, found in a log, live and afterwards."""

import math
from typing import Any

import pytest
from inspect_ai import score
from inspect_ai.dataset import Sample
from inspect_ai.log import EvalLog
from inspect_ai.model import ModelOutput
from inspect_ai.scorer import Score
from inspect_ai.solver import TaskState

from idrbench_inspect.dataset import load
from idrbench_inspect.scorers.contamination import KEYS, contamination
from idrbench_inspect.scorers.parameters import BadParameter
from idrbench_inspect.search import Result
from tests import logged_runs as runs
from tests.pipeline import scripted
from tests.pipeline.scripted import Ran, Script, ScriptedSearch, delegate, done, in_turn, overflow, page

REPORT = next(task.report for task in load("mini").tasks if task.id == "en-beekeeping")
PLANTED = REPORT.replace("## ", "## On ").replace(" [1]", "")
ONE = in_turn(delegate("hives"), done())


@pytest.fixture(autouse=True)
def _target(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scripted, "REFERENCE", REPORT)


def searched(*pages: Result, script: Script | None = None, **chosen: Any) -> Ran:
    return scripted.run(script or Script(supervisor=ONE), ScriptedSearch(lambda query: pages), **chosen)


def scored(log: EvalLog, **given: Any) -> Score:
    again = score(log, contamination(**given), action="overwrite", display="none")
    assert again.samples
    assert again.samples[0].scores
    return again.samples[0].scores["contamination"]


def values(found: Score) -> dict[str, float]:
    assert isinstance(found.value, dict)
    assert tuple(found.value) == tuple(KEYS)
    return {key: float(value) for key, value in found.value.items() if isinstance(value, int | float)}


def rows(found: Score) -> list[dict[str, Any]]:
    assert found.metadata
    pages: list[dict[str, Any]] = found.metadata["pages"]
    return pages


def test_a_planted_copy_is_named_with_its_overlap_and_longest_run() -> None:
    found = scored(searched(page("hives"), page("mirror", PLANTED)).log)
    value = values(found)
    assert (value["contaminated"], value["pages_checked"], value["pages_overlapping"]) == (1, 2, 1)
    assert value["highest_overlap"] > 90
    worst, clean = rows(found)
    assert (worst["url"], clean) == (page("mirror").url, {"url": page("hives").url, "overlap": 0.0})
    assert worst["overlap"] == pytest.approx(value["highest_overlap"], abs=0.01)
    assert worst["longest_run"] > 50
    assert page("mirror").url in (found.explanation or "")


def test_other_pages_are_clean_which_is_a_true_zero() -> None:
    value = values(scored(searched(page("hives"), page("honey")).log))
    assert value == {
        "contaminated": 0, "pages_checked": 2, "pages_unchecked": 0, "pages_overlapping": 0, "pages_blocked": 0,
        "pages_dropped": 0, "highest_overlap": 0,
    }  # fmt: skip


def test_the_limit_is_a_parameter() -> None:
    part = page("part", PLANTED[: len(PLANTED) // 10])
    log = searched(part).log
    highest = values(scored(log))["highest_overlap"]
    assert 2 < highest < 20
    assert values(scored(log, limit=highest))["contaminated"] == 1
    assert values(scored(log, limit=highest + 0.1))["contaminated"] == 0
    assert values(scored(log, run_words=1))["highest_overlap"] > highest


def test_a_page_that_was_not_summarised_is_checked_by_what_the_agent_was_given_of_it() -> None:
    extract = page("mirror", PLANTED, missing="no page text")
    script = Script(supervisor=ONE, evaluator=in_turn({"rationale": "r", "ask": False}))
    found = values(scored(searched(page("hives"), extract, script=script, arm="interactive").log))
    assert (found["pages_checked"], found["pages_unchecked"]) == (2, 0)
    assert 5 < found["highest_overlap"] < 30  # the opening of 2,000 characters is all that was kept


def test_after_an_overflow_a_page_counts_once_and_as_it_was_shown_first() -> None:
    script = Script(supervisor=ONE, summarizer=in_turn(overflow(), {"summary": "About bees."}))
    found = values(scored(searched(page("mirror", PLANTED), script=script).log))
    assert found["pages_checked"] == 1
    assert found["highest_overlap"] > 90


def test_a_title_with_line_breaks_hides_neither_address_nor_text() -> None:
    mirror = Result("https://mirror.example.org/x", "The answers\n\nto everything", PLANTED)
    found = scored(searched(mirror).log)
    assert [row["url"] for row in rows(found)] == [mirror.url]
    assert values(found)["highest_overlap"] > 90


def test_a_page_that_was_found_twice_is_one_page() -> None:
    script = Script(supervisor=in_turn(delegate("hives", "honey"), done()))
    assert values(scored(searched(page("mirror", PLANTED), script=script).log))["pages_checked"] == 1


def test_pages_of_blocked_domains_are_counted_when_they_were_read_and_when_they_were_dropped() -> None:
    mirror = page("mirror")
    read = searched(page("hives"), mirror, metadata={"blocked_domains": "none"}).log
    assert values(scored(read))["pages_blocked"] == 0
    found = scored(read, blocked_domains="mirror.example.org")
    assert (values(found)["contaminated"], values(found)["pages_blocked"]) == (1, 1)
    assert [row.get("blocked") for row in rows(found)] == [None, "mirror.example.org"]
    dropped = values(scored(searched(page("hives"), mirror, metadata={"blocked_domains": ["mirror.example.org"]}).log))
    assert (dropped["contaminated"], dropped["pages_blocked"], dropped["pages_dropped"]) == (0, 0, 1)


def test_a_run_without_any_page_is_clean_and_has_no_highest_overlap() -> None:
    value = values(scored(searched().log))
    assert (value["contaminated"], value["pages_checked"]) == (0, 0)
    assert math.isnan(value["highest_overlap"])


def test_a_report_too_short_to_be_compared_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scripted, "REFERENCE", "Bees winter.")
    found = scored(searched(page("hives")).log)
    assert math.isnan(values(found)["contaminated"])
    assert math.isnan(values(found)["pages_checked"])
    assert "too short" in (found.explanation or "")


def test_pages_whose_texts_the_log_does_not_hold_are_unknown_and_not_clean() -> None:
    async def restarted(state: TaskState) -> None:
        runs.settings()
        runs.note("page", hash="h", url="https://a.example/x", title="A", text="A summary.", missing=None)
        runs.leave(state)

    log = runs.run_eval(restarted, contamination())
    value = runs.values(log, "contamination")
    assert (value["pages_checked"], value["pages_unchecked"]) == (0, 1)
    assert math.isnan(value["contaminated"])


def test_of_another_agent_only_the_addresses_in_its_report_are_known() -> None:
    def of(text: str) -> dict[str, float]:
        async def foreign(state: TaskState) -> None:
            state.output = ModelOutput.from_content("m", text)

        return runs.values(runs.run_eval(foreign, contamination(blocked_domains="mirror.example")), "contamination")

    unknown = of("Fares rose [1].\n\n[1] https://a.example/x")
    assert math.isnan(unknown["contaminated"])
    assert (unknown["pages_blocked"], math.isnan(unknown["pages_checked"])) == (0, True)
    named = of("Fares rose ([1](https://data.mirror.example/x)), see https://data.mirror.example/x.")
    assert (named["contaminated"], named["pages_blocked"]) == (1, 1)


@pytest.mark.parametrize(
    "given", [{"limit": 0}, {"limit": 0.05}, {"limit": 101}, {"limit": "x"}, {"run_words": 0}, {"run_characters": 1.5}]
)
def test_a_measure_that_cannot_be_used_is_refused_when_the_scorer_is_made(given: dict[str, Any]) -> None:
    with pytest.raises(BadParameter, match=f"{next(iter(given))}=.* cannot be used"):
        contamination(**given)


def test_a_share_given_for_percent_is_told_what_percent_is_and_a_domain_that_is_none_is_refused_too() -> None:
    with pytest.raises(BadParameter, match="it is percent, from 1 to 100, so that 5 is 5 %"):
        contamination(limit=0.05)
    with pytest.raises(BadParameter, match="blocked_domains names"):
        contamination(blocked_domains="not a host")


def test_a_sample_is_flagged_when_any_of_its_epochs_is() -> None:
    async def foreign(state: TaskState) -> None:
        contaminated = (state.sample_id, state.epoch) in {("a", 2), ("b", 1), ("b", 2)}
        state.output = ModelOutput.from_content(
            "m", "https://mirror.example/x" if contaminated else "https://a.example"
        )

    samples = [Sample(id=name, input="Q", target="Fares rose.") for name in "abc"]
    log = runs.run_eval(foreign, contamination(blocked_domains="mirror.example"), samples, epochs=2)
    row = runs.result(log, "contaminated")
    assert (row.scored_samples, row.unscored_samples) == (2, 1)
    assert row.metrics["idrbench_inspect/flagged"].value == 2
    assert set(row.metrics) == {"idrbench_inspect/flagged"}  # a mean over what is settled would be too high
