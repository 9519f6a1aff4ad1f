"""Supervisor and researcher: which sub-topics to give out, which queries to send, and when to stop."""

import re
from dataclasses import dataclass, field
from typing import Any

from idrbench_inspect.providers.dimensions import open_facets, own_terms, short_title
from idrbench_inspect.providers.reading import bare, capital, overlap, sentences, terms, unique
from idrbench_inspect.providers.request import Request, titles
from idrbench_inspect.providers.wishes import preferences

Call = tuple[str, dict[str, Any]]

_ROUNDS = 2
_SOURCES = 4
GENERAL = {
    False: (
        "history and development", "kinds and differences", "practice and methods",
        "effects and debates", "people and institutions", "present state and outlook",
    ),
    True: ("历史与发展", "种类与差别", "做法与过程", "影响与争议", "人物与机构", "现状与前景"),
}  # fmt: skip
_BACKGROUND = re.compile(r"(?:I|We|My|Our)\b|我")
_WISHING = re.compile(
    r"\b(?:want|would|need|interest\w*|like|prefer|wish|please)\b|想|希望|需要|请|关心", re.IGNORECASE
)
_UP_TO = re.compile(r"(?:up to|at most|no more than|maximum of|max\.?)\s*(\d+)", re.IGNORECASE)


@dataclass(frozen=True)
class Turn:
    """What a role does in one turn: tool calls, or the end of its work with a word about why."""

    calls: list[Call] = field(default_factory=list)
    done: str = ""


def supervise(request: Request) -> Turn:
    """Delegate wishes that no sub-topic serves; in the first two rounds, parts of the request and general ones too."""
    limit = limit_for(request.system, "conduct_research", 3)
    rounds = request.calls("conduct_research")
    given = [str(call.arguments.get("topic", "")) for calls in rounds for call in calls]
    wanted = _ungiven([_topic(request, text) for text in request.wishes.phrases], given)
    if wanted or not rounds:
        fill = [] if rounds else _ungiven(_planned(request), wanted)
        return _delegate([*wanted, *fill][:limit])
    if len(rounds) >= _ROUNDS:
        return Turn(done="The brief is served by the findings.")
    more = _ungiven([*_opened(request, given), *_planned(request)], given)[:limit]
    return _delegate(more) if more else Turn(done="Nothing is left to delegate.")


def _delegate(topics: list[str]) -> Turn:
    return Turn([("conduct_research", {"topic": topic}) for topic in topics])


def _topic(request: Request, part: str) -> str:
    joint = "：" if request.chinese else ": "
    return f"{capital(request.subject)}{joint}{part}"


def _ungiven(topics: list[str], given: list[str]) -> list[str]:
    taken = {bare(topic) for topic in given}
    return [topic for topic in unique(topics) if bare(topic) not in taken]


def _planned(request: Request) -> list[str]:
    """The request's own parts, then general ones."""
    return [_topic(request, part) for part in (*aspects(request), *GENERAL[request.chinese])]


def _opened(request: Request, given: list[str]) -> list[str]:
    """Sub-topics after titles in the findings of which no sub-topic so far speaks."""
    found = open_facets(titles(request.findings), request.subject, "\n".join(given))
    return [_topic(request, short_title(title)) for title in found]


def aspects(request: Request) -> list[str]:
    """The parts into which the request itself divides: what its sentences ask for beyond the subject, as phrases."""
    common = terms(request.subject)
    asking = [s for s in sentences(request.query) if not _BACKGROUND.match(s) or _WISHING.search(s)]
    parts = [part for sentence in asking for part in preferences(sentence.rstrip("?？"))]
    return [part for part in parts if sum(term not in common for term in unique(terms(part))) >= 2]


def limit_for(system: str, tool: str, default: int) -> int:
    """The number that a system prompt states for a tool, as in "call `search` up to 5 times", or the default.

    Only a number behind the tool's name in the same line counts, and 0 counts as none.
    """
    for line in system.splitlines():
        found = _UP_TO.search(line, line.index(tool)) if tool in line else None
        if found and int(found[1]) > 0:
            return int(found[1])
    return default


def research(request: Request) -> Turn:
    """Search for the sub-topic; once more in wider words if few sources came; then stop."""
    limit = min(3, limit_for(request.system, "search", 3))
    made = request.calls("search")
    sent = [str(query) for calls in made for call in calls for query in _listed(call.arguments.get("queries"))]
    urls = unique(source.url for source in request.sources)
    if made and (len(urls) >= _SOURCES or len(made) > 1):
        return Turn(done=f"{len(urls)} sources found.")
    wanted = _queries(request) if not made else _wider(request)
    queries = [query for query in unique(wanted) if query and query not in sent][:limit]
    return Turn([("search", {"queries": queries})]) if queries else Turn(done=f"{len(urls)} sources found.")


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _queries(request: Request) -> list[str]:
    """The sub-topic whole, then the wishes near it, or its own part alone; a general part goes with the subject."""
    topic = request.block("topic") or request.query
    part = own_part(topic, request.subject)
    if part in GENERAL[request.chinese]:
        return [_spaced(request, part), request.subject]
    own = own_terms(part, terms(request.subject))
    near = [text for text in request.wishes.phrases if overlap(own, text)]
    whole = _spaced(request, part) if part != topic else topic
    return [whole[:300], part[:300], *(text for text in near if text != part)]


def _spaced(request: Request, part: str) -> str:
    return f"{request.subject}{part}" if request.chinese else f"{request.subject} {part}"


def _wider(request: Request) -> list[str]:
    topic = request.block("topic") or request.query
    own = [term for term in unique(terms(topic)) if term not in terms(request.subject)]
    return [request.subject, " ".join(own[:4])]


def own_part(topic: str, subject: str) -> str:
    """A sub-topic without the subject put before it; the whole where there is none."""
    for joint in (": ", "："):
        head, found, rest = topic.partition(joint)
        if found and rest and bare(head) == bare(subject):
            return rest
    return topic
