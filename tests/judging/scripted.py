"""A scripted grader: it answers by the form that is asked of it, and keeps every call."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from inspect_ai.model import (
    ChatMessage,
    GenerateConfig,
    Model,
    ModelAPI,
    ModelOutput,
    ModelUsage,
    StopReason,
    get_model,
    modelapi,
)
from inspect_ai.tool import ToolChoice, ToolInfo

from idrbench_inspect.judging import AspectSet, Instrument, Intent, Tag
from idrbench_inspect.judging.aspects import Aspect
from idrbench_inspect.prompting import fence, fenced

WRITE, TAG, GRADE = "aspect_texts", "aspect_tags", "aspect_grades"
IDS = tuple(f"a{n}" for n in range(1, 9))
TEXTS = tuple(f"Keeping bees in season {n}" for n in range(1, 9))
INTENT = Intent(
    id="bees", language="en", query="Tell me about bees.", source_query="Tell me about bees in all seasons."
)

Reply = ModelOutput | str | dict[str, Any]


@dataclass(frozen=True)
class Call:
    """One call as the model got it."""

    form: str
    messages: tuple[ChatMessage, ...]
    config: GenerateConfig

    @property
    def text(self) -> str:
        return "\n".join(message.text for message in self.messages)

    def block(self, kind: str) -> str:
        return next((text for _, text in fenced(self.text, kind)), "")

    @property
    def outside_fences(self) -> str:
        text = self.text
        for kind, block in fenced(text):
            text = text.replace(fence(kind, block), "")
        return text


def said(reply: Reply, stop: StopReason = "stop", spent: int = 1) -> ModelOutput:
    if isinstance(reply, ModelOutput):
        return reply
    text = reply if isinstance(reply, str) else json.dumps(reply)
    output = ModelOutput.from_content("mockllm/model", text, stop_reason=stop)
    output.usage = ModelUsage(input_tokens=1, output_tokens=spent, total_tokens=1 + spent)
    return output


def texts(*written: str) -> dict[str, Any]:
    return {"aspects": list(written)}


def tags(tag: str = "hidden", ids: Sequence[str] = IDS) -> dict[str, Any]:
    return {"aspects": [{"id": id_, "reason": "It is not there.", "tag": tag} for id_ in ids]}


def grades(*given: Any, ids: Sequence[str] = IDS) -> dict[str, Any]:
    """One grade for all aspects, or one for each."""
    each = given * len(ids) if len(given) == 1 else given
    rows = zip(ids, each, strict=True)
    return {"aspects": [{"id": id_, "reason": f"Of {id_}, something.", "grade": grade} for id_, grade in rows]}


class Grader:
    """Replies by form, each list in turn, its last one again and again; a function is asked for its reply."""

    def __init__(self, **replies: Sequence[Reply] | Callable[[Call], Reply]) -> None:
        plays: dict[str, Any] = {WRITE: [texts(*TEXTS)], TAG: [tags()], GRADE: [grades(3)], **replies}
        self._plays = {form: play if callable(play) else list(play) for form, play in plays.items()}
        self.calls: list[Call] = []

    def reply(
        self, messages: list[ChatMessage], tools: list[ToolInfo], choice: ToolChoice, config: GenerateConfig
    ) -> ModelOutput:
        assert config.response_schema is not None
        call = Call(config.response_schema.name, tuple(messages), config)
        self.calls.append(call)
        play = self._plays[call.form]
        if callable(play):
            return said(play(call))
        return said(play.pop(0) if len(play) > 1 else play[0])

    def model(self, **config: Any) -> Model:
        """Through Inspect's mockllm, of which nothing is kept on disk."""
        settings = GenerateConfig(**config)
        return get_model("mockllm/model", role="grader", custom_outputs=self.reply, config=settings, memoize=False)

    def paid(self, name: str = "judge", **config: Any) -> Model:
        """Through a provider of its own, as one whose replies are worth keeping."""
        settings = GenerateConfig(**config)
        return get_model(f"scripted/{name}", role="grader", config=settings, memoize=False, grader=self)

    def of(self, form: str) -> list[Call]:
        return [call for call in self.calls if call.form == form]

    @property
    def counts(self) -> tuple[int, int, int]:
        """Calls that write, tag and grade."""
        return len(self.of(WRITE)), len(self.of(TAG)), len(self.of(GRADE))


@modelapi(name="scripted")
class ScriptedAPI(ModelAPI):
    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig = GenerateConfig(),  # noqa: B008 - the signature that Inspect asks of a provider
        **model_args: Any,
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config)
        self.grader: Grader = model_args["grader"]

    async def generate(
        self, input: list[ChatMessage], tools: list[ToolInfo], tool_choice: ToolChoice, config: GenerateConfig
    ) -> ModelOutput:
        return self.grader.reply(input, tools, tool_choice, config)


def aspect_set(intent: Intent = INTENT, *, written: Sequence[str] = TEXTS, tag: Tag = "hidden") -> AspectSet:
    hand = Instrument(model="by hand")
    aspects = tuple(Aspect(id=f"a{n}", text=text, tag=tag) for n, text in enumerate(written, 1))
    return AspectSet(
        language=intent.language,
        source_query_sha256=intent.source_query_sha256,
        query_sha256=intent.query_sha256,
        aspects=aspects,
        author=hand,
        tagger=hand,
    )
