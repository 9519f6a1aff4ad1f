"""Embedders by name, each loaded once in a process."""

from functools import cache

from idrbench_inspect.embedding.cache import users_cache
from idrbench_inspect.embedding.model_source import DEFAULT
from idrbench_inspect.embedding.protocol import Dtype, Embedder
from idrbench_inspect.embedding.sentence_model import sentence_model
from idrbench_inspect.embedding.service import Embedding
from idrbench_inspect.embedding.usem3 import UseM3
from idrbench_inspect.errors import BadInput

USEM3 = "usem3"


@cache
def embedder_named(
    name: str = DEFAULT, device: str | None = None, dtype: Dtype = "float32", max_tokens: int | None = None
) -> Embedder:
    """The embedder `name`, loaded; for a sentence-transformers model this takes seconds, so not on an event loop.

    Args:
        name: `usem3`, a folder with a sentence-transformers model, or its id, `owner/model` or `owner/model@revision`.
        device: As torch names it; the best there is, if it is not given. `usem3` runs on `cpu` only.
        dtype: Of a sentence-transformers model.
        max_tokens: A smaller window than a sentence-transformers model's own.

    Raises:
        BadInput: there is no such embedder, or it cannot be loaded or used so.

    Example:
        >>> embedder_named("usem3").identity.dimension
        512
    """
    if name != USEM3:
        return sentence_model(name, device, dtype, max_tokens)
    if device not in {None, "cpu"} or dtype != "float32" or max_tokens is not None:
        raise BadInput(
            f"The embedder usem3 runs on cpu in float32 with its own window, and was asked for with device={device}, "
            f"dtype={dtype}, max_tokens={max_tokens}; leave these out."
        )
    return UseM3()


@cache
def embedding_named(
    name: str = DEFAULT,
    device: str | None = None,
    dtype: Dtype = "float32",
    max_tokens: int | None = None,
    folder: str | None = None,
) -> Embedding:
    """The embedder `name` with a cache; one object for the same arguments, so that all samples share its work.

    Args:
        name: As `embedder_named`, like the three after it.
        device: See there.
        dtype: See there.
        max_tokens: See there.
        folder: Of the cache, or `off`; what the environment wants, if it is not given.

    Raises:
        BadInput: as `embedder_named` and `users_cache`.
    """
    return Embedding(embedder_named(name, device, dtype, max_tokens), users_cache(folder))
