"""The task parameter `search` into a search; what cannot be used is refused here, before any sample."""

from pathlib import Path

from idrbench_inspect.errors import BadInput
from idrbench_inspect.resources import given_path
from idrbench_inspect.search import Search
from idrbench_inspect.search.corpus import CorpusSearch
from idrbench_inspect.search.tavily import TavilySearch


def search_named(spec: str, corpus: Path | None) -> Search:
    """The search that `spec` names.

    Args:
        spec: `tavily`; `corpus`, the dataset's own documents; or `corpus:PATH`, a folder of Markdown documents.
        corpus: The folder of the dataset's own documents; `None` where it has none.

    Raises:
        BadInput: the name is unknown, the key is missing, or the corpus is missing, empty or faulty.
    """
    name, colon, path = spec.partition(":")
    if spec == "tavily":
        return TavilySearch()
    if spec == "corpus":
        if corpus is None:
            raise BadInput(
                "search=corpus cannot be used, since this dataset has no corpus; give search=corpus:PATH or tavily."
            )
        return CorpusSearch(corpus)
    if name == "corpus" and colon and path.strip():
        return CorpusSearch(given_path(path.strip()))
    raise BadInput(f"search={spec!r} is not known; give tavily, corpus or corpus:PATH.")
