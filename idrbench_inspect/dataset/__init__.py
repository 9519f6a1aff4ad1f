"""Datasets: underspecified queries, each paired with the report that its user has in mind.

A dataset is a folder, or one `.jsonl` file whose rows carry their reports:

```
tasks.jsonl        one task a line: id, language, topic, query, source_query, target_origin, ambiguity, second_user_of
reports/<id>.md    the report of a task whose row has neither `report` nor `report_file`
aspects.jsonl      what is judged of each task (optional; see `judging.aspects_file`, which reads it)
corpus/            documents of a closed search (optional; not read here)
subsets.yaml       name: [ids] (optional)
points.jsonl       what a judge read in the reports at the ambiguity points (optional, see `points`)
```

Rows may leave source query and report to the public repository (see `PublicRow`): id, source_id, source_sha256,
language, topic, query, compression, dropped, ambiguity, report_sha256. They are joined with it by `source_id`.

`load` refuses whatever is wrong with a dataset, in one sentence, before any model is called; `audit` names all of it,
and what deserves a look besides. Corpus and aspects are read by other rooms; `checking` puts their audits together.
"""

from idrbench_inspect.dataset.audit import Audit, audit
from idrbench_inspect.dataset.joining import Joined
from idrbench_inspect.dataset.loading import Dataset, load, to_sample
from idrbench_inspect.dataset.selection import select
from idrbench_inspect.dataset.tasks import AmbiguityPoint, PublicRow, ResearchTask, TargetOrigin
from idrbench_inspect.problems import Problem

__all__ = [
    "AmbiguityPoint",
    "Audit",
    "Dataset",
    "Joined",
    "Problem",
    "PublicRow",
    "ResearchTask",
    "TargetOrigin",
    "audit",
    "load",
    "select",
    "to_sample",
]
