"""What a trajectory costs beside a bare Inspect solver that makes the same calls: CPU, memory, wall time.

    python benchmarks/pipeline.py --server PATH/TO/fake_llm_server.py

The server is an OpenAI- and Tavily-compatible fake whose `--port 0` prints `listening on http://HOST:PORT`; its default
script makes one supervisor round of three researchers. Every measurement runs in a process of its own; CPU and memory
are slopes between a small and a large number of open trajectories, so that start-up does not count. Prints ratios, and
the goals beside them; fails at nothing, since another machine has other seconds.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

import httpx
from inspect_ai import Task, eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.event import Event, ModelEvent, SpanBeginEvent
from inspect_ai.log import EvalLog, EvalSample, read_eval_log
from inspect_ai.model import GenerateConfig, Model, get_model
from inspect_ai.solver import Generate, Solver, TaskState, solver

from idrbench_inspect.pipeline.solver import deep_research
from idrbench_inspect.pipeline.together import together
from idrbench_inspect.user.seat import seat_user

MODEL = "openai-api/fake/any"
ROLES = {"summarizer": MODEL, "user": MODEL}
FEW, MANY = 3, 15
QUERY = "How have regional rail subsidies changed, and what did the changes bring? Variant {n}."
TARGET = "# Rail subsidies\n\n## Regional lines\n\nA report for the user to have in mind.\n"


def samples(count: int) -> MemoryDataset:
    """`count` tasks that differ, so that the server and no cache answers them."""
    made = [
        Sample(id=f"t{n}", input=QUERY.format(n=n), target=TARGET, metadata={"language": "en", "arm": "interactive"})
        for n in range(count)
    ]
    return MemoryDataset(made)


@solver
def bare(recorded: str) -> Solver:
    """Makes the calls of a recorded trajectory again, the calls of one role in a round at the same time."""
    steps = _steps(read_eval_log(recorded, resolve_attachments="full"))

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        model = get_model()
        async with httpx.AsyncClient(base_url=os.environ["TAVILY_BASE_URL"]) as client:
            for step in steps:
                await together(*(_again(model, client, call) for call in step))
        return state

    return solve


async def _again(model: Model, client: httpx.AsyncClient, call: ModelEvent | str) -> None:
    if isinstance(call, ModelEvent):
        config = GenerateConfig(response_schema=call.config.response_schema)
        await model.generate(call.input, tools=call.tools, config=config)
    else:
        body = {"query": call, "max_results": 5, "include_raw_content": True}
        (await client.post("/search", json=body)).json()


def _steps(log: EvalLog) -> list[list[ModelEvent | str]]:
    """Model calls in their order, neighbours of the same role together; searches in front of the first summaries."""
    (sample,) = log.samples or []
    steps: list[list[ModelEvent | str]] = []
    before = None
    for event in sample.events:
        if isinstance(event, ModelEvent):
            if event.role != before:
                steps.append([])
            steps[-1].append(event)
            before = event.role
    queries: list[ModelEvent | str] = [f"query {n}" for n in range(_run(sample)["searches"])]
    place = next(
        n for n, step in enumerate(steps) for c in step[:1] if isinstance(c, ModelEvent) and c.role == "summarizer"
    )
    return [*steps[:place], queries, *steps[place:]]


def _run(sample: EvalSample) -> dict[str, Any]:
    run: dict[str, Any] = sample.store["idrbench:run"]
    return run


def critical_calls(events: list[Event]) -> int:
    """Model calls on the longest chain that the protocol itself forces: researchers and page summaries are parallel."""
    names = {e.id: e.name for e in events if isinstance(e, SpanBeginEvent)}
    parents = {e.id: e.parent_id for e in events if isinstance(e, SpanBeginEvent)}
    lanes: dict[str, int] = defaultdict(int)
    alone = 0
    for event in events:
        if not isinstance(event, ModelEvent):
            continue
        at = event.span_id
        while at is not None and not names[at].startswith("researcher-"):
            at = parents[at]
        if at is None:
            alone += 1
        elif event.role != "summarizer":
            lanes[names[at]] += 1
        else:
            lanes[f"{names[at]}/read"] = 1
    longest: dict[str, int] = defaultdict(int)
    for name, calls in lanes.items():
        if not name.endswith("/read"):
            number = name.removeprefix("researcher-").split(".")[0]
            longest[number] = max(longest[number], calls + lanes.get(f"{name}/read", 0))
    return alone + sum(longest.values())


def measure(kind: str, count: int, recorded: str | None) -> dict[str, Any]:
    """Run `count` trajectories at the same time in this process; seconds, MiB and the log's place."""
    if count == 1:
        _run_all(kind, 1, recorded)  # imports and first connections are start-up, not part of a trajectory
    began, cpu = time.monotonic(), time.process_time()
    log = _run_all(kind, count, recorded)
    spent = {"wall": time.monotonic() - began, "cpu": time.process_time() - cpu}
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {**spent, "peak": peak, "log": log.location}


def _run_all(kind: str, count: int, recorded: str | None) -> EvalLog:
    work = bare(recorded) if recorded else deep_research(date="2026-01-15", search="tavily", summarizer=MODEL)
    task = Task(dataset=samples(count), setup=seat_user(user_model=MODEL), solver=work, name=kind)
    folder = tempfile.mkdtemp()
    (log,) = eval(
        task,
        model=MODEL,
        model_roles=dict(ROLES),
        display="none",
        log_dir=folder,
        max_samples=count,
        max_connections=1000,
    )
    assert log.status == "success", log.error
    return log


def _apart(*words: str, env: dict[str, str]) -> dict[str, Any]:
    done = subprocess.run([sys.executable, __file__, *words], env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr)
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return result


def _serve(server: Path, *options: str) -> tuple[subprocess.Popen[str], dict[str, str]]:
    process = subprocess.Popen(
        [sys.executable, str(server), "--port", "0", *options], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    url = process.stdout.readline().split()[-1]
    keys = {"FAKE_API_KEY": "none", "TAVILY_API_KEY": "none", "FAKE_BASE_URL": f"{url}/v1", "TAVILY_BASE_URL": url}
    return process, {**os.environ, **keys}


def _slope(env: dict[str, str], kind: str, key: str, *more: str) -> float:
    few, many = (_apart("--one", kind, "--count", str(n), *more, env=env)[key] for n in (FEW, MANY))
    return float(many - few) / (MANY - FEW)


def report(server: Path) -> None:
    """Measure everything and print one line a figure."""
    process, env = _serve(server)
    try:
        recorded = _apart("--one", "pipeline", "--count", "1", env=env)["log"]
        ours, plain = _slope(env, "pipeline", "cpu"), _slope(env, "bare", "cpu", "--recorded", recorded)
        memory = _slope(env, "pipeline", "peak")
    finally:
        process.kill()
    ratio = ours / plain
    print(f"CPU seconds per trajectory: pipeline {ours:.2f}, bare Inspect {plain:.2f}, ratio {ratio:.2f} (goal 1.25)")
    print(f"peak memory per further open trajectory: {memory:.1f} MiB (goal 4)")
    process, env = _serve(server, "--latency", "0.2")
    try:
        one = _apart("--one", "pipeline", "--count", "1", env=env)
    finally:
        process.kill()
    (sample,) = read_eval_log(one["log"]).samples or []
    calls = critical_calls(sample.events)
    wall = sample.total_time or 0.0
    ratio = wall / (calls * 0.2)
    print(f"wall over critical path: {wall:.2f} s over {calls} x 0.2 s, ratio {ratio:.2f} (goal 1.25)")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--server", type=Path)
    parser.add_argument("--one", choices=["pipeline", "bare"], help=argparse.SUPPRESS)
    parser.add_argument("--count", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--recorded", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.one:
        print(json.dumps(measure(chosen.one, chosen.count, chosen.recorded)))
    elif chosen.server is None:
        parser.error("--server is needed")
    else:
        report(chosen.server)
