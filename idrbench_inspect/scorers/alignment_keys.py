"""The keys of the alignment scorers, with their units; a key means the same in whichever scorer it stands."""

from typing import Final

from idrbench_inspect.metrics.alignment import MEASURES
from idrbench_inspect.metrics.points import LEVELS

_SIMILARITY: Final = {
    "report_similarity": "points: (1 + cos) / 2 of the embeddings of both whole reports; unrelated ones get 50 or more",
    "report_cosine": "cosine, -1 to 1: the same before it is scaled; NaN for a blank report, which has no embedding",
    "control_report_similarity": "points: the mean similarity with the references of two other tasks",
}


def _level(level: str) -> dict[str, str]:
    return {
        f"{level}_f1": f"points: F1 of {level} units at the embedder's own threshold, or the one given",
        f"{level}_precision": f"points: share of the report's {level} units with a match in the target, same threshold",
        f"{level}_recall": f"points: share of the target's {level} units with a match in the report, same threshold",
        f"{level}_f1_cos60": "points: F1 at cosine 0.6, whatever the embedder",
        f"{level}_f1_cos80": "points: F1 at cosine 0.8, whatever the embedder",
        f"{level}_units": f"units: {level} units of the report; F1 falls with their number",
        f"{level}_units_target": f"units: {level} units of the target",
        f"control_{level}_f1": "points: the mean F1 against the references of two other tasks, own threshold",
    }


_UNITS: Final = {key: meaning for level in LEVELS for key, meaning in _level(level).items()}

_COVERAGE: Final = {
    "llm_acs": "points: coverage of the aspects that the target covers, mean over the first judge's repeats",
    "acs_stated": "points: the same over aspects that the short query states; a gain here is effort, not intent",
    "acs_inferable": "points: the same over aspects that the short query lets infer",
    "acs_hidden": "points: the same over aspects that the short query hides",
    "aspects": "aspects: how many were judged",
    "aspects_uncovered": "aspects: of them with the grade 0 for the target; any grade above 0 covers them",
    "acs_spread": "points: standard deviation of llm_acs over the first judge's repeats; NaN for one",
    "acs_alpha": "Krippendorff's alpha, at most 1: agreement of the judges on the report; NaN for one judge",
}

_WHOLE: Final = {
    "average_alignment": "points: the mean of the five measures; NaN unless all five are known",
    "pooled_texts": "texts: of both reports, longer than the embedder's window and pooled from several",
    "report_cut": "0 or 1: the run says that the report was cut at the output limit; NaN where it says nothing",
}

HEADLINE: Final = ("average_alignment", *MEASURES)
"""The average and the five measures, in the order of tables."""

UNCONTAMINATED: Final = {key: f"{key}_uncontaminated" for key in HEADLINE}
"""By key of the headline, the key that has the same value where the agent is known not to have read the target."""

_UNCONTAMINATED: Final = {
    name: f"points: {key} of a sample known to be free of contamination; NaN for a contaminated or unknown one"
    for key, name in UNCONTAMINATED.items()
}

KEYS: Final[dict[str, str]] = {**_WHOLE, **_SIMILARITY, **_UNITS, **_COVERAGE, **_UNCONTAMINATED}
"""Every key of `report_alignment` with its unit; points are 0 to 100. Every sample has every key; NaN says unscored."""

SIMILARITY_KEYS: Final = tuple(_SIMILARITY)
UNIT_KEYS: Final = tuple(_UNITS)
COVERAGE_KEYS: Final = tuple(_COVERAGE)

COMPARED: Final = (*HEADLINE, *UNCONTAMINATED.values(), "acs_stated", "acs_inferable", "acs_hidden")
"""Keys whose gains between arms are printed; those of the others follow from the samples."""
