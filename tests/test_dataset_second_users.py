"""Second users: the same query with other preferences, kept beside the first user's task."""

from pathlib import Path
from typing import Any

import pytest

from idrbench_inspect.dataset import load, to_sample
from tests.test_dataset import jsonl, refusal, row


def test_a_second_user_is_kept_beside_the_first(tmp_path: Path) -> None:
    loaded = load(jsonl(tmp_path, row("a"), row("b", second_user_of="a", source_query="Which heat pump is quiet?")))
    assert [task.second_user_of for task in loaded.tasks] == [None, "a"]
    metadata = to_sample(loaded.tasks[1], loaded).metadata
    assert metadata is not None
    assert metadata["second_user_of"] == "a"


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"second_user_of": "gone"}, "which is no first user"),
        ({"second_user_of": "c"}, "which is no first user"),
        ({"second_user_of": "b"}, "which is no first user"),
        ({"second_user_of": "a", "query": "Other?"}, "their queries differ"),
        ({"second_user_of": "a", "language": "zh"}, "their queries differ"),
    ],
)
def test_a_second_user_without_a_fitting_first_is_refused(tmp_path: Path, changes: dict[str, Any], words: str) -> None:
    where = jsonl(tmp_path, row("a"), row("b", second_user_of="a"), row("c", **changes))
    assert words in refusal(lambda: load(where))
