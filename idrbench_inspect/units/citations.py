"""Citations in a Markdown text: which sources it names, and whether they are real.

A model is asked to cite `[n]` for the n-th of a list of sources, and to write no list of its own. It may all the same
number differently and list its sources at the end, or link addresses. `ground` reads all of these against the sources
that were really retrieved, by address, and gives back a text whose `[n]` are numbers of those sources alone. Code and
formulas stand as they are, and so do brackets that are figures rather than citations, such as `[12, 45]`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from idrbench_inspect.addresses import address
from idrbench_inspect.records import Source

_HEADING = re.compile(
    r"^\s{0,3}(?:#{1,6}\s*|\*\*)?\s*(?:\d+[.、]\s*)?"
    r"(?:sources?|references?|works cited|bibliography|来源|参考来源|参考文献|参考资料|资料来源|引用来源)"
    r"\s*[:：]?\s*(?:\*\*)?\s*[:：]?\s*$",
    re.IGNORECASE | re.MULTILINE,
)
_NEXT_HEADING = re.compile(r"^ {0,3}(?:#{1,6}\s+\S|\*\*(?![\s\[\d])[^*\n]+\*\*\s*[:：]?\s*$)", re.MULTILINE)
_RULE = re.compile(r"\s*(?:[-*_]\s*){3,}")

_FENCE = r"^[ \t]*(?P<fence>`{3,}|~{3,})(?![ \t]*(?:markdown|md)\b)[^\n`]*(?:$.*?^[ \t]*(?P=fence)[`~]*[ \t]*$|$.*\Z)"
_CODE = r"(?<!`)(?P<tick>`+)(?!`|markdown\b|md\b)(?:(?!\n\s*\n).)+?(?<!`)(?P=tick)(?!`)"
# A dollar is a price unless it hugs what it encloses and no digit follows the second.
_MATH = r"\$\$[^$]+\$\$|(?<![\w/=&?$\\])\$[^\s$](?:[^$\n]*[^\s$])?\$(?!\d)"
_KEPT = re.compile(rf"(?P<kept>(?ms:{_FENCE}|{_CODE}|{_MATH}))")

_WORD = r"(?:(?i:sources?|来源)\s*[:：#]?\s*)?"
_NUMBER = rf"{_WORD}\d{{1,3}}(?:\s*[-–—]\s*\d{{1,3}})?"
_NUMBERS = rf"{_NUMBER}(?:\s*[,，、;；]\s*{_NUMBER})*"
_SPACE = r"(?:(?<![ \t])[ \t]+)?"  # a run of blanks is read from its start only: in linear time
_DAGGER = r"(?:†[^\]］】\n]*)?"
# Where a marker leads inside a page or site: [1](#ref1), [1](/x "title").
_INWARD = (
    r"\(\s*<?(?!https?://)(?:[#/][^()\n]*|(?:[^\s()<>]|\([^\s()<>]*\))*>?"
    r"(?:\s+(?:\"[^\"\n]*\"|'[^'\n]*'))?)\s*\)"
)
_MARKER = re.compile(
    rf"{_SPACE}(?P<double>\[)?[\[［【]\s*\^?(?P<numbers>{_NUMBERS})\s*{_DAGGER}[\]］】](?(double)\])(?:{_INWARD})?"
)
_LINK = re.compile(
    rf"({_SPACE})(!?)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]"
    r"\(\s*<?(https?://(?:[^\s()>]|\([^\s()>]*\))+)>?[^)]*\)([ \t]*)"
)
# Brackets belong to an address when they are balanced, and an apostrophe when a letter follows: Foo_(bar), Moore's_law.
_URL = re.compile(r"https?://(?:[^\s<>\"'()\[\]）】，。；]|\([^\s()]*\)|'(?=\w))+")
_BARE = re.compile(rf"({_SPACE})<?({_URL.pattern})>?([ \t]*)")
_CITATION = re.compile("|".join(pattern.pattern for pattern in (_KEPT, _LINK, _MARKER, _BARE)))
_OWN = re.compile(rf"{_KEPT.pattern}|(?P<space>{_SPACE})(?P<numbers>(?:\[\d{{1,3}}\])+)")
_ENTRY = re.compile(
    rf"^\s*(?:[-*+]\s*)?(?:(?P<marked>[\[［【]\s*\^?{_WORD}(\d{{1,3}})\s*{_DAGGER}[\]］】])|(\d{{1,3}})[.)、])"
)

LONGEST_RANGE = 20
"""The most numbers that `[a-b]` can stand for; a longer one is an interval."""


@dataclass(frozen=True)
class Grounded:
    """A text whose citations are all real.

    Args:
        text: The body, `[n]` being the n-th of `cited`; the model's own source list is gone.
        cited: The sources named, in the order of first mention.
        ungrounded: What was named and never retrieved: markers ("[7]", "[7, 9]") and addresses, in order, each once.
            They are taken out of the text.
    """

    text: str
    cited: tuple[Source, ...]
    ungrounded: tuple[str, ...]


def ground(text: str, sources: Sequence[Source]) -> Grounded:
    """Tie the citations of `text` to `sources`.

    Args:
        text: Markdown as a model wrote it.
        sources: What was retrieved; `[n]` means the n-th, unless the text's own list says otherwise for n.

    Example:
        >>> a, b = Source(url="https://a.example.org/", title="A"), Source(url="https://b.example.org/", title="B")
        >>> ground("One [2]. Two [7].", [a, b])
        Grounded(text='One [1]. Two.', cited=(Source(url='https://b.example.org/', title='B'),), ungrounded=('[7]',))
    """
    body, listed = _split_list(text)
    by_address: dict[str, Source] = {}
    for source in sources:
        by_address.setdefault(address(source.url), source)
    numbered: dict[int, Source | None] = {n: by_address[address(source.url)] for n, source in enumerate(sources, 1)}
    numbered.update({n: by_address.get(address(url)) for n, url in listed.items()})
    reader = _Reader(by_address, numbered, listed)
    body = _CITATION.sub(reader.citation, body)
    return Grounded(body.strip(), tuple(reader.cited), tuple(dict.fromkeys(reader.ungrounded)))


def source_list(sources: Sequence[Source], heading: str) -> str:
    """The closing list, `[n] Title: URL`, one source a line; empty without sources."""
    if not sources:
        return ""
    lines = (f"[{n}] {source.title or source.url}: {source.url}" for n, source in enumerate(sources, 1))
    return f"## {heading}\n\n" + "  \n".join(lines)


def renumber(text: str, numbers: Sequence[int]) -> str:
    """A grounded text with its `[n]` replaced by `[numbers[n - 1]]`, as when findings are joined.

    An `[n]` without a number is left out; code and formulas stand as they are.

    Example:
        >>> renumber("One [1]. Two [2][1].", [7, 3])
        'One [7]. Two [3][7].'
    """

    def renumbered(found: re.Match[str]) -> str:
        if found["kept"] is not None:
            return found[0]
        said = [int(number) for number in re.findall(r"\d+", found["numbers"])]
        marks = "".join(f"[{numbers[number - 1]}]" for number in said if 0 < number <= len(numbers))
        return f"{found['space']}{marks}" if marks else ""

    return _OWN.sub(renumbered, text)


def addresses_in(text: str) -> tuple[str, ...]:
    """The web addresses in a text, in order, without the punctuation behind them.

    Example:
        >>> addresses_in("See [this](https://a.example/x) and https://b.example/y.")
        ('https://a.example/x', 'https://b.example/y')
    """
    return tuple(url.rstrip(".,;:!?*_") for url in _URL.findall(text))


class _Reader:
    """Replaces one citation at a time, counting what it meets."""

    def __init__(
        self, by_address: dict[str, Source], numbered: dict[int, Source | None], listed: dict[int, str]
    ) -> None:
        self.by_address = by_address
        self.numbered = numbered
        self.listed = listed
        self.cited: list[Source] = []
        self.ungrounded: list[str] = []
        self.gap = -1  # where a marker that went has taken its space along

    def citation(self, found: re.Match[str]) -> str:
        """A citation of any form; in one pass, so that sources are numbered in the order of their mention."""
        if found["kept"] is not None:
            return found[0]
        forms = ((_LINK, self.link), (_MARKER, self.marker), (_BARE, self.bare))
        in_gap = found.start() == self.gap
        said = next(read(one) for form, read in forms if (one := form.fullmatch(found[0])))
        self.gap = found.end() if not said and (in_gap or found[0][0] in " \t") else -1
        return f" {said}" if in_gap and said[:1] == "[" else said

    def marker(self, found: re.Match[str]) -> str:
        said = found["numbers"]
        numbers = _numbers(said)
        if numbers is None or self._figures(said, numbers):
            return found[0]
        if len(numbers) > 1 and not any(number in self.numbered for number in numbers):
            self.ungrounded.append(f"[{said}]")
            return ""
        marks = []
        for number in numbers:
            source = self.numbered.get(number)
            if source is None:
                self.ungrounded.append(self.listed.get(number, f"[{number}]"))
            else:
                marks.append(self._mark(source))
        space = " " if found[0][0] in " \t" and marks else ""
        return space + "".join(marks)

    def link(self, found: re.Match[str]) -> str:
        before, image, label, url, behind = found.groups()
        is_number = label.strip("[]\\^ \t").isdigit()
        label = "" if image or is_number else _CITATION.sub(self.citation, label)
        source = self.by_address.get(address(url))
        if source is not None:
            mark = self._mark(source)
            shown = mark if label in {"", mark} else f"{label} {mark}"
            return f"{before}{shown}{behind}"
        self.ungrounded.append(url)
        if is_number:
            return str(behind)
        return f"{before}{label}{behind}" if label else before or behind

    def bare(self, found: re.Match[str]) -> str:
        before, said, behind = found.groups()
        url = said.rstrip(".,;:")
        stop = said[len(url) :]
        source = self.by_address.get(address(url))
        if source is not None:
            return f"{before}{self._mark(source)}{stop}{behind}"
        self.ungrounded.append(url)
        return f"{before}{stop}{behind}" if stop else before or behind

    def _figures(self, said: str, numbers: list[int]) -> bool:
        """Are these numbers, none of them a source's, an interval or a pair of values rather than a citation?"""
        if len(numbers) == 1 or not said[0].isdigit() or any(number in self.numbered for number in numbers):
            return False
        long_range = len(numbers) > 10 and re.search("[-–—]", said) is not None
        return long_range or max(numbers) > 10 * len(self.by_address)

    def _mark(self, source: Source) -> str:
        if source not in self.cited:
            self.cited.append(source)
        return f"[{self.cited.index(source) + 1}]"


def _numbers(said: str) -> list[int] | None:
    """The numbers of a marker, `3-5` for three of them; `None` for what is no marker, such as an interval from 0."""
    numbers: list[int] = []
    for part in re.findall(_NUMBER, said):
        ends = [int(n) for n in re.findall(r"\d+", part)]
        if len(ends) == 2 and not 0 < ends[0] < ends[1] < ends[0] + LONGEST_RANGE:
            return None
        numbers.extend(range(ends[0], ends[-1] + 1))
    return numbers


def _split_list(text: str) -> tuple[str, dict[int, str]]:
    """The text without its own list of sources, and that list's numbers with their addresses."""
    kept = [found.span() for found in _KEPT.finditer(text)]
    heads = [head for head in _HEADING.finditer(text) if not any(a <= head.start() < b for a, b in kept)]
    for head in reversed(heads):
        annex = _NEXT_HEADING.search(text, head.end())
        end = annex.start() if annex else len(text)
        listed = _entries(text[head.end() : end], closing=annex is None)
        if listed is not None:
            return f"{text[: head.start()].rstrip()}\n\n{text[end:]}", listed
    return text, {}


def _entries(section: str, *, closing: bool) -> dict[int, str] | None:
    """Numbers and addresses of a source list; `None` when a section is not one.

    Prose is none. What does not close the text must show an address or a bracketed number to be one: numbered
    sentences are prose too.
    """
    listed: dict[int, str] = {}
    shown = closing
    for line in (line for line in section.splitlines() if line.strip() and not _RULE.fullmatch(line)):
        entry, url = _ENTRY.match(line), _URL.search(line)
        if entry is None and url is None:
            return None
        shown = shown or url is not None or (entry is not None and entry["marked"] is not None)
        if entry is not None and url is not None:
            listed[int(entry[2] or entry[3])] = url[0].rstrip(".,;:")
    return listed if shown else None
