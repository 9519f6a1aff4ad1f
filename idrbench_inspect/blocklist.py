"""Domains that a run must not read: where the benchmark's own reports stand in public, so that they cannot be found."""

import re
from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Final, Self
from urllib.parse import unquote, urlsplit

from pydantic import Field, field_validator

from idrbench_inspect.errors import BadInput
from idrbench_inspect.records import Record
from idrbench_inspect.resources import given_path, shipped

SHIPPED: Final = "shipped"
"""Among the entries of a list: all of the list that comes with this package, `datasets/blocked_domains.txt`."""

NONE: Final = "none"

_HOST = r"(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?\.)+[a-z0-9-]+"
_ENTRY = re.compile(rf"(?!.*\.txt$){_HOST}(?:/[^\s/?#]+)*")  # .txt: a file that is not there


class Blocklist(Record):
    """Hosts and paths that are not read.

    Args:
        entries: `host`, which stands for its subdomains too, or `host/path`, which stands for all that begins with it,
            part by part; `*` stands for any characters of one part of a path. In lower case, without scheme.
    """

    entries: tuple[str, ...] = Field(())

    @field_validator("entries")
    @classmethod
    def _readable(cls, entries: tuple[str, ...]) -> tuple[str, ...]:
        for entry in entries:
            if not _ENTRY.fullmatch(entry):
                raise ValueError(f"{entry!r} is no host or host/path")
        return tuple(dict.fromkeys(entries))

    @classmethod
    def of(cls, given: str | Sequence[str] | None = None) -> Self:
        """Read the parameter `blocked_domains`.

        Args:
            given: Entries, as a list or separated by commas; `shipped` among them stands for the shipped list. Or the
                path of a file with one entry a line, `#` before a remark; or `none`. The shipped list if not given.

        Raises:
            BadInput: an entry is none, or the file cannot be read.

        Example:
            >>> Blocklist.of("https://Example.org/a/, b.example").entries
            ('example.org/a', 'b.example')
        """
        named = [SHIPPED] if given is None else _named(given)
        if named == [NONE]:
            return cls()
        entries = [entry for name in named for entry in (_shipped() if name == SHIPPED else [_tidied(name)])]
        for entry in entries:
            if not _ENTRY.fullmatch(entry):
                raise BadInput(
                    f"blocked_domains names {entry!r}, which is no host or host/path; give entries like example.org or "
                    f"example.org/path, the path of a file of them, {SHIPPED} or {NONE}."
                )
        return cls(entries=tuple(entries))

    def entry(self, url: str) -> str | None:
        """The entry that an address falls under; `None` where it may be read.

        Example:
            >>> blocked = Blocklist.of("a.example/*/data, b.example")
            >>> blocked.entry("https://www.A.example/me/Data/x?y=1"), blocked.entry("https://a.example/me")
            ('a.example/*/data', None)
        """
        host, *parts = _parts(url)
        return next((entry for entry in self.entries if _falls_under(host, parts, entry)), None)


def _parts(url: str) -> list[str]:
    """Host and parts of the path, in lower case; of what cannot be read as an address, the host is empty."""
    try:
        split = urlsplit(url.strip() if "//" in url else f"//{url.strip()}")
        host = (split.hostname or "").rstrip(".")
    except ValueError:
        return [""]
    return [host, *(part for part in unquote(split.path).lower().split("/") if part)]


def _falls_under(host: str, parts: Sequence[str], entry: str) -> bool:
    wanted_host, *wanted = entry.split("/")
    if host != wanted_host and not host.endswith(f".{wanted_host}"):
        return False
    return len(parts) >= len(wanted) and all(fnmatchcase(part, want) for want, part in zip(wanted, parts, strict=False))


def _named(given: Any) -> list[str]:
    if isinstance(given, str) and "," not in given and given.strip() not in (SHIPPED, NONE):
        file = given_path(given.strip())
        if given.strip() and file.is_file():
            return _lines(file)
    if not isinstance(given, str | list | tuple):
        raise BadInput(f"blocked_domains={given!r} is no list; give hosts, separated by commas, or {NONE}.")
    return [part.strip() for part in (given.split(",") if isinstance(given, str) else map(str, given))]


def _lines(file: Path) -> list[str]:
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"blocked_domains={file} cannot be read ({error}); give a file of entries in UTF-8.") from None
    return [line for raw in text.splitlines() if (line := raw.partition("#")[0].strip())]


def _tidied(entry: str) -> str:
    return re.sub(r"^[a-z]+://", "", entry.strip().lower()).rstrip("/")


def _shipped() -> list[str]:
    return [_tidied(line) for line in _lines(shipped("datasets", "blocked_domains.txt"))]
