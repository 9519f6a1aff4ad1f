"""What model calls and searches cost, read from a sample's events.

Everything here comes from the events and from the shipped price list, so that a stored log gives the same numbers as
the run did. The one exception is the ledger of earlier attempts at a sample: a new attempt starts with a fresh store
and a fresh transcript, so `attempt` hands over what the attempts before it used, and writes it into the log.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Self

import yaml
from inspect_ai.event import Event, ModelEvent, SpanBeginEvent
from inspect_ai.log import transcript
from inspect_ai.model import ModelUsage
from pydantic import Field, JsonValue, model_validator

from idrbench_inspect.log_events import emit
from idrbench_inspect.records import Record, Usage
from idrbench_inspect.resources import shipped

AGENT = "agent"
GRADER = "grader"

_SNAPSHOT = re.compile(r"-(?:\d{4}-\d{2}-\d{2}|\d{8})$")
_SCORING = ("scorers", "scorer")
_ledger: dict[str, dict[str, Usage]] = {}


class Rates(Record):
    """Dollars per 1,000,000 tokens of each kind, none negative."""

    input: float = Field(ge=0)
    output: float = Field(ge=0)
    cache_read: float = Field(ge=0)
    cache_write: float = Field(ge=0)


class ModelPrice(Rates):
    """The rates of one model; `long` holds where a request's whole input has more than `above` tokens."""

    above: int | None = Field(None, ge=0)
    long: Rates | None = None

    @model_validator(mode="after")
    def _both_or_neither(self) -> Self:
        if (self.above is None) != (self.long is None):
            raise ValueError("`above` and `long` go together")
        return self


class Prices(Record):
    """A price list: `models` by Inspect's names, `search` in dollars per search, by provider."""

    noted: str
    models: dict[str, ModelPrice]
    search: dict[str, float]

    def dollars(self, model: str, usage: ModelUsage) -> float | None:
        """What a reply cost; `None` when the model's price is unknown.

        Input excludes cached tokens, and reasoning is part of the output, as in every `ModelUsage`.
        """
        price = self.models.get(model) or self.models.get(_SNAPSHOT.sub("", model))
        if price is None:
            return None
        read, written = usage.input_tokens_cache_read or 0, usage.input_tokens_cache_write or 0
        whole = usage.input_tokens + read + written
        rates = price.long if price.long and price.above is not None and whole > price.above else price
        millionths = (
            usage.input_tokens * rates.input
            + usage.output_tokens * rates.output
            + read * rates.cache_read
            + written * rates.cache_write
        )
        return millionths / 1e6

    def searches(self, provider: str | None, count: int) -> float | None:
        """What `count` searches cost; `None` when the provider's price is unknown, but no search costs nothing.

        Args:
            provider: Its name; what follows a first ":" says how it was set up and is left aside.
            count: Searches carried out, at least 0.
        """
        if count == 0:
            return 0.0
        price = self.search.get((provider or "").partition(":")[0])
        return None if price is None else price * count


@cache
def list_prices() -> Prices:
    """The price list that ships with the project, `datasets/prices.yaml`."""
    return Prices.model_validate(yaml.safe_load(shipped("datasets", "prices.yaml").read_text(encoding="utf-8")))


def usage_by_role(events: Iterable[Event], prices: Prices) -> dict[str, Usage]:
    """What was billed, by role, over all model calls among `events`.

    Every request counts once, so a call that is retried counts each time. A request that failed without a reply is a
    call of no tokens and no cost, since providers do not bill it. A reply from Inspect's cache is not billed: it is in
    `replayed_by_role` instead. Dollars are Inspect's own where it set them, else those of `prices`; one reply of
    unknown cost makes its role's dollars unknown. Calls made while scoring belong to the role "grader" unless they
    have a role of their own; other calls without a role belong to "agent".

    Args:
        events: A sample's events, in order, e.g. `transcript().events`.
        prices: Used where Inspect set no cost.
    """
    return _add_up(((role, call) for role, call in _calls(events) if call.cache != "read"), prices)


def replayed_by_role(events: Iterable[Event], prices: Prices) -> dict[str, Usage]:
    """The same over replies from Inspect's cache: together with what was billed, it does not depend on the cache."""
    return _add_up(((role, call) for role, call in _calls(events) if call.cache == "read"), prices)


def models_by_role(events: Iterable[Event]) -> dict[str, tuple[str, ...]]:
    """The names of the models that each role called, in order of their first call."""
    names: dict[str, dict[str, None]] = {}
    for role, call in _calls(events):
        names.setdefault(role, {})[call.model] = None
    return {role: tuple(models) for role, models in names.items()}


def unmetered_roles(events: Iterable[Event]) -> frozenset[str]:
    """Roles with a reply that came without a token count: their tokens are unknown, not few."""
    return frozenset(role for role, call in _calls(events) if call.output.usage is None and not _failed(call))


def unpriced_models(events: Iterable[Event], prices: Prices) -> tuple[str, ...]:
    """Models with a billed reply of unknown cost, sorted by name."""
    billed = (call for _, call in _calls(events) if call.cache != "read")
    return tuple(sorted({call.model for call in billed if _usage(call, prices).dollars is None}))


def failed_calls(events: Iterable[Event]) -> dict[str, int]:
    """Requests that ended in an error without a reply, by role."""
    failed: dict[str, int] = {}
    for role, call in _calls(events):
        failed[role] = failed.get(role, 0) + _failed(call)
    return failed


def total(usages: Iterable[Usage]) -> Usage:
    """The sum of usages; its dollars are unknown when any are. No usages give zeros."""
    summed = Usage()
    for usage in usages:
        known = summed.dollars is not None and usage.dollars is not None
        summed = Usage(
            calls=summed.calls + usage.calls,
            input=summed.input + usage.input,
            output=summed.output + usage.output,
            cache_read=summed.cache_read + usage.cache_read,
            cache_write=summed.cache_write + usage.cache_write,
            reasoning=summed.reasoning + usage.reasoning,
            dollars=(summed.dollars or 0.0) + (usage.dollars or 0.0) if known else None,
        )
    return summed


def all_tokens(usage: Usage) -> int:
    """Input inside and outside the provider's prompt cache, and output; reasoning is part of the output."""
    return usage.input + usage.cache_read + usage.cache_write + usage.output


def keep_failed(uuid: str, usage: Mapping[str, Usage]) -> None:
    """Add the usage of an attempt at the sample `uuid` to the ledger of this process, by role."""
    known = _ledger.get(uuid, {})
    _ledger[uuid] = {role: total([*_of(known, role), *_of(usage, role)]) for role in {**known, **usage}}


def failed_attempts(uuid: str) -> dict[str, Usage]:
    """What earlier attempts at the sample `uuid` used in this process, by role; empty at the first attempt."""
    return dict(_ledger.get(uuid, {}))


@contextmanager
def attempt(uuid: str, prices: Prices | None = None) -> Iterator[None]:
    """Put this around an attempt at a sample, so that nothing it uses is forgotten should the sample be run again.

    Inspect keeps `TaskState.uuid` when `retry_on_error` runs a sample again. An event of kind "attempt" says in every
    sample what earlier attempts used, so a log without that event has an unknown past, not an empty one.
    """
    earlier: dict[str, JsonValue] = {role: usage.model_dump() for role, usage in failed_attempts(uuid).items()}
    emit("attempt", {"earlier": earlier})
    try:
        yield
    finally:
        # An attempt that ends well is kept as well: a scorer that fails afterwards has the sample run again.
        keep_failed(uuid, usage_by_role(transcript().events, prices or list_prices()))


def _of(usage: Mapping[str, Usage], role: str) -> list[Usage]:
    return [usage[role]] if role in usage else []


def _calls(events: Iterable[Event]) -> Iterator[tuple[str, ModelEvent]]:
    scoring: set[str] = set()
    for event in events:
        if isinstance(event, SpanBeginEvent) and (event.type in _SCORING or event.parent_id in scoring):
            scoring.add(event.id)
        if isinstance(event, ModelEvent):
            yield event.role or (GRADER if event.span_id in scoring else AGENT), event


def _failed(call: ModelEvent) -> bool:
    # A context overflow comes back as an ordinary output without usage; no provider bills it.
    overflowed = call.output.stop_reason == "model_length"
    return call.output.usage is None and bool(call.error or call.pending or overflowed)


def _usage(call: ModelEvent, prices: Prices) -> Usage:
    usage = call.output.usage
    if usage is None:
        return Usage(calls=1, dollars=0.0 if _failed(call) else None)
    return Usage(
        calls=1,
        input=usage.input_tokens,
        output=usage.output_tokens,
        cache_read=usage.input_tokens_cache_read or 0,
        cache_write=usage.input_tokens_cache_write or 0,
        reasoning=usage.reasoning_tokens or 0,
        dollars=usage.total_cost if usage.total_cost is not None else prices.dollars(call.model, usage),
    )


def _add_up(calls: Iterable[tuple[str, ModelEvent]], prices: Prices) -> dict[str, Usage]:
    by_role: dict[str, list[Usage]] = {}
    for role, call in calls:
        by_role.setdefault(role, []).append(_usage(call, prices))
    return {role: total(usages) for role, usages in by_role.items()}
