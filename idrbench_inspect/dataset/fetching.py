"""Fetch a public file once: resumed where it broke off, checked before it gets its name, safe beside other processes.

What has come so far lies in a hidden file beside the place, `.<name>.part`, and gets the name of the file by one
renaming after its hash was checked. One process fetches at a time; others wait for it and take what it got.
"""

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click
import httpx
from filelock import FileLock
from httpx_retries import Retry

from idrbench_inspect.dataset.given import ANYWHERE, Place
from idrbench_inspect.dataset.public import (
    BASE,
    REPOSITORY,
    Copy,
    Lacking,
    PublicFile,
    address_of,
    git_blob,
    kept_in,
    shown,
)
from idrbench_inspect.errors import reason_of
from idrbench_inspect.formats import read_bytes

RETRY = Retry(total=3, backoff_factor=0.5, status_forcelist=(429, 500, 502, 503, 504), max_backoff_wait=30)
"""Further attempts, for the whole file; each goes on where the one before broke off."""

_TIMEOUT: Final = httpx.Timeout(30, connect=10)
_RANGE = re.compile(r"bytes (\d+)-")


class _Unfetched(Exception):
    """Why a file could not be fetched, as the end of a sentence."""


class _Again(Exception):
    """What there was of the file is of no use; it is gone, and the next request asks for the whole."""


def kept(files: Sequence[PublicFile], place: Place | None = ANYWHERE) -> list[Copy]:
    """The copies of `files` in the folder for fetched files, fetched where they are not there or not intact.

    Args:
        files: What is needed.
        place: Where they are asked for; `None` where nothing but fetching helps.

    Raises:
        Lacking: one cannot be fetched or kept; one sentence says what to download and where to put it, of all files
            that are not there.
    """
    for file in files:
        try:
            if _intact(_place_of(file), file) is None:
                _fetch(file)
        except _Unfetched as why:
            lacking = [one for one in files if _intact(_place_of(one), one) is None]
            raise Lacking(_to_do(lacking, f"{file.name} could not be had: {why}", place)) from None
    return [Copy(read_bytes(_place_of(file)), file.blob, True) for file in files]


def at_hand(file: PublicFile) -> bool:
    """Whether an intact copy is in the folder for fetched files."""
    return _intact(_place_of(file), file) is not None


def _place_of(file: PublicFile) -> Path:
    return kept_in() / file.name


def _to_do(lacking: Sequence[PublicFile], why: str, place: Place | None) -> str:
    names = " and ".join(file.name for file in lacking)
    steps = " and ".join(f"{shown(address_of(file))} to {_place_of(file)}" for file in lacking)
    them = "both" if len(lacking) > 1 else "it"
    ways = [f"download {steps}"]
    if place is not None:
        ways += [
            f"give a folder that holds {them} as {place.data_dir}",
            *([place.otherwise] if place.otherwise else []),
        ]
    advice = ", ".join(ways[:-1]) + ", or " + ways[-1] if len(ways) > 1 else ways[0]
    return f"The hundred tasks, and others with a source_id, need {names} of {REPOSITORY}, and {why}; {advice}."


def _intact(path: Path, file: PublicFile) -> bytes | None:
    try:
        content = path.read_bytes()
    except OSError:
        return None
    return content if git_blob(content) == file.blob else None


def _fetch(file: PublicFile) -> None:
    path, url = _place_of(file), address_of(file)
    part = path.with_name(f".{path.name}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(path.with_name(f".{path.name}.lock")):
            if _intact(path, file) is None:  # nobody has fetched it meanwhile
                _download(file, url, part)
                part.replace(path)
    except (OSError, NotImplementedError) as broken:
        raise _Unfetched(f"it cannot be kept there ({reason_of(broken).rstrip('.')})") from None


def _download(file: PublicFile, url: httpx.URL, part: Path) -> None:
    """Fill `part` with the whole, checked file.

    Raises:
        _Unfetched: that cannot be done.
    """
    with httpx.Client(timeout=_TIMEOUT, follow_redirects=True) as client:
        resumed = _attempted(client, url, part)
        if _intact(part, file) is None and resumed:  # what lay there need not have been the beginning of this file
            part.unlink()
            _attempted(client, url, part)
    if _intact(part, file) is None:
        found, size = git_blob(part.read_bytes()), part.stat().st_size
        part.unlink()
        raise _Unfetched(
            f"what came is not the pinned file ({size:,} bytes with the git blob hash {found}, not {file.blob})"
        )


def _attempted(client: httpx.Client, url: httpx.URL, part: Path) -> bool:
    """Request until the end of the file was reached; whether it began with what lay there."""
    retry, resumed = RETRY, part.exists()
    while True:
        try:
            _go_on(client, url, part)
        except _Again:
            resumed = False
        except httpx.HTTPStatusError as answered:
            if retry.is_exhausted() or not retry.is_retryable_status_code(answered.response.status_code):
                raise _Unfetched(_refused(answered.response)) from None
            retry = retry.increment()
            retry.sleep(answered.response)
        except httpx.HTTPError as broken:
            came = part.stat().st_size if part.exists() else 0
            # Without any connection there is nothing to wait for: offline is said at once.
            if (
                retry.is_exhausted()
                or isinstance(broken, httpx.ConnectError)
                or not retry.is_retryable_exception(broken)
            ):
                raise _Unfetched(_broken_off(broken, came)) from None
            retry = retry.increment()
            retry.sleep(broken)
        else:
            return resumed


def _go_on(client: httpx.Client, url: httpx.URL, part: Path) -> None:
    have = part.stat().st_size if part.exists() else 0
    # A compressed reply would be counted in other bytes than the file's.
    headers = {"Accept-Encoding": "identity"} | ({"Range": f"bytes={have}-"} if have else {})
    with client.stream("GET", url, headers=headers) as response:
        start = _RANGE.match(response.headers.get("Content-Range", ""))
        goes_on = response.status_code == httpx.codes.PARTIAL_CONTENT and start is not None and int(start[1]) == have
        unfit = response.status_code in {httpx.codes.PARTIAL_CONTENT, httpx.codes.REQUESTED_RANGE_NOT_SATISFIABLE}
        if have and unfit and not goes_on:
            part.unlink()
            raise _Again
        response.raise_for_status()
        _write(response, part, have if goes_on else 0)


def _write(response: httpx.Response, part: Path, have: int) -> None:
    """Write the reply after the first `have` bytes; without any, over whatever lies there."""
    length = response.headers.get("Content-Length", "")
    total = have + int(length) if length.isdigit() else None
    label = f"Fetching {part.name[1:].removesuffix('.part')} from {response.url.host}"
    with part.open("ab" if have else "wb") as out:
        if total is None:
            click.echo(label, err=True)
            for piece in response.iter_bytes():
                out.write(piece)
            return
        with click.progressbar(length=total, label=label, file=sys.stderr) as bar:
            bar.update(have)
            for piece in response.iter_bytes():
                out.write(piece)
                bar.update(len(piece))


def _refused(response: httpx.Response) -> str:
    mirror = "" if response.url.host == "raw.githubusercontent.com" else f", under the address in {BASE}"
    return f"the server answered {response.status_code} {response.reason_phrase}".rstrip() + mirror


def _broken_off(broken: httpx.HTTPError, came: int) -> str:
    reason = reason_of(broken).rstrip(".")
    if isinstance(broken, httpx.ConnectError | httpx.ConnectTimeout):
        return f"the server cannot be reached ({reason})"
    kept_part = f", after {came:,} bytes, from which the next attempt goes on" if came else ""
    return f"the connection broke off ({reason}){kept_part}"
