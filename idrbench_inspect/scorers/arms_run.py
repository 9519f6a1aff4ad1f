"""Which arms a log holds."""

from collections.abc import Sequence

from inspect_ai.scorer import SampleScore

ARMS = "arms"
"""Key of a sample's metadata under which a run of several arms names them all."""


def arms_of(scores: Sequence[SampleScore]) -> list[str]:
    """The arms that were run, sorted; none where no sample names any.

    Inspect shows a metric only the samples that have a value, so an arm without a single one is known by what the
    samples of other arms say under `arms`. A log whose samples do not say it shows the arms with a value alone.
    """
    found: set[str] = set()
    for sample in scores:
        metadata = sample.sample_metadata or {}
        found |= {str(arm) for arm in metadata.get(ARMS) or ()}
        found |= {str(metadata["arm"])} if "arm" in metadata else set()
    return sorted(found)
