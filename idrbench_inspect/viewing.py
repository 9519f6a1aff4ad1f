"""What the log viewer shows first: which columns the list of samples has, and what they are called."""

from inspect_ai.viewer import SampleScoreView, ScoreColorScale, TaskSamplesColumn, TaskSamplesView, ViewerConfig

from idrbench_inspect.scorers.interaction_cost import KEYS

SHOWN = {
    "turns": "Turns",
    "turns_planning": "in planning",
    "turns_research": "in research",
    "turns_generation": "in generation",
    "findings": "Findings",
    "lost_delegations": "Lost",
    "tokens_agent_total": "Agent tokens",
}
"""Keys of `interaction_cost` that come first; the others are preset as hidden, which viewers up to 0.3.285 ignore."""

_TERMS = {"term_f1": "Term F1", "term_precision": "Term precision", "term_recall": "Term recall"}


def samples_view() -> ViewerConfig:
    """Columns for nearness to the target, turns by stage, findings, losses and tokens; one line per sample."""
    score = TaskSamplesColumn.score
    columns = [
        TaskSamplesColumn(id="sampleId"),
        TaskSamplesColumn(id="sampleStatus"),
        score("term_overlap", "term_f1"),
        *(score("interaction_cost", key) for key in SHOWN),
        TaskSamplesColumn(id="duration"),
        TaskSamplesColumn(id="limit"),
        TaskSamplesColumn(id="error"),
        *(TaskSamplesColumn(id=name, visible=False) for name in ("input", "target", "answer", "tokens")),
        *(score("term_overlap", key, visible=False) for key in ("term_precision", "term_recall")),
        *(score("interaction_cost", key, visible=False) for key in KEYS if key not in SHOWN),
    ]
    view = TaskSamplesView(
        name="IDRBench",
        columns=columns,
        multiline=False,
        score_labels={**_TERMS, **SHOWN},
        score_color_scales={
            "term_f1": ScoreColorScale(palette="good-high", min=0, max=100),
            "lost_delegations": ScoreColorScale(palette="neutral", min=0, max=3),
        },
        color_scales_enabled=True,
    )
    return ViewerConfig(task_samples_view=view, sample_score_view=SampleScoreView(default="grid"))
