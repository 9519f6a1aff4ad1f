"""Planner, evaluator and questioner: what is asked, what is open, and how to ask about it."""

import re
from typing import Any

from idrbench_inspect.providers.dimensions import left_open, named, open_facets, short_title
from idrbench_inspect.providers.reading import listed, overlap
from idrbench_inspect.providers.request import Request, titles
from idrbench_inspect.providers.wishes import exchanged, write_brief

_ENOUGH = 2
_SEVERAL = 3
_LAST_STAGE = re.compile(r"after the research|before the report", re.IGNORECASE)
_STAGE = re.compile(r"stage of the work:\s*(\w+)", re.IGNORECASE)


def research_brief(request: Request) -> dict[str, Any]:
    """The request in its own words, the wishes as said, and the dimensions that both leave open."""
    still = named(left_open(request.query, request.wishes), request.chinese)
    return {"research_brief": write_brief(request.query, request.wishes, still)}


def verdict(request: Request) -> dict[str, Any]:
    """Whether to ask: at planning if two dimensions are open and nothing was said, later if findings open enough."""
    if not request.has("brief"):
        return _on_planning(request)
    if _LAST_STAGE.search(request.system):
        return _on_generation(request)
    found = _open(request)
    ask = len(found) >= _ENOUGH
    return {"rationale": _rationale(request, found, "The findings opened", "研究发现了尚未确定的方面"), "ask": ask}


def _on_planning(request: Request) -> dict[str, Any]:
    still = named(left_open(request.query, request.wishes), request.chinese)
    said = bool(request.wishes.phrases or exchanged(request.blocks))
    return {
        "rationale": _rationale(request, still, "The request leaves open", "请求中尚未确定的有"),
        "ask": len(still) >= 2 and not said,
    }


def _on_generation(request: Request) -> dict[str, Any]:
    found = titles(request.findings)
    wanted = [title for title in found if overlap(request.wishes.terms, title)]
    ranked = 0 < len(wanted) < len(found)
    ask = len(found) >= _SEVERAL and not ranked
    open_now = [] if ranked else found
    return {
        "rationale": _rationale(
            request, open_now, "No wish ranks these parts of the findings:", "尚无偏好区分轻重的部分"
        ),
        "ask": ask,
    }


def _rationale(request: Request, what: list[str], lead: str, chinese_lead: str) -> str:
    shown = [short_title(item) for item in what[:5]]
    if request.chinese:
        return f"{chinese_lead}：{listed(shown, True)}。" if shown else "没有仍待确定的方面。"
    return f"{lead} {listed(shown, False)}." if shown else "Nothing that would change the work is open."


def _open(request: Request) -> list[str]:
    """The titles found of which neither the request, nor a wish, nor an earlier question speaks."""
    said = "\n".join([request.query, *request.wishes.said, exchanged(request.blocks)])
    return open_facets(titles(request.findings), request.subject, said)


def clarification(request: Request) -> dict[str, Any]:
    """A summary of where the work stands, and one or two questions with alternatives."""
    stage = _STAGE.search(request.plain)
    found = titles(request.findings)
    if (stage and stage[1].lower() == "planning") or not found:
        return _ask_about_dimensions(request)
    fresh = _open(request)
    facets = [short_title(title) for title in (fresh if len(fresh) > 1 else found)]
    last = stage is not None and stage[1].lower() == "generation"
    return _ask_about_facets(request, facets, last)


def _ask_about_dimensions(request: Request) -> dict[str, Any]:
    about, still = request.subject, left_open(request.query, request.wishes)
    wider = [name for name in still if name in ("time", "region", "audience")]
    if request.chinese:
        summary = (
            f"关于“{about}”的主题已经明确，但{listed(named(still, True), True)}还没有说明。"
            if still
            else f"主题是“{about}”。"
        )
        questions = ["哪个方面应当作为重点：来历与发展、实际做法，还是影响与争议？"]
        if wider:
            questions.append(f"是否限定{listed(named(wider, True), True, '或')}？如有，请说明是哪些。")
        return _worded(summary, questions)
    summary = f'The subject, "{about}", is clear.'
    if still:
        summary = f'The subject, "{about}", is clear; the request leaves open {listed(named(still, False), False)}.'
    questions = [
        "Which side should get most room: how it came about, how it is done in practice, or what its effects are?"
    ]
    if wider:
        questions.append(f"Should it be limited as to {listed(named(wider, False), False, 'or')}, and if so, to what?")
    return _worded(summary, questions)


def _ask_about_facets(request: Request, facets: list[str], last: bool) -> dict[str, Any]:
    offered, rest = facets[:3], facets[3:5]
    if request.chinese:
        quoted, other = [f"“{f}”" for f in offered], [f"“{f}”" for f in rest]
        summary = f"目前找到的资料涉及{listed(quoted + other, True)}。"
        first = "最先写、篇幅最多的应当是" if last else "接下来应当重点深入的是"
        questions = [f"{first}{listed(quoted, True, '还是')}？"]
        if other and not last:
            questions.append(f"{listed(other, True, '或')}也要写进去，还是可以略去？")
        return _worded(summary, questions)
    quoted, other = [f'"{f}"' for f in offered], [f'"{f}"' for f in rest]
    summary = f"The material found so far deals with {listed(quoted + other, False)}."
    first = "Which should come first and take most room" if last else "Which of these should be followed further"
    questions = [f"{first}: {listed(quoted, False, 'or')}?"]
    if other and not last:
        questions.append(f"Should {listed(other, False, 'or')} be treated as well, or left out?")
    return _worded(summary, questions)


def _worded(summary: str, questions: list[str]) -> dict[str, Any]:
    return {"summary": summary, "question": questions[0], "second_question": questions[1] if questions[1:] else ""}
