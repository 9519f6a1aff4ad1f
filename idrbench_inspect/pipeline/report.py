"""Report: brief, findings and what the person said into a cited Markdown report in the language of the query."""

from collections.abc import Sequence
from dataclasses import dataclass

from inspect_ai.model import ChatMessage

from idrbench_inspect.addresses import address
from idrbench_inspect.errors import UnusableReply
from idrbench_inspect.pipeline.kit import Kit, brief_fenced, dialogue_fenced, language_of, wishes_fenced
from idrbench_inspect.pipeline.shortened import shortened
from idrbench_inspect.prompting import fence, notice, prompt
from idrbench_inspect.records import RunState, Source
from idrbench_inspect.replies import ask_report, opening
from idrbench_inspect.units.citations import ground, renumber, source_list

STOPS = {
    "research_tokens": "the cap on research tokens was reached",
    "research_seconds": "the cap on research time was reached",
    "supervisor_iterations": None,
    "complete": None,
    "no_tool_call": None,
}
"""How `stopped_by` reads in the prompt; `None` for an ordinary end."""


@dataclass(frozen=True)
class Report:
    """A finished report.

    Args:
        text: Markdown, ending in the list of the sources it cites; empty when the reporter wrote nothing usable.
        cut: Whether it is cut off at the model's output limit.
        cited: The sources cited, in the order of their numbers.
        ungrounded: What was cited and never retrieved, taken out of the text.
        fault: Why there is no usable text; `None` when there is.
    """

    text: str
    cut: bool = False
    cited: tuple[Source, ...] = ()
    ungrounded: tuple[str, ...] = ()
    fault: str | None = None


async def report(kit: Kit, state: RunState) -> Report:
    """Write the report from what there is, saying what stopped the research and what brought nothing.

    On a context overflow the findings are cut shorter, and none is dropped for its place.

    Raises:
        UnusableReply: the prompt overflows whatever is cut; the run so far stays in the log.
    """
    sources = _sources(state)
    findings = _findings(state, sources)

    async def ask(characters: int) -> tuple[str, bool]:
        return await ask_report(kit.models["reporter"], _asked(state, sources, findings, characters))

    try:
        text, cut = await shortened(ask, [text for _, text in findings])
    except UnusableReply as unusable:
        if unusable.fault == "overflow":
            raise
        return Report("", fault=f"reporter reply {unusable.fault}: {unusable.detail}")
    grounded = ground(text, sources)
    if not grounded.text:
        return Report("", cut, (), grounded.ungrounded, "reporter reply empty: nothing but sources")
    ending = source_list(grounded.cited, notice(f"sources_heading_{state.query.language}"))
    return Report(f"{grounded.text}\n\n{ending}".strip() + "\n", cut, grounded.cited, grounded.ungrounded)


def _sources(state: RunState) -> tuple[Source, ...]:
    """The sources of all findings, each address once, in the order of the findings."""
    found: dict[str, Source] = {}
    for source in (source for finding in state.findings for source in finding.sources):
        found.setdefault(address(source.url), source)
    return tuple(found.values())


def _findings(state: RunState, sources: Sequence[Source]) -> list[tuple[str, str]]:
    """Topic and text of every finding, its citations numbered as in `sources`."""
    numbers = {address(source.url): n for n, source in enumerate(sources, 1)}
    return [(f.topic, renumber(f.text, [numbers[address(s.url)] for s in f.sources])) for f in state.findings]


def _asked(
    state: RunState, sources: Sequence[Source], findings: Sequence[tuple[str, str]], characters: int
) -> list[ChatMessage]:
    listed = "\n".join(f"[{n}] {source.title}: {source.url}" for n, source in enumerate(sources, 1))
    return opening(
        prompt(
            "reporter",
            date=state.date,
            query=fence("query", state.query.text),
            dialogue=dialogue_fenced(state.exchanges),
            brief=brief_fenced(state),
            clarifications=wishes_fenced(state),
            findings="\n\n".join(fence("finding", f"{topic}\n\n{text[:characters]}") for topic, text in findings)
            or notice("nothing"),
            sources=fence("sources", listed) if listed else notice("nothing"),
            notes=_notes(state),
            language=language_of(state),
        )
    )


def _notes(state: RunState) -> str:
    """What the reporter has to say about the research: that it found nothing, was stopped, or lost parts."""
    if not state.findings:
        stopped = _stopped(state)
        return "\n\n".join(part for part in (notice("report_nothing"), stopped) if part)
    lost = [
        d.topic
        for round_ in state.rounds
        for d in round_.delegations
        if d.loss and d.loss.kind != "skipped" and d.topic
    ]
    parts = [_stopped(state)]
    if lost:
        parts.append(notice("report_losses", topics=fence("topics", "\n".join(lost))))
    return "\n\n".join(part for part in parts if part)


def _stopped(state: RunState) -> str:
    stop = state.stopped_by or ""
    reason = STOPS.get(stop, stop)
    return notice("report_stopped", reason=reason) if reason else ""
