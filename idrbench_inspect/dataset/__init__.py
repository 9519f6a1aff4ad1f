"""Datasets: underspecified queries, each paired with the report that its user has in mind.

A dataset is a folder, or one `.jsonl` file whose rows carry their reports:

```
tasks.jsonl        one task a line: id, language, topic, query, source_query, target_origin, ambiguity, second_user_of
reports/<id>.md    the report of a task whose row has neither `report` nor `report_file`
aspects.jsonl      what is judged of each task (optional; see `judging.aspects_file`, which reads it)
corpus/            documents of a closed search (optional; not read here)
subsets.yaml       name: [ids] (optional)
```

`load` refuses whatever is wrong with one, in one sentence, before any model is called.
"""

from idrbench_inspect.dataset.loading import Dataset, load, to_sample
from idrbench_inspect.dataset.selection import select
from idrbench_inspect.dataset.tasks import AmbiguityPoint, ResearchTask, TargetOrigin

__all__ = ["AmbiguityPoint", "Dataset", "ResearchTask", "TargetOrigin", "load", "select", "to_sample"]
