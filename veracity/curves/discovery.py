"""How many rows can be called discoveries before too many of them are expected to be false."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from veracity.core.errors import BadInput
from veracity.core.notes import Note
from veracity.core.words import option
from veracity.curves.entry import Models, curve
from veracity.evidence.ordering import Ordering
from veracity.evidence.predictions import Predictions
from veracity.findings.curve import Curve, Line, Mark

ROUNDING = 1e-12  # 1 - 0.95 exceeds 0.05 in floating point; equal to the tolerance is within it
CALIBRATED = Note(
    "needs-calibration",
    "caution",
    "the expected rate is true only if the probabilities are calibrated: look at the calibration curve",
)


@dataclass(frozen=True)
class Discoveries:
    """The rows whose probability reaches the threshold, and the share of them expected to be false."""

    number: float
    threshold: float  # infinite when there are none
    rate: float
    observed: float | None  # the share that is false by the truth given; None without discoveries or full labels

    def __str__(self) -> str:
        return f"{self.number:g} discoveries at rate {self.rate:.4g}"


@curve(
    "Posterior expected false-discovery rate",
    needs="proba",
    by_fold=False,
    cite=("newton2004",),
    aliases="posterior_false_discovery_rate, pefdr",
)
def posterior_fdr(models: Models, *, alpha: float = 0.05) -> Curve:
    """Expected share of false ones among the rows of highest probability, and the most rows that keep it within alpha.

    Rows of equal probability are taken together. The rate comes from the probabilities alone, not from the truth.
    """
    if not 0 <= alpha <= 1:
        raise BadInput(f"posterior_fdr: alpha must lie between 0 and 1, not {alpha!r}")
    orderings = {name: _probability_ordering(name, p) for name, p in models.items()}
    lines = tuple(_line(name, o) for name, o in orderings.items())
    discoveries = {line.name: _discoveries(line, orderings[line.name], models[line.name], alpha) for line in lines}
    furthest = max(float(line.x[-1]) for line in lines)
    return Curve(
        "posterior_fdr",
        "Posterior expected false-discovery rate",
        "Rows called discoveries",
        "Expected share of false ones",
        lines=lines,
        guides=(Line(f"tolerance {alpha:g}", np.array([0.0, furthest]), np.array([alpha, alpha])),),
        marks=tuple(
            Mark(name, each.number, each.rate, each.threshold, str(each)) for name, each in discoveries.items()
        ),
        facts={"alpha": alpha, "discoveries": discoveries},
        y_range=(0.0, 1.0),
        notes=(CALIBRATED,),
    )


def _probability_ordering(name: str, p: Predictions) -> Ordering:
    if p.proba is None:
        raise BadInput(f"posterior_fdr needs probabilities, but {name} holds none: give {option('proba')}")
    return replace(p, value=None).ordering if p.value is not None else p.ordering


def _line(name: str, o: Ordering) -> Line:
    """The running mean of one minus the probability; no discoveries have rate 0 by definition."""
    assert o.values is not None  # predictions keep them
    rows = np.asarray(o.positives, float) + o.negatives
    number = np.cumsum(rows)
    rate = np.cumsum(rows * (1 - o.values.astype(float))) / number
    threshold = np.concatenate([[np.inf], o.values])
    return Line(name, np.concatenate([[0.0], number]), np.concatenate([[0.0], rate]), threshold)


def _discoveries(line: Line, o: Ordering, p: Predictions, alpha: float) -> Discoveries:
    last = int(np.flatnonzero(line.y <= alpha + ROUNDING)[-1])
    assert line.threshold is not None
    known = last > 0 and p.labelled == "all"
    observed = float(o.fp[last] / line.x[last]) if known else None
    return Discoveries(float(line.x[last]), float(line.threshold[last]), float(line.y[last]), observed)
