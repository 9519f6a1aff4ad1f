"""The wheel, built and installed away from the checkout, brings its prompts and datasets and finds them."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from idrbench_inspect.dataset import load
from idrbench_inspect.resources import prompts_sha256

ROOT = Path(__file__).parent.parent

# Runs in the other interpreter. The checkout may be on its path (an editable install puts it there): it is taken off.
PROBE = """
import json, sys
checkout, target = sys.argv[1:]
sys.path[:] = [entry for entry in sys.path if entry != checkout]
import idrbench_inspect
from idrbench_inspect.dataset import load, to_sample
from idrbench_inspect.prompting import fence, prompt
from idrbench_inspect.resources import prompts_sha256, shipped
mini = load("mini")
sample = to_sample(mini.tasks[0], mini)
filled = prompt("planner", date="2025-01-01", language="English", dialogue="", query=fence("query", sample.input))
print(json.dumps({
    "file": idrbench_inspect.__file__,
    "shipped": [str(shipped(name)) for name in ("prompts", "datasets")],
    "tasks": len(mini.tasks),
    "revision": mini.revision,
    "prompts": prompts_sha256(),
    "query_is_in": sample.input in filled.user,
}))
"""


def run(*command: str, cwd: Path, env: dict[str, str] | None = None) -> str:
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out), cwd=ROOT)
    (built,) = out.glob("*.whl")
    return built


def test_the_wheel_holds_package_prompts_and_datasets_and_nothing_else(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for folder in ("prompts", "datasets"):
        files = (path for path in (ROOT / folder).rglob("*") if path.is_file() and "__pycache__" not in path.parts)
        wanted = {f"idrbench_inspect/_shipped/{path.relative_to(ROOT).as_posix()}" for path in files}
        assert wanted
        assert wanted <= names, sorted(wanted - names)[:5]
    assert {name.split("/")[0].split("-")[0] for name in names} == {"idrbench_inspect"}


def test_an_installed_wheel_loads_the_mini_dataset_and_fills_a_prompt(wheel: Path, tmp_path: Path) -> None:
    target, elsewhere = tmp_path / "target", tmp_path / "elsewhere"
    elsewhere.mkdir()
    pip = (sys.executable, "-m", "pip", "install", "--no-deps", "--no-index", "--quiet")
    run(*pip, "--target", str(target), str(wheel), cwd=elsewhere)
    env = {**os.environ, "PYTHONPATH": str(target)}
    found = json.loads(run(sys.executable, "-c", PROBE, str(ROOT), str(target), cwd=elsewhere, env=env))
    assert Path(found["file"]).is_relative_to(target)
    assert all(Path(path).is_relative_to(target) for path in found["shipped"])
    assert found["tasks"] >= 1
    assert found["query_is_in"]
    assert (found["revision"], found["prompts"]) == (load("mini").revision, prompts_sha256())
