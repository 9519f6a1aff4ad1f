"""The commands that CI takes from the README: found once and filled, or an error."""

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent.parent / ".ci" / "readme_command.py"
BLOCK = "<!-- command: run -->\n\n```bash\ninspect eval a.py \\\n  -T b=c\n```\n"


def extract(folder: Path, text: str) -> subprocess.CompletedProcess[str]:
    readme = folder / "README.md"
    readme.write_text(text, encoding="utf-8")
    command = [sys.executable, str(SCRIPT), str(readme), "run"]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("before", ["", "# Title\n\n```bash\nother\n```\n\n<!-- command: test -->\n```bash\nx\n```\n"])
def test_the_marked_block_is_printed_word_for_word(tmp_path: Path, before: str) -> None:
    done = extract(tmp_path, before + BLOCK + "\n```bash\nmore\n```\n")
    assert (done.returncode, done.stdout) == (0, "inspect eval a.py \\\n  -T b=c\n")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("# Title\n", "occurs 0 times"),
        (BLOCK + BLOCK, "occurs 2 times"),
        ("<!-- command: run -->\nText between.\n```bash\nx\n```\n", "no filled bash block"),
        ("<!-- command: run -->\n```bash\n\n```\n", "no filled bash block"),
        ("<!-- command: run -->\n```bash\nnever closed\n", "no filled bash block"),
        ("<!-- command: run -->\n```python\nx\n```\n", "no filled bash block"),
    ],
)
def test_a_block_that_is_not_there_fails(tmp_path: Path, text: str, words: str) -> None:
    done = extract(tmp_path, text)
    assert (done.returncode, done.stdout) == (1, "")
    assert words in done.stderr
