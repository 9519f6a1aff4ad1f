"""An agent that is not ours asks the user whom this suite seats: Inspect's `react`, with `ask_user` among its tools.

inspect eval examples/react_agent.py --model openai/gpt-5.1 --model-role user=openai/gpt-5.1

The agent has no stages and no search; it shows only what the seam needs: the setup seats the user of each sample, and
the tool finds it. The user has the sample's target in mind, which the agent never sees.
"""

from inspect_ai import Task, task
from inspect_ai.agent import react
from inspect_ai.dataset import MemoryDataset

from idrbench_inspect.dataset import load, select, to_sample
from idrbench_inspect.scorers.interaction_cost import interaction_cost
from idrbench_inspect.scorers.term_overlap import term_overlap
from idrbench_inspect.user.ask import ask_user
from idrbench_inspect.user.seat import seat_user

PROMPT = "Ask the person once what they want, then submit a short report in the language of the request."


@task
def react_agent(dataset: str = "mini") -> Task:
    """Write reports from memory, after one question to the user."""
    loaded = load(dataset)
    return Task(
        dataset=MemoryDataset([to_sample(row, loaded) for row in select(loaded.tasks)], name=loaded.name),
        setup=seat_user(),
        solver=react(prompt=PROMPT, tools=[ask_user()]),
        scorer=[term_overlap(), interaction_cost()],
        continue_on_fail=True,
    )
