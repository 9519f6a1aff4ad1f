"""What the person wants, from the person's own words alone.

`wishes` is the one place where a reply turns into something that ranks. A sentence that states no preference yields
nothing, so a neutral reply leaves every later choice as it would be without any exchange.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from idrbench_inspect.prompting import notice
from idrbench_inspect.providers.reading import is_chinese, phrase, sentences, terms, unique

Block = tuple[str, str]

_NEUTRAL = re.compile(
    r"\bno (?:\w+ )?(?:preference|opinion|view)|\byour (?:own )?judge?ment|\bup to you\b|\b(?:do not|don't) mind\b"
    r"|\b(?:either|any|both|all)\b.{0,20}\bfine\b|\bwhatever you\b|\byou (?:can )?decide\b|\bnothing (?:more )?to add\b"
    r"|没有.{0,6}(?:偏好|要求|意见|想法|倾向)|自行(?:判断|决定|把握)|都可以|都行|随意|无所谓|(?:你|您)(?:来|自己)?(?:决|看着)?定",
    re.IGNORECASE,
)
_TURN = re.compile(r"[;；]|,?\s+\bbut\b|，?(?:但是|不过|但)", re.IGNORECASE)
_NOT_AFTER = re.compile(
    r"\b(?:rather than|instead of|not|no|nor|neither|never|without|except|excluding|leave out|skip)\b[^,，;:—]*"
    r"|而(?:不是|非)[^，]*",
    re.IGNORECASE,
)
_NOT_CLAUSE = re.compile(r"不(?:用|必|要|谈|需|含|包括|想|感兴趣)|略去|略过|除外|跳过|无需")
_LABEL = re.compile(
    r"^\W{0,4}(?:(?P<said>(?:the )?(?:person|user|you|reply|answer|person's reply|user's reply|a)"
    r"(?: (?:replied|answered|said))?|用户|回答|回复|答)"
    r"|(?P<asked>(?:the )?(?:question|questions|asked|we asked|team|assistant|agent|summary|q)"
    r"[\w ]{0,24}|提问|问题|问|团队|助手|小结))\W{0,3}[:：]\s*",
    re.IGNORECASE,
)
_SELF = re.compile(r"\b(?:I|I'm|I'd|me|my|we|our|us)\b|我")
_WISHES = {"en": "My wishes:", "zh": "我的要求："}
_OPEN = {"en": "Left open:", "zh": "尚未确定："}
_ASK = {"en": "I would like to have this researched: ", "zh": "我想请你们研究："}
_PARTS = re.compile("|".join(re.escape(label) for label in (*_WISHES.values(), *_OPEN.values())))


@dataclass(frozen=True)
class Wishes:
    """Stated preferences: sentences as said, the phrase each comes to, and the terms of all phrases, in order."""

    said: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()


def wishes(blocks: Sequence[Block]) -> Wishes:
    """The preferences in a prompt's blocks: what was given at the start, replies, and a brief's marked wishes.

    Args:
        blocks: `(kind, text)` pairs, of which kinds `given`, `brief`, `clarifications` and `dialogue` are read, each
            for the person's words only. A dialogue is read only where there is no brief, which carries it otherwise.
    """
    said: list[str] = []
    planned = any(kind == "brief" for kind, _ in blocks)
    for kind, text in blocks:
        if kind in ("given", "clarifications"):
            said += _replies(text, first_person=False)
        elif kind == "brief":
            said += sentences(_part(text, _WISHES))
        elif kind == "dialogue" and not planned:
            said += _replies(text, first_person=True)
    return _weighed(said)


def _weighed(said: Sequence[str]) -> Wishes:
    found: dict[str, str] = {}
    for sentence in said:
        for clause in preferences(sentence):
            found.setdefault(clause, sentence)
    phrases = tuple(found)
    return Wishes(tuple(unique(found.values())), phrases, tuple(unique(t for p in phrases for t in terms(p))))


def preferences(sentence: str) -> list[str]:
    """The phrases that a sentence asks for; what it declines, and a sentence without preference, yield none.

    Example:
        >>> preferences("I want trees in streets rather than parks."), preferences("No preference, use your judgement.")
        (['trees in streets'], [])
    """
    if sentence.rstrip().endswith(("?", "？")):
        return []
    found = []
    for clause in _TURN.split(sentence):
        if not clause or _NEUTRAL.search(clause):
            continue
        kept = "，".join(part for part in clause.split("，") if not _NOT_CLAUSE.search(part))
        named = phrase(_NOT_AFTER.sub("", kept))
        if named:
            found.append(named)
    return found


def _replies(text: str, first_person: bool) -> list[str]:
    """The person's sentences in a record: those under a label of the person's, or those that speak as one."""
    kept: list[str] = []
    loose: list[str] = []
    speaker = ""
    for line in text.splitlines():
        label = _LABEL.match(line)
        if label:
            speaker = "person" if label["said"] else "team"
        rest = line[label.end() :] if label else line
        if speaker == "person":
            kept += sentences(rest)
        elif not speaker:
            loose += [s for s in sentences(rest) if not first_person or _SELF.search(s)]
    return loose + kept


def exchanged(blocks: Sequence[Block]) -> str:
    """The text of what was said so far, both sides; empty when nothing was."""
    nothing = {notice("no_dialogue"), notice("nothing")}
    return "\n".join(text for kind, text in blocks if kind in ("dialogue", "given") and text.strip() not in nothing)


def write_brief(query: str, stated: Wishes, left_open: Sequence[str]) -> str:
    """A brief in the first person: the request in its own words, the wishes as said, and what is left open."""
    language = "zh" if is_chinese(query) else "en"
    parts = [_ASK[language] + query.strip()]
    if stated.said:
        parts.append("\n".join([_WISHES[language], *(f"- {sentence}" for sentence in stated.said)]))
    if left_open:
        parts.append(
            f"{_OPEN[language]}{'、'.join(left_open)}。"
            if language == "zh"
            else f"{_OPEN[language]} {', '.join(left_open)}."
        )
    return "\n\n".join(parts)


def request_in(brief: str) -> str:
    """The request that a brief carries; the whole brief where another hand wrote it."""
    text = _PARTS.split(brief, maxsplit=1)[0].strip()
    for opening in _ASK.values():
        text = text.removeprefix(opening)
    return text.strip()


def _part(brief: str, labels: dict[str, str]) -> str:
    for label in labels.values():
        _, found, rest = brief.partition(label)
        if found:
            return _PARTS.split(rest, maxsplit=1)[0]
    return ""
