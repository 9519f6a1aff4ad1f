"""Read from paired reports what their readers had wanted at each ambiguity point.

inspect eval idrbench_inspect/judge_points.py -T dataset=FOLDER -T out=FOLDER/points.jsonl
"""

from typing import Any

from inspect_ai import Task, task

from idrbench_inspect.choices import refuse_unknown
from idrbench_inspect.makers import build_point_judging


@task
def judge_points(
    dataset: str = "mini",
    out: str | None = None,
    data_dir: str | None = None,
    reports: str | None = None,
    **unknown: Any,
) -> Task:
    """Judge, for every task and ambiguity point, whether the paired report answers it, and how.

    Args:
        dataset: Name or path of a dataset.
        out: Required: the file to write, a task a line; tasks that are there are not judged again.
        data_dir: Folder with copies of the public files, for datasets that are joined with them.
        reports: File of reports to pair with, for datasets that are joined.
        unknown: Taken so that a misspelt parameter is refused; Inspect would leave it out with a warning.
    """
    given = dict(locals())
    refuse_unknown(given)
    return build_point_judging(given)
