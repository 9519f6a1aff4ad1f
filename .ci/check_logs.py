"""Fail unless a folder holds logs and every one of them succeeded with all of its samples and none of them errored.

Usage: `python .ci/check_logs.py FOLDER`. `inspect eval` may end well with samples missing, so its exit code is not
enough.
"""

import sys

from inspect_ai.log import list_eval_logs, read_eval_log


def main(folder: str) -> int:
    """Print one line per log; 1 when there is none, or one is not whole."""
    infos, whole = list_eval_logs(folder), True
    for info in infos:
        log = read_eval_log(info, header_only=True)
        done, of = (log.results.completed_samples, log.results.total_samples) if log.results else (0, 0)
        print(f"{log.eval.task}: {log.status}, {done} of {of} samples")
        whole = whole and log.status == "success" and done == of > 0
    if not infos:
        print(f"there is no log in {folder}", file=sys.stderr)
    return 0 if infos and whole else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
