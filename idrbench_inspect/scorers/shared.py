"""Metadata that are not copied: for every key and metric, Inspect makes a deep copy of every score, of which the
metadata are by far the largest part and are only read.
"""

from collections.abc import Mapping
from typing import Any


class _SharedDict(dict[str, Any]):
    def __deepcopy__(self, memo: dict[int, Any]) -> "_SharedDict":
        return self


class _SharedList(list[Any]):
    def __deepcopy__(self, memo: dict[int, Any]) -> "_SharedList":
        return self


def shared(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """The same metadata, whose parts all copies share; in a log they are what they were.

    Args:
        metadata: What is changed in place later would change in every copy: give what nobody changes.

    Example:
        >>> from copy import deepcopy
        >>> made = shared({"judges": [{"grade": 3}], "tau": 0.8})
        >>> made == {"judges": [{"grade": 3}], "tau": 0.8}, deepcopy(made)["judges"] is made["judges"]
        (True, True)
    """
    return {name: _shared(value) for name, value in metadata.items()}


def _shared(value: Any) -> Any:
    if isinstance(value, dict):
        return _SharedDict(value)
    return _SharedList(value) if isinstance(value, list) else value
