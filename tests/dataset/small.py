"""Small public files, and rows that are joined with them."""

import hashlib
import json
from pathlib import Path
from typing import Any

from idrbench_inspect.dataset import public
from idrbench_inspect.dataset.public import PublicFile, git_blob

PUBLIC = Path(__file__).parent.parent.parent.parent / "shared" / "data" / "drb"
"""The real public queries and reports on them, beside the checkout; where they are not, what needs them is skipped."""

PROMPTS = {
    "1": "家用热泵在寒冷地区的采暖效果如何，请比较北欧与中国东北，并说明费用、补贴与噪声？",
    "2": "How do heat pumps compare with gas boilers in cold climates, for landlords in Norway, by cost and noise?",
    "3": "What became of the river trade of the upper Danube after 1850, told town by town for a general reader?",
}
TOPICS = {"1": "Home & Hobbies", "2": "Home & Hobbies", "3": "History"}
LANGUAGES = {"1": "zh", "2": "en", "3": "en"}
QUERIES = {"1": "家用热泵好不好？", "2": "How good are heat pumps?", "3": "What became of the Danube trade?"}
REPORTS = {"1": "# 热泵\n\n北欧。", "2": "# Heat pumps\n\nIn Norway.", "3": "# The Danube\n\nTown by town."}
POINT = {"dimension": "region", "question": "Which region?", "alternatives": ["Norway", "Canada"]}


def lines(*rows: dict[str, Any]) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def query_lines() -> bytes:
    return lines(*({"id": int(n), "topic": TOPICS[n], "language": LANGUAGES[n], "prompt": PROMPTS[n]} for n in PROMPTS))


def reference_lines(**changes: str) -> bytes:
    """In another order than the queries, as the public files are."""
    reports = {n: changes.get(f"r{n}", report) for n, report in REPORTS.items()}
    return lines(*({"id": int(n), "prompt": PROMPTS[n], "article": reports[n]} for n in reversed(list(reports))))


QUERY_FILE = PublicFile("query.jsonl", public.QUERIES.path, git_blob(query_lines()))
REFERENCE_FILE = PublicFile("reference.jsonl", public.REFERENCES.path, git_blob(reference_lines()))


def path_of(file: PublicFile) -> str:
    return f"/{public.REPOSITORY}/{public.COMMIT}/{file.path}"


def row(n: str, **changes: Any) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "id": n,
        "source_id": n,
        "source_sha256": sha256(PROMPTS[n]),
        "language": LANGUAGES[n],
        "topic": TOPICS[n],
        "query": QUERIES[n],
        "compression": round(1 - len(QUERIES[n]) / len(PROMPTS[n]), 2),
        "dropped": ["the region"],
        "ambiguity": [POINT],
    }
    fields.update(changes)
    return {key: value for key, value in fields.items() if value is not ...}


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def written(folder: Path, *rows: dict[str, Any], name: str = "tasks.jsonl") -> str:
    """A dataset folder of these rows, of all three if none is given; its path."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(lines(*(rows or [row(n) for n in PROMPTS])))
    return str(folder if name == "tasks.jsonl" else folder / name)
