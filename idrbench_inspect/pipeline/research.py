"""Research: one researcher searches for one sub-topic, then its notes are written up with their sources."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from inspect_ai.model import ChatMessage, ChatMessageAssistant, ChatMessageUser
from inspect_ai.util import LimitExceededError

from idrbench_inspect.addresses import address
from idrbench_inspect.errors import SearchFailed, UnusableReply, reason_of
from idrbench_inspect.pipeline.kit import Kit, brief_fenced, wishes_fenced
from idrbench_inspect.pipeline.lanes import work_of
from idrbench_inspect.pipeline.pages import PageReader
from idrbench_inspect.pipeline.together import together
from idrbench_inspect.pipeline.tools import Prepared, answer_calls, infos, queries_of, researcher_tools
from idrbench_inspect.pipeline.write_up import Note, write_up
from idrbench_inspect.prompting import fence, notice, prompt
from idrbench_inspect.records import Finding, Loss, Page, RunState, Source
from idrbench_inspect.replies import ask_tools, opening
from idrbench_inspect.search import Results


@dataclass(frozen=True)
class Outcome:
    """What became of one delegation: a finding or a loss, and what was lost on the way."""

    finding: Finding | None
    loss: Loss | None
    losses: tuple[Loss, ...] = ()
    searches: int = 0
    failed_searches: int = 0


@dataclass
class Notes:
    """A researcher's notes while it works: numbered sources, losses, and counts of searches.

    They are the caller's, so that what was searched and lost is accounted for however the researcher ends.
    """

    notes: list[Note] = field(default_factory=list)
    losses: list[Loss] = field(default_factory=list)
    searches: int = 0
    failed: int = 0

    def number(self, page: Page, url: str) -> int:
        """The page's number among this researcher's sources; the next one when it is new."""
        for n, note in enumerate(self.notes, 1):
            if address(note.source.url) == address(url):
                return n
        self.notes.append(Note(Source(url=url, title=page.title), page.text))
        return len(self.notes)

    def lost(self, loss: Loss) -> Outcome:
        """The outcome of a delegation that ended as this loss."""
        return Outcome(None, loss, tuple(self.losses), self.searches, self.failed)


async def research(kit: Kit, state: RunState, topic: str, reader: PageReader, notes: Notes) -> Outcome:
    """Search for `topic` within the brief for at most `researcher_turns` turns, then write up.

    A researcher that comes back without a source is a loss, not a finding: without one, what a model says
    is no evidence.
    The caps on research end the search, never the write-up, and so does a researcher's model that breaks.

    Raises:
        LimitExceededError: a limit of the sample was reached.
        Exception: the machinery broke before anything was found.
    """
    messages: list[ChatMessage] = opening(
        prompt(
            "researcher",
            date=state.date,
            turns=kit.limits.researcher_turns,
            queries=kit.limits.queries_per_search,
            topic=fence("topic", topic),
            brief=brief_fenced(state),
            clarifications=wishes_fenced(state),
        )
    )
    for _ in range(kit.limits.researcher_turns):
        if kit.meter.exhausted() is not None:
            break
        try:
            more = await _turn(kit, reader, notes, messages)
        except UnusableReply as unusable:
            notes.losses.append(_lost("search", topic, f"the search ended early: {unusable}"))
            break
        except LimitExceededError:
            raise
        except Exception as broken:  # what was found by then is paid for and complete
            if not notes.notes:
                raise
            notes.losses.append(_lost("search", topic, f"the search ended early: {reason_of(broken)}"))
            break
        if not more:
            break
    return await _outcome(kit, state, topic, notes)


async def _turn(kit: Kit, reader: PageReader, notes: Notes, messages: list[ChatMessage]) -> bool:
    """One model turn and the replies to its calls, appended to `messages`; whether there is to be another."""
    prepared = Prepared()
    tools = researcher_tools(prepared)
    message = await ask_tools(kit.models["researcher"], messages, infos(tools))
    messages.append(message)
    if not message.tool_calls:
        if notes.searches:
            return False
        messages.append(ChatMessageUser(content=notice("nudge_researcher")))
        return True
    await _look_up(kit, reader, notes, message, prepared)
    messages.extend(await answer_calls(message, tools))
    return all(call.function != "research_complete" for call in message.tool_calls)


async def _look_up(
    kit: Kit, reader: PageReader, notes: Notes, message: ChatMessageAssistant, prepared: Prepared
) -> None:
    """Carry out the searches of a turn at once, and have their replies ready in the order of the calls."""
    asked = [
        queries
        for call in message.tool_calls or []
        if call.function == "search" and (queries := queries_of(call)) is not None
    ]
    limit = kit.limits.queries_per_search
    async with work_of("search", "pages"):
        found = iter(
            await together(*(_search(kit, reader, notes, query) for queries in asked for query in queries[:limit]))
        )
    for queries in asked:
        parts = [_reply(notes, query, next(found)) for query in queries[:limit]]
        for query in queries[limit:]:
            parts.append(notice("query_skipped", limit=limit, query=query))
            notes.losses.append(Loss(what="query", kind="skipped", subject=query, reason=f"over {limit} in one call"))
        prepared.add("\0".join(queries), "\n\n".join(parts) or notice("no_results", query="no query"))


@dataclass(frozen=True)
class Found:
    """What one query brought: the pages that were read, by address, and those on blocked domains, which were not."""

    results: Results
    pages: list[tuple[str, Page]]
    blocked: list[Loss]


async def _search(kit: Kit, reader: PageReader, notes: Notes, query: str) -> Found | SearchFailed:
    """The pages for one query, read; a search that failed is handed back, so that its siblings go on."""
    notes.searches += 1
    try:
        if not query.strip():
            raise SearchFailed(query, "the query is empty")
        results = await kit.search.search(query, kit.limits.results_per_query)
    except SearchFailed as failed:
        notes.failed += 1
        return failed
    blocked = {result.url: entry for result in results.results if (entry := kit.blocked.entry(result.url))}
    kept = [result for result in results.results if result.url not in blocked]
    pages = await together(*(reader.read(result) for result in kept))
    losses = [_lost("page", url, f"blocked: {entry}", "skipped") for url, entry in blocked.items()]
    return Found(results, [(result.url, page) for result, page in zip(kept, pages, strict=True)], losses)


def _reply(notes: Notes, query: str, found: Found | SearchFailed) -> str:
    if isinstance(found, SearchFailed):
        notes.losses.append(_lost("search", query, found.reason))
        return notice("search_failed", query=fence("query", query), reason=found.reason)
    if (sent := found.results.sent) != query:
        notes.losses.append(Loss(what="query", kind="shortened", subject=query, reason=f"sent as: {sent}"))
    notes.losses.extend(found.blocked)
    shown = []
    for url, page in found.pages:
        if page.missing is not None:
            notes.losses.append(_lost("page", url, page.missing))
        if page.text:
            shown.append(source_fenced(notes.number(page, url), page.title, url, page.text))
    return "\n\n".join(shown) if shown else notice("no_results", query=fence("query", query))


def source_fenced(number: int, title: str, url: str, text: str) -> str:
    """A numbered source as prompts and tool replies show it."""
    return fence("source", f"[{number}] {title}\n{url}\n\n{text}")


async def _outcome(kit: Kit, state: RunState, topic: str, notes: Notes) -> Outcome:
    if not notes.notes:
        return notes.lost(_unsourced(topic, notes))
    async with work_of("conduct_research", "write-up"):
        written = await write_up(kit, state, topic, notes.notes)
    finding = Finding(topic=topic, text=written.text, sources=written.sources, write_up=written.kind)
    return Outcome(finding, None, (*notes.losses, *written.losses), notes.searches, notes.failed)


def _unsourced(topic: str, notes: Notes) -> Loss:
    if notes.searches and notes.failed == notes.searches:
        reason = f"all {notes.failed} searches failed: {notes.losses[-1].reason}"
        return Loss(what="delegation", kind="failed", subject=topic, reason=reason)
    reasons = _reasons(notes.losses)
    reason = f"no source was found in {notes.searches} searches{reasons}"
    return Loss(what="delegation", kind="unsourced", subject=topic, reason=reason)


def _reasons(losses: Sequence[Loss]) -> str:
    return f" ({losses[-1].reason})" if losses else ""


def _lost(what: str, subject: str, reason: str, kind: str = "failed") -> Loss:
    return Loss.model_validate({"what": what, "kind": kind, "subject": subject, "reason": reason})
