"""Small real evaluations: scripted solvers, mock models that say what they used, and the records a run leaves."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.log import EvalLog, EvalScore, transcript
from inspect_ai.model import Model, ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import Scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver

from idrbench_inspect.records import SCHEMA, Delegation, Exchange, Finding, Loss, ResearchRun, Round, Source

Play = Callable[[TaskState], Awaitable[None]]
SOURCE = Source(url="https://a.example/x", title="A")


def reply(text: str = "ok", **usage: Any) -> ModelOutput:
    given = {"input_tokens": 60, "output_tokens": 40, **usage}
    output = ModelOutput.from_content("mockllm/model", text)
    output.usage = ModelUsage(total_tokens=sum(v for k, v in given.items() if k != "total_cost"), **given)
    return output


def mock(name: str = "model", **usage: Any) -> Model:
    return get_model(f"mockllm/{name}", custom_outputs=lambda *_: reply(**usage))


def play_of(play: Play) -> Solver:
    @solver
    def scripted_play() -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:
            await play(state)
            return state

        return solve

    return scripted_play()


def run_eval(play: Play, scorers: Scorer | Sequence[Scorer], samples: Sequence[Sample] = (), **options: Any) -> EvalLog:
    dataset = list(samples) or [Sample(id="a", input="Q", target="Fares rose.", metadata={"language": "en"})]
    task = Task(
        dataset=dataset, solver=play_of(play), scorer=list(scorers) if isinstance(scorers, Sequence) else scorers
    )
    options = {"model": mock(), "display": "log", "log_dir": "memory://logs", **options}
    return eval(task, **options)[0]


def values(log: EvalLog, scorer: str, sample: int = 0) -> dict[str, float]:
    assert log.samples is not None
    scores = log.samples[sample].scores
    assert scores is not None, log.samples[sample].error
    value = scores[scorer].value
    assert isinstance(value, dict)
    return {key: float(number) for key, number in value.items() if isinstance(number, int | float)}


def result(log: EvalLog, name: str) -> EvalScore:
    assert log.results is not None
    return next(score for score in log.results.scores if score.name == name)


def note(kind: str, **data: Any) -> None:
    transcript().info({"schema": SCHEMA, "kind": kind, **data}, source="idrbench")


def settings(**changes: Any) -> None:
    budgets = {"planning": 1, "research": 3, "generation": 1}
    note("settings", **{"arm": "interactive", "budgets": budgets, "language": "en", "search": "tavily", **changes})


def exchange(**changes: Any) -> Exchange:
    given = {"stage": "planning", "turn": 1, "rationale": "r", "summary": "hello world", "questions": ("Which years?",)}
    return Exchange(**{**given, "reply": "Only 2020.", "model": "mockllm/user", **changes})


def tell(turn: Exchange) -> None:
    note("exchange", **turn.model_dump(mode="json", exclude={"rationale", "after_round"}))


def research_run(**changes: Any) -> ResearchRun:
    finding = Finding(topic="t", text="Found [1].", sources=(SOURCE,))
    loss = Loss(what="delegation", kind="failed", subject="u", reason="broke")
    found = (Delegation(call="1", topic="t", finding=finding), Delegation(call="2", topic="u", loss=loss))
    given: dict[str, Any] = {
        "query_id": "a", "arm": "interactive", "brief": None, "exchanges": (), "losses": (loss,), "stopped_by": None,
        "rounds": (Round(number=1, message={}, delegations=found),), "ended_by": "report", "report": "The fare rose.",
        "cited": (SOURCE,), "searches": 10, "failed_searches": 2,
    }  # fmt: skip
    return ResearchRun(**{**given, **changes})


def leave(state: TaskState, **changes: Any) -> None:
    state.store.set("idrbench:run", research_run(**changes).model_dump(mode="json", by_alias=True))
