"""What is looked at before a run, so that nothing is paid for that could not be finished: roles, embedder, aspects."""

import re
from collections.abc import Sequence

import click
from inspect_ai.dataset import Sample
from inspect_ai.model import get_model, model_roles

from idrbench_inspect.arms import Arm
from idrbench_inspect.blocklist import NONE, Blocklist
from idrbench_inspect.choices import Choices
from idrbench_inspect.dataset import Dataset, ResearchTask
from idrbench_inspect.embedding.named import USEM3
from idrbench_inspect.errors import BadInput, cannot_be_made
from idrbench_inspect.judging import Aspects
from idrbench_inspect.profiles import OFFLINE
from idrbench_inspect.records import ROLES
from idrbench_inspect.resources import given_path
from idrbench_inspect.scorers.instruments import OF_DATASET, Instruments
from idrbench_inspect.scorers.reading import embedding_of

_LIMIT = re.compile(r"([1-9][0-9]*)(?:-([1-9][0-9]*))?")

NO_MODEL = "none/none"
"""What Inspect calls the model of a run that was started without one."""


def check_roles(chosen: Choices, arms: Sequence[Arm]) -> dict[str, str]:
    """Make exactly the roles that these arms use, so that a missing key stops the run before any sample.

    Returns:
        The model of each role that is not played by the evaluated model.

    Raises:
        BadInput: a role cannot be made, with the provider's reason; one is bound that nobody plays; or Inspect was
            started without a model.
    """
    _check_there_is_a_model()
    if unknown := sorted(set(model_roles()) - set(ROLES)):
        raise BadInput(f"There is no role {unknown[0]!r}; the roles are {', '.join(ROLES)}: correct --model-role.")
    roles = {"summarizer": chosen.profile.summarizer, "grader": chosen.profile.grader}
    if any(arm.user == "simulated" for arm in arms):
        roles["user"] = chosen.profile.user
    return {role: played_by(role, default) for role, default in roles.items()}


def _check_there_is_a_model() -> None:
    try:
        evaluated = str(get_model())
    except ValueError:  # the task is made before any run, as a Python caller may: nothing is known yet
        return
    if evaluated == NO_MODEL:
        raise BadInput(f"There is no model to evaluate; give --model, such as openai/gpt-5.1, or {OFFLINE} offline.")


def played_by(role: str, default: str) -> str:
    """The model that plays a role: the one that it is bound to, else `default`.

    Raises:
        BadInput: it cannot be made, with the provider's reason.
    """
    bound = model_roles().get(role)
    if isinstance(bound, list):  # several judges; Inspect has made them
        return ", ".join(map(str, bound))
    try:
        # One made earlier in this process could stand for a key that is gone by now.
        return str(get_model(role=role, default=default, memoize=False))
    except Exception as cannot:  # a provider raises what it likes when its key or package is missing
        raise BadInput(
            f"The role {role} is played by {default}, which cannot be made ({cannot_be_made(cannot)}); "
            f"set what is missing, or play it offline with --model-role {role}={OFFLINE}."
        ) from cannot


def parted(tasks: int, arms: int) -> str | None:
    """What to know of a `--limit` that parts the arms of a task, as a sentence; `None` where none is seen.

    Samples stand task by task, one an arm, and Inspect's limit counts samples. It is seen where the command line gives
    it, and not where Python does.

    Args:
        tasks: How many were chosen.
        arms: How many samples each of them has.
    """
    command = click.get_current_context(silent=True)
    limit = str(command.params.get("limit") or "") if command else ""
    if arms == 1 or not (found := _LIMIT.fullmatch(limit)):
        return None
    first, last = (int(found[1]) - 1, int(found[2])) if found[2] else (0, int(found[1]))
    if first % arms == 0 and (last % arms == 0 or last >= tasks * arms):
        return None
    return (
        f"--limit {limit} counts samples, of which every task has {arms}, one an arm, so a task is cut in two and has "
        f"no gain; give a multiple of {arms}."
    )


def settled(instruments: Instruments, dataset: Dataset) -> Instruments:
    """The instruments as a log keeps them: aspects decided (the dataset's own, else the grader's), paths absolute."""
    aspects = instruments.aspects
    if aspects == OF_DATASET:
        aspects = OF_DATASET if dataset.aspects else "grader"
    elif aspects != "grader":
        before, colon, place = aspects.partition(":") if aspects.startswith("drb:") else ("", "", aspects)
        aspects = f"{before}{colon}{_absolute(place)}"
    embedder = instruments.embedder if instruments.embedder == USEM3 else _absolute(instruments.embedder)
    return instruments.model_copy(update={"aspects": aspects, "embedder": embedder})


def _absolute(name: str) -> str:
    """The absolute path of what is there; another name as it is."""
    path = given_path(name)
    return str(path.resolve()) if name.strip() and path.exists() else name


def check_instruments(instruments: Instruments, rows: Sequence[ResearchTask], dataset: Dataset) -> None:
    """Load the embedder, and see that every task has its aspects where they are given.

    Raises:
        BadInput: the embedder cannot be loaded, or the aspects do not fit.
    """
    source = str(dataset.aspects) if instruments.aspects == OF_DATASET else instruments.aspects
    Aspects(source).check(rows)
    embedding_of(instruments)


def measured_by(sample: Sample, instruments: Instruments, blocked: Blocklist) -> None:
    """Note in a sample instruments and what is blocked, so that its run and later scorings of its log take these."""
    noted = {"instruments": instruments.model_dump(mode="json"), "blocked_domains": list(blocked.entries) or NONE}
    sample.metadata = {**(sample.metadata or {}), **noted}
