"""Texts that are being embedded now: whoever asks for one of them waits for it, instead of having it embedded again.

Askers come from any thread and any event loop; what they wait for is bound to neither. An asker may leave before it has
its answer. The others are not touched by that, and a text that nobody waits for any more is left out.
"""

from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from threading import Lock

from idrbench_inspect.embedding.readings import Outcome

Answer = Future[Outcome]


@dataclass
class _Awaited:
    """A text that is waited for, by how many."""

    answer: Answer = field(default_factory=Future)
    askers: int = 0


@dataclass
class Ask:
    """One asker: what it waits for, and whether it has left."""

    awaited: list[_Awaited] = field(default_factory=list)
    left: bool = False


class InFlight:
    """The texts asked for and not yet answered, by key."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._awaited: dict[bytes, _Awaited] = {}

    def join(self, ask: Ask, keys: Sequence[bytes]) -> tuple[dict[bytes, Answer], list[bytes]]:
        """Wait for `keys`, which are distinct.

        Returns:
            The answer to each, and the keys that nobody else had asked for: the caller must see to it that every one of
            these is settled. An asker that has left already waits for nothing.
        """
        with self._lock:
            if ask.left:
                return {}, []
            mine = [key for key in keys if key not in self._awaited]
            self._awaited.update((key, _Awaited()) for key in mine)
            ask.awaited = [self._awaited[key] for key in keys]
            for awaited in ask.awaited:
                awaited.askers += 1
            return {key: awaited.answer for key, awaited in zip(keys, ask.awaited, strict=True)}, mine

    def leave(self, ask: Ask) -> None:
        """The asker waits no longer, be it that it was answered or that it was cancelled."""
        with self._lock:
            for awaited in ask.awaited:
                awaited.askers -= 1
            ask.awaited = []
            ask.left = True

    def wanted(self, key: bytes) -> bool:
        """Whether anyone waits for `key`; if not, it is no longer in flight."""
        with self._lock:
            awaited = self._awaited.get(key)
            if awaited is not None and awaited.askers > 0:
                return True
            self._awaited.pop(key, None)
        if awaited is not None:
            awaited.answer.cancel()
        return False

    def settle(self, key: bytes, outcome: Outcome) -> None:
        """Answer all who wait for `key`."""
        with self._lock:
            awaited = self._awaited.pop(key, None)
        if awaited is not None:
            awaited.answer.set_result(outcome)
