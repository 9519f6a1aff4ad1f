"""The mini set keeps to what its card says; `pytest -n 0 -s tests/mini/test_audit.py` prints the facts task by task."""

import re
from statistics import mean

import pytest

from idrbench_inspect.dataset import ResearchTask, load
from tests.mini.audit import Audit, share_chinese

MINI = load("mini")
ALL = [Audit(task, MINI) for task in MINI.tasks]
FIRST = [audit for audit in ALL if audit.task.second_user_of is None]
SECOND = [audit for audit in ALL if audit.task.second_user_of is not None]
AMBIGUOUS = [audit for audit in FIRST if audit.task.ambiguity]

REPORT = {"en": (1000, 1800), "zh": (2000, 3500)}
DOCUMENT = {"en": (150, 400), "zh": (300, 700)}
LONGEST_RUN = {"en": 8, "zh": 16}
RESERVED = re.compile(r"https://(?:[a-z-]+\.)*(?:example\.(?:com|org|net)|[a-z-]+\.example)/[a-z0-9-]+")


def named(audit: Audit) -> str:
    return audit.task.id


every_task = pytest.mark.parametrize("audit", ALL, ids=named)


def test_the_facts_are_printed() -> None:
    columns = (
        "task",
        "query",
        "source",
        "compr.",
        "report",
        "cited",
        "run",
        "wanted",
        "unwanted",
        "AUC q",
        "AUC s",
        "pts",
    )
    print("\n" + "{:<31}{:>6}{:>7}{:>7}{:>7}{:>6}{:>4}  {:<8}{:<9}{:>6}{:>6}{:>4}".format(*columns))
    for audit in ALL:
        task, found = audit.task, audit.labels
        wanted, unwanted = audit.lengths(found.wanted), audit.lengths(found.unwanted)
        print(
            f"{task.id:<31}{len(task.query):>6}{len(task.source_query):>7}{task.compression:>7.2f}"
            f"{audit.report_length:>7}{len(audit.cited):>6}{audit.longest_run:>4}  "
            f"{f'{len(wanted)}x{mean(wanted):.0f}':<8}{f'{len(unwanted)}x{mean(unwanted):.0f}':<9}"
            f"{audit.auc(task.query):>6.2f}{audit.auc(task.source_query):>6.2f}{len(task.ambiguity):>4}"
        )
    print(
        f"mean AUC, {len(AMBIGUOUS)} ambiguous tasks: {mean(a.auc(a.task.query) for a in AMBIGUOUS):.2f} by the query"
    )
    assert len(ALL) == len(FIRST) + len(SECOND)


def test_there_are_seven_tasks_a_language_and_a_topic_each() -> None:
    assert [sum(a.task.language == language for a in FIRST) for language in ("en", "zh")] == [7, 7]
    assert len({a.task.topic for a in FIRST}) == 14


def test_two_tasks_leave_nothing_open_and_the_others_three_to_six_things() -> None:
    assert sorted(a.task.language for a in FIRST if not a.task.ambiguity) == ["en", "zh"]
    assert all(3 <= len(a.task.ambiguity) <= 6 for a in AMBIGUOUS + SECOND)


def test_compression_spreads_from_a_tenth_to_nine_tenths() -> None:
    assert {int(10 * a.task.compression) for a in FIRST} == set(range(1, 9))
    assert all(0.1 <= a.task.compression <= 0.9 for a in ALL)


@every_task
def test_reports_and_documents_have_the_stated_length(audit: Audit) -> None:
    language = audit.task.language
    assert REPORT[language][0] <= audit.report_length <= REPORT[language][1]
    lengths = audit.lengths(audit.labels.wanted | audit.labels.unwanted)
    assert DOCUMENT[language][0] <= lengths[0]
    assert lengths[-1] <= DOCUMENT[language][1]


@every_task
def test_texts_are_in_the_language_of_the_task(audit: Audit) -> None:
    texts = [audit.task.query, audit.task.source_query, audit.task.report]
    texts += [audit.documents[url].text for url in audit.labels.wanted | audit.labels.unwanted]
    assert all((share_chinese(text) > 0.7) == (audit.task.language == "zh") for text in texts)
    assert audit.task.language == "zh" or all(share_chinese(text) < 0.02 for text in texts)


@every_task
def test_reports_have_headings_and_cite_wanted_documents_alone(audit: Audit) -> None:
    assert len(audit.headings) >= 4
    assert len(set(audit.headings)) == len(audit.headings)
    assert audit.cited == set(audit.sources) == set(range(1, len(audit.sources) + 1))
    assert len(audit.sources) >= 5
    assert set(audit.sources.values()) <= audit.labels.wanted


@every_task
def test_a_report_shares_no_long_run_of_words_with_any_document(audit: Audit) -> None:
    assert audit.longest_run <= LONGEST_RUN[audit.task.language]


@every_task
def test_documents_for_both_sides_are_as_many_and_as_long(audit: Audit) -> None:
    wanted, unwanted = (audit.lengths(urls) for urls in (audit.labels.wanted, audit.labels.unwanted))
    assert len(wanted) == len(unwanted) >= 5
    assert 0.93 <= mean(wanted) / mean(unwanted) <= 1.07


def test_every_document_belongs_to_one_task_and_lives_on_a_reserved_domain() -> None:
    belonging = [url for audit in FIRST for url in (*audit.labels.wanted, *audit.labels.unwanted)]
    assert sorted(belonging) == sorted(ALL[0].documents)
    assert all(RESERVED.fullmatch(url) for url in belonging)
    assert len({document.title for document in ALL[0].documents.values()}) == len(belonging)


def test_the_query_cannot_tell_wanted_from_unwanted_and_the_source_query_can() -> None:
    assert 0.4 <= mean(a.auc(a.task.query) for a in AMBIGUOUS) <= 0.6
    assert all(a.auc(a.task.source_query) > 0.8 for a in ALL)


@every_task
def test_every_point_is_shown_by_the_report_and_preferred_among_alternatives(audit: Audit) -> None:
    points = audit.task.ambiguity
    assert len({point.question for point in points}) == len(points)
    for point in points:
        assert point.shown_in is not None
        assert point.shown_in in audit.task.report, point.shown_in
        assert len(set(point.alternatives)) == len(point.alternatives)


def first_of(second: Audit) -> Audit:
    return next(audit for audit in FIRST if audit.task.id == second.task.second_user_of)


def test_four_tasks_have_a_second_user_who_wants_the_other_documents() -> None:
    assert sorted(audit.task.language for audit in SECOND) == ["en", "en", "zh", "zh"]
    for second in SECOND:
        first = first_of(second)
        assert second.task.query == first.task.query
        assert (second.labels.wanted, second.labels.unwanted) == (first.labels.unwanted, first.labels.wanted)
        assert second.task.source_query != first.task.source_query
    pairs = [task.id for task in MINI.tasks if "pairs" in task.subsets]
    assert sorted(pairs) == sorted([a.task.id for a in SECOND] + [first_of(a).task.id for a in SECOND])


def preferences(task: ResearchTask) -> set[str]:
    return {str(point.preference) for point in task.ambiguity}


def test_second_users_share_no_preference_with_the_first() -> None:
    assert all(not preferences(a.task) & preferences(first_of(a).task) for a in SECOND)
