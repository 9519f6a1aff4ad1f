"""What Inspect may name: tasks, solvers, scorers, metrics, tools and the model provider of this package."""

from idrbench_inspect.autonomous import autonomous
from idrbench_inspect.inject import inject
from idrbench_inspect.interactive import interactive
from idrbench_inspect.judge_points import judge_points
from idrbench_inspect.making.judging_points import judge_ambiguity, points_read
from idrbench_inspect.making.solving import inject_ambiguity, injected
from idrbench_inspect.paired import paired
from idrbench_inspect.pipeline.solver import deep_research
from idrbench_inspect.providers import idrbench
from idrbench_inspect.scorers.interaction_cost import interaction_cost
from idrbench_inspect.scorers.paired import paired as gains
from idrbench_inspect.scorers.term_overlap import term_overlap
from idrbench_inspect.user.ask import ask_user
from idrbench_inspect.user.seat import seat_user

__all__ = [
    "ask_user",
    "autonomous",
    "deep_research",
    "gains",
    "idrbench",
    "inject",
    "inject_ambiguity",
    "injected",
    "interaction_cost",
    "interactive",
    "judge_ambiguity",
    "judge_points",
    "paired",
    "points_read",
    "seat_user",
    "term_overlap",
]
