"""Go over the documents of a closed corpus, and name all that is wrong with them."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from idrbench_inspect.addresses import address
from idrbench_inspect.errors import BadInput
from idrbench_inspect.formats import decoded, read_bytes
from idrbench_inspect.problems import Problem, of_bytes, of_file, of_text, place
from idrbench_inspect.search.documents import Document, document_files, read_document


def audited_corpus(folder: Path, tasks: Collection[str] = ()) -> Iterator[Problem]:
    """Errors, for which a run with `search=corpus` refuses the corpus, and warnings.

    Args:
        folder: Of the corpus.
        tasks: The ids of the dataset's tasks. Where the corpus has a folder for one of them, all should have one.
    """
    try:
        files = document_files(folder)
    except BadInput as empty:
        yield of_file(empty.message, folder.name)
        return
    read: list[tuple[str, Document]] = []
    for file in files:
        name = f"{folder.name}/{file.relative_to(folder).as_posix()}"
        try:
            document = read_document(file)
        except BadInput as unreadable:
            yield of_file(unreadable.message, name)
            continue
        read.append((name, document))
        content = read_bytes(file)
        yield from of_bytes(content, name)
        yield from of_text(decoded(content, name), "the document", place(file=name))
    yield from _same_address(read)
    yield from _unread(folder)
    yield from _without_documents(folder, files, tasks)


def _same_address(read: Sequence[tuple[str, Document]]) -> Iterator[Problem]:
    """One problem for each address that several documents have, letter by letter or as the same page."""
    letter_by_letter: defaultdict[str, list[str]] = defaultdict(list)
    pages: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for name, document in read:
        letter_by_letter[document.url].append(name)
        pages[address(document.url)].setdefault(document.url, name)
    for url, names in letter_by_letter.items():
        if len(names) > 1:
            said = f"{len(names)} documents have the url {url} ({', '.join(names)}); give each its own."
            yield Problem(row="", field="url", sentence=said, file=names[-1])
    for urls in pages.values():
        if len(urls) > 1:
            said = f"the urls {', '.join(urls)} are of one page ({', '.join(urls.values())}); give each its own."
            yield Problem(row="", field="url", sentence=said, kind="warning", file=[*urls.values()][-1])


def _unread(folder: Path) -> Iterator[Problem]:
    for file in sorted(folder.rglob("*")):
        inside = file.relative_to(folder)
        if file.is_file() and file.suffix.lower() != ".md" and not any(part.startswith(".") for part in inside.parts):
            said = "this is no .md file, so no search finds it; rename it, or take it out."
            yield of_file(said, f"{folder.name}/{inside.as_posix()}", "warning")


def _without_documents(folder: Path, files: Sequence[Path], tasks: Collection[str]) -> Iterator[Problem]:
    filled = {file.relative_to(folder).parts[0] for file in files if len(file.relative_to(folder).parts) > 1}
    for task in tasks if filled & set(tasks) else ():
        if task not in filled:
            said = f"the corpus has a folder for other tasks and no document in {folder.name}/{task}; add some."
            yield Problem(row=task, field="", sentence=said, kind="warning", file=folder.name)
