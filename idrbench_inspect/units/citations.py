"""Citations in a Markdown text: which sources it names, and whether they are real.

A model is asked to cite `[n]` for the n-th of a list of sources, and to write no list of its own. It may all the same
number differently and list its sources at the end, or link addresses. `ground` reads all of these against the sources
that were really retrieved, by exact address, and gives back a text whose `[n]` are numbers of those sources alone.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from idrbench_inspect.records import Source

_HEADING = re.compile(
    r"^\s{0,3}(?:#{1,6}\s*|\*\*)?\s*(?:\d+[.、]\s*)?"
    r"(?:sources?|references?|works cited|bibliography|来源|参考来源|参考文献|参考资料|资料来源|引用来源)"
    r"\s*[:：]?\s*(?:\*\*)?\s*[:：]?\s*$",
    re.IGNORECASE | re.MULTILINE,
)
_NUMBER = r"\d{1,3}(?:\s*[-–—]\s*\d{1,3})?"
_NUMBERS = rf"{_NUMBER}(?:\s*[,，、;]\s*{_NUMBER})*"
_MARKER = re.compile(rf"[ \t]*(?:\[\s*\^?({_NUMBERS})\s*\](?!\()|【\s*({_NUMBERS})\s*】)")
_LINK = re.compile(r"(!?)\[([^\]]*)\]\(\s*<?(https?://(?:[^\s()>]|\([^\s()>]*\))+)>?[^)]*\)")
# Brackets belong to an address when they are balanced, and an apostrophe when a letter follows: Foo_(bar), Moore's_law.
_URL = re.compile(r"https?://(?:[^\s<>\"'()\[\]）】，。；]|\([^\s()]*\)|'(?=\w))+")
_CITATION = re.compile("|".join(pattern.pattern for pattern in (_LINK, _MARKER, _URL)))
_ENTRY = re.compile(r"^\s*(?:[-*+]\s*)?(?:\[\s*\^?(\d{1,3})\s*\]|【(\d{1,3})】|(\d{1,3})[.)、])")


@dataclass(frozen=True)
class Grounded:
    """A text whose citations are all real.

    Args:
        text: The body, `[n]` being the n-th of `cited`; the model's own source list is gone.
        cited: The sources named, in the order of first mention.
        ungrounded: What was named and never retrieved: markers ("[7]") and addresses, in order, each once. They are
            taken out of the text.
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
    by_url = {_plain(source.url): source for source in sources}
    numbered: dict[int, Source | None] = {n: source for n, source in enumerate(sources, 1)}
    numbered.update({n: by_url.get(_plain(url)) for n, url in listed.items()})
    reader = _Reader(by_url, numbered, listed)
    body = _CITATION.sub(reader.citation, body)
    body = _OURS.sub(r"[\1]", body)
    return Grounded(body.strip(), tuple(reader.cited), tuple(dict.fromkeys(reader.ungrounded)))


def source_list(sources: Sequence[Source], heading: str) -> str:
    """The closing list, `[n] Title: URL`, one source a line; empty without sources."""
    if not sources:
        return ""
    lines = (f"[{n}] {source.title or source.url}: {source.url}" for n, source in enumerate(sources, 1))
    return f"## {heading}\n\n" + "  \n".join(lines)


def renumber(text: str, numbers: Sequence[int]) -> str:
    """A grounded text with its `[n]` replaced by `[numbers[n - 1]]`, as when findings are joined.

    Example:
        >>> renumber("One [1]. Two [2][1].", [7, 3])
        'One [7]. Two [3][7].'
    """
    return re.sub(r"\[(\d{1,3})\]", lambda found: f"[{numbers[int(found[1]) - 1]}]", text)


_OURS = re.compile(r"\ue000(\d+)\ue001")


class _Reader:
    """Replaces one citation at a time, counting what it meets; our own numbers are kept apart until the end."""

    def __init__(self, by_url: dict[str, Source], numbered: dict[int, Source | None], listed: dict[int, str]) -> None:
        self.by_url = by_url
        self.numbered = numbered
        self.listed = listed
        self.cited: list[Source] = []
        self.ungrounded: list[str] = []

    def citation(self, found: re.Match[str]) -> str:
        """A citation of any form; in one pass, so that sources are numbered in the order of their mention."""
        forms = ((_LINK, self.link), (_MARKER, self.marker), (_URL, self.address))
        return next(read(one) for form, read in forms if (one := form.fullmatch(found[0])))

    def marker(self, found: re.Match[str]) -> str:
        numbers = _numbers(found[1] or found[2])
        if numbers is None:
            return found[0]
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
        label = "" if found[1] else _CITATION.sub(self.citation, found[2])
        source = self.by_url.get(_plain(found[3]))
        if source is None:
            self.ungrounded.append(found[3])
            return "" if label.isdigit() else label
        mark = self._mark(source)
        return mark if not label or label.isdigit() or label == mark else f"{label} {mark}"

    def address(self, found: re.Match[str]) -> str:
        url = found[0].rstrip(".,;:")
        source = self.by_url.get(_plain(url))
        if source is None:
            self.ungrounded.append(url)
            return found[0][len(url) :]
        return self._mark(source) + found[0][len(url) :]

    def _mark(self, source: Source) -> str:
        if source not in self.cited:
            self.cited.append(source)
        return f"\ue000{self.cited.index(source) + 1}\ue001"


def _numbers(said: str) -> list[int] | None:
    """The numbers of a marker, `3-5` for three of them; `None` for what is no marker, such as an interval from 0."""
    numbers: list[int] = []
    for part in re.findall(_NUMBER, said):
        ends = [int(n) for n in re.findall(r"\d+", part)]
        if len(ends) == 2 and not 0 < ends[0] < ends[1]:
            return None
        numbers.extend(range(ends[0], ends[-1] + 1))
    return numbers


def _split_list(text: str) -> tuple[str, dict[int, str]]:
    """The text before its closing list of sources, and that list's numbers with their addresses."""
    heads = list(_HEADING.finditer(text))
    for head in reversed(heads):
        listed = _entries(text[head.end() :])
        if listed is not None:
            return text[: head.start()], listed
    return text, {}


def _entries(tail: str) -> dict[int, str] | None:
    """Numbers and addresses of a source list; `None` when what follows is not one (prose, or another heading)."""
    listed: dict[int, str] = {}
    for line in (line for line in tail.splitlines() if line.strip()):
        entry, url = _ENTRY.match(line), _URL.search(line)
        if entry is None and url is None:
            return None
        if entry is not None and url is not None:
            listed[int(next(n for n in entry.groups() if n))] = url[0].rstrip(".,;:")
    return listed


def _plain(url: str) -> str:
    return url.strip().rstrip("/")
