"""Go over a file of aspects, and name all that is wrong with it or does not fit the tasks."""

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from idrbench_inspect.errors import BadInput
from idrbench_inspect.formats import decoded, filled_lines, json_object, read_bytes
from idrbench_inspect.judging.aspects import Asked, AspectSet, Intent
from idrbench_inspect.judging.aspects_file import aspect_set, fitting, task_of
from idrbench_inspect.problems import Problem, of_bytes, of_file, of_text, place


def audited_aspects(path: Path, tasks: Sequence[Asked], known: Collection[str] | None) -> Iterator[Problem]:
    """Errors, for which a run with these tasks refuses the file, and warnings.

    Args:
        path: The file of aspects.
        tasks: Those that need aspects.
        known: The ids of all rows of the dataset; `None` where they are not known.
    """
    file = path.name
    try:
        content = read_bytes(path)
        text = decoded(content, file)
    except BadInput as unreadable:
        yield of_file(unreadable.message, file)
        return
    yield from of_bytes(content, file)
    sets: dict[str, AspectSet] = {}
    broken: set[str] = set()
    for number, line in filled_lines(text):
        task = ""
        try:
            row = json_object(line)
            task = task_of(row)
            sets[task] = aspect_set(row, task, sets.keys() | broken)
        except ValueError as wrong:
            broken.add(task)
            yield Problem(row=f"line {number}", field="", sentence=str(wrong), file=file)
            continue
        if known is not None and task not in known:
            yield _warning(task, "task", "there is no task of that id, so the line is not used; correct it.", file)
        yield from _texts(task, sets[task], file)
    yield from _fit(sets, [task for task in tasks if task.id not in broken], file)


def _fit(sets: dict[str, AspectSet], tasks: Sequence[Asked], file: str) -> Iterator[Problem]:
    for task in tasks:
        try:
            held = fitting(sets, Intent.of(task), file)
        except BadInput as misfit:
            yield Problem(row=task.id, field="", sentence=misfit.message, file=file)
            continue
        if held.language != task.language:
            said = f"the language is {held.language!r}, that of the task {task.language!r}; look at both."
            yield _warning(task.id, "language", said, file)


def _texts(task: str, held: AspectSet, file: str) -> Iterator[Problem]:
    for aspect in held.aspects:
        yield from of_text(aspect.text, f"the aspect {aspect.id}", place(task, "aspects", file))


def _warning(task: str, field: str, said: str, file: str) -> Problem:
    return Problem(row=task, field=field, sentence=said, kind="warning", file=file)
