"""What the log viewer shows first: which columns the list of samples has."""

from inspect_ai.viewer import SampleScoreView, ScoreColorScale, TaskSamplesColumn, TaskSamplesView, ViewerConfig

from idrbench_inspect.records import STAGES

SHOWN = ("turns", *(f"turns_{stage}" for stage in STAGES), "findings", "lost_delegations", "tokens_agent_total")
"""Keys of `interaction_cost` that have a column from the start; the others can be switched on."""


def samples_view() -> ViewerConfig:
    """Columns for nearness to the target, turns by stage, findings, losses and tokens."""
    columns = [
        TaskSamplesColumn(id="sampleId"),
        TaskSamplesColumn(id="sampleStatus"),
        TaskSamplesColumn.score("term_overlap", "term_f1"),
        *(TaskSamplesColumn.score("interaction_cost", key) for key in SHOWN),
        TaskSamplesColumn(id="error"),
        TaskSamplesColumn(id="limit"),
        TaskSamplesColumn(id="input", visible=False),
        TaskSamplesColumn(id="target", visible=False),
    ]
    scales: dict[str, ScoreColorScale] = {"term_f1": ScoreColorScale(palette="good-high", min=0, max=100)}
    view = TaskSamplesView(name="IDRBench", columns=columns, score_color_scales=dict(scales), color_scales_enabled=True)
    return ViewerConfig(task_samples_view=view, sample_score_view=SampleScoreView(default="grid"))
