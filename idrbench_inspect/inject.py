"""Ambiguity injection: make underspecified queries of detailed ones.

inspect eval idrbench_inspect/inject.py --model openai/gpt-5.1 -T dataset=sources.jsonl -T out=tasks.jsonl
"""

from typing import Any

from inspect_ai import Task, task

from idrbench_inspect.choices import refuse_unknown
from idrbench_inspect.makers import build_injection


@task
def inject(
    dataset: str = "mini",
    out: str | None = None,
    target: float | str = 0.5,
    seed: int = 0,
    data_dir: str | None = None,
    reports: str | None = None,
    **unknown: Any,
) -> Task:
    """Shorten source queries, label what they leave open, and write rows of a dataset.

    Args:
        dataset: Name or path of a dataset, or a `.jsonl` file of sources: `id`, `source_query`, and, if known,
            `language` and `topic`.
        out: Required: the file to write, a row a line; rows that are there are not made again. `out` with the ending
            `.review.md` is the sheet for two readers.
        target: The share of characters to be cut away, 0.1 to 0.9, reached to within 0.1; `spread` gives the deciles
            10 % to 90 % to the queries of each language equally often.
        seed: Of the spread.
        data_dir: Folder with a copy of the public queries, for datasets that are joined with them.
        reports: File of reports that the rows of such a dataset are to carry; none is needed.
        unknown: Taken so that a misspelt parameter is refused; Inspect would leave it out with a warning.
    """
    given = dict(locals())
    refuse_unknown(given)
    return build_injection(given)
