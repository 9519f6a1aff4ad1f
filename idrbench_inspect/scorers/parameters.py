"""Parameters that a scorer does not have: refused when the first sample is scored, since Inspect hides what is raised
while a scorer is made behind words of its own.
"""

from collections.abc import Mapping
from typing import Any

from idrbench_inspect.errors import BadInput


def refuse_unknown(unknown: Mapping[str, Any], scorer: str, *known: str) -> None:
    """Refuse what a scorer was given beside its own parameters.

    Raises:
        BadInput: there is anything in `unknown`; the sentence names what the scorer has.

    Example:
        >>> refuse_unknown({}, "term_overlap", "exclude_contaminated")
    """
    if unknown:
        has = f"has {', '.join(known)}" if known else "has no parameters"
        raise BadInput(f"scorer parameter {min(unknown)!r} is unknown; {scorer} {has}: correct it, or leave it out.")
