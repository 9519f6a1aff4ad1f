"""A score of alignment in words: one paragraph that a person can read in the log viewer."""

import math
from collections.abc import Mapping

from idrbench_inspect.metrics.points import LEVELS
from idrbench_inspect.scorers.found import Found

_NAMES = {
    "report_similarity": "report similarity",
    "sentence_f1": "sentence F1",
    "paragraph_f1": "paragraph F1",
    "chunk_f1": "chunk F1",
    "llm_acs": "LLM-ACS",
}
_SHOWN = 100


def opening(report: str) -> str | None:
    """The first line of a report with something in it, shortened; `None` where there is none."""
    line = next((line.strip("# ").strip() for line in report[:10_000].splitlines() if line.strip("# \t")), "")
    return (line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1]}…") or None


def explained(found: Found, value: Mapping[str, float]) -> str:
    """The measures, unit counts of both reports, the control, what is unscored and what to beware of."""
    measures = ", ".join(f"{_NAMES[key]} {_number(value[key])}" for key in _NAMES if key in value)
    average = f"Average alignment {_number(value['average_alignment'])}: " if "average_alignment" in value else ""
    nothing = all(math.isnan(value[key]) for key in _NAMES if key in value)
    sentences = [] if nothing else [f"{average}{measures}, of 100 each; closeness to one user's target, not quality."]
    if not math.isnan(value.get("sentence_units", math.nan)):
        counts = (f"{_count(value[f'{level}_units'])}/{_count(value[f'{level}_units_target'])}" for level in LEVELS)
        sentences.append(
            "Units of report/target: " + ", ".join(map(" ".join, zip(_PLURALS, counts, strict=True))) + "."
        )
    if control := [key for key in value if key.startswith("control_") and not math.isnan(value[key])]:
        numbers = ", ".join(f"{_NAMES[key.removeprefix('control_')]} {_number(value[key])}" for key in control)
        tasks = ", ".join(found.metadata["control"]["tasks"])
        sentences.append(f"The same report against references of other tasks ({tasks}): {numbers}.")
    sentences += _unscored(found, everything=nothing)
    sentences += [f"Beware: {warning}." for warning in (*_of_threshold(found), *found.warnings)]
    return " ".join(sentences)


def _unscored(found: Found, *, everything: bool) -> list[str]:
    """Each reason once, with all that is unscored for it; alone where it is the reason of everything."""
    groups: dict[str, list[str]] = {}
    for group, reason in found.unscored.items():
        if group != "average_alignment":
            groups.setdefault(reason.rstrip("."), []).append(group)
    if everything and len(groups) == 1:
        return [f"Unscored: {reason}." for reason in groups]
    return [f"Unscored: {', '.join(named)} ({reason})." for reason, named in groups.items()]


_PLURALS = ("sentences", "paragraphs", "chunks")


def _of_threshold(found: Found) -> list[str]:
    tau = found.metadata.get("tau")
    if tau is None or tau["calibrated"] or "tau" not in found.made_by:
        return []
    return [f"tau {tau['value']:g} ({tau['scale']}) is not calibrated for this embedder ({tau['basis']})"]


def _number(value: float) -> str:
    return "unscored" if math.isnan(value) else f"{value:.1f}"


def _count(value: float) -> str:
    return "?" if math.isnan(value) else f"{value:.0f}"
