"""How well the overlap of a page with a report tells copies from independent texts: what `limit` and `run_words` cost.

    python benchmarks/contamination.py --queries QUERIES --target FILE --generated FILE
    python benchmarks/contamination.py --dataset mini

The files are those of `real_pairs.py`: reports of two systems on the same queries. Nobody copied there, so that every
overlap is a false alarm: reports on the same question against each other, and against those on other questions. A
dataset stands for itself: its reports against the documents of their own tasks, and of other tasks in their language.

Copies are made: 5 to 100 % of a report in one piece, inside another text, and edited as copies are (`FORMS`). What a
report shares with an honest source are passages that it quotes and tables that it takes over: the longest of each is
measured as a page, and, as the most that could be, all quotations on one page. Prints the false alarms, the share of
copies found and the AUC by run length and limit.
"""

import argparse
import html
import json
import random
import re
import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from real_pairs import others, read_pairs

from idrbench_inspect.dataset import load
from idrbench_inspect.errors import BadInput
from idrbench_inspect.metrics.copied import (
    RUN_CHARACTERS,
    RUN_WORDS,
    copied,
    page_words,
    report_words,
    run_length,
)
from idrbench_inspect.metrics.guards import control
from idrbench_inspect.metrics.undefined import Undefined
from idrbench_inspect.pipeline.pages import OPENING_CHARACTERS
from idrbench_inspect.search.documents import read_documents
from idrbench_inspect.units.normal import normalised
from idrbench_inspect.units.reading import read_body

RUNS = ((5, 10), (8, 16), (12, 24), (24, 48))
LIMITS = (1.0, 2.0, 3.0, 5.0, 10.0, 20.0)
SHARES = (5, 10, 20, 50, 100)
PAGE_CHARACTERS = 50_000
EDITED_EVERY = 25

_WORD = re.compile(r"[A-Za-z]+|[\u4e00-\u9fff]")
_QUOTED = re.compile(r"“([^”]+)”|\"([^\"\n]+)\"|「([^」]+)」|^>(.+)$", re.MULTILINE)
_TABLE = re.compile(r"(?:^[ ]*\|.*\n?)+", re.MULTILINE)


def _other_words(text: str) -> str:
    """Every 25th word (of Chinese, character) is another one."""
    count = iter(range(1, len(text) + 1))
    return _WORD.sub(lambda found: found[0] if next(count) % EDITED_EVERY else "某" if found[0] > "z" else "xyz", text)


def _unmarked(text: str) -> str:
    text = re.sub(r"\[([^\]]*)\]\([^)\s]*\)", r"\1", text)
    return re.sub(r"^\s*(?:#+|[-*+>]|\d+[.)])\s+|[*_`|]", "", text, flags=re.MULTILINE)


def _tagged(text: str) -> str:
    lines = (html.escape(line).encode("ascii", "xmlcharrefreplace").decode() for line in text.split("\n"))
    return "".join(f'<p class="x">{line}</p>' for line in lines)


FORMS: dict[str, Callable[[str], str]] = {
    "as it is": lambda text: text,
    "reflowed": lambda text: textwrap.fill(text, 60),
    "other quotes, dashes": lambda text: text.translate(str.maketrans('“”‘’"—–-', "\"\"''”–-—")),
    "no citations": lambda text: re.sub(r"\s?(?:\[\[?\d+\]?\](?:\([^)\s]*\))?|【\d+】)", "", text),
    "no Markdown": _unmarked,
    "HTML with entities": _tagged,
    "JSON with escapes": json.dumps,
    f"1 word in {EDITED_EVERY} changed": _other_words,
}


@dataclass(frozen=True)
class Subject:
    """A report and texts that it is compared with: on its question, on other questions."""

    report: str
    same: Sequence[str]
    other: Sequence[str]


@dataclass(frozen=True)
class Copy:
    """A page that holds a part of a report: how much of it in percent, in what form, and the overlap by run length."""

    share: int
    form: str
    overlaps: Sequence[float]


def of_pairs(files: tuple[Path, Path, Path], most: int, language: str | None) -> list[Subject]:
    """Every report of two systems, with the other system's on the same question and on `most` other questions."""
    pairs = [pair for pair in read_pairs(*files) if language in {None, pair.intent.language}]
    found = []
    for number, pair in enumerate(pairs):
        away = [pairs[other] for other in others(number, pairs, most)]
        found.append(Subject(pair.target, [pair.generated], [other.generated for other in away]))
        found.append(Subject(pair.generated, [pair.target], [other.target for other in away]))
    return found


def of_dataset(name: str, most: int, language: str | None) -> list[Subject]:
    """Every report of a dataset, with the documents of its own task and `most` others in its language.

    Raises:
        BadInput: the dataset cannot be loaded, or has no corpus.
    """
    dataset = load(name)
    if dataset.corpus is None:
        raise BadInput(f"The dataset {name} has no corpus to compare its reports with; give one that has.")
    texts: dict[str, list[str]] = {}
    for document in read_documents(dataset.corpus):
        texts.setdefault(Path(document.origin).parent.name, []).append(document.text)
    found = []
    for task in (task for task in dataset.tasks if language in {None, task.language}):
        own = task.second_user_of or task.id
        away = [text for folder, said in texts.items() for text in said if folder != own and folder[:2] == own[:2]]
        found.append(Subject(task.report, texts.get(own, []), away[:most]))
    return found


def overlaps(report: Sequence[str], page: str) -> list[float]:
    """The overlap in percent by run length; 0 where the report is shorter than a run."""
    words = page_words(page)
    found = [copied(report, words, run_length(report, *run)) for run in RUNS]
    return [0.0 if isinstance(one, Undefined) else 100 * one.share for one in found]


def piece(report: str, share: int, chance: random.Random) -> str:
    """A part of the report as it is written, `share` percent of its body, from wherever chance has it begin."""
    if share == 100:
        return report
    body = read_body(normalised(report)).stream
    size = max(1, len(body.text) * share // 100)
    start = chance.randrange(len(body.text) - size + 1)
    first, last = body.cut(start, start + size).span()
    return report[first:last]


def copies(subjects: Sequence[Subject]) -> Iterator[Copy]:
    """Pages that copy, each in the middle of a text on the same question, and the shortest piece of a page read."""
    chance = random.Random(0)
    for subject in subjects:
        report = report_words(subject.report)
        around = subject.same[0]
        for share in SHARES:
            held = piece(subject.report, share, chance)
            for name, form in FORMS.items():
                page = form(f"{around[:6000]}\n\n{held}\n\n{around[6000:]}")[:PAGE_CHARACTERS]
                yield Copy(share, name, overlaps(report, page))
        yield Copy(100, f"first {OPENING_CHARACTERS} characters", overlaps(report, subject.report[:OPENING_CHARACTERS]))


def innocent(subjects: Sequence[Subject]) -> dict[str, list[list[float]]]:
    """The overlaps of what copies nothing, and of what a report quotes or tabulates itself, by kind."""
    kinds = ("same question", "other question", "longest quotation", "all quotations", "largest table")
    found: dict[str, list[list[float]]] = {kind: [] for kind in kinds}
    for subject in subjects:
        report = report_words(subject.report)
        found["same question"] += [overlaps(report, page) for page in subject.same]
        found["other question"] += [overlaps(report, page) for page in subject.other]
        quoted = [next(filter(None, one.groups()), "") for one in _QUOTED.finditer(subject.report)]
        found["longest quotation"].append(overlaps(report, max(quoted, key=len, default="")))
        found["all quotations"].append(overlaps(report, "\n\n".join(quoted)))
        found["largest table"].append(overlaps(report, max(_TABLE.findall(subject.report), key=len, default="")))
    return found


def false_alarms(found: dict[str, list[list[float]]]) -> Iterator[str]:
    """Lines: by run length and kind, the overlaps of `innocent` in percent and how many reach each limit."""
    yield f"no copy: overlap in percent{'':7}pairs    mean  highest   " + "".join(f" >={limit:<5g}" for limit in LIMITS)
    for at, run in enumerate(RUNS):
        for kind, rows in found.items():
            values = [row[at] for row in rows]
            over = "".join(f"{sum(value >= limit for value in values):8d}" for limit in LIMITS)
            said = f"runs of {run[0]}/{run[1]}, {kind}"
            yield f"{said:33} {len(values):6d} {fmean(values):7.2f} {max(values):8.2f}   {over}"


def detected(made: Sequence[Copy], found: dict[str, list[list[float]]]) -> Iterator[str]:
    """Lines: by run length and share copied, the AUC against other reports and the percent found at each limit."""
    null = found["same question"] + found["other question"]
    yield f"copies found, percent{'':12}AUC   " + "".join(f" >={limit:<5g}" for limit in LIMITS)
    for at, run in enumerate(RUNS):
        for share in SHARES:
            values = [copy.overlaps[at] for copy in made if copy.share == share and copy.form in FORMS]
            area = control([value / 100 for value in values], [row[at] / 100 for row in null])
            auc = "-" if isinstance(area, Undefined) or isinstance(area.auc, Undefined) else f"{area.auc:.4f}"
            said = f"runs of {run[0]}/{run[1]}, {share} % copied"
            yield f"{said:30} {auc:>7}{_rates(values)}"


def by_form(made: Sequence[Copy], run: int) -> Iterator[str]:
    """Lines: by form and share copied, overlap and percent found at each limit; `run` is a place in `RUNS`."""
    yield f"by form, runs of {RUNS[run][0]}/{RUNS[run][1]}{'':8}lowest   mean" + "".join(f" >={x:<5g}" for x in LIMITS)
    for form in dict.fromkeys(copy.form for copy in made):
        for share in sorted({copy.share for copy in made if copy.form == form}):
            values = [copy.overlaps[run] for copy in made if (copy.form, copy.share) == (form, share)]
            yield f"{form}, {share} %".ljust(30) + f"{min(values):8.1f}{fmean(values):7.1f}{_rates(values)}"


def _rates(values: Sequence[float]) -> str:
    return "".join(f"{100 * sum(value >= limit for value in values) / len(values):8.1f}" for limit in LIMITS)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--queries", type=Path, metavar="QUERIES")
    parser.add_argument("--target", type=Path, metavar="FILE")
    parser.add_argument("--generated", type=Path, metavar="FILE")
    parser.add_argument("--dataset", metavar="NAME", help="a dataset with a corpus, instead of the three files")
    parser.add_argument("--language", choices=("en", "zh"), help="of the reports; both, if not given")
    parser.add_argument("--others", type=int, default=10, metavar="K", help="texts on other questions for each report")
    parser.add_argument(
        "--reports", type=int, metavar="N", help="how many reports copies are made of; all if not given"
    )
    chosen = parser.parse_args()
    files = (chosen.queries, chosen.target, chosen.generated)
    if bool(chosen.dataset) == any(files) or (any(files) and not all(files)):
        parser.error("give --queries, --target and --generated, or --dataset alone")
    try:
        if chosen.dataset:
            subjects = of_dataset(chosen.dataset, chosen.others, chosen.language)
        else:
            subjects = of_pairs(files, chosen.others, chosen.language)
    except BadInput as wrong:
        parser.error(str(wrong))
    null = innocent(subjects)
    made = list(copies(subjects[: chosen.reports]))
    print(f"reports: {len(subjects)}, copies: {len(made)}")
    print(*false_alarms(null), *detected(made, null), *by_form(made, RUNS.index((RUN_WORDS, RUN_CHARACTERS))), sep="\n")
