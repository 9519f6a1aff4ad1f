"""Facts about the mini set that a reader would otherwise have to take on trust: lengths, runs, citations, retrieval."""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise
from pathlib import Path

import anyio

from idrbench_inspect.dataset import Dataset, ResearchTask
from idrbench_inspect.search.corpus import CorpusSearch
from idrbench_inspect.search.documents import Document, read_documents

_CJK = "\u3400-\u4dbf\u4e00-\u9fff"
_SOURCES = re.compile(r"^#+\s*(?:sources|references|参考来源|参考资料|参考文献)\s*$", re.IGNORECASE | re.MULTILINE)
_ENTRY = re.compile(r"^\[(\d+)\]\s.*?(https://\S+)\s*$", re.MULTILINE)
_CITED = re.compile(r"\[(\d+)\]")


def tokens(text: str, language: str) -> list[str]:
    """English: words and numbers, in small letters. Chinese: each Chinese character, and each Latin word or number."""
    pattern = rf"[{_CJK}]|[a-z0-9]+" if language == "zh" else r"[a-z0-9]+(?:['’][a-z]+)?"
    return re.findall(pattern, text.lower())


def length(text: str, language: str) -> int:
    """English: words. Chinese: characters with their punctuation, as editors count them."""
    return len(re.sub(r"\s", "", text)) if language == "zh" else len(tokens(text, language))


def body(report: str) -> str:
    """A report without its list of sources and its citation marks."""
    return _CITED.sub("", _SOURCES.split(report)[0])


def share_chinese(text: str) -> float:
    """Chinese characters over all letters, 0 to 1."""
    letters = [character for character in text if character.isalpha()]
    return len(re.findall(f"[{_CJK}]", text)) / len(letters)


def longest_shared_run(one: Sequence[str], other: Sequence[str]) -> int:
    """The length of the longest run of tokens that two texts have in common."""
    run = 1
    while _runs(one, run) & _runs(other, run):
        run += 1
    return run - 1


def _runs(text: Sequence[str], run: int) -> set[tuple[str, ...]]:
    return {tuple(text[i : i + run]) for i in range(len(text) - run + 1)}


def auc(ranked: Sequence[str], wanted: Iterable[str], unwanted: Iterable[str]) -> float:
    """The chance that a wanted document stands before an unwanted one; those not found share the last place."""
    place = {url: rank for rank, url in enumerate(ranked)}
    last = len(ranked)
    pairs = [(place.get(good, last), place.get(bad, last)) for good in wanted for bad in unwanted]
    return sum((good < bad) + 0.5 * (good == bad) for good, bad in pairs) / len(pairs)


@dataclass(frozen=True)
class Labels:
    """The addresses of a task's documents."""

    wanted: frozenset[str]
    unwanted: frozenset[str]


@cache
def labels(folder: Path) -> dict[str, Labels]:
    """Per task, which documents its user wants and which not."""
    rows = [json.loads(line) for line in (folder / "labels.jsonl").read_text(encoding="utf-8").splitlines()]
    names = dict.fromkeys(row["task"] for row in rows)
    return {
        name: Labels(
            frozenset(row["url"] for row in rows if row["task"] == name and row["wanted"]),
            frozenset(row["url"] for row in rows if row["task"] == name and not row["wanted"]),
        )
        for name in names
    }


@dataclass(frozen=True)
class Audit:
    """One task of a dataset with a labelled corpus."""

    task: ResearchTask
    dataset: Dataset

    @cached_property
    def documents(self) -> dict[str, Document]:
        """All documents of the corpus, by address."""
        assert self.dataset.corpus is not None
        return {document.url: document for document in read_documents(self.dataset.corpus)}

    @property
    def labels(self) -> Labels:
        return labels(self.dataset.folder)[self.task.id]

    def tokens(self, text: str) -> list[str]:
        return tokens(text, self.task.language)

    @property
    def report_length(self) -> int:
        return length(body(self.task.report), self.task.language)

    @property
    def sources(self) -> dict[int, str]:
        """The report's list of sources: number to address."""
        return {int(number): url for number, url in _ENTRY.findall(_SOURCES.split(self.task.report)[-1])}

    @property
    def cited(self) -> set[int]:
        return {int(number) for number in _CITED.findall(_SOURCES.split(self.task.report)[0])}

    def lengths(self, urls: Iterable[str]) -> list[int]:
        return sorted(length(self.documents[url].text, self.task.language) for url in urls)

    @property
    def longest_run(self) -> int:
        """Between the report and any document of the corpus."""
        report = self.tokens(body(self.task.report))
        return max(longest_shared_run(report, self.tokens(document.text)) for document in self.documents.values())

    def auc(self, query: str) -> float:
        """How well the shared corpus's BM25 tells wanted from unwanted documents of this task for a query."""

        async def addresses() -> list[str]:
            found = await CorpusSearch(self.documents.values()).search(query, len(self.documents))
            return [result.url for result in found.results]

        return auc(anyio.run(addresses), self.labels.wanted, self.labels.unwanted)

    @property
    def headings(self) -> list[str]:
        """The report's section headings, without that of the sources."""
        return re.findall(r"^##\s+(.+?)\s*$", _SOURCES.split(self.task.report)[0], re.MULTILINE)


def in_order(values: Sequence[int]) -> bool:
    """Whether the values rise one by one."""
    return all(after == before + 1 for before, after in pairwise(values))
