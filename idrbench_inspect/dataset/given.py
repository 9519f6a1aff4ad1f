"""What a caller gives to load a dataset with, and what the messages call it where it was given."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Place:
    """Where a dataset is asked for, so that messages name what its user can give there.

    Args:
        data_dir: What `data_dir` is called there.
        reports: What `reports` is called there.
        otherwise: What else can be done without the public files, as part of a sentence.
    """

    data_dir: str = "data_dir="
    reports: str = "reports="
    otherwise: str = ""


ANYWHERE: Final = Place()
COMMAND: Final = Place("--data-dir", "--reports")


@dataclass(frozen=True)
class Given:
    """The parameters `data_dir` and `reports` of `load`, and where they were given."""

    data_dir: str | None = None
    reports: str | None = None
    place: Place = ANYWHERE
