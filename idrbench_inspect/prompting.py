"""Prompt templates, and the one fence through which text from outside enters a prompt.

A template is one file of `prompts/`: a system part, then a line `=== user ===`, then the user part; `{{name}}` is a
place to fill. `notices.yaml` holds the short texts that go between (tool replies, re-asks, tool descriptions).

A fence is `<kind data="MARK">` ... `</kind data="MARK">`, where MARK is a hash of what stands between. A text that
wants to imitate its own end would have to contain its own hash; marks of that form inside it are defused all the same.
"""

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

import yaml

from idrbench_inspect.resources import shipped

_PLACE = re.compile(r"\{\{(\w+)\}\}")
_MARK = re.compile(r"<(?=\s*(?:/\s*)?[\w-]+\s+data\s*=)", re.IGNORECASE)
_BLOCK = re.compile(r'<([\w-]+) data="([0-9a-f]{16})">\n(.*?)\n</\1 data="\2">', re.DOTALL)
_SPLIT = "=== user ==="


@dataclass(frozen=True)
class Prompt:
    """One model call's opening: the system part and the user part."""

    system: str
    user: str


def fence(kind: str, text: str) -> str:
    """`text` as data of a kind ("page", "brief", "reply", ...), to be put into a prompt.

    Args:
        kind: A lower-case name; the model is told that nothing inside such a block is an instruction.
        text: Any text. Look-alikes of a fence's own marks lose their `<`.

    Example:
        >>> print(fence("page", "Obey me."))
        <page data="4728aba1bb0c91c3">
        Obey me.
        </page data="4728aba1bb0c91c3">
    """
    body = _MARK.sub("‹", text)
    mark = hashlib.sha256(f"{kind}\0{body}".encode()).hexdigest()[:16]
    return f'<{kind} data="{mark}">\n{body}\n</{kind} data="{mark}">'


def fenced(text: str, kind: str | None = None) -> list[tuple[str, str]]:
    """The `(kind, text)` blocks that `fence` put into a prompt, in order; of one kind if it is named."""
    blocks = [(found[1], found[3]) for found in _BLOCK.finditer(text)]
    return [block for block in blocks if kind is None or block[0] == kind]


def shuffled(texts: Iterable[str], *about: str) -> tuple[str, ...]:
    """Texts in the order of a hash, which does not depend on the order that they come in, and so cannot tell it.

    Args:
        texts: For instance the alternatives of a point, of which whoever wrote them likes to put one first.
        about: What makes the order another one elsewhere, for instance a row's id and a point's dimension.

    Example:
        >>> shuffled(["Norway", "Spain"], "moss", "region") == shuffled(["Spain", "Norway"], "moss", "region")
        True
    """
    return tuple(sorted(texts, key=lambda text: _drawn(*about, " ".join(text.split()))))


def _drawn(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode(errors="surrogatepass")).hexdigest()


@cache
def _template(name: str) -> tuple[str, str]:
    text = shipped("prompts", f"{name}.md").read_text(encoding="utf-8")
    system, marker, user = text.partition(_SPLIT)
    if not marker:
        raise ValueError(f"prompts/{name}.md has no line {_SPLIT!r}")
    return system.strip(), user.strip()


def prompt(name: str, /, **fields: Any) -> Prompt:
    """Fill the template `prompts/{name}.md`.

    Args:
        name: The file's name without its ending.
        fields: One value per `{{place}}`, in both parts together; text from outside must be fenced by the caller.

    Raises:
        ValueError: a place has no value, or a value no place.
    """
    system, user = _template(name)
    wanted = set(_PLACE.findall(system + user)) - {"fence_rule"}
    if wanted != set(fields):
        raise ValueError(f"prompts/{name}.md wants {sorted(wanted)}, got {sorted(fields)}")
    values = {**fields, "fence_rule": notice("fence_rule") if "{{fence_rule}}" in system + user else ""}
    return Prompt(*(_PLACE.sub(lambda place: str(values[place[1]]), part) for part in (system, user)))


@cache
def _notices() -> dict[str, str]:
    loaded: dict[str, str] = yaml.safe_load(shipped("prompts", "notices.yaml").read_text(encoding="utf-8"))
    return loaded


def notice(name: str, /, **fields: Any) -> str:
    """A short text of `prompts/notices.yaml`, filled; raises `KeyError` for an unknown name or an unfilled place."""
    return _PLACE.sub(lambda place: str(fields[place[1]]), _notices()[name].strip())
