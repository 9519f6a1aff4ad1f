"""How the grader is asked: its settings, the hash of its prompt, and what comes of a reply that cannot be used."""

import hashlib
from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeVar

from inspect_ai.model import GenerateConfig, Model, get_model, model_roles
from pydantic import BaseModel, ValidationError

from idrbench_inspect.errors import BadInput, ReplyFault, UnusableReply, cannot_be_made, first_fault
from idrbench_inspect.judging.aspects import Instrument
from idrbench_inspect.prompting import Prompt, notice
from idrbench_inspect.replies import ask_read, read_one_json
from idrbench_inspect.resources import shipped

GRADER = "openai/gpt-4.1"
OWN_MODELS = "idrbench/"
"""How the names of this package's models begin, which cost nothing and cannot judge as people would."""
"""Who plays the role `grader` when it is not bound."""

Reason = Literal["invalid_response_format", "refusal", "no_response", "grader_failed", "no_reference"]

R = TypeVar("R")
I = TypeVar("I", bound=BaseModel)  # noqa: E741 - an item of a reply

_REASONS: dict[ReplyFault, Reason] = {
    "overflow": "grader_failed",
    "cut": "no_response",
    "empty": "no_response",
    "refused": "refusal",
    "malformed": "invalid_response_format",
    "too long": "invalid_response_format",
}
_STARTING = GenerateConfig(temperature=0.0)
_LONGEST_KEPT = 2_000
_WITHOUT_EFFECT = {
    *("max_retries", "timeout", "attempt_timeout", "stream_idle_timeout", "max_connections", "adaptive_connections"),
    *("cache", "cache_prompt", "batch", "fail_on_refusal", "max_tool_output", "extra_headers"),
}


class NoReading(RuntimeError):
    """The instrument gave no reading: the sample is unscored for `reason`, which is not a grade of 0.

    `explanation` is one sentence; `reply` is the last reply as it came, its opening where it is long.
    """

    def __init__(self, reason: Reason, explanation: str, reply: str = "") -> None:
        super().__init__(f"{reason}: {explanation}")
        self.reason: Reason = reason
        self.explanation = explanation
        self.reply = reply[:_LONGEST_KEPT]


def graders(default: str = GRADER) -> tuple[Model, ...]:
    """The models that play the role `grader`: all of those that it is bound to, or `default`. At least one.

    Raises:
        BadInput: the default cannot be made, with the provider's reason.
    """
    bound = model_roles().get("grader")
    if isinstance(bound, list):
        return tuple(bound)
    try:
        return (get_model(role="grader", default=default),)
    except Exception as cannot:  # a provider raises what it likes when its key or package is missing
        raise BadInput(
            f"The role grader is played by {default}, which cannot be made ({cannot_be_made(cannot)}); set what is "
            "missing, or give another model with --model-role grader=."
        ) from cannot


def settings_of(model: Model) -> GenerateConfig:
    """A grader's settings: its own, and temperature 0 where it has none."""
    return _STARTING.merge(model.config)


def instrument(model: Model, *prompts: str) -> Instrument:
    """What makes a model's replies to these prompts differ from another's.

    The place of a server that is not the provider's own counts, by its hash; connections, retries and caches do not.
    """
    settings = settings_of(model).model_dump(mode="json", exclude_none=True, exclude=_WITHOUT_EFFECT)
    if model.api.base_url:
        settings["base_url_sha256"] = hashlib.sha256(model.api.base_url.encode()).hexdigest()
    return Instrument(model=str(model), settings=settings, prompt_sha256=prompt_sha256(*prompts))


def prompt_sha256(*names: str) -> str:
    """The hash of prompts by name, with the rule about fences that goes into each."""
    total = hashlib.sha256(notice("fence_rule").encode())
    for name in names:
        total.update(shipped("prompts", f"{name}.md").read_bytes())
    return total.hexdigest()


async def ask(
    model: Model, prompt: Prompt, schema: type[BaseModel], read: Callable[[str], R], *, anew: bool = False
) -> R:
    """Ask the grader, again where the reply cannot be used, three times at most.

    Args:
        model: The grader.
        prompt: What is asked.
        schema: The form that the provider is given.
        read: Takes the result from the reply, or says in a `ValueError` what is wrong with it.
        anew: Never from Inspect's cache, even where the run caches its calls.

    Raises:
        NoReading: what came cannot be used. Broken machinery raises as it is.
    """
    # The model's own settings apply by themselves, below those of the run that concern connections.
    temperature = _STARTING.temperature if model.config.temperature is None else None
    config = GenerateConfig(temperature=temperature, cache=False if anew else None)
    try:
        return await ask_read(model, prompt, schema, read, config=config, roomier=True)
    except UnusableReply as unusable:
        raise NoReading(_REASONS[unusable.fault], f"{unusable}", unusable.reply) from unusable


class _Items(BaseModel):
    """A reply whose items are not looked at yet; what else it says (a total, a remark) is not read."""

    aspects: list[dict[str, Any]]


class _Points(BaseModel):
    """The same of points."""

    points: list[dict[str, Any]]


def read_items(
    text: str, item: type[I], ids: Sequence[str], within: Literal["aspects", "points"] = "aspects"
) -> tuple[dict[str, I], tuple[str, ...]]:
    """One item for every id, from a reply of the form `{"aspects": [{"id": ..., ...}, ...]}`, or of `points`.

    Items are matched by id, upper or lower case, not by their order. Those of unknown ids are not read, only named.

    Returns:
        The items by id in the order of `ids`, and the unknown ids.

    Raises:
        ValueError: an id is missing or there twice, or an item is not of its form; the message names every such id.
    """
    rows = read_one_json(text, _Items).aspects if within == "aspects" else read_one_json(text, _Points).points
    return matched(rows, item, ids)


def matched(rows: Sequence[dict[str, Any]], item: type[I], ids: Sequence[str]) -> tuple[dict[str, I], tuple[str, ...]]:
    """One item for every id, from the rows of a reply: see `read_items`.

    Raises:
        ValueError: as `read_items`.
    """
    wanted = {id_.casefold(): id_ for id_ in ids}
    found: dict[str, list[dict[str, Any]]] = {id_: [] for id_ in ids}
    unknown: list[str] = []
    for fields in rows:
        named = str(fields.get("id", "")).strip()
        if named.casefold() in wanted:
            found[wanted[named.casefold()]].append(fields)
        else:
            unknown.append(named)
    wrong = [f"{id_}: it is there {len(given)} times" for id_, given in found.items() if len(given) > 1]
    if missing := [id_ for id_, given in found.items() if not given]:
        wrong.append(f"missing: {', '.join(missing)}")
    if unknown and wrong:
        wrong.append(f"there is no {', '.join(map(repr, unknown))}")
    items = {}
    for id_, given in found.items():
        try:
            items[id_] = item.model_validate({**given[0], "id": id_}) if given else None
        except ValidationError as error:
            wrong.append(f"{id_}: {': '.join(first_fault(error))}")
    if wrong:
        raise ValueError("; ".join(wrong) + ".")
    return {id_: read for id_, read in items.items() if read is not None}, tuple(unknown)
