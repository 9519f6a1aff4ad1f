"""The hashes of everything under `datasets/` are shipped, so that a changed file cannot pass for the old one."""

import hashlib

from idrbench_inspect.resources import shipped

SUMS = "SHA256SUMS"


def test_every_dataset_file_has_its_hash() -> None:
    folder = shipped("datasets")
    lines = (folder / SUMS).read_text(encoding="utf-8").splitlines()
    listed = {name: digest for digest, name in (line.split("  ", 1) for line in lines)}
    files = {p.relative_to(folder).as_posix(): p for p in folder.rglob("*") if p.is_file() and p.name != SUMS}
    assert listed == {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in files.items()}
