"""Aspects as a file: one task a line, written once and read by every later run.

A line holds `task` (its id) and the fields of an `AspectSet`: `language`, `source_query_sha256`, `query_sha256`,
`aspects` (each with `id`, `text` and `tag`), `left_out`, `author` and `tagger` (each with `model`, `settings` and
`prompt_sha256`).
"""

import os
from collections.abc import Container, Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from idrbench_inspect.errors import BadInput, first_fault
from idrbench_inspect.judging.aspects import AspectSet, Intent, canonical
from idrbench_inspect.judging.rows import json_rows

WANTED = "a file of aspects"
_TASK = "task"


def read_aspects(path: Path) -> dict[str, AspectSet]:
    """The aspects in a file, by task id.

    Raises:
        BadInput: the file or a line of it cannot be used; the file, the line and the field are named.
    """
    found: dict[str, AspectSet] = {}
    for where, row in json_rows(path, WANTED):
        try:
            task = task_of(row)
            found[task] = aspect_set(row, task, found)
        except ValueError as wrong:
            raise BadInput(f"{where}: {wrong}") from None
    return found


def task_of(row: Mapping[str, Any]) -> str:
    """The id of the task that a line is about.

    Raises:
        ValueError: it has none; the message is a sentence.
    """
    task = row.get(_TASK)
    if not isinstance(task, str) or not task:
        raise ValueError(f"the field {_TASK} is missing or no text; give the id of the task.")
    return task


def aspect_set(row: Mapping[str, Any], task: str, earlier: Container[str]) -> AspectSet:
    """The aspects of a line.

    Args:
        row: The line.
        task: Its task.
        earlier: The tasks of the lines before.

    Raises:
        ValueError: they are not of the form, or the task has an earlier line; the message is a sentence.
    """
    if task in earlier:
        raise ValueError(f"the task {task!r} occurs twice; leave one line of it.")
    try:
        return AspectSet.model_validate_json(canonical({name: row[name] for name in row if name != _TASK}))
    except ValidationError as error:
        field, wrong = first_fault(error)
        raise ValueError(f"{f'the field {field}: ' if field else ''}{wrong}; correct the line.") from None


def write_aspects(path: Path, sets: Mapping[str, AspectSet]) -> None:
    """Write aspects by task id, in the order given; a file that is there is replaced when all is written."""
    lines = [canonical({_TASK: task, **held.model_dump(mode="json")}) for task, held in sets.items()]
    new = path.with_name(f"{path.name}.new")
    new.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")
    os.replace(new, path)


def check_place(path: Path) -> None:
    """Refuse a place where no file can be written, before anything is paid for it.

    Raises:
        BadInput: its folder is not there.
    """
    if not path.parent.is_dir():
        raise BadInput(f"There is no folder {path.parent} for a file of aspects; make it, or give another place.")


def fitting(sets: Mapping[str, AspectSet], intent: Intent, place: str) -> AspectSet:
    """The aspects of a task, if they are those of its queries.

    Raises:
        BadInput: the file has none for the task, or has some for another query.
    """
    held = sets.get(intent.id)
    again = "leave the file away to have them written, or write it again"
    if held is None:
        raise BadInput(f"{place} holds no aspects of the task {intent.id!r}, and every task needs some; {again}.")
    for name in ("source_query", "query"):
        of_file, of_task = getattr(held, f"{name}_sha256"), getattr(intent, f"{name}_sha256")
        if of_file != of_task:
            raise BadInput(
                f"{place} holds aspects of the task {intent.id!r} for another {name} "
                f"(sha256 {of_file[:12]}, the task's is {of_task[:12]}); {again}."
            )
    return held
