"""Which blocks of a report list its sources rather than say something."""

import re
from collections.abc import Iterable, Iterator

from idrbench_inspect.units.blocks import Block

_NUMBERING = (
    r"(?:[(（]?(?:\d+(?:\.\d+)*+|[ivxlc]+|[一二三四五六七八九十]+)[.)）、．:：]\s*|\d+(?:\.\d+)*\s+|"
    r"第[一二三四五六七八九十\d]+[章节部分]+[\s:：、]*)?"
)
_ENGLISH = (
    r"(?:(?:selected|key|main|full)\s+)?(?:sources\s+and\s+further\s+reading|sources\s+cited|sources|reference\s+list|"
    r"references|bibliography|works\s+cited|citations|further\s+reading)"
)
_CHINESE = r"(?:主要|核心)?(?:参考(?:文献|资料)(?:与来源)?|参考来源|引用来源|资料来源|引用文献|来源列表|来源)"
_TITLE = re.compile(
    rf"[*_\s]*{_NUMBERING}[*_\s]*(?:{_ENGLISH}|{_CHINESE})\s*(?:[(（][^()（）]*[)）])?[*_\s]*[:：]?[*_\s]*",
    re.IGNORECASE,
)
_BOLD = re.compile(r"(?:\*\*|__)[^*_\n]+(?:\*\*|__)\s*[:：]?")

_LEAD = r"[\s>|]*(?:[-*+]\s+)?"
_MARK = r"\\?\[\^?\d{1,4}\\?\]|\[\^[^\]]{1,60}\]|\[[^\]]{1,60}\]:|【\d+】|［\d+］"
_ENTRY = re.compile(
    rf"{_LEAD}(?:(?:{_MARK}).*(?:https?://|www\.|\]\()|\d+\\?[.)、]\s*[*_]*\[.+\]\(.*|<?https?://\S+)",
    re.IGNORECASE,
)
_LONGEST_TITLE = 80  # what is longer titles nothing, and would be matched in more than linear time
_OWN_LEVEL = 7  # of a line that is no heading and yet heads a list of sources: below all headings


def without_references(blocks: Iterable[Block], text: str) -> Iterator[tuple[Block, str]]:
    """Each block with what it is to the list of sources: "section" opens one, "listed" lies in one, "entries" is one by
    its looks, and "" is none.

    A section begins with a heading, or a line by itself, that says nothing but "References" or the like, and goes on to
    the next heading of its level or above; one that a mere line began ends at any heading or bold line. Wherever it
    stands, a block is "entries" when at least half of its lines begin with a number and hold an address
    ("[3] Title: https://...", "3. [Title](https://...)"), or are an address.
    """
    open_level: int | None = None
    for block in blocks:
        said = _first_line(block, text)
        level = block.level or (_OWN_LEVEL if block.kind == "paragraph" and _is_title(block, said) else 0)
        bold = block.kind == "paragraph" and _BOLD.fullmatch(text[block.start : block.end].strip()) is not None
        if open_level is not None and (level or bold) and (level or _OWN_LEVEL) <= open_level:
            open_level = None
        if level and _titles(said) and (open_level is None or level <= open_level):
            open_level = level
            yield block, "section"
        elif open_level is not None:
            yield block, "listed"
        else:
            yield block, "entries" if block.level == 0 and _is_entries(text[block.start : block.end]) else ""


def _first_line(block: Block, text: str) -> str:
    spans = block.parts[0].spans if block.parts else ()
    return text[spans[0][0] : spans[0][1]] if spans else ""


def _is_title(block: Block, said: str) -> bool:
    """Is a paragraph one line that titles a list of sources, or does it begin with one that is marked as a title?"""
    alone = len(block.parts[0].spans) == 1 if block.parts else False
    return _titles(said) and (alone or said.rstrip()[-1:] in set("*_:："))


def _titles(said: str) -> bool:
    return len(said) <= _LONGEST_TITLE and _TITLE.fullmatch(said) is not None


def _is_entries(block: str) -> bool:
    lines = [line for line in block.split("\n") if line.strip(" >")]
    return 2 * sum(_ENTRY.match(line) is not None for line in lines) >= max(1, len(lines))
