"""The user's side: a reply from what the person has in mind or from the request alone, and a condensed reference."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from idrbench_inspect.prompting import notice
from idrbench_inspect.providers.dimensions import asked_about, left_open, settled
from idrbench_inspect.providers.reading import (
    best_first,
    full_sentences,
    is_chinese,
    overlap,
    phrase,
    rarity,
    terms,
    unique,
)
from idrbench_inspect.providers.request import Request
from idrbench_inspect.providers.wishes import Wishes, exchanged

_MOST = 3
_LONGEST = {False: 8, True: 20}
_HEADING = re.compile(r"^#{2,3}\s+(.*\S)\s*$", re.MULTILINE)
_NUMBER = re.compile(
    r"^\W*(?:\d+(?:\.\d+)*[.)、]?\s+|\d+[.)、]|[一二三四五六七八九十]+、|第[一二三四五六七八九十]+(?:部分"
    r"|[章节步])[：:\s]*)"
)
_PLAIN = re.compile(
    r"^(?:sources?|references?|bibliography|introduction|conclusions?|summary|abstract|overview|contents?|"
    r"key takeaways|executive summary|参考(?:文献|来源|资料)|来源|引言|前言|导言|结论|结语|总结|小结|摘要|概述|目录)$",
    re.IGNORECASE,
)
_JOINTS = ("at", "in", "of", "for", "from", "during", "with", "by", "to", "that", "which", "–", "—", "-")
_OFFERED = re.compile(r"[\"“]([^\"”]+)[\"”]")


@dataclass(frozen=True)
class Part:
    """A part of what the person has in mind: its heading as one would say it, and its text."""

    name: str
    text: str


def user_reply(request: Request) -> str:
    """The parts of the reference that bear on the question, at most three and none twice, as wishes of one's own.

    No preference is stated where no part bears on it. Nothing but the parts' names is taken from the reference.
    """
    question = request.block("question")
    chinese = is_chinese(question)
    said = exchanged(request.blocks)
    parts = [part for part in _parts(request.block("reference")) if _new(part, said)]
    chosen = _bearing(parts, question, request.query)
    if not chosen:
        return notice("neutral_zh" if chinese else "neutral_en")
    return _worded(chosen, chinese, corrects=not _offered(question, chosen))


def _parts(reference: str) -> list[Part]:
    """The headed parts of a reference; where it has no headings, its sentences' own phrases."""
    heads = list(_HEADING.finditer(reference))
    ends = [head.start() for head in heads[1:]] + [len(reference)]
    found = [
        Part(name, reference[head.end() : end])
        for head, end in zip(heads, ends, strict=False)
        if (name := _spoken(head[1], reference)) and not _PLAIN.match(name)
    ]
    if heads:
        return found
    return [Part(name, s) for s in full_sentences(reference) if (name := _spoken(phrase(s, 6), reference))]


def _spoken(heading: str, reference: str) -> str:
    """A heading as said, without its number and marks: at most eight words or twenty Chinese characters, since a longer
    run would be a quotation. Its first letter is small where the reference writes the word so elsewhere.
    """
    name = re.sub(r"[*_`#\[\]]|（[^）]*）|\([^)]*\)", "", _NUMBER.sub("", heading)).strip(" .:：。")
    if is_chinese(name):
        parts = [part for part in re.split(r"[：:]", name) if terms(part)]
        name = parts[0][: _LONGEST[True]] if parts else ""
    elif len(name.split()) > _LONGEST[False]:
        name = _clipped(name)
    first = re.match(r"[A-Z][a-z]+", name)
    if first and re.search(rf"\b{first[0].lower()}\b", reference):
        name = first[0].lower() + name[first.end() :]
    return name if terms(name) else ""


def _clipped(name: str) -> str:
    """The opening of a long heading up to a joint, as soon as it says enough."""
    words = name.split()[: _LONGEST[False]]
    for place, word in enumerate(words):
        said = " ".join(words[:place])
        if (word.lower() in _JOINTS or said.endswith((":", ";", ","))) and len(terms(said)) >= 2:
            return said.rstrip(":;,")
    return " ".join(words).rstrip(":;,")


def _new(part: Part, said: str) -> bool:
    edge = "" if is_chinese(part.name) else r"\b"
    return not re.search(f"{edge}{re.escape(part.name)}{edge}", said, re.IGNORECASE)


def _bearing(parts: Sequence[Part], question: str, query: str) -> list[Part]:
    """Parts by how much of the question they hold: in the name first, in the text next.

    A question about a dimension in general words draws the parts that show it, then any part; another question draws
    only parts whose name it touches, or whose text holds two of its terms that not every part holds.
    """
    weights = rarity([f"{part.name}\n{part.text}" for part in parts])
    wanted = [term for term in unique(terms(question)) if term not in terms(query)]
    telling = [term for term in wanted if term in weights and weights[term] > 1.0]
    general = asked_about(question)
    scores = []
    for part in parts:
        named, held = overlap(wanted, part.name, weights), overlap(telling, part.text, weights)
        touched = sum(term in dict.fromkeys(terms(part.text)) for term in telling) >= 2
        score = 3 * named + (held if named or touched or general else 0.0)
        score += sum(name in settled(part.name) for name in general if name not in ("scope", "emphasis"))
        scores.append(score + (0.01 if general else 0.0))
    ranked = best_first([part.name for part in parts], scores, _MOST)
    by_name = {part.name: part for part in reversed(parts)}
    return [by_name[name] for name in ranked]


def _offered(question: str, chosen: Sequence[Part]) -> bool:
    """Whether the question offers no alternatives, or one that bears on a chosen part."""
    asked = [line for line in question.splitlines() if "?" in line or "？" in line]
    options = [option for line in asked for option in _OFFERED.findall(line)]
    return not options or any(overlap(terms(option), part.name) for option in options for part in chosen)


def _worded(chosen: Sequence[Part], chinese: bool, corrects: bool) -> str:
    names = [part.name for part in chosen]
    if chinese:
        frames = ("我主要关心{}。", "我还想了解{}。", "另外也希望包括{}。")
        opening = "这些都不是我的重点。" if corrects else ""
        return opening + "".join(frame.format(name) for frame, name in zip(frames, names, strict=False))
    frames = ("I am mostly interested in {}.", "I would also like to see {}.", "And {} should be included.")
    correction = ["None of these is what I mainly want."] if corrects else []
    return " ".join([*correction, *(frame.format(name) for frame, name in zip(frames, names, strict=False))])


def self_reply(request: Request) -> str:
    """The request's own words as a wish, since nothing else is known; no preference where they leave it open."""
    question = request.block("question")
    chinese = is_chinese(question)
    about = unique(asked_about(question))
    still = left_open(request.query, Wishes())
    known = any(name not in still for name in about)
    if not known or not request.subject:
        return notice("neutral_zh" if chinese else "neutral_en")
    return f"我主要关心{request.subject}。" if chinese else f"I am mostly interested in {request.subject}."


def condensed(request: Request) -> str:
    """The reference's headings in order, each with its opening sentences, within the length that the prompt asks for.

    Without a stated length, 10 to 20 % of the reference. Headings that do not fit are left out from the end.
    """
    reference = request.block("reference")
    lowest, highest = _bounds(request.plain, len(reference))
    groups = _grouped(reference)
    kept: dict[tuple[int, int], str] = {}
    for number, (head, _) in enumerate(groups):
        if head and len(_joined({**kept, (number, -1): head})) <= highest:
            kept[number, -1] = head
    deepest = max((len(group) for _, group in groups), default=0)
    for depth, number in ((d, n) for d in range(deepest) for n in range(len(groups))):
        under = groups[number][1]
        if depth >= len(under) or len(_joined(kept)) >= (lowest + highest) / 2:
            continue
        if len(_joined({**kept, (number, depth): under[depth]})) <= highest:
            kept[number, depth] = under[depth]
    text = _joined(kept)
    return text if len(text) >= lowest else reference[:highest].strip()


def _bounds(plain: str, size: int) -> tuple[int, int]:
    found = re.search(r"between\s+([\d,]+)\s+and\s+([\d,]+)", plain)
    if found:
        return int(found[1].replace(",", "")), int(found[2].replace(",", ""))
    return size // 10, size // 5


def _grouped(reference: str) -> list[tuple[str, list[str]]]:
    """Headings with the sentences under each; the first group may have no heading."""
    groups: list[tuple[str, list[str]]] = [("", [])]
    for line in reference.splitlines():
        if line.startswith("#"):
            groups.append((line.strip(), []))
        else:
            groups[-1][1].extend(full_sentences(line))
    return groups


def _joined(kept: dict[tuple[int, int], str]) -> str:
    lines: dict[int, list[str]] = {}
    for (number, _), text in sorted(kept.items()):
        lines.setdefault(number, []).append(text)
    return "\n".join("\n".join([*parts[:1], " ".join(parts[1:])]).strip() for parts in lines.values())
