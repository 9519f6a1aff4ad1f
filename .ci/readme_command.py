"""Print the command block that README.md marks with `<!-- command: NAME -->`, so that what is documented is what runs.

Usage: `python .ci/readme_command.py README.md NAME`. Exits with 1 and a sentence when there is not exactly one such
mark with a filled bash block right behind it.
"""

import re
import sys
from pathlib import Path


def block(text: str, name: str) -> str:
    """The lines of the fenced bash block behind the mark `name`, without the fence.

    Raises:
        ValueError: the mark is missing or occurs twice, or no filled and closed bash block follows it.
    """
    marks = list(re.finditer(rf"^<!--\s*command:\s*{re.escape(name)}\s*-->[ \t]*$", text, re.MULTILINE))
    if len(marks) != 1:
        raise ValueError(f"the mark <!-- command: {name} --> occurs {len(marks)} times, it must occur once")
    found = re.match(r"\s*^```(?:bash|sh)[ \t]*\n(.*?)^```[ \t]*$", text[marks[0].end() :], re.MULTILINE | re.DOTALL)
    if not found or not found[1].strip():
        raise ValueError(f"no filled bash block follows <!-- command: {name} -->")
    return found[1].strip()


def main(path: str, name: str) -> int:
    """Print the block, or say what is wrong with it."""
    try:
        print(block(Path(path).read_text(encoding="utf-8"), name))
    except (ValueError, OSError) as error:
        print(f"{path}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
