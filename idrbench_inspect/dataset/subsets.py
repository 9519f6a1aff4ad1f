"""The frozen subsets of a dataset: `subsets.yaml`, whose lines are `name: [ids]`."""

from collections.abc import Collection
from pathlib import Path
from typing import Any

from idrbench_inspect.errors import BadInput
from idrbench_inspect.formats import Twice, decoded, from_yaml, read_bytes
from idrbench_inspect.problems import Problem, counted, of_bytes, of_file

SUBSETS = "subsets.yaml"

Subsets = dict[str, tuple[str, ...]]


def read_subsets(file: Path, ids: Collection[str]) -> Subsets:
    """The ids of each subset; names and ids are texts, whatever YAML would make of them.

    Args:
        file: The file of subsets.
        ids: Of all rows of the dataset.

    Raises:
        BadInput: it cannot be read, is not of that form, or names what is no task's id.
    """
    subsets, problems = audited_subsets(file, ids)
    for problem in problems:
        if problem.kind == "error":
            raise BadInput(f"{file}: {problem.sentence}")
    return subsets


def audited_subsets(file: Path, ids: Collection[str] | None) -> tuple[Subsets, list[Problem]]:
    """As `read_subsets`, with all that is wrong or odd; what cannot be read is left out.

    `ids` is `None` where not every row's id is known.
    """
    try:
        content = read_bytes(file)
        loaded = _loaded(decoded(content, file.name))
    except BadInput as unreadable:
        return {}, [of_file(unreadable.message, SUBSETS)]
    problems = list(of_bytes(content, SUBSETS))
    subsets = {name: tuple(named) for name, named in loaded.items()}
    for name, named in subsets.items():
        problems += [
            of_file(f"the subset {name} names {unknown!r}, which is no task's id; correct it.", SUBSETS)
            for unknown in sorted(set(named) - set(named if ids is None else ids))
        ]
        problems += [
            of_file(f"the subset {name} names {task!r} more than once; it counts once.", SUBSETS, "warning")
            for task in sorted({task for task in named if named.count(task) > 1})
        ]
    return subsets, problems


def _loaded(text: str) -> dict[str, list[str]]:
    try:
        loaded = from_yaml(text)
    except Twice as twice:
        raise BadInput(str(twice)) from None
    except ValueError as error:
        raise BadInput(f"it is not YAML ({error}); write lines of the form name: [ids].") from None
    if not isinstance(loaded, dict) or not all(_names_tasks(named) for named in loaded.values()):
        raise BadInput("it must hold names, each with a list of at least one task id; write lines like 10: [a, b].")
    return loaded


def _names_tasks(named: Any) -> bool:
    return isinstance(named, list) and bool(named) and all(isinstance(task, str) for task in named)


def incomplete(name: str, members: Collection[str], left_out: Collection[str]) -> str | None:
    """What to know of a frozen subset some rows of which have no report, as a sentence; `None` of a whole one."""
    lacking = [task for task in members if task in left_out]
    if not lacking:
        return None
    of_all = f"of its {counted(len(members), 'row', 'rows')}"
    said = counted(len(lacking), f"{of_all} has no report and is left out", f"{of_all} have no report and are left out")
    return (
        f"The subset {name} is incomplete: {said} ({', '.join(lacking)}), so figures over it are not those of the "
        "frozen subset."
    )
