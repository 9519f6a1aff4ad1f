"""What the grader made once is kept: in the process, and in the user's cache folder for later runs.

A file is named by the hash of its key, which says all that would make another result differ, and holds the key beside
the value. The first result wins: a second process that made its own at the same time goes on with the one that is kept,
so that runs side by side are judged by the same aspects.
"""

import json
import logging
import os
import tempfile
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TypeVar
from weakref import WeakValueDictionary

import anyio
from inspect_ai.model import Model
from platformdirs import user_cache_path
from pydantic import JsonValue

from idrbench_inspect.judging.asking import OWN_MODELS
from idrbench_inspect.judging.aspects import canonical
from idrbench_inspect.records import Record
from idrbench_inspect.resources import sha256_of

FORM = 1
"""Of the files; another form is another key."""

R = TypeVar("R", bound=Record)

_log = logging.getLogger(__name__)
_FREE = (OWN_MODELS, "mockllm/")
# Shared by all stores of the process: two that lie in the same folder make nothing twice.
_locks: WeakValueDictionary[str, anyio.Lock] = WeakValueDictionary()


def worth_keeping(model: Model) -> bool:
    """Whether a model's results outlive the process: not where its replies are free and its name does not fix them."""
    return not str(model).startswith(_FREE)


class Store:
    """Results by key; `folder` is the user's cache folder where none is given."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or user_cache_path("idrbench-inspect") / "judging"
        self._known: dict[Path, Record] = {}

    async def once(
        self,
        key: Mapping[str, JsonValue],
        kind: type[R],
        make: Callable[[], Awaitable[R]],
        *,
        on_disk: bool = True,
    ) -> R:
        """The result kept under `key`, made now if there is none; those who ask meanwhile wait for it.

        A result that could not be made is not kept: its exception goes to the one who asked, and the next one tries.
        """
        whole = canonical({"form": FORM, "kind": kind.__name__, **key})
        path = self.folder / kind.__name__.lower() / f"{sha256_of(whole)}.json"
        lock = _locks.setdefault(str(path), anyio.Lock())
        async with lock:
            found = self._known.get(path) or (_read(path, whole, kind) if on_disk else None)
            if not isinstance(found, kind):
                found = await make()
                found = _keep(path, whole, found) if on_disk else found
            self._known[path] = found
            return found


def _read(path: Path, key: str, kind: type[R]) -> R | None:
    try:
        text = path.read_bytes()
    except OSError:  # mostly because there is none; a folder that cannot be read will say so when it is written to
        return None
    try:
        held = json.loads(text)
        if canonical(held["key"]) != key:
            raise ValueError("it holds another key")
        return kind.model_validate_json(json.dumps(held["value"]))
    except (ValueError, KeyError, TypeError) as error:
        _log.warning("%s cannot be used (%s); what it held is made again.", path, " ".join(str(error).split())[:200])
        with suppress(OSError):
            path.unlink()
        return None


def _keep(path: Path, key: str, made: R) -> R:
    """Write a result, unless another process has written one meanwhile; that one is returned then."""
    text = json.dumps({"key": json.loads(key), "value": made.model_dump(mode="json")}, ensure_ascii=False, indent=1)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=path.parent, suffix=".new", delete=False) as file:
            file.write(text)
        try:
            os.link(file.name, path)  # unlike a rename, it fails where the file is there by now
        except FileExistsError:
            return _read(path, key, type(made)) or made
        finally:
            os.unlink(file.name)
    except OSError as error:
        _log.warning("%s cannot be written (%s); it is kept for this process only.", path, error)
    return made
