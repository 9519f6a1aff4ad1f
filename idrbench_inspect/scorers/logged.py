"""What a run left in its log, read the same way while it runs and when a stored log is scored again."""

from collections.abc import Iterable
from typing import Any

from inspect_ai.event import Event
from inspect_ai.solver import TaskState

from idrbench_inspect.log_events import ours
from idrbench_inspect.records import SCHEMA, Exchange, ResearchRun

RUN = "idrbench:run"


def run_of(state: TaskState) -> ResearchRun | None:
    """The run record; `None` when the agent keeps none, or did not come to its end.

    Raises:
        pydantic.ValidationError: the record is of another version.
    """
    stored = state.store.get(RUN)
    return None if stored is None else ResearchRun.model_validate(stored)


def ending_of(run: ResearchRun) -> str:
    """How the research of a run ended, as the rest of a sentence about it."""
    if run.stopped_by in {None, "complete"}:
        return "was declared complete" if run.stopped_by else "did not end by itself"
    return f"was stopped by {run.stopped_by}"


def entries(events: Iterable[Event], kind: str) -> list[dict[str, Any]]:
    """The data of our own info events of one kind, in order.

    Raises:
        ValueError: an event of this kind has another schema than `records.SCHEMA`.
    """
    chosen = [data for data in ours(events) if data.get("kind") == kind]
    for data in chosen:
        if data.get("schema") != SCHEMA:
            raise ValueError(f"an event of kind {kind!r} has schema {data.get('schema')!r}, wanted {SCHEMA!r}")
    return chosen


def exchanges_of(run: ResearchRun | None, events: Iterable[Event]) -> tuple[Exchange, ...]:
    """Every delivered clarification turn: of the run where there is a record, else of the events.

    The record comes first since a run that was restarted from a log holds turns that were delivered in that log.
    """
    if run is not None:
        return run.exchanges
    known = Exchange.model_fields
    return tuple(
        Exchange(**{"rationale": "", **{name: value for name, value in data.items() if name in known}})
        for data in entries(events, "exchange")
    )
