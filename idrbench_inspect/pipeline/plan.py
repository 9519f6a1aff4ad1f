"""Plan: query and planning replies into the research brief."""

from pydantic import BaseModel, Field

from idrbench_inspect.pipeline.kit import Kit, dialogue_fenced, language_of
from idrbench_inspect.prompting import fence, notice, prompt
from idrbench_inspect.records import Brief, RunState
from idrbench_inspect.replies import ask_json


class ResearchBrief(BaseModel):
    """The planner's reply."""

    research_brief: str = Field(min_length=1)


async def plan(kit: Kit, state: RunState) -> Brief:
    """The brief, written by the planner.

    Raises:
        UnusableReply: no usable brief after the bounded attempts.
    """
    dialogue = dialogue_fenced(state.exchanges)
    if state.given:
        dialogue = f"{notice('volunteered')}\n{fence('given', state.given)}"
    asked = prompt(
        "planner",
        date=state.date,
        query=fence("query", state.query.text),
        dialogue=dialogue,
        language=language_of(state),
    )
    reply = await ask_json(kit.models["planner"], asked, ResearchBrief)
    return Brief(text=reply.research_brief)
