"""A closed corpus: full-text search over a fixed set of documents, the same in every run, without key or network."""

import hashlib
import json
import sqlite3
from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from threading import Lock

from idrbench_inspect.errors import BadInput
from idrbench_inspect.search import Result, Results
from idrbench_inspect.search.documents import Document, read_documents
from idrbench_inspect.search.terms import match_expression, terms


class CorpusSearch:
    """Search in a closed set of documents by BM25, the title weighing four times the body; equal scores go by address.

    Args:
        source: A folder of Markdown documents (see `read_documents`), or the documents.

    Raises:
        BadInput: there is no document, two have the same `url`, or the folder cannot be used.
    """

    name = "corpus"

    def __init__(self, source: Path | Iterable[Document]) -> None:
        documents = read_documents(source) if isinstance(source, Path) else source
        self._documents = tuple(sorted(documents, key=lambda document: document.url))
        _check(self._documents)
        self.identity = f"corpus:{_digest(self._documents)}"
        self._index = _index(self._documents)

    async def search(self, query: str, results: int) -> Results:
        """The best `results` documents for `query`; empty where none shares a term with it, or it has no term."""
        found = (self._documents[row] for row in self._index.rows(match_expression(query), results))
        return Results(query, query, tuple(Result(document.url, document.title, document.text) for document in found))


class _Index:
    """An index in memory; its row numbers are positions in `documents`."""

    def __init__(self, documents: tuple[Document, ...]) -> None:
        self._lock = Lock()
        self._connection = sqlite3.connect(":memory:", check_same_thread=False)
        self._connection.execute("CREATE VIRTUAL TABLE pages USING fts5(title, body, tokenize='porter unicode61')")
        self._connection.executemany(
            "INSERT INTO pages(rowid, title, body) VALUES (?, ?, ?)",
            ((row, " ".join(terms(d.title)), " ".join(terms(d.text))) for row, d in enumerate(documents)),
        )

    def rows(self, expression: str, limit: int) -> list[int]:
        """The rows that match, best first, at most `limit`."""
        if not expression:
            return []
        # Rounded, so that the last bit of a platform's logarithm decides no tie.
        order = "round(bm25(pages, 4.0, 1.0), 12), rowid"
        with self._lock:
            found = self._connection.execute(
                f"SELECT rowid FROM pages WHERE pages MATCH ? ORDER BY {order} LIMIT ?", (expression, max(limit, 0))
            )
            return [row for (row,) in found]


@lru_cache(maxsize=8)
def _index(documents: tuple[Document, ...]) -> _Index:
    return _Index(documents)


def _check(documents: tuple[Document, ...]) -> None:
    if not documents:
        raise BadInput("The corpus holds no document; give at least one.")
    for one, other in pairwise(documents):
        if one.url == other.url:
            where = f" ({one.origin} and {other.origin})" if one.origin and other.origin else ""
            raise BadInput(f"Two documents of the corpus have the url {one.url}{where}; give each its own.")


def _digest(documents: tuple[Document, ...]) -> str:
    content = json.dumps([(document.url, document.title, document.text) for document in documents])
    return hashlib.sha256(content.encode()).hexdigest()[:12]
