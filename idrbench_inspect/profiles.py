"""Profiles: named sets of defaults. Anything given explicitly wins, and nothing switches between them in silence."""

from dataclasses import dataclass

from idrbench_inspect.embedding.model_source import DEFAULT
from idrbench_inspect.embedding.named import USEM3
from idrbench_inspect.errors import BadInput
from idrbench_inspect.judging import GRADER


@dataclass(frozen=True)
class Profile:
    """Where a run gets what was not given.

    Args:
        name: As in the task parameter `profile`.
        dataset: Name of the dataset.
        search: The search, as in the task parameter.
        user: Model of the role `user`, when it is not bound by `--model-role`.
        summarizer: Model of the role `summarizer`, likewise.
        grader: Model of the role `grader`, likewise.
        embedder: The embedder of the alignment measures.
        date: The frozen date of the prompts; `None` for the day on which the task is made.
    """

    name: str
    dataset: str
    search: str
    user: str
    summarizer: str
    grader: str
    embedder: str
    date: str | None


OFFLINE = "idrbench/extractive"

PROFILES: dict[str, Profile] = {
    profile.name: profile
    for profile in (
        Profile("paper", "idrbench", "tavily", "openai/gpt-5.1", "openai/gpt-4.1-nano", GRADER, DEFAULT, None),
        Profile("mini", "mini", "corpus", OFFLINE, OFFLINE, OFFLINE, USEM3, "2026-01-15"),
    )
}


def profile_named(name: str) -> Profile:
    """The profile of that name.

    Raises:
        BadInput: there is none.
    """
    if name not in PROFILES:
        known = " and ".join(PROFILES)
        raise BadInput(f"profile {name!r} is unknown; the profiles are {known}: give -T profile= one of them.")
    return PROFILES[name]
