"""What our rooms write into a sample's log, and how it is read back.

Every event is an Inspect info event with `data={"schema": "idrbench/1", "kind": ..., ...}`, and with the source
"idrbench.KIND", which is what the log viewer heads it with:

| kind | once per | holds |
|---|---|---|
| settings | sample | arm, budgets, limits, language, search, models by role, date, hashes |
| brief, page, finding, round | record | the record's fields and its `hash` |
| exchange | delivered question | stage, turn, rationale, summary, questions, reply, status, tokens, model, `hash` |
| decision | opportunity to ask | a `Decision`, large records named by hash |
| report | report | hash, title, length, sources cited |
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from inspect_ai.event import Event, InfoEvent
from inspect_ai.log import read_eval_log_sample, transcript

from idrbench_inspect.errors import BadInput
from idrbench_inspect.records import SCHEMA, SHELVED, Decision, Exchange
from idrbench_inspect.shelf import Shelf, take
from idrbench_inspect.units.tokens import count_tokens

SOURCE = "idrbench"
_ABOUT = {"schema", "kind", "hash", "tokens"}
_KINDS = {kind.__name__.lower() for kind in SHELVED}


def emit(kind: str, payload: Mapping[str, Any]) -> None:
    """Write one event into the log of the running sample."""
    transcript().info({"schema": SCHEMA, "kind": kind, **payload}, source=f"{SOURCE}.{kind}")


def shelf() -> Shelf:
    """A shelf whose entries become events of the running sample, each once."""

    def shelve(kind: str, name: str, payload: dict[str, Any]) -> None:
        tokens = {"tokens": exchange_tokens(payload)} if kind == Exchange.__name__ else {}
        emit(kind.lower(), {"hash": name, **payload, **tokens})

    return Shelf(shelve)


def exchange_tokens(payload: Mapping[str, Any]) -> dict[str, int]:
    """Tokens (cl100k) of an exchange's summary, questions and reply, apart."""
    return {
        "summary": count_tokens(payload["summary"]),
        "questions": sum(count_tokens(question) for question in payload["questions"]),
        "reply": count_tokens(payload["reply"]),
    }


def ours(events: Iterable[Event]) -> list[dict[str, Any]]:
    """The data of our events of any schema, in order."""
    found = (e for e in events if isinstance(e, InfoEvent) and (e.source or "").split(".")[0] == SOURCE)
    return [e.data for e in found if isinstance(e.data, dict)]


def payloads(events: Iterable[Event], kind: str | None = None) -> list[dict[str, Any]]:
    """The data of our events, in order; of one kind if it is named."""
    return [data for data in ours(events) if data.get("schema") == SCHEMA and kind in (None, data.get("kind"))]


def decisions(events: Iterable[Event]) -> list[Decision]:
    """The decision records of a sample, put together again from its events alone; a log's attachments resolved."""
    data = payloads(events)
    entries = {d["hash"]: _record_fields(d) for d in data if d["kind"] in _KINDS and "hash" in d}
    return [take(Decision, _aliased(_record_fields(d)), entries) for d in data if d["kind"] == "decision"]


def read_decisions(log: str | Path, sample_id: str, epoch: int = 1) -> list[Decision]:
    """The decision records of one sample of a log file.

    Raises:
        BadInput: the log or the sample is not there, or holds no decision record.
    """
    try:
        sample = read_eval_log_sample(str(log), id=sample_id, epoch=epoch, resolve_attachments="full")
    except (OSError, KeyError, IndexError, ValueError) as error:
        raise BadInput(
            f"sample {sample_id!r} of log {log} cannot be read ({error}); give a log of this task."
        ) from None
    found = decisions(sample.events)
    if not found:
        raise BadInput(f"sample {sample_id!r} of log {log} holds no decision record; give a log of this task suite.")
    return found


def _record_fields(data: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in data.items() if key not in _ABOUT}


def _aliased(fields: dict[str, Any]) -> dict[str, Any]:
    fields.pop("schema_", None)
    return fields
