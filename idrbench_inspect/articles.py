"""Reports that were written elsewhere: a file of them, and a solver that hands them in without calling a model."""

from collections.abc import Collection, Iterable, Sequence

from inspect_ai.model import ModelOutput
from inspect_ai.solver import Generate, Solver, TaskState, solver

from idrbench_inspect.dataset import Dataset, ResearchTask
from idrbench_inspect.dataset.report_lines import unfit
from idrbench_inspect.errors import BadInput
from idrbench_inspect.judging.rows import json_rows
from idrbench_inspect.problems import counted
from idrbench_inspect.resources import given_path
from idrbench_inspect.scorers.reported import NO_REPORT

_WANTED = "a file of reports"


def read_articles(file: str, known: Iterable[str] | None = None) -> dict[str, str]:
    """The reports in a file of JSON lines, each with `id` and `article`; other fields are not read.

    Args:
        file: Its path.
        known: The ids of the dataset's tasks, of those without a target too; any if not given. They are compared as
            text: 7 and "7" are one id.

    Returns:
        The reports by task id; at least one.

    Raises:
        BadInput: the file or a line of it cannot be used, an id is no task's or occurs twice, or a report holds NUL or
            half a surrogate pair. An empty one can be scored.
    """
    if not file.strip():
        raise BadInput("There are no reports to score; give -T reports=FILE, with one {id, article} object a line.")
    tasks = None if known is None else set(known)
    found: dict[str, str] = {}
    for where, row in json_rows(given_path(file), _WANTED):
        for field, kinds in (("id", (str, int)), ("article", (str,))):
            if field not in row or isinstance(row[field], bool) or not isinstance(row[field], kinds):
                wanted = " or a whole number" if int in kinds else ""
                raise BadInput(f"{where}: the field {field} is missing or no text{wanted}; correct the line.")
        name = str(row["id"])
        if tasks is not None and name not in tasks:
            raise BadInput(f"{where}: no task of the dataset has the id {name!r}; correct it or leave the line out.")
        if name in found:
            raise BadInput(f"{where}: the id {name!r} occurs twice; leave one line of it.")
        if wrong := unfit(name, row["article"], may_be_blank=True):
            raise BadInput(f"{where}: {wrong}")
        found[name] = row["article"]
    if not found:
        raise BadInput(f"{file} holds no report; give {_WANTED}, one JSON object with id and article a line.")
    return found


def not_scored(articles: Collection[str], rows: Iterable[ResearchTask], dataset: Dataset) -> str | None:
    """What to know of reports that are not scored, as a sentence; `None` where all are.

    Their tasks were not chosen, or have no target and so are none of the dataset's.

    Args:
        articles: The ids of the tasks that the file has reports on.
        rows: The tasks that were chosen.
        dataset: The dataset that they were chosen from.
    """
    chosen = {row.id for row in rows}
    dropped = [task for task in dataset.tasks if task.id in articles and task.id not in chosen]
    without = [name for name in left_out(dataset) if name in articles]
    why = [_not_chosen(dropped)] if dropped else []
    if without:
        why.append(f"{counted(len(without), 'task has', 'tasks have')} no target ({', '.join(without)})")
    if not why:
        return None
    number = len(dropped) + len(without)
    of_all = f"of {counted(len(articles), 'report', 'reports')}"
    return f"{counted(number, f'{of_all} is', f'{of_all} are')} not scored: {'; '.join(why)}."


def left_out(dataset: Dataset) -> tuple[str, ...]:
    """The ids of rows that have no target, and so are no tasks."""
    return dataset.joined.left_out if dataset.joined else ()


def _not_chosen(dropped: Sequence[ResearchTask]) -> str:
    said = f"{counted(len(dropped), 'task was', 'tasks were')} not chosen ({', '.join(task.id for task in dropped)})"
    second = [task for task in dropped if task.second_user_of is not None]
    if not second:
        return said
    subsets = sorted({name for task in second for name in task.subsets})
    named = f" (subset={' or '.join(subsets)})" if subsets else ", and no subset does"
    users = counted(len(second), "is of a second user", "are of second users")
    return f"{said}, of which {users}, who take part only where a subset names them{named}"


@solver
def given_articles(file: str) -> Solver:
    """Hand in what was written elsewhere.

    Args:
        file: As of `read_articles`. A task without a report in it is left without one, which is not an empty report.

    Raises:
        BadInput: the file or a line of it cannot be used.
    """
    articles = read_articles(file)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        task = str(state.metadata.get("task", state.sample_id))
        if task in articles:
            state.output = ModelOutput.from_content("given", articles[task])
        else:
            state.store.set(NO_REPORT, "the file of reports holds none for this task")
        return state

    return solve
