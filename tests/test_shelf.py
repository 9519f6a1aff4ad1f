"""Records taken apart by hash and put together again."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from idrbench_inspect.records import (
    SHELVED,
    Brief,
    Delegation,
    Exchange,
    Finding,
    Loss,
    Page,
    Query,
    ResearchRun,
    Round,
    RunState,
    Source,
    ToolReply,
    Usage,
)
from idrbench_inspect.shelf import Shelf, take

TEXT = st.text(min_size=1, max_size=12)
# Keys and values as a model may choose them for a tool call, the shelf's own words among them.
KEYS = st.one_of(st.sampled_from(["ref", "plain"]), st.text(max_size=5))
DATA = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-9, 9), st.text(max_size=5)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(KEYS, inner, max_size=3)),
    max_leaves=6,
)
SOURCES = st.builds(Source, url=TEXT, title=TEXT)
FINDINGS = st.builds(Finding, topic=TEXT, text=TEXT, sources=st.lists(SOURCES, min_size=1, max_size=2).map(tuple))
LOSSES = st.builds(Loss, what=st.just("delegation"), kind=st.just("failed"), subject=TEXT, reason=TEXT)
DELEGATIONS = st.one_of(
    st.builds(Delegation, call=TEXT, topic=TEXT, finding=FINDINGS),
    st.builds(Delegation, call=TEXT, topic=TEXT, loss=LOSSES),
)
ROUNDS = st.builds(
    Round,
    number=st.integers(1, 9),
    message=st.dictionaries(KEYS, DATA, max_size=3),
    replies=st.lists(st.builds(ToolReply, call=TEXT, function=TEXT, text=st.none() | TEXT), max_size=2).map(tuple),
    delegations=st.lists(DELEGATIONS, max_size=2).map(tuple),
)
EXCHANGES = st.builds(
    Exchange,
    stage=st.sampled_from(["planning", "research", "generation", None]),
    turn=st.integers(1, 3),
    rationale=TEXT,
    summary=TEXT,
    questions=st.lists(TEXT, min_size=1, max_size=2).map(tuple),
    reply=TEXT,
    model=TEXT,
)
STATES = st.builds(
    RunState,
    query=st.builds(Query, id=TEXT, text=TEXT, language=st.sampled_from(["en", "zh"])),
    arm=TEXT,
    date=TEXT,
    given=st.none() | TEXT,
    brief=st.none() | st.builds(Brief, text=TEXT),
    rounds=st.lists(ROUNDS, max_size=3).map(tuple),
    pages=st.lists(st.builds(Page, url=TEXT, title=TEXT, text=TEXT, missing=st.none() | TEXT), max_size=2).map(tuple),
    exchanges=st.lists(EXCHANGES, max_size=2).map(tuple),
    losses=st.lists(LOSSES, max_size=2).map(tuple),
)


class Entries:
    """Where a shelf puts its entries: each as JSON, as a log holds it; a hash given twice is an error."""

    def __init__(self) -> None:
        self.by_hash: dict[str, dict[str, Any]] = {}
        self.kinds: list[str] = []

    def __call__(self, kind: str, name: str, payload: dict[str, Any]) -> None:
        assert name not in self.by_hash
        self.by_hash[name] = json.loads(json.dumps(payload))
        self.kinds.append(kind)


def as_logged(shelf: Shelf, record: RunState | ResearchRun) -> dict[str, Any]:
    payload: dict[str, Any] = json.loads(json.dumps(shelf.put(record)))
    return payload


@given(STATES)
def test_a_state_comes_back_as_it_was_and_each_entry_is_handed_over_once(state: RunState) -> None:
    entries = Entries()
    shelf = Shelf(entries)
    payloads = [as_logged(shelf, state) for _ in range(2)]
    assert payloads[0] == payloads[1]
    assert take(RunState, payloads[0], entries.by_hash) == state
    inside = {r.digest() for r in (*state.rounds, *state.pages, *state.exchanges, *state.findings)}
    assert set(entries.by_hash) == inside | ({state.brief.digest()} if state.brief else set())


@given(STATES, ROUNDS)
def test_a_state_that_grew_adds_only_what_is_new(state: RunState, more: Round) -> None:
    entries = Entries()
    shelf = Shelf(entries)
    shelf.put(state)
    before = set(entries.by_hash)
    grown = state.replace(rounds=(*state.rounds, more))
    payload = as_logged(shelf, grown)
    assert set(entries.by_hash) - before <= {r.digest() for r in (more, *more.findings)}
    assert take(RunState, payload, entries.by_hash) == grown


FINDING = Finding(topic="a", text="b", sources=(Source(url="u", title="t"),))
ROUND = Round(number=1, message={}, delegations=(Delegation(call="c", topic="a", finding=FINDING),))


def test_an_entry_comes_after_the_entries_it_refers_to() -> None:
    entries = Entries()
    Shelf(entries).name(ROUND)
    assert entries.kinds == ["Finding", "Round"]


def test_a_known_record_is_not_handed_over() -> None:
    entries = Entries()
    shelf = Shelf(entries)
    shelf.know(ROUND)
    assert shelf.name(ROUND) == ROUND.digest()
    assert not entries.by_hash


@pytest.mark.parametrize("data", [{"ref": "x"}, {"plain": {"ref": "x"}}, {"plain": 1}, {"ref": {"ref": [1]}}])
def test_data_that_looks_like_a_reference_stays_data(data: dict[str, Any]) -> None:
    entries = Entries()
    round_ = Round(number=1, message={"tool_calls": [{"arguments": data}], **data})
    name = Shelf(entries).name(round_)
    assert take(Round, entries.by_hash[name], entries.by_hash) == round_


def test_a_run_with_its_usage_comes_back() -> None:
    entries = Entries()
    run = ResearchRun(
        query_id="q",
        arm="interactive",
        brief=Brief(text="b"),
        rounds=(ROUND,),
        exchanges=(),
        losses=(),
        stopped_by=None,
        ended_by="complete",
        usage={"planner": Usage(calls=2, dollars=None)},
    )
    assert take(ResearchRun, as_logged(Shelf(entries), run), entries.by_hash) == run


def test_what_is_missing_or_of_another_kind_raises() -> None:
    entries = Entries()
    payload = Shelf(entries).put(ROUND)
    with pytest.raises(KeyError):
        take(Round, payload, {})
    with pytest.raises(ValidationError):
        take(Brief, payload, entries.by_hash)


def test_names_tell_kinds_apart() -> None:
    assert {kind.__name__ for kind in SHELVED} == {"Page", "Finding", "Round", "Exchange", "Brief"}
    assert Brief(text="x").digest() != Source(url="x", title="x").digest()
    assert Brief(text="x").digest() == Brief(text="x").digest()
