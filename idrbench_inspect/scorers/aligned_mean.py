"""Metrics over alignment: means that refuse mixed instruments, means by group, and whether a threshold fits."""

import logging
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from inspect_ai.scorer import Metric, SampleScore, Value, metric

from idrbench_inspect.metrics.guards import tau_warnings as warnings_of
from idrbench_inspect.metrics.pairing import mean_known
from idrbench_inspect.scorers.arms_run import arms_of
from idrbench_inspect.scorers.samples import count_known

_log = logging.getLogger(__name__)

GROUPS = ("language", "topic")
FEWEST = 3
"""Samples from which on a threshold is spoken about: one sample of a run that has just begun shows little."""

_said: set[object] = set()
_NUMBERS = re.compile(r"[\d.]+")


@metric
def aligned_mean(parts: list[str] | None = None) -> Metric:
    """The mean of what was measured alike, in one arm, on one revision of the dataset.

    Of several epochs of a sample, Inspect keeps the metadata of the first, so it is the one that is looked at.

    Args:
        parts: What the value depends on, of embedder, tau, segmentation, judge and aspects; all of them if not given.

    Returns:
        NaN, and a warning that says why, where samples differ in one of the parts, in the revision of the dataset, or,
        of the same task, in aspects. NaN too in a log of several arms, whose means are those of `means_by_arm`.
    """

    def compute(scores: list[SampleScore]) -> Value:
        return math.nan if len(arms_of(scores)) > 1 else _mean(scores, parts)

    return compute


@metric
def means_by_arm(parts: list[str] | None = None) -> Metric:
    """For each arm of a log of several, `mean:<arm>`, each like `aligned_mean`, and `samples:<arm>` with a value.

    An arm without a value has the mean NaN and 0 samples, see `arms_of`. Nothing in a log of one arm.

    Args:
        parts: As of `aligned_mean`.
    """

    def compute(scores: list[SampleScore]) -> Value:
        arms = arms_of(scores)
        found: dict[str, float] = {}
        for arm in arms if len(arms) > 1 else ():
            of_arm = [sample for sample in scores if (sample.sample_metadata or {}).get("arm") == arm]
            found |= {f"mean:{arm}": _mean(of_arm, parts), f"samples:{arm}": float(count_known(of_arm))}
        return {**found}

    return compute


@metric
def means_by_group(parts: list[str] | None = None, groups: list[str] | None = None) -> Metric:
    """Means by language and by topic, each like `aligned_mean`, under names like `language:en`.

    Samples whose metadata do not name a group are in none; where no sample does, or in a log of several arms, there is
    no mean.

    Args:
        parts: As of `aligned_mean`.
        groups: Those of `GROUPS` that are wanted, all of them if not given.
    """

    def compute(scores: list[SampleScore]) -> Value:
        grouped: dict[str, list[SampleScore]] = {}
        for sample in scores if len(arms_of(scores)) < 2 else ():
            for group in GROUPS if groups is None else groups:
                if (name := (sample.sample_metadata or {}).get(group)) is not None:
                    grouped.setdefault(f"{group}:{name}", []).append(sample)
        return {name: _mean(members, parts) for name, members in sorted(grouped.items())}

    return compute


@metric
def tau_warnings(measure: str) -> Metric:
    """How many things speak against the threshold at one level, by `metrics.guards`; each is said once in the log.

    Arms are looked at one by one, since one of them may hide what holds for another, and their warnings are added up.

    Args:
        measure: `sentence_f1`, `paragraph_f1` or `chunk_f1`.
    """

    def compute(scores: list[SampleScore]) -> Value:
        by_arm: dict[str | None, list[SampleScore]] = {}
        for sample in scores:
            by_arm.setdefault((sample.sample_metadata or {}).get("arm"), []).append(sample)
        several = len(by_arm) > 1
        return float(sum(_warned(measure, of_arm, arm if several else None) for arm, of_arm in by_arm.items()))

    return compute


def _warned(measure: str, scores: Sequence[SampleScore], arm: str | None) -> int:
    same = [sample.score.as_float() / 100 for sample in scores]
    control = [(sample.score.metadata or {}).get("control", {}).get(measure, []) for sample in scores]
    found = warnings_of(same, [share for shares in control for share in shares])
    if found and len(scores) >= FEWEST:
        made_by = _made_by(scores[0])
        kinds = tuple(_NUMBERS.sub("", sentence) for sentence in found)  # said again when it is another complaint
        about = (measure, arm, made_by.get("embedder"), made_by.get("tau"), kinds)
        of = f" of {arm}" if arm else ""
        _say_once(about, f"{measure}, over the {len(scores)} samples{of} so far: {' '.join(found)}")
    return len(found)


def _mean(scores: Sequence[SampleScore], parts: Sequence[str] | None) -> float:
    return math.nan if mixed(scores, parts) else mean_known([sample.score.as_float() for sample in scores])


def mixed(scores: Sequence[SampleScore], parts: Sequence[str] | None = None) -> tuple[str, ...]:
    """Why the values of samples must not be averaged, each reason said once in the log; empty where they may."""
    reasons = _differing([_made_by(sample) for sample in scores], parts)
    if parts is None or "aspects" in parts:
        by_task: dict[str, set[str]] = {}
        for sample in scores:
            if aspects := _made_by(sample).get("aspects"):
                by_task.setdefault(_task(sample), set()).add(aspects)
        reasons += [f"aspects of the task {task}" for task, hashes in sorted(by_task.items()) if len(hashes) > 1]
    for reason in reasons:
        _say_once(reason, f"scores that differ in {reason} have no mean: score all of them alike.")
    if len(revisions := sorted({revision for sample in scores if (revision := _revision(sample))})) > 1:
        reasons.append(f"the revision of the dataset ({' and '.join(name[:12] for name in revisions)})")
        _say_once(reasons[-1], f"samples that differ in {reasons[-1]} have no mean: run all of them on one revision.")
    return tuple(reasons)


def _differing(made_by: Sequence[Mapping[str, str]], parts: Sequence[str] | None) -> list[str]:
    named = {part for made in made_by for part in made} - {"aspects"}
    chosen = sorted(named if parts is None else named & set(parts))
    values = {part: sorted({made[part] for made in made_by if part in made}) for part in chosen}
    return [f"{part} ({' and '.join(different)})" for part, different in values.items() if len(different) > 1]


def _made_by(sample: SampleScore) -> dict[str, Any]:
    found: dict[str, Any] = (sample.score.metadata or {}).get("made_by", {})
    return found


def _revision(sample: SampleScore) -> str | None:
    revision = (sample.sample_metadata or {}).get("dataset_revision")
    return None if revision is None else str(revision)


def _task(sample: SampleScore) -> str:
    return str((sample.sample_metadata or {}).get("task", sample.sample_id))


def _say_once(about: object, sentence: str) -> None:
    """Metrics are computed again and again while a run goes on; what they are about is said once in a process."""
    if about not in _said:
        _said.add(about)
        _log.warning("%s", sentence)
