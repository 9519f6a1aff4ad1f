"""The choices of a run, read and checked before anything is called."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date as calendar_date
from typing import Any

from idrbench_inspect.blocklist import Blocklist
from idrbench_inspect.errors import BadInput
from idrbench_inspect.limits import Budgets, Limits
from idrbench_inspect.profiles import Profile, profile_named
from idrbench_inspect.records import LANGUAGES, STAGES
from idrbench_inspect.scorers.instruments import OF_DATASET, Instruments
from idrbench_inspect.user.simulated import CONTEXTS

# Inspect offers its model to every task that takes any parameter.
_FROM_INSPECT = {"model"}

Names = str | Sequence[str]


@dataclass(frozen=True)
class Choices:
    """A run's choices, complete: what was not given comes from the profile."""

    profile: Profile
    dataset: str
    data_dir: str | None
    reports: str | None
    subset: str | None
    shard: str | None
    language: str | None
    search: str
    user_context: str
    date: str
    limits: Limits
    budgets: Budgets
    instruments: Instruments
    blocked: Blocklist


def choices(given: dict[str, Any]) -> Choices:
    """Read the task parameters, as `@task` functions get them.

    Args:
        given: Parameter names and values; `None` stands for "not given". Under `unknown`, what fits no parameter.

    Raises:
        BadInput: any of them cannot be used; one sentence says which and what to do.
    """
    refuse_unknown(given)
    profile = profile_named(str(given["profile"]))
    language = given.get("language")
    if language is not None and language not in LANGUAGES:
        raise BadInput(f"language {language!r} is unknown; the languages are {', '.join(LANGUAGES)}: give one or none.")
    context = str(_or_default(given, "user_context", "full"))
    if context not in CONTEXTS:
        raise BadInput(f"user_context {context!r} is unknown; it is one of {', '.join(CONTEXTS)}: give one of them.")
    return Choices(
        profile=profile,
        dataset=str(_or_default(given, "dataset", profile.dataset)),
        data_dir=_text(given.get("data_dir")),
        reports=_text(given.get("reports")),
        subset=_text(given.get("subset")),
        shard=_text(given.get("shard")),
        language=language,
        search=str(_or_default(given, "search", profile.search)),
        user_context=context,
        date=_date(given.get("date"), profile),
        limits=Limits.of(**_given(given, *Limits.model_fields)),
        budgets=_budgets(given),
        instruments=_instruments(given, profile),
        blocked=Blocklist.of(given.get("blocked_domains")),
    )


def names(value: Names, what: str) -> tuple[str, ...]:
    """A list given as `a,b`, as a list, or as `none` for the empty one.

    Raises:
        BadInput: it is no list, or a name is blank or doubled.
    """
    if not isinstance(value, str | list | tuple):
        raise BadInput(f"{what}={value!r} is no list of names; give names, separated by commas.")
    parts = [part.strip() for part in (value.split(",") if isinstance(value, str) else map(str, value))]
    if parts in ([""], ["none"]):
        return ()
    if "" in parts or len(set(parts)) != len(parts):
        raise BadInput(f"{what}={value!r} has a blank or doubled name; give each name once, separated by commas.")
    return tuple(parts)


def refuse_unknown(given: dict[str, Any]) -> None:
    """Refuse a task parameter that fits none: Inspect leaves it out with a warning.

    Raises:
        BadInput: there is one, under `unknown`.
    """
    unknown = sorted(set(given.get("unknown", {})) - _FROM_INSPECT)
    if unknown:
        known = ", ".join(name for name in given if name != "unknown")
        raise BadInput(
            f"task parameter {unknown[0]!r} is unknown; the parameters are {known}: correct it or leave it out."
        )


def _budgets(given: dict[str, Any]) -> Budgets:
    turns = {stage: given[f"{stage}_budget"] for stage in STAGES if given.get(f"{stage}_budget") is not None}
    budgets = Budgets.of("{}_budget", **turns)
    if given.get("stages") is None:
        return budgets
    stages = names(given["stages"], "stages")
    for stage in stages:
        if stage not in STAGES:
            raise BadInput(
                f"stage {stage!r} is unknown; the stages are {', '.join(STAGES)}: give some of them, or none."
            )
    return budgets.only(stage for stage in STAGES if stage in stages)


def _instruments(given: dict[str, Any], profile: Profile) -> Instruments:
    """How alignment is measured; aspects that are not given are the dataset's own, where it has any."""
    chosen = _given(given, *(name for name in Instruments.model_fields if name != "grader"))
    return Instruments.of(**{"embedder": profile.embedder, "aspects": OF_DATASET, **chosen, "grader": profile.grader})


def _date(value: Any, profile: Profile) -> str:
    text = str(profile.date or calendar_date.today().isoformat() if value is None else value)
    try:
        return calendar_date.fromisoformat(text).isoformat()
    except ValueError:
        raise BadInput(f"date {text!r} is no date; give -T date=YYYY-MM-DD.") from None


def _or_default(given: dict[str, Any], name: str, default: str) -> Any:
    """Only `None` is "not given": a blank or a false value is a mistake, and must not pass for the default."""
    return default if given.get(name) is None else given[name]


def _given(given: dict[str, Any], *wanted: str) -> dict[str, Any]:
    return {name: given[name] for name in wanted if given.get(name) is not None}


def _text(value: Any) -> str | None:
    return None if value is None else str(value)
