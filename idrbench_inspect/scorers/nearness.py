"""The four measures that an embedder gives: similarity of whole reports, and F1 of sentences, paragraphs and chunks."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from idrbench_inspect.embedding.protocol import NoReading, Vectors
from idrbench_inspect.judging.grading import is_blank
from idrbench_inspect.metrics.points import LEVELS, level_points, mean_share, points
from idrbench_inspect.metrics.similarity import report_similarity
from idrbench_inspect.metrics.undefined import Undefined
from idrbench_inspect.metrics.unit_f1 import Side, matches_from_vectors, repetition_rate, unit_f1
from idrbench_inspect.scorers.aside import aside
from idrbench_inspect.scorers.found import Found, together
from idrbench_inspect.scorers.reading import Cut, Reader
from idrbench_inspect.scorers.references import Others
from idrbench_inspect.units.segment import Segments, Unit

LONGEST: Final = 2_000_000
"""Characters of a report that can be measured, some hundred times a long one: what is longer has no reading."""

MOST_TRACED: Final = 2_000
"""Units of a report at one level whose matches are kept in the log."""

FEWEST_WORDS: Final = 3
"""Words in HTML blocks that are spoken of: as many as make a unit."""


@dataclass(frozen=True)
class Case:
    """What is measured: a report, the target, and the references of other tasks."""

    report: str
    target: str
    others: Others


def _too_long(case: Case) -> str | None:
    if len(case.report) <= LONGEST:
        return None
    return f"too_long: the report has {len(case.report):,} characters, and up to {LONGEST:,} can be measured"


async def similarity(reader: Reader, case: Case) -> Found:
    """`report_similarity`, `report_cosine` and the control; a report with nothing in it has similarity 0."""
    found = _begun(reader, case)
    if reason := _too_long(case):
        found.measured("report_similarity", Undefined(reason))
        return found
    blank = is_blank(case.report)
    try:
        read = await reader.vectors([case.target] if blank else [case.target, case.report])
    except NoReading as none:
        found.measured("report_similarity", Undefined(f"no_vector: {none}"))
        return found
    generated = None if blank else read.matrix[1]
    measured = report_similarity(read.matrix[0], generated)
    value = measured if isinstance(measured, Undefined) else measured.value
    found.measured("report_similarity", value)
    found.values["report_similarity"] = points(value)
    if not isinstance(measured, Undefined) and not isinstance(measured.cosine, Undefined):
        found.values["report_cosine"] = measured.cosine
    count, found.warnings = reader.pooled("whole reports", read)
    found.metadata["pooled"] = {"report": count}
    try:
        others = await reader.vectors(case.others.texts)
    except NoReading as none:
        found.unscored["control_report_similarity"] = f"no_vector: {none}"
        return found
    control = [report_similarity(other, generated) for other in others.matrix]
    _controlled(found, "report_similarity", [c if isinstance(c, Undefined) else c.value for c in control])
    return found


async def units(reader: Reader, case: Case) -> Found:
    """All keys of sentences, paragraphs and chunks, each level by itself.

    HTML blocks give no unit. Where they hold more of the report's or the target's words than all the rest, there is no
    reading; where they hold some, it is said.
    """
    found = _begun(reader, case)
    if reason := _too_long(case):
        for level in LEVELS:
            found.measured(f"{level}_f1", Undefined(reason))
        return found
    cut = await reader.cut(case.report, case.target, case.others.texts)
    found.made_by |= {"tau": f"cosine {reader.threshold.tau.cosine}", "segmentation": cut.target.made_by}
    found.metadata |= {
        "segmentation": cut.target.made_by,
        "left_out": {"report": _counts(cut.report), "target": _counts(cut.target)},
        "tokens": {"report": cut.report.tokens, "target": cut.target.tokens},
    }
    if reason := _in_html(cut):
        found.values = {key: count for level in LEVELS for key, count in _unit_counts(cut, level).items()}
        for level in LEVELS:
            found.measured(f"{level}_f1", Undefined(reason))
        return found
    found.warnings = list(_left_out(cut, blank=is_blank(case.report)))
    return together([found, *[await _level(reader, name, cut) for name in LEVELS]])


def _in_html(cut: Cut) -> str | None:
    """Why a report that is mostly HTML is not measured: what is left of it to be cut is not the report."""
    for whose, read in (("report", cut.report), ("target", cut.target)):
        if read.words_in_html >= FEWEST_WORDS and read.words_in_html > read.words:
            return f"html: {_said_in_html(whose, read)}; give it as Markdown"
    return None


def _said_in_html(whose: str, read: Segments) -> str:
    whole = read.words + read.words_in_html
    return f"{read.words_in_html:,.0f} of the {whose}'s {whole:,.0f} words stand in HTML blocks, which give no units"


def _left_out(cut: Cut, *, blank: bool) -> Iterator[str]:
    """What is to be known of F1s that are measured all the same: text that they do not see, levels without a unit."""
    for whose, read in (("report", cut.report), ("target", cut.target)):
        if read.words_in_html >= FEWEST_WORDS:
            yield _said_in_html(whose, read)
    without = [level for level in LEVELS if not _of(cut.report, level)]
    if without and not blank:
        counts = ", ".join(f"{name.replace('_', ' ')} {count}" for name, count in _counts(cut.report).items())
        yield f"the report has no units by {', '.join(without)}, so its F1 is 0 there (left out: {counts or 'nothing'})"


async def _level(reader: Reader, level: str, cut: Cut) -> Found:
    found = Found()
    wanted, given = _of(cut.target, level), _of(cut.report, level)
    found.values = _unit_counts(cut, level)
    try:
        generated = await reader.units(given)
        reference = await reader.units(wanted)
    except NoReading as none:
        found.measured(f"{level}_f1", Undefined(f"no_vector: {none}"))
        return found
    others: list[Vectors] = []
    broken: NoReading | None = None
    try:
        for other in cut.others:
            others.append(await reader.units(_of(other, level)))
    except NoReading as none:
        broken = none
    whole = await aside(_matched, reader, level, (wanted, given), (reference, generated))
    control = await aside(_control, reader, level, generated, others)
    if broken is not None:
        control = Found(unscored={f"control_{level}_f1": f"no_vector: {broken}"})
    return together([found, whole, control])


def _matched(
    reader: Reader, level: str, units: tuple[Sequence[Unit], Sequence[Unit]], vectors: tuple[Vectors, Vectors]
) -> Found:
    """What the best matches of all units say; both pairs give the target first."""
    found = Found()
    (wanted, given), (reference, generated) = units, vectors
    matches = matches_from_vectors(reference.matrix, generated.matrix)
    scored = unit_f1(matches, reader.threshold.tau)
    scored = Undefined(f"no_units: {scored.reason}") if isinstance(scored, Undefined) else scored
    found.measured(f"{level}_f1", scored if isinstance(scored, Undefined) else scored.f1)
    found.values = level_points(level, matches, reader.threshold.tau)
    count, found.warnings = reader.pooled(f"{level} units", generated, reference)
    repeated = repetition_rate([unit.text for unit in given])
    found.metadata = {
        "pooled": {level: count},
        "repetition": {level: None if isinstance(repeated, Undefined) else round(repeated, 4)},
        "matches": {level: {"report": _traced(matches.generated, given), "target": _traced(matches.reference, wanted)}},
    }
    return found


def _control(reader: Reader, level: str, generated: Vectors, others: Sequence[Vectors]) -> Found:
    found = Found()
    shares: list[float | Undefined] = []
    for other in others:
        scored = unit_f1(matches_from_vectors(other.matrix, generated.matrix), reader.threshold.tau)
        shares.append(scored if isinstance(scored, Undefined) else scored.f1)
    _controlled(found, f"{level}_f1", shares)
    return found


def _begun(reader: Reader, case: Case) -> Found:
    described = reader.described()
    found = Found(made_by={"embedder": reader.embedding.identity.digest()}, metadata=described)
    found.metadata["control"] = {"tasks": list(case.others.tasks)}
    if case.others.missing:
        found.unscored["control"] = f"no_control: {case.others.missing}"
    return found


def _controlled(found: Found, measure: str, shares: Sequence[float | Undefined]) -> None:
    known = [share for share in shares if not isinstance(share, Undefined)]
    found.values[f"control_{measure}"] = points(mean_share(known))
    found.metadata["control"] = {**found.metadata.get("control", {}), measure: known}


def _unit_counts(cut: Cut, level: str) -> dict[str, float]:
    return {
        f"{level}_units": float(len(_of(cut.report, level))),
        f"{level}_units_target": float(len(_of(cut.target, level))),
    }


def _of(segments: Segments, level: str) -> tuple[Unit, ...]:
    by_level = {"sentence": segments.sentences, "paragraph": segments.paragraphs, "chunk": segments.chunks}
    return by_level[level]


def _counts(segments: Segments) -> dict[str, int]:
    return {name: count for name, count in asdict(segments.left_out).items() if count}


def _traced(side: Side, units: Sequence[Unit]) -> str:
    """A row for each unit: number of its best match, cosine, and where the unit stands.

    As JSON text, since Inspect copies the metadata of a score for every key and metric.
    """
    rows: list[list[Any]] = [
        [int(match), round(float(cosine), 4), unit.start, unit.end]
        for match, cosine, unit in zip(side.match[:MOST_TRACED], side.cosine, units, strict=False)
    ]
    return json.dumps(rows, separators=(",", ":"))
