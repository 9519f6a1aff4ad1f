"""Contamination: whether the agent found, while searching, the very report that it is measured by."""

import logging
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from anyio import to_thread
from inspect_ai.log import transcript
from inspect_ai.scorer import Metric, Score, Scorer, Target, scorer
from inspect_ai.solver import TaskState

from idrbench_inspect.blocklist import Blocklist
from idrbench_inspect.errors import BadInput
from idrbench_inspect.metrics.copied import (
    LIMIT,
    RUN_CHARACTERS,
    RUN_WORDS,
    Copied,
    copied,
    page_words,
    report_words,
    run_length,
)
from idrbench_inspect.metrics.undefined import Undefined
from idrbench_inspect.scorers.aligned_mean import aligned_mean, means_by_arm
from idrbench_inspect.scorers.contaminated import FOUND, Verdict
from idrbench_inspect.scorers.logged import entries, run_of
from idrbench_inspect.scorers.pages_read import PageRead, pages_read
from idrbench_inspect.scorers.parameters import refuse_unknown, refusing
from idrbench_inspect.scorers.reported import report_of
from idrbench_inspect.scorers.samples import flagged
from idrbench_inspect.units.citations import addresses_in

_log = logging.getLogger(__name__)

KEYS: Final[dict[str, str]] = {
    "contaminated": "0 or 1: a page overlaps with the paired report or stands on a blocked domain; NaN for unknown",
    "pages_checked": "pages: read by the agent, whose text the log holds",
    "pages_unchecked": "pages: read by the agent, whose text the log does not hold",
    "pages_overlapping": "pages: of those checked, with an overlap of at least the limit",
    "pages_blocked": "pages: read from a blocked domain; of an agent that is not ours, addresses that its report names",
    "pages_dropped": "results: on a blocked domain, dropped before they were read",
    "highest_overlap": "percent: of the paired report's words, those in long runs that one page holds; the highest",
}
"""Every key with its unit. Every sample has every key; NaN says unknown or undefined."""

_SHOWN = 200


@dataclass(frozen=True)
class _Measure:
    limit: float
    run_words: int
    run_characters: int


# No mean of `contaminated`: a page that was found settles it and one that is unknown does not, so the mean over
# what is settled would be too high.
def means(key: str) -> list[Metric]:
    """The mean of a key, by arm where there are several; of `contaminated`, how many samples are."""
    return [flagged()] if key == "contaminated" else [aligned_mean([]), means_by_arm([])]


@scorer(metrics={key: means(key) for key in KEYS})
def contamination(
    limit: float = LIMIT,
    run_words: int = RUN_WORDS,
    run_characters: int = RUN_CHARACTERS,
    blocked_domains: str | list[str] | None = None,
    **unknown: Any,
) -> Scorer:
    """Pages that hold the paired report, and pages on blocked domains, in the keys and units of `KEYS`.

    The overlap of a page is the share of the words of the paired report's body that stand, in a row of at least
    `run_words` (of a Chinese report, characters, at least `run_characters`), in what the agent was given of the page.
    Put it before the scorers of alignment: they say of each sample whether it is contaminated. Unknown is not clean.

    Args:
        limit: Percent of the report's words from which on a page counts as a copy, 1 to 100: 5 is 5 %. A share such as
            0.05 is refused.
        run_words: Words of the shortest run that counts.
        run_characters: Of a report of mostly Chinese characters, the same in characters.
        blocked_domains: As of `Blocklist.of`; as in the run if not given, and the shipped list where it does not say.
        unknown: Taken so that a parameter that is none of its own is refused in a sentence, when the scorer is made.
    """
    refuse_unknown(unknown, "contamination", ("limit", "run_words", "run_characters", "blocked_domains"))
    given = _Measure(limit, run_words, run_characters)
    with refusing():
        _check(given)
        Blocklist.of(blocked_domains)

    async def score(state: TaskState, target: Target) -> Score:
        chosen = state.metadata.get("blocked_domains") if blocked_domains is None else blocked_domains
        blocked = Blocklist.of(chosen)
        events = list(transcript().events)
        run = run_of(state)
        if run is None and not entries(events, "settings"):
            return _kept(state, _of_another_agent(state, blocked), given)
        pages = pages_read(events)
        dropped = [] if run is None else [loss for loss in run.losses if (loss.what, loss.kind) == ("page", "skipped")]
        value, rows = await to_thread.run_sync(partial(_compared, target.text, pages, given, blocked))
        value["pages_dropped"] = math.nan if run is None else float(len(dropped))
        return _kept(state, (value, rows), given)

    return score


def _check(given: _Measure) -> None:
    if isinstance(given.limit, bool) or not isinstance(given.limit, int | float) or not 1 <= given.limit <= 100:
        raise BadInput(
            f"limit={given.limit!r} cannot be used: it is percent, from 1 to 100, so that 5 is 5 %; give such a number."
        )
    for name in ("run_words", "run_characters"):
        value = getattr(given, name)
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            raise BadInput(f"{name}={value!r} cannot be used: it must be a whole number of at least 1; give one.")


Compared = tuple[dict[str, float], list[dict[str, Any]]]


def _compared(target: str, pages: Sequence[PageRead], given: _Measure, blocked: Blocklist) -> Compared:
    report = report_words(target)
    n = run_length(report, given.run_words, given.run_characters)
    found = {page.url: copied(report, page_words(page.text), n) for page in pages if page.text is not None}
    overlaps = {url: 100 * one.share for url, one in found.items() if not isinstance(one, Undefined)}
    entries_by_url = {page.url: blocked.entry(page.url) for page in pages}
    overlapping = [url for url, overlap in overlaps.items() if overlap >= given.limit]
    on_blocked = [url for url, entry in entries_by_url.items() if entry]
    undefined = len(found) > len(overlaps)
    unchecked = len(pages) - len(found)
    value = {
        "contaminated": 1.0 if overlapping or on_blocked else math.nan if undefined or unchecked else 0.0,
        "pages_checked": math.nan if undefined else float(len(found)),
        "pages_unchecked": float(unchecked),
        "pages_overlapping": math.nan if undefined else float(len(overlapping)),
        "pages_blocked": float(len(on_blocked)),
        "highest_overlap": max(overlaps.values(), default=math.nan),
    }
    return value, [_row(page, found.get(page.url), entries_by_url[page.url]) for page in pages]


def _row(page: PageRead, found: Copied | Undefined | None, entry: str | None) -> dict[str, Any]:
    row: dict[str, Any] = {"url": page.url, **({"blocked": entry} if entry else {})}
    if found is None:
        return {**row, "unchecked": "its text is not in this log"}
    if isinstance(found, Undefined):
        return {**row, "unchecked": found.reason}
    run = {"longest_run": found.longest, "run": found.run[:_SHOWN]} if found.longest else {}
    return {**row, "overlap": round(100 * found.share, 2), **run}


def _of_another_agent(state: TaskState, blocked: Blocklist) -> Compared:
    """All that can be said: which addresses of its report are blocked. The pages that it read are unknown."""
    named = dict.fromkeys(addresses_in(report_of(state).text or ""))
    rows = [{"url": url, "blocked": entry} for url in named if (entry := blocked.entry(url))]
    value = {"contaminated": 1.0 if rows else math.nan, "pages_blocked": float(len(rows))}
    return value, rows


def _kept(state: TaskState, compared: Compared, given: _Measure) -> Score:
    value, rows = compared
    whole = {key: value.get(key, math.nan) for key in KEYS}
    unknown = math.isnan(whole["contaminated"])
    said = _explained(whole, rows, given)
    Verdict(contaminated=None if unknown else bool(whole["contaminated"]), reason=said).leave(state)
    if whole["contaminated"] == 1:
        _log.warning("sample %s: %s", state.sample_id, said)
    return Score(
        value={key: whole[key] for key in KEYS},
        explanation=said,
        metadata={
            "pages": sorted(rows, key=lambda row: -row.get("overlap", 0.0)),
            "measure": {"limit": given.limit, "run_words": given.run_words, "run_characters": given.run_characters},
        },
    )


def _explained(value: Mapping[str, float], rows: Sequence[Mapping[str, Any]], given: _Measure) -> str:
    if math.isnan(value["pages_checked"]) and not math.isnan(value["pages_unchecked"]):
        return "Contamination is unknown: the paired report is too short to be compared."
    worst = [f"{row['url']} holds {row['overlap']:.1f} %" for row in rows if row.get("overlap", 0.0) >= given.limit]
    blocked = [f"{row['url']} is blocked ({row['blocked']})" for row in rows if "blocked" in row]
    if worst or blocked:
        return f"{FOUND}{'; '.join([*worst, *blocked][:10])}{' of the paired report' if worst else ''}."
    if math.isnan(value["pages_unchecked"]):
        return "Contamination is unknown: the log does not hold the pages that this agent read."
    if value["pages_unchecked"]:
        return f"Contamination is unknown: the log does not hold {value['pages_unchecked']:.0f} of the pages read."
    if not value["pages_checked"]:
        return "Not contaminated: no page was read."
    return (
        f"Not contaminated: of {value['pages_checked']:.0f} pages read, none holds more than "
        f"{value['highest_overlap']:.1f} % of the paired report (limit {given.limit:g} %)."
    )
