"""Models that the suite brings along: `idrbench/extractive`, which needs no network and no key."""

from inspect_ai.model import ModelAPI, modelapi


@modelapi(name="idrbench")
def idrbench() -> type[ModelAPI]:
    """The provider behind `--model idrbench/extractive`, imported when it is first asked for."""
    from idrbench_inspect.providers.extractive import ExtractiveAPI  # noqa: PLC0415 - kept out of start-up

    return ExtractiveAPI
