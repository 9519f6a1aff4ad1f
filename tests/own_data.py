"""A whole dataset folder of a user's own, with everything that a folder may hold, and ways to break it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from idrbench_inspect.dataset import load
from idrbench_inspect.judging import Intent, write_aspects
from tests.dataset.test_points import file_of, line
from tests.judging.scripted import aspect_set

Break = Callable[[Path], object]

REPORT = "# {name}\n\nMoss in Norway grows on roofs of {name}.\n"
DOCUMENT = "---\nurl: https://example.org/{name}\ntitle: {name}\n---\n\nMoss on roofs.\n"


def whole(root: Path) -> Path:
    """A folder without any problem: two tasks and a second user, reports, subsets, corpus, aspects, judged points."""
    folder = root / "own"
    for part in ("reports", "corpus/north", "corpus/south"):
        (folder / part).mkdir(parents=True)
    second = {**row("north"), "id": "north-2", "second_user_of": "north"}
    tasks(folder, row("north"), row("south"), second)
    for name in ("north", "south", "north-2"):
        (folder / "reports" / f"{name}.md").write_text(REPORT.format(name=name), encoding="utf-8")
    for name in ("north", "south"):
        document = folder / "corpus" / name / "roofs.md"
        document.write_text(DOCUMENT.format(name=name), encoding="utf-8")
    (folder / "subsets.yaml").write_text("1: [north]\n", encoding="utf-8")
    loaded = load(str(folder)).tasks
    write_aspects(folder / "aspects.jsonl", {task.id: aspect_set(Intent.of(task)) for task in loaded})
    file_of(folder, *(line(task) for task in loaded))
    return folder


def row(name: str) -> dict[str, Any]:
    """A row; those of different names are no near-duplicates."""
    what = {"north": "moss on roofs", "south": "lichen upon old garden walls"}[name]
    return {
        "id": name,
        "language": "en",
        "topic": "Gardens",
        "query": f"What about {what}?",
        "source_query": f"Tell me about {what} in the {name}, for builders, over the last fifty years.",
        "target_origin": {"system": "a system", "model_family": "a family"},
        "ambiguity": [
            {"dimension": "region", "question": "Where", "alternatives": ["Norway", "Spain"]},
            {"dimension": "audience", "question": "For whom", "alternatives": ["builders", "gardeners"]},
        ],
    }


def tasks(folder: Path, *rows: dict[str, Any]) -> None:
    text = "".join(f"{json.dumps(one, ensure_ascii=False)}\n" for one in rows)
    (folder / "tasks.jsonl").write_text(text, encoding="utf-8")


def replaced(file: str, old: str, new: str) -> Break:
    """Put `new` for the first `old` in a file, which must be there."""

    def act(folder: Path) -> None:
        content = (folder / file).read_bytes()
        assert old.encode() in content
        (folder / file).write_bytes(content.replace(old.encode(), new.encode(), 1))

    return act


def written(file: str, content: str | bytes) -> Break:
    def act(folder: Path) -> None:
        path = folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())

    return act


def added(file: str, content: str) -> Break:
    return lambda folder: (folder / file).write_bytes((folder / file).read_bytes() + content.encode())


def both(*acts: Break) -> Break:
    def act(folder: Path) -> None:
        for one in acts:
            one(folder)

    return act


def again(file: str, old: str, new: str) -> Break:
    """Add the last line of a file once more, with `new` for `old`."""

    def act(folder: Path) -> None:
        last = (folder / file).read_text(encoding="utf-8").splitlines()[-1]
        assert old in last
        added(file, f"{last.replace(old, new)}\n")(folder)

    return act


def gone(file: str) -> Break:
    return lambda folder: (folder / file).unlink()


def windows(file: str) -> Break:
    """A byte-order mark and Windows line ends."""
    return lambda folder: (folder / file).write_bytes(
        b"\xef\xbb\xbf" + (folder / file).read_bytes().replace(b"\n", b"\r\n")
    )


def a_folder_in_place_of(file: str) -> Break:
    def act(folder: Path) -> None:
        (folder / file).unlink()
        (folder / file).mkdir()

    return act


def judged(**changes: Any) -> Break:
    """The line of `north` among the judged points, with other fields."""

    def act(folder: Path) -> None:
        lines = [json.loads(text) for text in (folder / "points.jsonl").read_text(encoding="utf-8").splitlines()]
        file_of(folder, {**lines[0], **changes}, *lines[1:])

    return act


def point(number: int, **changes: Any) -> Break:
    """One of the judged points of `north`, with other fields."""

    def act(folder: Path) -> None:
        lines = [json.loads(text) for text in (folder / "points.jsonl").read_text(encoding="utf-8").splitlines()]
        lines[0]["points"][number] |= changes
        file_of(folder, *lines)

    return act
