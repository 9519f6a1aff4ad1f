"""One call as the model sees it: its messages and what stands fenced in them, and nothing else."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from inspect_ai.model import ChatMessage, ChatMessageAssistant, ChatMessageTool
from inspect_ai.tool import ToolCall

from idrbench_inspect.prompting import fenced
from idrbench_inspect.providers.reading import CITATION, full_sentences, is_chinese, phrase, sentences, terms
from idrbench_inspect.providers.wishes import Block, Wishes, request_in, wishes

_SOURCE = re.compile(r"^\[(\d+)\][ \t]*(\S.*)\n(\S+://\S+)[ \t]*$", re.MULTILINE)
_BEHIND = re.compile(r"[.!?。！？][\"”’]*\s*(?:\[\d+\])+\s*$")
_FENCE_LINE = re.compile(r'<([\w-]+) data="([0-9a-f]{16})">\n.*?\n</\1 data="\2">', re.DOTALL)
_REQUEST = re.compile(
    r"(?:report|overview|review|article|essay|account|survey|paper)\s+(?:on|of|about)\b|关于|介绍|研究", re.IGNORECASE
)


@dataclass(frozen=True)
class Reading:
    """A source as shown in a prompt: its number, title and address, and the text under them."""

    number: int
    title: str
    url: str
    text: str


@dataclass(frozen=True)
class Evidence:
    """A sentence of a finding: its words, the numbers behind it, the finding's topic and the title it stands under."""

    text: str
    cites: tuple[int, ...]
    topic: str
    title: str


class Request:
    """What one call asks, read from its messages.

    Args:
        messages: The call's messages. Blocks of user messages are the prompt; tool messages hold results.
    """

    def __init__(self, messages: Sequence[ChatMessage]) -> None:
        self.messages = messages
        self.system = "\n".join(m.text for m in messages if m.role == "system")
        self.user = "\n".join(m.text for m in messages if m.role == "user")
        self.blocks: list[Block] = fenced(self.user)
        self.results = [m for m in messages if isinstance(m, ChatMessageTool)]

    def block(self, *kinds: str) -> str:
        """The first block of any of the kinds, in the order named; empty when there is none."""
        return next((text for kind in kinds for named, text in self.blocks if named == kind), "")

    def has(self, kind: str) -> bool:
        """Whether the prompt holds a block of a kind."""
        return any(named == kind for named, _ in self.blocks)

    @cached_property
    def plain(self) -> str:
        """The user text outside all fences."""
        return _FENCE_LINE.sub(" ", self.user)

    @cached_property
    def query(self) -> str:
        """The person's request: as it stands, or as the brief carries it; the user text where neither is there."""
        return self.block("query") or request_in(self.block("brief")) or self.block("topic", "question") or self.plain

    @cached_property
    def wishes(self) -> Wishes:
        """The person's stated preferences."""
        return wishes(self.blocks)

    @cached_property
    def chinese(self) -> bool:
        """Whether the person writes Chinese."""
        return is_chinese(self.query)

    @cached_property
    def subject(self) -> str:
        """What the request is about, as a short phrase of its own words."""
        return subject(self.query)

    @cached_property
    def sources(self) -> list[Reading]:
        """The sources shown, in the prompt and in tool results, each number and address once."""
        texts = [text for kind, text in self.blocks if kind in ("source", "sources", "notes")]
        for result in self.results:
            texts += [text for kind, text in fenced(result.text) if kind in ("source", "sources")]
        found: dict[tuple[int, str], Reading] = {}
        for reading in (reading for text in texts for reading in readings(text)):
            found.setdefault((reading.number, reading.url), reading)
        return list(found.values())

    @cached_property
    def evidence(self) -> list[Evidence]:
        """The cited sentences of all findings shown, in order, each text once."""
        found: dict[str, Evidence] = {}
        for text in self.findings:
            for item in evidence(text):
                found.setdefault(item.text, item)
        return list(found.values())

    @cached_property
    def findings(self) -> list[str]:
        """The findings shown, in the prompt and in tool results, each once."""
        shown = [text for kind, text in self.blocks if kind in ("finding", "findings")]
        for result in self.results:
            shown += [text for kind, text in fenced(result.text) if kind == "finding"]
        return list(dict.fromkeys(shown))

    def calls(self, function: str) -> list[list[ToolCall]]:
        """The calls of one tool made so far, one list per assistant message that made any."""
        made = [
            [call for call in m.tool_calls or () if call.function == function]
            for m in self.messages
            if isinstance(m, ChatMessageAssistant)
        ]
        return [calls for calls in made if calls]


def readings(text: str) -> list[Reading]:
    """The sources in a text of the form "[n] Title", address, blank line, text, one after another."""
    heads = list(_SOURCE.finditer(text))
    ends = [head.start() for head in heads[1:]] + [len(text)]
    return [
        Reading(int(head[1]), head[2].strip(), head[3], text[head.end() : end].strip())
        for head, end in zip(heads, ends, strict=False)
    ]


def evidence(finding: str) -> list[Evidence]:
    """The sentences of a finding with the numbers they cite; under a source's own head, its number.

    Numbers behind the last stop of an otherwise uncited paragraph hold for all of it; a sentence without a number is no
    evidence and is left out.
    """
    topic, _, body = finding.partition("\n")
    quoted = readings(body)
    if quoted:
        return [
            Evidence(s, (r.number,), topic, r.title) for r in quoted for s in full_sentences(CITATION.sub("", r.text))
        ]
    found: list[Evidence] = []
    title = ""
    for paragraph in re.split(r"\n\s*\n", body):
        for line in paragraph.splitlines():
            title = line.lstrip("# ").strip() if line.startswith("#") else title
        found += _cited_in(paragraph, topic, title)
    return found


def _cited_in(paragraph: str, topic: str, title: str) -> list[Evidence]:
    """The cited sentences of a paragraph; numbers that stand alone behind its last stop are those of all of it."""
    every = sentences(paragraph)
    numbers = [tuple(dict.fromkeys(int(n) for n in CITATION.findall(s))) for s in every]
    if every and not any(numbers[:-1]) and _BEHIND.search(paragraph):
        numbers = [numbers[-1]] * len(every)
    return [
        Evidence(CITATION.sub("", sentence).strip(), cites, topic, title)
        for sentence, cites in zip(every, numbers, strict=True)
        if cites and full_sentences(sentence)
    ]


def titles(findings: Sequence[str]) -> list[str]:
    """The titles under which findings stand, each once, in order; of a finding without any, its topic."""
    found: list[str] = []
    for text in findings:
        heads = [line.lstrip("# ").strip() for line in text.splitlines() if line.startswith("#")]
        heads += [reading.title for reading in readings(text)]
        found += heads or [text.partition("\n")[0].strip()]
    return list(dict.fromkeys(head for head in found if head))


def cited(sentence: str, numbers: Sequence[int]) -> str:
    """A sentence with numbers in brackets before its closing mark."""
    marks = "".join(f"[{n}]" for n in numbers)
    body = sentence.rstrip("\"”’')」』）") if sentence[-1:] in "\"”’')」』）" else sentence
    tail = sentence[len(body) :]
    stop = body[-1:] if body[-1:] in ".!?。！？" else ""
    body = body.removesuffix(stop) if stop else body
    gap = "" if is_chinese(sentence) else " "
    return f"{body}{tail}{gap}{marks}{stop}" if tail else f"{body}{gap}{marks}{stop}"


def subject(query: str) -> str:
    """What a request is about: a phrase of the clause whose terms recur most; one that asks for a report first."""
    counts: dict[str, int] = {}
    for term in terms(query):
        counts[term] = counts.get(term, 0) + 1
    best, best_score = "", -1.0
    for sentence in sentences(query):
        for clause in re.split(r"[,，;；:：]|\bthat\b|\bwhich\b", sentence):
            named = terms(clause)
            if not named:
                continue
            asking = _REQUEST.search(clause) is not None
            score = sum(counts[t] > 1 for t in dict.fromkeys(named)) + 3 * asking
            if score > best_score:
                best, best_score = clause, score
    return phrase(best, 8) or query.strip()[:60]
