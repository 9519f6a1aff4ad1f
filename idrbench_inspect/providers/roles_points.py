"""The judge of ambiguity points: which alternative's terms a report's sentences hold most of."""

import re
from dataclasses import dataclass
from typing import Any

from idrbench_inspect.providers.reading import is_chinese, phrase, share, terms
from idrbench_inspect.providers.request import Request

_POINT = re.compile(r"^(\S+) \[\w+\] (.*)$")
_CHOICE = re.compile(r"^  ([A-Z]): (.*)$")
_ENOUGH = 0.5
_LEAST_SPAN = 4
_WORDS = 5


@dataclass(frozen=True)
class Shown:
    """A passage and how much of an alternative it shows: the share of its terms, 0 to 1."""

    held: float
    letter: str
    choice: str
    passage: str


def point_readings(request: Request) -> dict[str, Any]:
    """Answered where a line or sentence of the report holds half of an alternative's terms, more than of any other."""
    passages = _passages(request.block("report"))
    readings = []
    for id_, choices in _points(request.block("points")).items():
        shown = [_best(letter, choice, passages) for letter, choice in choices]
        shown.sort(key=lambda one: -one.held)
        clear = bool(shown) and shown[0].held >= _ENOUGH and (len(shown) < 2 or shown[0].held > shown[1].held)
        readings.append(_answered(id_, shown[0]) if clear else _open(id_, request.chinese))
    return {"points": readings}


def _points(listing: str) -> dict[str, list[tuple[str, str]]]:
    points: dict[str, list[tuple[str, str]]] = {}
    for line in listing.splitlines():
        if head := _POINT.match(line):
            points[head[1]] = []
        elif points and (choice := _CHOICE.match(line)):
            points[next(reversed(points))].append((choice[1], choice[2]))
    return points


def _passages(report: str) -> list[str]:
    """The sentences of a report's lines as they are written, headings among them."""
    lines = [line.strip(" #*->|") for line in report.splitlines()]
    pieces = [piece.strip() for line in lines for piece in re.split(r"(?<=[.!?])\s+|(?<=[。！？])", line)]
    return [piece for piece in pieces if len(piece) >= _LEAST_SPAN and terms(piece)]


def _best(letter: str, choice: str, passages: list[str]) -> Shown:
    wanted = terms(choice)
    scored = [Shown(share(wanted, terms(passage)), letter, choice, passage) for passage in passages]
    return max(scored, key=lambda one: one.held, default=Shown(0.0, letter, choice, ""))


def _answered(id_: str, shown: Shown) -> dict[str, Any]:
    said = phrase(shown.choice, _WORDS)
    if is_chinese(shown.choice):
        wish, reason = f"我想要的是{said}。", f"报告中有{shown.held:.0%}的词与该选项相同的句子。"
    else:
        wish, reason = f"I mostly want {said}.", f"A passage holds {shown.held:.0%} of the terms of this alternative."
    return {
        "id": id_,
        "reason": reason,
        "answerable": "yes",
        "span": shown.passage,
        "preference": wish,
        "alternative": shown.letter,
    }


def _open(id_: str, chinese: bool) -> dict[str, Any]:
    reason = "没有一个选项比其他选项更明显。" if chinese else "No alternative is shown more clearly than another."
    return {"id": id_, "reason": reason, "answerable": "no", "span": "", "preference": "", "alternative": ""}
