"""Where the aspects of a task come from: the grader, a file, or the criteria of DeepResearch Bench."""

from collections.abc import Iterable
from pathlib import Path

from inspect_ai.model import GenerateConfig, Model, get_model

from idrbench_inspect.errors import BadInput
from idrbench_inspect.judging.asking import GRADER, instrument
from idrbench_inspect.judging.aspects import Asked, AspectSet, Draft, Intent
from idrbench_inspect.judging.aspects_file import check_place, fitting, read_aspects, write_aspects
from idrbench_inspect.judging.drb import HOW, from_drb
from idrbench_inspect.judging.store import Store, worth_keeping
from idrbench_inspect.judging.writing import TAGGING, WRITING, tag_draft, write_draft
from idrbench_inspect.resources import given_path

WRITTEN = "grader"
DRB = "drb"


class Aspects:
    """The aspects of tasks: once per task, the same for every condition.

    Args:
        source: `grader` to have them written; the path of a file of aspects; or `drb:PATH` for the criteria file of
            DeepResearch Bench, whose criteria the grader only tags.
        store: Where written aspects are kept.

    Raises:
        BadInput: the source is unknown, or its file cannot be used.
    """

    def __init__(self, source: str = WRITTEN, store: Store | None = None) -> None:
        self.source = source
        self._store = store or Store()
        self._sets: dict[str, AspectSet] | None = None
        self._drafts: dict[str, Draft] | None = None
        kind, _, place = source.partition(":")
        if kind == DRB and not place.strip():
            raise BadInput(f"aspects={source} names no file of criteria of DeepResearch Bench; {HOW}.")
        if not source.strip():
            raise BadInput(
                f"aspects={source} names no file; give aspects={WRITTEN}, the path of a file of aspects, or "
                f"{DRB}:PATH with the path of the criteria file of DeepResearch Bench."
            )
        if kind == DRB:
            self._drafts = from_drb(given_path(place))
        elif source != WRITTEN:
            self._sets = read_aspects(given_path(source))

    def check(self, tasks: Iterable[Asked]) -> None:
        """Refuse what the source cannot serve, before any model is called.

        Raises:
            BadInput: a task is missing from the file, or its queries are not those that the file was written for.
        """
        for task in tasks:
            self._given(Intent.of(task))

    def _given(self, intent: Intent) -> AspectSet | Draft | None:
        if self._sets is not None:
            return fitting(self._sets, intent, self.source)
        if self._drafts is None:
            return None
        draft = self._drafts.get(intent.source_query_sha256)
        if draft is None:
            raise BadInput(
                f"{self.source} holds no criteria for the source query of the task {intent.id!r}, letter by letter; "
                f"give aspects={WRITTEN} or a file of aspects."
            )
        return draft

    async def of(self, intent: Intent, author: Model) -> AspectSet:
        """The aspects of one task, written and tagged by `author` where they are not given.

        Raises:
            BadInput: the file does not have them.
            NoReading: the author gave none that can be used.
        """
        given = self._given(intent)
        if isinstance(given, AspectSet):
            return given
        draft = given or await self._written(intent, author)
        key = {
            **instrument(author, TAGGING).model_dump(mode="json"),
            "draft": draft.digest(),
            "query_sha256": intent.query_sha256,
        }
        return await self._store.once(
            key, AspectSet, lambda: tag_draft(draft, intent, author), on_disk=worth_keeping(author)
        )

    async def _written(self, intent: Intent, author: Model) -> Draft:
        key = {
            **instrument(author, WRITING).model_dump(mode="json"),
            "language": intent.language,
            "source_query_sha256": intent.source_query_sha256,
        }
        return await self._store.once(key, Draft, lambda: write_draft(intent, author), on_disk=worth_keeping(author))


async def write_aspects_file(
    tasks: Iterable[Asked], path: Path, grader: str | Model = GRADER, folder: Path | None = None
) -> dict[str, str]:
    """Have the aspects of tasks written and tagged, and write them as a file for `aspects=FILE`.

    Args:
        tasks: Such as the tasks of a loaded dataset; their order is that of the file.
        path: The file, replaced once all aspects are there.
        grader: Who writes; a name is made at temperature 0.
        folder: Where aspects are kept meanwhile, so that a run that broke off goes on; by default the user's cache.

    Returns:
        The hash of each task's aspects, by task id.

    Raises:
        BadInput: the folder of the file is not there.
        NoReading: the grader gave no usable aspects for a task; what it gave before is kept.
    """
    check_place(path)
    if isinstance(grader, str):
        grader = get_model(grader, role="grader", config=GenerateConfig(temperature=0.0))
    aspects = Aspects(store=Store(folder))
    sets = {task.id: await aspects.of(Intent.of(task), grader) for task in tasks}
    write_aspects(path, sets)
    return {task: held.sha256 for task, held in sets.items()}
