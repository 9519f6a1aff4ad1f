"""What has been paid for on the way to a row, kept until it is known what comes of it, so that a killed run goes on."""

import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final, Self, TypeVar

from inspect_ai.model import Model
from platformdirs import user_cache_path
from pydantic import JsonValue

from idrbench_inspect.judging.asking import instrument
from idrbench_inspect.judging.store import Store, worth_keeping
from idrbench_inspect.prompting import Prompt
from idrbench_inspect.records import Record
from idrbench_inspect.resources import sha256_of

R = TypeVar("R", bound=Record)


class Paid:
    """The replies to one source's prompts in a folder; `None` keeps nothing."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._store = Store(folder) if folder else None

    @classmethod
    def towards(cls, out: Path, source: str) -> Self:
        """What has been paid for a source's row in a file, by the source's id; for another file it is another draw."""
        name = sha256_of(f"{out.resolve()}\0{source}")[:32]
        return cls(user_cache_path("idrbench_inspect") / "making" / name)

    async def once(self, model: Model, asked: tuple[Prompt, int], kind: type[R], make: Callable[[], Awaitable[R]]) -> R:
        """What a model's reply says: as it is kept, or made now.

        A reply that cannot be used is not kept, and neither are those of free models.

        Args:
            model: Who is asked.
            asked: The prompt, and how many queries had been turned down before: a model may be asked the same again.
            kind: What the reply is read into.
            make: Asks the model.
        """
        if self._store is None:
            return await make()
        prompt, tries = asked
        key: dict[str, JsonValue] = {
            "instrument": instrument(model).model_dump(mode="json"),
            "prompt": sha256_of(f"{prompt.system}\0{prompt.user}"),
            "tries": tries,
        }
        return await self._store.once(key, kind, make, on_disk=worth_keeping(model))

    def forget(self) -> None:
        """Take everything out, once it is known what came of the source: who asks again wants another draw."""
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)


NOTHING: Final = Paid()
