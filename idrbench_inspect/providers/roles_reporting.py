"""Reporter: a report put together from the cited sentences of the findings, the person's wishes first."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from idrbench_inspect.prompting import notice
from idrbench_inspect.providers.reading import bare, capital, is_chinese, length, overlap, rarity, terms, unique
from idrbench_inspect.providers.request import Evidence, Request, cited
from idrbench_inspect.providers.roles_research import own_part

_WORDS = {False: 1000, True: 1800}
_REST = 0.2
_NEAR = 0.35
_LEAST = 8
_HEADINGS = {False: "Further points", True: "其他要点"}


@dataclass(frozen=True)
class Section:
    """A heading and what stands under it, in reading order."""

    heading: str
    evidence: tuple[Evidence, ...]


def report(request: Request) -> str:
    """A Markdown report in the language of the request; a short one without claims where nothing was found."""
    title = f"# {capital(request.subject)}"
    found = _usable(request)
    closing = _closing(request)
    if not found or notice("report_nothing") in request.user:
        nothing = (
            "没有找到关于这一主题的资料，因此本文不作任何论断。"
            if request.chinese
            else ("No source on this subject was found, so nothing can be stated about it here.")
        )
        return "\n\n".join([title, nothing, *closing])
    parts = [title]
    for section in _sections(request, found):
        parts += [f"## {section.heading}", *_paragraphs(section.evidence, request.chinese)]
    return "\n\n".join([*parts, *closing])


def _usable(request: Request) -> list[Evidence]:
    """The evidence, each wording once; in the report's language only, if there is any in it."""
    distinct: dict[str, Evidence] = {}
    for item in request.evidence:
        distinct.setdefault(bare(item.text), item)
    every = list(distinct.values())
    return [item for item in every if is_chinese(item.text) == request.chinese] or every


def _sections(request: Request, found: list[Evidence]) -> list[Section]:
    """Sections for the wishes, then for what else was found; without wishes, one for each sub-topic, alike in room."""
    room = _WORDS[request.chinese]
    wished = _wished(request, found, room * (1 - _REST))
    used = [item for section in wished for item in section.evidence]
    rest = [item for item in found if item not in used]
    if wished:
        left = max(room * _REST, room * 0.6 - _room(used))
        further = _chosen(_nearest(request, rest), left, max(0, _LEAST - len(used)))
        return [*wished, *([Section(_HEADINGS[request.chinese], _by_source(further, rest))] if further else [])]
    return _by_topic(request, found, room)


def _by_topic(request: Request, found: list[Evidence], room: float) -> list[Section]:
    """A section per sub-topic; room that one leaves is open to those after it."""
    topics = unique(item.topic for item in found)
    sections, left = [], room
    for number, topic in enumerate(topics):
        own = [item for item in found if item.topic == topic]
        chosen = _chosen(_in_turns(own), left / (len(topics) - number), -(-_LEAST // len(topics)))
        left = max(0.0, left - _room(chosen))
        heading = capital(own_part(topic, request.subject)) or _HEADINGS[request.chinese]
        sections.append(Section(heading, _by_source(chosen, own)))
    return sections


def _wished(request: Request, found: list[Evidence], room: float) -> list[Section]:
    """One section per wish that evidence bears on; evidence goes to the wish that it bears on most."""
    phrases = request.wishes.phrases
    weights = rarity([f"{item.title} {item.text}" for item in found])
    common = terms(request.subject)
    wanted = [[term for term in unique(terms(p)) if term not in common] or terms(p) for p in phrases]
    scores = [[_score(own, item, weights) for own in wanted] for item in found]
    tops = [max((row[i] for row in scores), default=0.0) for i in range(len(phrases))]
    placed: list[list[tuple[float, int]]] = [[] for _ in phrases]
    for number, row in enumerate(scores):
        near = [value / tops[i] if tops[i] > 0 else 0.0 for i, value in enumerate(row)]
        best = max(range(len(near)), key=lambda i: (row[i], -i), default=None)
        if best is not None and near[best] >= _NEAR:
            placed[best].append((-row[best], number))
    filled = [i for i in range(len(phrases)) if placed[i]]
    sections = []
    for i in filled:
        ranked = [found[number] for _, number in sorted(placed[i])]
        chosen = _chosen(ranked, room / len(filled), 3)
        sections.append(Section(capital(phrases[i]), _by_source(chosen, found)))
    return sections


def _score(wanted: Sequence[str], item: Evidence, weights: dict[str, float]) -> float:
    """How much evidence bears on a wish: its own words, and those of the title it stands under and of its sub-topic."""
    return (
        overlap(wanted, item.text, weights)
        + overlap(wanted, item.title, weights)
        + 0.5 * overlap(wanted, item.topic, weights)
    )


def _nearest(request: Request, rest: list[Evidence]) -> list[Evidence]:
    weights = rarity([item.text for item in rest])
    wanted = [*request.wishes.terms, *terms(request.query)]
    return sorted(rest, key=lambda item: -overlap(wanted, f"{item.title} {item.text}", weights))


def _in_turns(own: list[Evidence]) -> list[Evidence]:
    """The evidence of each source in turn, so that none of them takes all the room."""
    taken: dict[tuple[int, ...], int] = {}
    places = []
    for number, item in enumerate(own):
        taken[item.cites] = taken.get(item.cites, 0) + 1
        places.append((taken[item.cites], number))
    return [own[number] for _, number in sorted(places)]


def _chosen(ranked: Sequence[Evidence], room: float, least: int) -> list[Evidence]:
    """The first of `ranked` that fit into `room` words, at least `least` of them if there are as many."""
    kept: list[Evidence] = []
    for item in ranked:
        if len(kept) < least or _room(kept) + length(item.text) <= room:
            kept.append(item)
    return kept


def _room(items: Sequence[Evidence]) -> int:
    return sum(length(item.text) for item in items)


def _by_source(chosen: Sequence[Evidence], every: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """The chosen evidence grouped by source, sources in the order in which they were chosen, sentences as found."""
    sources = unique(item.cites for item in chosen)
    place = {item.text: number for number, item in enumerate(every)}
    return tuple(sorted(chosen, key=lambda item: (sources.index(item.cites), place[item.text])))


def _paragraphs(items: Sequence[Evidence], chinese: bool) -> list[str]:
    groups = unique(item.cites for item in items)
    gap = "" if chinese else " "
    return [gap.join(cited(item.text, item.cites) for item in items if item.cites == group) for group in groups]


def _closing(request: Request) -> list[str]:
    """What the prompt says of an early end and of parts that brought nothing, in a sentence each."""
    reason, lost = _told(request.user, "report_stopped", "reason"), _told(request.user, "report_losses", "topics")
    said = []
    if reason:
        said.append(
            f"研究提前结束：{reason}。" if request.chinese else f"The research was brought to an end early: {reason}."
        )
    if lost:
        said.append(
            f"以下部分没有找到资料：{lost}。" if request.chinese else f"Nothing was found on these parts: {lost}."
        )
    return said


def _told(text: str, name: str, place: str) -> str:
    """What fills a notice in a prompt, on one line and without fences; empty where the notice does not stand."""
    before, after = notice(name, **{place: "\0"}).split("\0")
    found = re.search(re.escape(before) + r"(.*?)" + re.escape(after), text, re.DOTALL)
    inner = re.sub(r'</?[\w-]+ data="[0-9a-f]{16}">', " ", found[1]) if found else ""
    return " ".join(inner.split()).rstrip(".。")
