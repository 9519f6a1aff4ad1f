"""Sources and replies for the making of data; the scripted grader of the judging tests plays injector and judge."""

from typing import Any

from idrbench_inspect.dataset import AmbiguityPoint, ResearchTask, TargetOrigin
from idrbench_inspect.making.sources import Source
from tests.judging.scripted import Grader

WRITE, JUDGE, LABEL, READ = "underspecified_query", "injection_verdict", "open_points", "point_readings"

ENGLISH = Source(
    id="moss",
    language="en",
    topic="Gardens",
    source_query="Please write a report on moss in roof gardens. Keep to Norway and to the years since 1990, "
    "for builders.",
)
CHINESE = Source(
    id="tai",
    language="zh",
    topic="园艺",
    source_query="请写一份关于屋顶花园里苔藓的报告，只讲挪威，只讲一九九〇年以后的事，读者是建筑工人，最后列一张表。",
)
HALF = "Please write a report on moss in roof gardens in Norway."
HALF_CHINESE = "请写一份关于屋顶花园里苔藓的报告，最后列一张表。"

POINT: dict[str, Any] = {
    "quote": "to the years since 1990",
    "dimension": "time",
    "question": "Which years to cover",
    "alternatives": ["the years since 1990", "the whole twentieth century"],
    "settled": "the years since 1990",
}


def query(text: str, *left_out: str) -> dict[str, Any]:
    return {"left_out": list(left_out), "query": text}


def verdict(said: str = "kept", reason: str = "Nothing is added.") -> dict[str, Any]:
    return {"reason": reason, "verdict": said}


def points(*given: dict[str, Any]) -> dict[str, Any]:
    return {"points": list(given)}


def player(**replies: Any) -> Grader:
    """Accepts a fitting English query with one point, where nothing else is said."""
    plays: dict[str, Any] = {WRITE: [query(HALF, "the years")], JUDGE: [verdict()], LABEL: [points(POINT)]}
    return Grader(**{**plays, **replies})


REPORT = "# Moss on roofs\n\nThis guide keeps to  roofs built in\nNorway since 1990.\n\nMoss holds water."
TASK = ResearchTask(
    id="moss",
    language="en",
    topic="Gardens",
    query=HALF,
    source_query=ENGLISH.source_query,
    target_origin=TargetOrigin(system="hand", model_family="hand"),
    ambiguity=(
        AmbiguityPoint(
            dimension="time",
            question="Which years to cover",
            alternatives=("the years since 1990", "the whole twentieth century"),
            preference="CANARY-preference",
            shown_in="CANARY-shown",
            settled_by="CANARY-settled",
        ),
        AmbiguityPoint(dimension="audience", question="For whom", alternatives=("builders", "gardeners")),
    ),
    report=REPORT,
)


def answered(**changes: Any) -> dict[str, Any]:
    reading = {
        "id": "p1",
        "reason": "It names the years.",
        "answerable": "yes",
        "span": "roofs built in Norway since 1990",
        "preference": "I only want recent roofs, from 1990 on.",
        "alternative": "A",
    }
    return {**reading, **changes}


def unanswered(id_: str = "p2", **changes: Any) -> dict[str, Any]:
    empty = {"span": "", "preference": "", "alternative": ""}
    return {"id": id_, "reason": "It names no reader.", "answerable": "no", **empty, **changes}
