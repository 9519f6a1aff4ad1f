"""Choose tasks by frozen subset, language and shard."""

import hashlib
import re
from collections.abc import Collection, Mapping, Sequence

from idrbench_inspect.dataset.tasks import ResearchTask
from idrbench_inspect.errors import BadInput
from idrbench_inspect.records import LANGUAGES

_SHARD = re.compile(r"([0-9]{1,9})/([0-9]{1,9})")


def select(
    tasks: Sequence[ResearchTask],
    subset: str | int | None = None,
    shard: str | None = None,
    language: str | None = None,
    subsets: Mapping[str, Collection[str]] | None = None,
) -> tuple[ResearchTask, ...]:
    """The tasks of a subset, then those in a language, then one shard of these.

    Without a subset these are all first users: a second user of a task takes part only where a subset names it, since
    two samples with one query are no two independent tasks.

    Args:
        tasks: Of one dataset; their order is kept.
        subset: A name of the dataset's `subsets.yaml`, such as 30.
        shard: `"3/8"` is the third of eight parts: stable, disjoint, together the whole, equal in size to within one.
        language: `en` or `zh`.
        subsets: All subsets of the dataset with all their ids, those of rows without a report too; those that the
            tasks name if not given.

    Raises:
        BadInput: a value that cannot be used, or a selection that leaves no task.
    """
    if subset is None:
        chosen = tuple(task for task in tasks if task.second_user_of is None)
    else:
        chosen = _of_subset(tasks, str(subset), subsets)
    if language is not None and language not in LANGUAGES:
        raise BadInput(f"language={language!r} is not known: it must be one of {', '.join(LANGUAGES)}, or left out.")
    if language is not None:
        chosen = tuple(task for task in chosen if task.language == language)
    if not chosen:
        raise BadInput(f"No task is left with subset={subset!r} and language={language!r}; choose a wider selection.")
    return chosen if shard is None else _of_shard(chosen, str(shard))


def _of_subset(
    tasks: Sequence[ResearchTask], subset: str, subsets: Mapping[str, Collection[str]] | None
) -> tuple[ResearchTask, ...]:
    known = sorted({name for task in tasks for name in task.subsets} | set(subsets or ()))
    if subset not in known:
        names = f"the subsets of this dataset are {', '.join(known)}" if known else "this dataset has no subsets"
        raise BadInput(
            f"There is no subset {subset!r}: {names} (a number is the name of a frozen subset, not a size); give a "
            "known one, or leave subset out and cut a run short with --limit."
        )
    chosen = tuple(task for task in tasks if subset in task.subsets)
    if not chosen:
        raise BadInput(f"No task of the subset {subset!r} has a report; give reports of some, or another subset.")
    return chosen


def _of_shard(tasks: Sequence[ResearchTask], shard: str) -> tuple[ResearchTask, ...]:
    found = _SHARD.fullmatch(shard)
    part, of = (int(found[1]), int(found[2])) if found else (0, 0)
    if not 1 <= part <= of:
        raise BadInput(f"shard={shard!r} cannot be used: it must be like 3/8, part 3 of 8, counted from 1; correct it.")
    if part > len(tasks):
        raise BadInput(f"shard={shard!r} is empty: there are only {len(tasks)} tasks; use at most {len(tasks)} shards.")
    shuffled = sorted((task.id for task in tasks), key=lambda name: hashlib.sha256(name.encode()).hexdigest())
    members = set(shuffled[part - 1 :: of])
    return tuple(task for task in tasks if task.id in members)
