"""The dataset behind a sample: the references of other tasks, as a control, and the aspects that lie beside it."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any

from idrbench_inspect.dataset import Dataset, ResearchTask, load
from idrbench_inspect.errors import BadInput
from idrbench_inspect.scorers.aside import aside

CONTROLS = 2
"""References of other tasks that a report is compared with."""


@dataclass(frozen=True)
class Others:
    """References of other tasks: ids and texts; `missing` says why there are none."""

    tasks: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    missing: str | None = None


class Datasets:
    """The datasets that the samples of one run come from, each loaded once, off the event loop."""

    def __init__(self) -> None:
        self._loaded: dict[tuple[str, str | None, str | None], Dataset | str] = {}
        self._lock = Lock()

    async def others(self, metadata: Mapping[str, Any]) -> Others:
        """The references that a sample's report is compared with as a control: see `other_references`."""
        if "dataset_at" not in metadata:
            return Others(missing="the sample does not say where its dataset is")
        dataset = await self._dataset(metadata)
        if isinstance(dataset, str):
            return Others(missing=dataset)
        if dataset.revision != metadata.get("dataset_revision"):
            return Others(missing=f"the dataset {dataset.name} has changed since the run")
        return other_references(dataset, str(metadata.get("task")))

    async def aspects(self, metadata: Mapping[str, Any]) -> Path:
        """The file of aspects of a sample's dataset.

        Raises:
            BadInput: the dataset cannot be loaded, or has none.
        """
        dataset = await self._dataset(metadata)
        if isinstance(dataset, str):
            raise BadInput(f"{dataset}, so its aspects are unknown; give aspects=FILE.")
        if dataset.aspects is None:
            raise BadInput(f"The dataset {dataset.name} has no aspects.jsonl; give aspects=FILE or aspects=grader.")
        return dataset.aspects

    async def _dataset(self, metadata: Mapping[str, Any]) -> Dataset | str:
        joined = metadata.get("dataset_with") or {}
        key = (str(metadata.get("dataset_at")), joined.get("data_dir"), joined.get("reports"))
        known = self._loaded.get(key)
        return await aside(self._load, key) if known is None else known

    def _load(self, key: tuple[str, str | None, str | None]) -> Dataset | str:
        at, data_dir, reports = key
        with self._lock:
            if key not in self._loaded:
                try:
                    self._loaded[key] = load(at, data_dir=data_dir, reports=reports)
                except (BadInput, OSError) as error:
                    self._loaded[key] = f"the dataset {at} cannot be loaded ({str(error).rstrip('.')})"
            return self._loaded[key]


def other_references(dataset: Dataset, task: str) -> Others:
    """The next tasks in the order of the dataset, the first after the last: in the same language, asking another thing.

    Second users are passed over: each would count its first user's query twice. Where there is one such task only, it
    is the control alone.
    """
    place = next((n for n, row in enumerate(dataset.tasks) if row.id == task), None)
    if place is None:
        return Others(missing=f"the dataset {dataset.name} has no task {task!r}")
    here = dataset.tasks[place]
    found: list[ResearchTask] = []
    for row in (*dataset.tasks[place + 1 :], *dataset.tasks[:place]):
        alike = row.language == here.language and row.second_user_of is None
        if alike and row.query not in {here.query, *(other.query for other in found)}:
            found.append(row)
    chosen = found[:CONTROLS]
    if not chosen:
        return Others(missing=f"the dataset {dataset.name} has no other task in {here.language}")
    return Others(tuple(row.id for row in chosen), tuple(row.report for row in chosen))
