"""Records by the hash of their content: each is put on the shelf once, and named from then on.

`put` takes a record apart: every record inside it whose type is in `SHELVED` is replaced by `{"ref": hash}` and stored
under that hash, however often it occurs. `take` puts it together again. A log that holds the shelf's entries (as
events) is therefore enough to rebuild any record it refers to.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from idrbench_inspect.records import SHELVED, Record

Shelve = Callable[[str, str, dict[str, Any]], None]
T = TypeVar("T", bound=Record)

# A mapping with one of these as its only key is the shelf's own; data that looks like that is wrapped in `_PLAIN`.
_REF = "ref"
_PLAIN = "plain"
_MARKERS = ({_REF}, {_PLAIN})


class Shelf:
    """Names records by hash, and hands each new one to `shelve(kind, hash, payload)` exactly once."""

    def __init__(self, shelve: Shelve) -> None:
        self._shelve = shelve
        self._known: set[str] = set()

    def put(self, record: Record) -> dict[str, Any]:
        """The record's own fields, with what lies inside it named by hash.

        Example:
            >>> from idrbench_inspect.records import Brief, Query, RunState
            >>> entries = {}
            >>> shelf = Shelf(lambda kind, name, payload: entries.update({name: payload}))
            >>> query = Query(id="a", text="Why?", language="en")
            >>> state = RunState(query=query, arm="x", date="d", brief=Brief(text="Find out why."))
            >>> list(shelf.put(state)["brief"])
            ['ref']
            >>> take(RunState, shelf.put(state), entries) == state
            True
        """
        return {name: self._value(getattr(record, name)) for name in type(record).model_fields}

    def know(self, record: Record) -> None:
        """Take a record as stored, because it is already where the entries go."""
        self._known.add(record.digest())

    def name(self, record: Record) -> str:
        """The record's hash; stores it, and what lies inside it, when it is new."""
        digest = record.digest()
        if digest not in self._known:
            self._known.add(digest)
            self._shelve(type(record).__name__, digest, self.put(record))
        return digest

    def _value(self, value: Any) -> Any:
        if isinstance(value, SHELVED):
            return {_REF: self.name(value)}
        if isinstance(value, Record):
            return self.put(value)
        if isinstance(value, list | tuple):
            return [self._value(item) for item in value]
        if isinstance(value, Mapping):
            plain = {key: self._value(item) for key, item in value.items()}
            return {_PLAIN: plain} if set(plain) in _MARKERS else plain
        return value


def take(kind: type[T], payload: Mapping[str, Any], entries: Mapping[str, Mapping[str, Any]]) -> T:
    """Put a record together from its payload and the shelf's entries by hash.

    Raises:
        KeyError: an entry that the payload refers to is not there.
        pydantic.ValidationError: the payload is not of this kind or version.
    """
    built = kind.model_validate(_resolve(payload, entries))
    return built


def _resolve(value: Any, entries: Mapping[str, Mapping[str, Any]]) -> Any:
    if isinstance(value, Mapping):
        if set(value) == {_REF}:
            return _resolve(entries[value[_REF]], entries)
        if set(value) == {_PLAIN}:
            value = value[_PLAIN]
        return {key: _resolve(item, entries) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_resolve(item, entries) for item in value]
    return value
