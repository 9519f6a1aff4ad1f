"""What the log viewer shows first: which columns the list of samples has, and what they are called."""

from inspect_ai.viewer import SampleScoreView, ScoreColorScale, TaskSamplesColumn, TaskSamplesView, ViewerConfig

from idrbench_inspect.scorers import alignment_keys, ambiguity_found, contamination, interaction_cost

ALIGNMENT = {
    "average_alignment": "Alignment",
    "report_similarity": "Similarity",
    "sentence_f1": "Sentence F1",
    "paragraph_f1": "Paragraph F1",
    "chunk_f1": "Chunk F1",
    "llm_acs": "LLM-ACS",
}
"""Keys of `report_alignment` that come first."""

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


FOUND = {"contaminated": "Contaminated", "points_asked_share": "Points asked, %"}
"""Keys of `contamination` and `ambiguity_found` that come first."""


def samples_view(*, cost: bool = True, asks: bool = True) -> ViewerConfig:
    """Columns for alignment, turns by stage, findings, losses and tokens; one line per sample.

    Args:
        cost: Whether there is a score of `interaction_cost`.
        asks: Whether there is a score of `ambiguity_found`.
    """
    costs = interaction_cost.KEYS if cost else {}
    found = [("ambiguity_found", key) for key in ambiguity_found.KEYS if asks]
    found += [("contamination", key) for key in contamination.KEYS]
    score = TaskSamplesColumn.score
    columns = [
        TaskSamplesColumn(id="sampleId"),
        TaskSamplesColumn(id="sampleStatus"),
        *(score("report_alignment", key) for key in ALIGNMENT),
        *(score("interaction_cost", key) for key in SHOWN if key in costs),
        *(score(name, key) for name, key in found if key in FOUND),
        TaskSamplesColumn(id="duration"),
        TaskSamplesColumn(id="limit"),
        TaskSamplesColumn(id="error"),
        *(TaskSamplesColumn(id=name, visible=False) for name in ("input", "target", "answer", "tokens")),
        *(score("report_alignment", key, visible=False) for key in alignment_keys.KEYS if key not in ALIGNMENT),
        *(score("interaction_cost", key, visible=False) for key in costs if key not in SHOWN),
        *(score(name, key, visible=False) for name, key in found if key not in FOUND),
    ]
    view = TaskSamplesView(
        name="IDRBench",
        columns=columns,
        multiline=False,
        score_labels={**ALIGNMENT, **SHOWN, **FOUND},
        score_color_scales={
            **{key: ScoreColorScale(palette="good-high", min=0, max=100) for key in ALIGNMENT},
            "lost_delegations": ScoreColorScale(palette="neutral", min=0, max=3),
        },
        color_scales_enabled=True,
    )
    return ViewerConfig(task_samples_view=view, sample_score_view=SampleScoreView(default="grid"))
