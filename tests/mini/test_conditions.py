"""What the set shows with the offline model; `pytest -n 0 -s tests/mini/test_conditions.py` prints it task by task."""

from functools import cache

from idrbench_inspect.dataset import load
from idrbench_inspect.metrics.term_overlap import term_overlap
from idrbench_inspect.records import ResearchRun
from tests import door_runs as doors
from tests.mini.audit import Audit

MINI = load("mini")
TASKS = {task.id: Audit(task, MINI) for task in MINI.tasks}

TRIED_OUT = ("en-bicycle-history", "en-urban-tree-planting", "zh-high-speed-rail", "zh-tea")
"""The tasks on which the offline model was tried out while it was made."""

WRITTEN_AFTER = ("en-fingerprints", "en-indigo", "zh-abacus", "zh-imperial-exams")
"""The tasks begun when its last change was made and the other ten were written."""

AMBIGUOUS = [task.id for task in MINI.tasks if task.ambiguity and task.second_user_of is None]
UNAMBIGUOUS = [task.id for task in MINI.tasks if not task.ambiguity]
PAIRS = [(str(task.second_user_of), task.id) for task in MINI.tasks if task.second_user_of is not None]


@cache
def runs() -> dict[tuple[str, str], ResearchRun]:
    """By task and arm, the run; nothing is scored."""
    log = doors.run("idrbench_inspect/paired", task_args={"profile": "mini"}, score=False)
    return {(run.query_id, run.arm): run for run in map(doors.record, doors.samples(log))}


def cited(task: str, arm: str) -> tuple[int, int]:
    """How many wanted and unwanted documents of the task a report cites."""
    found, urls = TASKS[task].labels, {source.url for source in runs()[task, arm].cited}
    return len(urls & found.wanted), len(urls & found.unwanted)


def more_when_asked(tasks: list[str]) -> list[str]:
    """The tasks whose report cites more wanted documents when the user may be asked."""
    return [task for task in tasks if cited(task, "interactive")[0] > cited(task, "autonomous")[0]]


def test_wanted_documents_are_cited_more_when_the_user_may_be_asked() -> None:
    groups = {
        "tried out on": [task for task in AMBIGUOUS if task in TRIED_OUT],
        "not tried out on, written before": [t for t in AMBIGUOUS if t not in (*TRIED_OUT, *WRITTEN_AFTER)],
        "not tried out on, written after": [task for task in AMBIGUOUS if task in WRITTEN_AFTER],
    }
    print("\nwanted / unwanted documents cited: autonomous, interactive")
    for name, tasks in groups.items():
        print(f"{name}: more wanted ones on {len(more_when_asked(tasks))} of {len(tasks)}")
        for task in tasks:
            before, after = cited(task, "autonomous"), cited(task, "interactive")
            print(f"  {task:<26}{before[0]} / {before[1]}   {after[0]} / {after[1]}")
    assert len(AMBIGUOUS) == 12
    assert len(more_when_asked(AMBIGUOUS)) >= 9
    assert len(more_when_asked(groups["not tried out on, written after"])) >= 3


def test_where_nothing_is_open_questions_bring_no_wanted_document() -> None:
    asked = {task: len(runs()[task, "interactive"].exchanges) for task in UNAMBIGUOUS}
    print(f"\nquestions where nothing is open: {asked}")
    assert sorted(asked) == ["en-chess", "zh-shadow-puppets"]
    assert more_when_asked(UNAMBIGUOUS) == []


def test_each_of_two_users_gets_a_report_closer_to_the_own_target() -> None:
    log = doors.run("idrbench_inspect/interactive", task_args={"profile": "mini", "subset": "pairs"}, score=False)
    reports = {task: report or "" for task, report in doors.reports(log).items()}
    print("\nterm F1 with the own target and with the other user's")
    closer = []
    for first, second in PAIRS:
        nearer = []
        for user, against in ((first, second), (second, first)):
            own, other = (term_overlap(TASKS[whose].task.report, reports[user])["f1"] for whose in (user, against))
            print(f"  {user:<28}{own:5.1f}{other:6.1f}")
            nearer.append(own > other)
        closer.append(all(nearer))
    assert len(closer) == 4
    assert sum(closer) >= 3
