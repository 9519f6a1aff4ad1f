"""How large a thing may grow, what a name may be, and what no file holds. Read from the source, nothing is run."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGE = "idrbench_inspect"
CODE = (PACKAGE, "tests", "benchmarks", "examples", ".ci")
TEXT = (*CODE, "prompts", "datasets")

FILE_LINES, FUNCTION_LINES, ARGUMENTS, NESTING = 300, 50, 6, 3
NAMELESS = {"util", "utils", "helper", "helpers", "core", "common", "misc"}

Function = ast.FunctionDef | ast.AsyncFunctionDef


@cache
def sources(*folders: str) -> tuple[Path, ...]:
    """The Python files of `folders`, in order."""
    return tuple(sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py")))


def everything() -> tuple[Path, ...]:
    return sources(*CODE)


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def place(path: Path, node: ast.AST | None = None) -> str:
    line = f":{node.lineno}" if isinstance(node, ast.expr | ast.stmt) else ""
    return f"{path.relative_to(ROOT).as_posix()}{line}"


def functions(code: ast.AST) -> Iterator[Function]:
    return (node for node in ast.walk(code) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def is_task(function: Function) -> bool:
    names = (decorator.func if isinstance(decorator, ast.Call) else decorator for decorator in function.decorator_list)
    return any(isinstance(name, ast.Name) and name.id == "task" for name in names)


def length(function: Function) -> int:
    """Lines from `def` to the end; the docstring of a task, which describes each of its parameters, is not counted."""
    lines = (function.end_lineno or 0) - function.lineno + 1
    described = is_task(function) and ast.get_docstring(function) is not None
    return lines - ((function.body[0].end_lineno or 0) - function.body[0].lineno + 1) if described else lines


def arguments(function: Function) -> int:
    given = function.args
    named = [argument.arg for argument in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
    own = 1 if named[:1] in (["self"], ["cls"]) else 0
    return len(named) - own + (given.vararg is not None) + (given.kwarg is not None)


BLOCKS = (
    *(ast.If, ast.For, ast.AsyncFor, ast.While, ast.Match),
    *(ast.Try, ast.TryStar, ast.With, ast.AsyncWith),
)


def nesting(node: ast.AST) -> int:
    """How deep blocks lie within each other inside a function; a function inside is measured by itself."""
    deepest = 0
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            continue
        elif_ = isinstance(node, ast.If) and isinstance(child, ast.If) and child.col_offset == node.col_offset
        deepest = max(deepest, nesting(child) + (isinstance(child, BLOCKS) and not elif_))
    return deepest


NOQA = re.compile(r"#\s*noqa:\s*[A-Z]+\d+(?:\s*,\s*[A-Z]+\d+)*[\s:#-]+\w.{5,}")
TYPE_IGNORE = re.compile(r"#\s*type:\s*ignore\[[\w\s,-]+\]\s*#\s*\w.{5,}")


def unexplained(source: str) -> list[int]:
    """The lines with an exception from a linter that does not name its rule, or gives no reason."""
    comments = (t for t in tokenize.generate_tokens(io.StringIO(source).readline) if t.type == tokenize.COMMENT)
    bad = []
    for comment in comments:
        blanket_noqa = re.match(r"#.*\bnoqa\b", comment.string) and not NOQA.search(comment.string)
        blanket_ignore = re.search(r"#\s*type:\s*ignore", comment.string) and not TYPE_IGNORE.search(comment.string)
        if blanket_noqa or blanket_ignore:
            bad.append(comment.start[0])
    return bad


def test_files_are_short_and_named_for_what_they_hold() -> None:
    long = [place(path) for path in everything() if len(path.read_text(encoding="utf-8").splitlines()) > FILE_LINES]
    nameless = [place(path) for path in everything() if path.stem in NAMELESS or path.parent.name in NAMELESS]
    assert not long + nameless, long + nameless


def test_functions_are_short_and_shallow() -> None:
    wrong = []
    for path in everything():
        for function in functions(tree(path)):
            where = f"{place(path, function)} {function.name}"
            wrong += [f"{where}: {length(function)} lines"] if length(function) > FUNCTION_LINES else []
            wrong += [f"{where}: {nesting(function)} blocks deep"] if nesting(function) > NESTING else []
    assert not wrong, "\n".join(wrong)


def test_functions_take_few_arguments() -> None:
    wrong = [
        f"{place(path, function)} {function.name}: {arguments(function)} arguments"
        for path in sources(PACKAGE)
        for function in functions(tree(path))
        if arguments(function) > ARGUMENTS and not is_task(function)
    ]
    assert not wrong, "\n".join(wrong)


def test_exceptions_from_linters_name_their_rule_and_reason() -> None:
    wrong = [f"{place(path)}:{n}" for path in everything() for n in unexplained(path.read_text(encoding="utf-8"))]
    assert not wrong, wrong


def test_no_shipped_text_holds_a_path_of_a_machine() -> None:
    of_a_machine = re.compile(r"(?<![\w./-])/(?:work|root|tmp/v)/")
    paths = [*ROOT.glob("[!.]*"), *(path for folder in TEXT for path in (ROOT / folder).rglob("*"))]
    texts = (path for path in paths if path.is_file() and "__pycache__" not in path.parts)
    wrong = [place(path) for path in texts if of_a_machine.search(path.read_bytes().decode(errors="ignore"))]
    assert not wrong, wrong


def test_the_depth_of_blocks() -> None:
    chain = "def f():\n if a:\n  pass\n elif b:\n  pass\n elif c:\n  for x in y:\n   pass\n"
    nested = "def f():\n if a:\n  pass\n else:\n  if b:\n   with c:\n    try:\n     pass\n    finally:\n     pass\n"
    assert [nesting(ast.parse(code).body[0]) for code in (chain, nested)] == [2, 4]


def test_the_exceptions_that_count_as_explained() -> None:
    fine = "x = 1  # noqa: E501  # the table is read by eye\ny = 2  # type: ignore[misc]  # frozen on purpose\n"
    bare = "x = 1  # noqa\ny = 2  # noqa: E501\nz = 3  # type: ignore\nw = 4  # type: ignore[misc]\n"
    assert (unexplained(fine), unexplained(bare)) == ([], [1, 2, 3, 4])
