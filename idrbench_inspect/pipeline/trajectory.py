"""Trajectory: the order of the stages, on one screen. No stage names the next; this alone does."""

from dataclasses import dataclass

from idrbench_inspect.pipeline.clarify import clarify
from idrbench_inspect.pipeline.kit import Kit
from idrbench_inspect.pipeline.lanes import lane, records
from idrbench_inspect.pipeline.pages import NOT_SUMMARISED
from idrbench_inspect.pipeline.plan import plan
from idrbench_inspect.pipeline.report import Report, report
from idrbench_inspect.pipeline.supervise import supervise
from idrbench_inspect.records import RunState

FEW_PAGES = 3
"""From this many pages on, a run in which none could be summarised is taken for a broken summariser."""


@dataclass
class Progress:
    """Where a run stands, kept up to date so that whatever ends it leaves the run so far."""

    state: RunState
    report: Report | None = None

    def keep(self, state: RunState) -> None:
        """Take `state` as where the run stands."""
        self.state = state


async def trajectory(kit: Kit, progress: Progress) -> None:
    """Go on from where the run stands to its report. A finished stage is passed over, so any state is a start.

    Raises:
        NothingWorked: research ended without a finding where machinery failed, or no page at all could be summarised;
            a report would be a false number.
    """
    keep = progress.keep
    if progress.state.brief is None:
        async with lane("planning"):
            await clarify(kit, progress.state, "planning", keep)
            brief = await plan(kit, progress.state)
            async with records():
                kit.shelf.name(brief)
            keep(progress.state.replace(brief=brief))
    if not _research_is_over(progress.state):
        async with lane("research"):
            await _research(kit, progress)
    _check_machinery(progress.state)
    async with lane("generation"):
        await clarify(kit, progress.state, "generation", keep)
        progress.report = await report(kit, progress.state)


async def _research(kit: Kit, progress: Progress) -> None:
    while not _research_is_over(progress.state):
        if _has_open_findings(progress.state):
            await clarify(kit, progress.state, "research", progress.keep)
            continue
        progress.keep(await supervise(kit, progress.state, progress.keep))
        async with records():
            for round_ in progress.state.rounds[-1:]:
                kit.shelf.name(round_)


class NothingWorked(RuntimeError):
    """Machinery failed, and what is left would not be the agent's work: the sample is errored, not scored as poor."""


def _has_open_findings(state: RunState) -> bool:
    return bool(state.rounds and state.rounds[-1].findings) and state.point("research") not in state.closed


def _research_is_over(state: RunState) -> bool:
    return state.stopped_by is not None and not _has_open_findings(state)


def _check_machinery(state: RunState) -> None:
    """Refuse a report from nothing where a delegation failed, and one for which no page at all could be summarised."""
    unread = [page for page in state.pages if page.missing is not None and page.missing.startswith(NOT_SUMMARISED)]
    if len(unread) == len(state.pages) >= FEW_PAGES:
        raise NothingWorked(f"none of {len(unread)} pages could be summarised, the last: {unread[-1].missing}")
    if state.findings:
        return
    failed = [d.loss for round_ in state.rounds for d in round_.delegations if d.loss and d.loss.kind == "failed"]
    if failed:
        raise NothingWorked(f"no finding: {len(failed)} delegations failed, the last with: {failed[-1].reason}")
