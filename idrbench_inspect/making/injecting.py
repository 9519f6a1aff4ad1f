"""Ambiguity injection: a query that says less than its source, written, checked, judged, and written again."""

from collections.abc import Sequence
from typing import Literal

from inspect_ai.model import Model
from pydantic import BaseModel, Field

from idrbench_inspect.dataset.tasks import Injection, Row
from idrbench_inspect.errors import UnusableReply
from idrbench_inspect.judging.asking import ask, prompt_sha256
from idrbench_inspect.making.checks import LANGUAGE_NAMES, storable, unreachable, wrong_with
from idrbench_inspect.making.labelling import LABELLING, label
from idrbench_inspect.making.paid import NOTHING, Paid
from idrbench_inspect.making.sources import Source
from idrbench_inspect.making.targets import window
from idrbench_inspect.prompting import fence, notice, prompt
from idrbench_inspect.records import Record
from idrbench_inspect.replies import ask_read, read_one_json

WRITING, JUDGING = "inject", "inject_judge"

ATTEMPTS = 4
"""Queries that are written at most, before the source is given up."""

Verdict = Literal["constraint_added", "objective_lost", "kept"]
_TURNED_DOWN: dict[Verdict, str] = {
    "constraint_added": "It adds something that the full request does not have.",
    "objective_lost": "The subject or the core objective is lost.",
}


class UnderspecifiedQuery(BaseModel):
    """The reply of the writing call: what is left out first, then the query."""

    left_out: list[str]
    query: str


class InjectionVerdict(BaseModel):
    """The judge's reply, the reason first."""

    reason: str = Field(min_length=1, pattern=r"\S")
    verdict: Verdict


class Written(Record):
    """The same as it is kept."""

    query: str
    left_out: tuple[str, ...]


class Judged(Record):
    """The judge's verdict as it is kept."""

    reason: str
    verdict: Verdict


class Try(Record):
    """A query that was turned down, and why."""

    query: str
    wrong: str


class Accepted(Record):
    """A query that passed all checks and the judge; `tries` are those before it."""

    query: str
    dropped: tuple[str, ...]
    reason: str
    tries: tuple[Try, ...]


class NotMade(RuntimeError):
    """No row could be made: `reason` in a word, `explanation` in a sentence, and every query that was turned down."""

    def __init__(self, reason: str, explanation: str, tries: Sequence[Try] = ()) -> None:
        super().__init__(f"{reason}: {explanation}")
        self.reason = reason
        self.explanation = explanation
        self.tries = tuple(tries)


async def inject(
    source: Source, target: float, injector: Model, judge: Model, paid: Paid = NOTHING
) -> tuple[Row, tuple[Try, ...]]:
    """A finished row, and the queries that were turned down before.

    Args:
        source: What is shortened.
        target: The compression asked for, 0.1 to 0.9.
        injector: Who writes, and labels what is left open.
        judge: Who says whether the core is kept and nothing added.
        paid: What was replied before, in a run that did not end.

    Raises:
        NotMade: the source is too short for the target or not in its language, four queries were turned down, or the
            injector gives no usable reply.
        NoReading: the judge gives no usable verdict.
    """
    if impossible := unreachable(source, target):
        raise NotMade(*impossible)
    accepted = await _accepted(source, target, (injector, judge), paid)
    try:
        points = await label(source, accepted.query, injector, paid)
    except UnusableReply as unusable:
        raise NotMade("no_points", f"{unusable}", accepted.tries) from unusable
    row = Row(
        id=source.id,
        language=source.language,
        topic=source.topic,
        query=accepted.query,
        ambiguity=points,
        source_query=source.source_query,
        target_origin=source.target_origin,
        report=source.report,
        injection=_injection(source, target, accepted, (injector, judge)),
    )
    return row, accepted.tries


async def _accepted(source: Source, target: float, models: tuple[Model, Model], paid: Paid) -> Accepted:
    injector, judge = models
    tries: list[Try] = []
    while len(tries) < ATTEMPTS:
        try:
            written = await _write(source, target, tries, (injector, paid))
        except UnusableReply as unusable:
            raise NotMade("no_query", f"{unusable}", tries) from unusable
        query, reason = written.query.strip(), ""
        wrong = " ".join(wrong_with(query, source, target))
        if not wrong:
            verdict = await _judge(source, (query, len(tries)), judge, paid)
            reason = verdict.reason
            wrong = "" if verdict.verdict == "kept" else f"{_TURNED_DOWN[verdict.verdict]} {reason}"
        if not wrong:
            return Accepted(query=query, dropped=written.left_out, reason=reason, tries=tuple(tries))
        tries.append(Try(query=query, wrong=wrong))
    last = tries[-1].wrong
    raise NotMade("not_accepted", f"{ATTEMPTS} queries were turned down, the last one because: {last}", tries)


async def _write(source: Source, target: float, tries: Sequence[Try], writer: tuple[Model, Paid]) -> Written:
    injector, paid = writer
    lowest, highest = window(len(source.source_query), target)
    asked = prompt(
        WRITING,
        source_query=fence("source_query", source.source_query),
        language=LANGUAGE_NAMES[source.language],
        lowest=lowest,
        highest=highest,
        size=len(source.source_query),
        earlier=_earlier(tries),
    )
    return await paid.once(
        injector, (asked, len(tries)), Written, lambda: ask_read(injector, asked, UnderspecifiedQuery, _read_query)
    )


def _read_query(text: str) -> Written:
    written = read_one_json(text, UnderspecifiedQuery)
    storable(written.query, *written.left_out)
    said = (" ".join(text.split()) for text in written.left_out)
    return Written(query=written.query, left_out=tuple(text for text in said if text))


def _earlier(tries: Sequence[Try]) -> str:
    if not tries:
        return ""
    shown = "\n\n".join(f"{n}. {tried.query}\n{tried.wrong}" for n, tried in enumerate(tries, 1))
    return f"\n{notice('inject_earlier')}\n\n{fence('earlier', shown)}\n"


async def _judge(source: Source, written: tuple[str, int], judge: Model, paid: Paid) -> Judged:
    query, tries = written
    asked = prompt(JUDGING, source_query=fence("source_query", source.source_query), query=fence("query", query))
    return await paid.once(judge, (asked, tries), Judged, lambda: ask(judge, asked, InjectionVerdict, _read_verdict))


def _read_verdict(text: str) -> Judged:
    given = read_one_json(text, InjectionVerdict)
    storable(given.reason)
    return Judged(reason=" ".join(given.reason.split()), verdict=given.verdict)


def _injection(source: Source, target: float, accepted: Accepted, models: tuple[Model, Model]) -> Injection:
    injector, judge = models
    return Injection(
        source_sha256=source.sha256,
        target=target,
        compression=round(1 - len(accepted.query) / len(source.source_query), 3),
        attempts=len(accepted.tries) + 1,
        dropped=accepted.dropped,
        model=str(injector),
        prompt_sha256=prompt_sha256(WRITING, LABELLING),
        judge=str(judge),
        judge_prompt_sha256=prompt_sha256(JUDGING),
        verdict_reason=accepted.reason,
    )
