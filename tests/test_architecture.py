"""The shape of the code: who may import whom, and how large a thing may grow. Read from the source, nothing is run."""

import ast
import graphlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = "idrbench_inspect"

# The one table. A room is a file or a folder of the package; it may import rooms of lower levels, and within itself.
LEVELS: dict[int, tuple[str, ...]] = {
    0: ("records", "limits", "errors"),
    1: (
        *("addresses", "blocklist", "resources", "prompting", "shelf", "arms", "units", "metrics"),
        *("formats", "problems"),
    ),
    2: ("replies", "log_events"),
    3: ("dataset", "search", "embedding", "user", "judging", "providers", "spending"),
    4: ("pipeline", "scorers", "arena", "making"),
    5: (
        *("interactive", "autonomous", "paired", "reports", "inject", "judge_points"),
        *("wiring", "makers", "choices", "profiles", "preflight", "articles", "viewing", "checking"),
    ),
    6: ("_registry", "__init__", "cli"),
}
STRANGERS = (3, 4)  # rooms of these levels do not know each other; elsewhere one may know another, without a cycle
WITHOUT_INSPECT = (0, 1)
PURE = ("metrics", "units")  # arithmetic and text: nothing read, written or awaited
SIDE = "analysis"  # reads logs: known to the top level only
SIDE_KNOWS = (*LEVELS[0], *LEVELS[1], *LEVELS[2], "spending")

HEAVY = ("sentence_transformers", "torch")
IO_MODULES = {
    "asyncio",
    "anyio",
    "io",
    "os",
    "pathlib",
    "shutil",
    "tempfile",
    "socket",
    "subprocess",
    "urllib",
    "httpx",
}

LEVEL = {room: level for level, rooms in LEVELS.items() for room in rooms}


@cache
def sources(*folders: str) -> tuple[Path, ...]:
    """The Python files of `folders`, in order."""
    return tuple(sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py")))


def package() -> tuple[Path, ...]:
    return sources(PACKAGE)


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def place(path: Path, node: ast.AST | None = None) -> str:
    line = f":{node.lineno}" if isinstance(node, ast.expr | ast.stmt) else ""
    return f"{path.relative_to(ROOT).as_posix()}{line}"


def room(path: Path) -> str:
    return path.relative_to(ROOT / PACKAGE).parts[0].removesuffix(".py")


def imported(code: ast.AST) -> Iterator[tuple[ast.stmt, str]]:
    """Every import as a dotted name: `from a.b import c` gives `a.b.c`."""
    for node in ast.walk(code):
        if isinstance(node, ast.Import):
            yield from ((node, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((node, f"{'.' * node.level}{node.module or ''}.{alias.name}") for alias in node.names)


def rooms_imported(path: Path) -> Iterator[tuple[ast.stmt, str]]:
    for node, name in imported(tree(path)):
        parts = name.split(".")
        if parts[0] == PACKAGE:
            target = parts[1] if len(parts) > 1 else "__init__"
            yield node, target if target in LEVEL or target == SIDE else "__init__"


def forbidden(here: str, there: str) -> bool:
    if here == there:
        return False
    if here == SIDE:
        return there not in SIDE_KNOWS
    if there == SIDE:
        return LEVEL[here] != max(LEVELS)
    same_is_fine = LEVEL[here] not in STRANGERS
    return LEVEL[there] >= LEVEL[here] + same_is_fine


def at_module_level(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes that run when a module is imported."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        if isinstance(child, ast.If) and ast.unparse(child.test).endswith("TYPE_CHECKING"):
            continue
        yield child
        yield from at_module_level(child)


# ---------------------------------------------------------------------------------------------------------------- rules


def test_every_module_has_its_level() -> None:
    unknown = sorted({room(path) for path in package()} - set(LEVEL) - {SIDE})
    assert not unknown, f"add {', '.join(unknown)} to LEVELS in tests/test_architecture.py, at the level it belongs to"


def test_imports_point_down() -> None:
    wrong = [
        f"{place(path, node)}: {room(path)} must not import {target}"
        for path in package()
        for node, target in rooms_imported(path)
        if forbidden(room(path), target)
    ]
    assert not wrong, "\n".join(wrong)


def test_rooms_form_no_cycle() -> None:
    graph: dict[str, set[str]] = {}
    for path in package():
        graph.setdefault(room(path), set()).update(there for _, there in rooms_imported(path) if there != room(path))
    assert set(graphlib.TopologicalSorter(graph).static_order()) >= set(graph)  # raises CycleError on a cycle


def test_the_ground_does_not_know_inspect() -> None:
    wrong = [
        place(path, node)
        for path in package()
        if LEVEL.get(room(path)) in WITHOUT_INSPECT
        for node, name in imported(tree(path))
        if name.split(".")[0] == "inspect_ai"
    ]
    assert not wrong, wrong


def test_arithmetic_and_text_read_nothing_and_await_nothing() -> None:
    wrong = []
    for path in (path for path in package() if room(path) in PURE):
        wrong += [place(path, node) for node, name in imported(tree(path)) if name.split(".")[0] in IO_MODULES]
        for node in ast.walk(tree(path)):
            opens = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in {"open", "print"}
            if opens or isinstance(node, ast.AsyncFunctionDef):
                wrong.append(place(path, node))
    assert not wrong, wrong


def test_imports_are_absolute_and_of_inspect_public() -> None:
    wrong = []
    for path in sources(PACKAGE, "tests", "benchmarks", "examples"):
        for node, name in imported(tree(path)):
            root, *rest = name.split(".")
            if name.startswith(".") or (root == "inspect_ai" and any(part.startswith("_") for part in rest)):
                wrong.append(f"{place(path, node)}: {name}")
    assert not wrong, wrong


def test_heavy_libraries_are_not_imported_with_the_package() -> None:
    wrong = [
        place(path, node)
        for path in package()
        for node in at_module_level(tree(path))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for _, name in imported(node)
        if name.split(".")[0] in HEAVY
    ]
    assert not wrong, wrong


# ------------------------------------------------------------------------------------------- the measures measure right


@pytest.mark.parametrize(
    ("here", "there", "wrong"),
    [
        ("limits", "records", False),
        ("records", "prompting", True),
        ("user", "search", True),
        ("scorers", "pipeline", True),
        ("pipeline", "user", False),
        ("interactive", "wiring", False),
        ("analysis", "metrics", False),
        ("analysis", "pipeline", True),
        ("scorers", "analysis", True),
        ("cli", "analysis", False),
    ],
)
def test_the_direction_of_an_import(here: str, there: str, wrong: bool) -> None:
    assert forbidden(here, there) is wrong
