"""What Inspect may name: tasks, solvers, scorers, metrics, tools and the model provider of this package."""

from idrbench_inspect.articles import given_articles
from idrbench_inspect.autonomous import autonomous
from idrbench_inspect.inject import inject
from idrbench_inspect.interactive import interactive
from idrbench_inspect.judge_points import judge_points
from idrbench_inspect.making.judging_points import judge_ambiguity, points_read
from idrbench_inspect.making.solving import inject_ambiguity, injected
from idrbench_inspect.paired import paired
from idrbench_inspect.pipeline.solver import deep_research
from idrbench_inspect.providers import idrbench
from idrbench_inspect.reports import reports
from idrbench_inspect.scorers.aligned_mean import aligned_mean, means_by_arm, means_by_group, tau_warnings
from idrbench_inspect.scorers.ambiguity_found import ambiguity_found
from idrbench_inspect.scorers.contamination import contamination
from idrbench_inspect.scorers.interaction_cost import interaction_cost
from idrbench_inspect.scorers.llm_acs import llm_acs
from idrbench_inspect.scorers.multi_granularity_f1 import multi_granularity_f1
from idrbench_inspect.scorers.paired import paired as gains
from idrbench_inspect.scorers.report_alignment import report_alignment
from idrbench_inspect.scorers.report_similarity import report_similarity
from idrbench_inspect.scorers.samples import flagged, samples
from idrbench_inspect.scorers.term_overlap import term_overlap
from idrbench_inspect.user.ask import ask_user
from idrbench_inspect.user.seat import seat_user

__all__ = [
    "aligned_mean",
    "ambiguity_found",
    "ask_user",
    "autonomous",
    "contamination",
    "deep_research",
    "flagged",
    "gains",
    "given_articles",
    "idrbench",
    "inject",
    "inject_ambiguity",
    "injected",
    "interaction_cost",
    "interactive",
    "judge_ambiguity",
    "judge_points",
    "llm_acs",
    "means_by_arm",
    "means_by_group",
    "multi_granularity_f1",
    "paired",
    "points_read",
    "report_alignment",
    "report_similarity",
    "reports",
    "samples",
    "seat_user",
    "tau_warnings",
    "term_overlap",
]
