"""The documents of a closed corpus: Markdown files with a YAML front matter that gives `url` and `title`."""

import re
from dataclasses import dataclass, field
from pathlib import Path

from idrbench_inspect.errors import BadInput
from idrbench_inspect.formats import Twice, from_yaml, read_text

_FRONT = re.compile(r"---[ \t]*\n(.*?)\n---[ \t]*(?:\n(.*))?", re.DOTALL)


@dataclass(frozen=True)
class Document:
    """One document.

    Args:
        url: Its address, unique in its corpus.
        title: Its title.
        text: Its body, Markdown.
        origin: Where it was read, for messages; two documents that differ in this alone are equal.
    """

    url: str
    title: str
    text: str
    origin: str = field(default="", compare=False)


def read_documents(folder: Path) -> tuple[Document, ...]:
    """The documents of every `.md` file anywhere under `folder`, in the order of the paths; hidden ones are left out.

    Files are UTF-8, with or without a byte-order mark, with any line ends; they come out as line feeds, and other
    separators (U+2028, U+0085) as they are. Front matter other than `url` and `title` is not read.

    Raises:
        BadInput: the folder is missing or holds no document, or a file is not UTF-8 or lacks its front matter, `url`,
            `title` or body.
    """
    return tuple(read_document(file) for file in document_files(folder))


def document_files(folder: Path) -> list[Path]:
    """The files of a corpus, in the order of their paths.

    Raises:
        BadInput: the folder is missing or holds none.
    """
    if not folder.is_dir():
        raise BadInput(f"The corpus folder {folder} does not exist; give the path of a folder of Markdown documents.")
    files = sorted(path for path in folder.rglob("*") if path.suffix.lower() == ".md" and path.is_file())
    shown = [file for file in files if not any(part.startswith(".") for part in file.relative_to(folder).parts)]
    if not shown:
        raise BadInput(
            f"The corpus folder {folder} holds no document; put .md files with a front matter (url, title) into it."
        )
    return shown


def read_document(file: Path) -> Document:
    """One document.

    Raises:
        BadInput: it is not UTF-8 or lacks its front matter, `url`, `title` or body.
    """
    parts = _FRONT.fullmatch(read_text(file).replace("\r\n", "\n").replace("\r", "\n").lstrip())
    if parts is None:
        raise BadInput(f"The document {file} has no front matter; begin it with a --- block that gives url and title.")
    values = _front_matter(file, parts[1])
    found = {"url": values.get("url"), "title": values.get("title"), "body": parts[2]}
    given = {name: value.strip() for name, value in found.items() if isinstance(value, str) and value.strip()}
    if lacking := " or ".join(name for name in found if name not in given):
        raise BadInput(f"The document {file} has no {lacking}; every document needs url, title and a body.")
    return Document(given["url"], given["title"], given["body"], origin=str(file))


def _front_matter(file: Path, text: str) -> dict[str, object]:
    try:
        values = from_yaml(text)
    except Twice as twice:
        raise BadInput(f"The front matter of {file}: {twice}") from None
    except ValueError:
        values = None
    if not isinstance(values, dict):
        raise BadInput(
            f"The front matter of {file} is not YAML of the form `name: value`; quote values that hold a colon."
        )
    return values
