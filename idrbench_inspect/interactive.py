"""The interactive condition: the pipeline may ask its user at three stages.

inspect eval idrbench_inspect/interactive.py --model openai/gpt-5.1
"""

from typing import Any

from inspect_ai import Task, task

from idrbench_inspect.arms import arm_with_user
from idrbench_inspect.choices import choices
from idrbench_inspect.scorers.interaction_cost import interaction_cost
from idrbench_inspect.scorers.term_overlap import term_overlap
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
        unknown: Taken so that a misspelt parameter is refused; Inspect would leave it out with a warning.
    """
    given = dict(locals())
    return build(choices(given), [arm_with_user(str(user))], [term_overlap(), interaction_cost()])
