"""The two files of the public repository that the hundred tasks are joined with, and where a copy of them lies.

`IDRBENCH_DATA` names the folder that they are kept in, by default one in the user's cache folder;
`IDRBENCH_DATA_URL` a mirror of raw.githubusercontent.com.
"""

import hashlib
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import httpx
from platformdirs import user_cache_path

from idrbench_inspect.errors import BadInput
from idrbench_inspect.formats import Twice, from_json, read_bytes, read_text
from idrbench_inspect.resources import given_path

FOLDER: Final = "IDRBENCH_DATA"
BASE: Final = "IDRBENCH_DATA_URL"
REPOSITORY: Final = "Ayanami0730/deep_research_bench"
COMMIT: Final = "214741e474a5347ea7f869ab79d27e7c8734ede7"
HASHES: Final = "git_blobs.json"
"""In a local folder: the hashes of its own files, by name, where they are not the public ones."""

_HASH = re.compile(r"[0-9a-f]{40}")


class Lacking(BadInput):
    """A public file cannot be had; the sentence says what to download and where to put it."""


@dataclass(frozen=True)
class PublicFile:
    """A file at the pinned commit.

    Args:
        name: As it is kept here.
        path: In the repository.
        blob: Its git blob hash, 40 hex digits.
    """

    name: str
    path: str
    blob: str


QUERIES = PublicFile("query.jsonl", "data/prompt_data/query.jsonl", "20a0c689704c364c9e85b5eb30c1fc139a73f86e")
REFERENCES = PublicFile(
    "reference.jsonl", "data/test_data/cleaned_data/reference.jsonl", "2b0f090208527f0bf518516458de91b1d5a8fe75"
)


@dataclass(frozen=True)
class Copy:
    """A copy of a public file: its content, the hash that it was checked by, and whether that is the pinned one."""

    content: bytes
    blob: str
    pinned: bool


def git_blob(content: bytes) -> str:
    """The hash by which git names a file with this content.

    Example:
        >>> git_blob(b"")
        'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391'
    """
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def kept_in() -> Path:
    """The folder in which fetched files are kept; it need not be there."""
    named = os.environ.get(FOLDER, "").strip()
    return given_path(named) if named else user_cache_path("idrbench_inspect") / "data" / COMMIT[:12]


def address_of(file: PublicFile) -> httpx.URL:
    """Where `file` is fetched from.

    Raises:
        BadInput: the mirror in the environment is no address.
    """
    base = os.environ.get(BASE, "").strip() or "https://raw.githubusercontent.com"
    try:
        url = httpx.URL(f"{base.rstrip('/')}/{REPOSITORY}/{COMMIT}/{file.path}")
    except httpx.InvalidURL:
        url = httpx.URL("")
    if url.scheme not in {"http", "https"} or not url.host:
        raise BadInput(f"{BASE} is no address; set it to one such as https://raw.githubusercontent.com, or unset it.")
    return url


def shown(url: httpx.URL) -> str:
    """An address as messages show it: without a name and password."""
    return str(url.copy_with(username=None, password=None))


def local(files: Sequence[PublicFile], folder: Path, name: str = "data_dir=") -> list[Copy]:
    """The copies of `files` in a folder of the user's, or in a clone of the repository.

    They are checked by the pinned hashes, unless the folder has a `git_blobs.json` that names others. A file of
    another name ending in `.jsonl` is taken for the one whose pinned hash it has.

    Args:
        files: What is needed.
        folder: Where to look.
        name: What the folder was given as, for messages.

    Raises:
        Lacking: one is not there.
        BadInput: the folder is none, or the hash of a file is another.
    """
    names = " and ".join(file.name for file in files)
    if not folder.is_dir():
        raise BadInput(f"{name} gives {folder}, which is no folder; give one that holds {names}, or leave it out.")
    places = {
        file: [path for path in (folder / file.name, folder / file.path) if path.is_file()] or _renamed(file, folder)
        for file in files
    }
    if lacking := [file for file, there in places.items() if not there]:
        addresses = " and ".join(shown(address_of(file)) for file in lacking)
        raise Lacking(
            f"The folder {folder}, given as {name}, holds no {' and no '.join(file.name for file in lacking)}; "
            f"download {addresses} into it, or leave {name} out to have {names} fetched."
        )
    return [_checked(file, there[0], folder) for file, there in places.items()]


def _renamed(file: PublicFile, folder: Path) -> list[Path]:
    return [
        path for path in sorted(folder.glob("*.jsonl")) if path.is_file() and git_blob(read_bytes(path)) == file.blob
    ]


def _checked(file: PublicFile, path: Path, folder: Path) -> Copy:
    content = read_bytes(path)
    wanted = _stated(folder).get(file.name, file.blob)
    found = git_blob(content)
    if found != wanted:
        raise BadInput(
            f"{path} is not the file that was meant: its git blob hash is {found}, not {wanted}; download "
            f"{shown(address_of(file))} again without changing its line ends, or name the hash of a file of your own "
            f"in {folder / HASHES}."
        )
    return Copy(content, found, found == file.blob)


def _stated(folder: Path) -> dict[str, str]:
    place = folder / HASHES
    if not place.is_file():
        return {}
    try:
        stated = from_json(read_text(place))
    except BadInput:
        raise
    except Twice as twice:
        raise BadInput(f"{place}: {twice}") from None
    except ValueError:
        stated = None
    if not isinstance(stated, dict) or not all(_HASH.fullmatch(str(blob)) for blob in stated.values()):
        raise BadInput(
            f"{place} must be one JSON object of file names and git blob hashes of 40 hex digits; correct it."
        )
    return stated
