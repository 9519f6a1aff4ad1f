"""Find and hash files, first of all those that ship with the project: `prompts/` and `datasets/`.

These stand at the top of the repository, and inside the package in an installed wheel; both places are looked in, so
that nothing depends on the working directory.
"""

import hashlib
import os
from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).parent
_ROOTS = (_PACKAGE / "_shipped", _PACKAGE.parent)


def shipped(*parts: str) -> Path:
    """The path of a shipped file or folder, e.g. `shipped("prompts", "planner.md")`.

    Raises:
        FileNotFoundError: it is in neither place, which means a broken installation.
    """
    for root in _ROOTS:
        path = root.joinpath(*parts)
        if path.exists():
            return path
    raise FileNotFoundError(f"{'/'.join(parts)} is missing from this installation of idrbench_inspect; reinstall it")


def given_path(text: str) -> Path:
    """A path that a person gave: `~` expanded, relative to where the command was started.

    While Inspect loads a task by the path of its file, it works in the folder of that file; `PWD` is the shell's own.
    """
    path = Path(os.path.expanduser(text))
    started = Path(os.environ.get("PWD", ""), path)
    return started if started.exists() and not path.exists() else path


def new_path(text: str) -> Path:
    """The absolute path of a file that a person wants written, and that need not be there yet.

    As `given_path`: relative to the shell's own folder while Inspect works in that of the task, else to the present
    one.
    """
    path = Path(os.path.expanduser(text))
    loading = Path.cwd() == _PACKAGE
    return (Path(os.environ.get("PWD") or Path.cwd()) if loading else Path.cwd()) / path


def sha256(path: Path) -> str:
    """Hex SHA-256 of a file, or of a folder: over the relative names and contents of its files, in name order.

    Raises:
        FileNotFoundError: there is no such file or folder.
    """
    if not path.is_dir():
        return hashlib.sha256(path.read_bytes()).hexdigest()
    total = hashlib.sha256()
    for file in sorted(p for p in path.rglob("*") if p.is_file()):
        total.update(file.relative_to(path).as_posix().encode() + b"\0")
        total.update(hashlib.sha256(file.read_bytes()).digest())
    return total.hexdigest()


def sha256_of(text: str) -> str:
    """Hex SHA-256 of a text in UTF-8; half a surrogate pair, which UTF-8 does not have, is taken as three bytes."""
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


@cache
def prompts_sha256() -> str:
    """The hash of all prompts, recorded in every log."""
    return sha256(shipped("prompts"))
