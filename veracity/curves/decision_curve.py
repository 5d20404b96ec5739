"""Net benefit against the threshold probability: is acting on a model better than acting on everybody, or on nobody?"""

from __future__ import annotations

import numpy as np

from veracity.core.confidence import Confidence
from veracity.core.errors import BadInput
from veracity.core.notes import Note
from veracity.curves.entry import Models, curve
from veracity.evidence.predictions import Predictions
from veracity.findings.curve import Curve, Line
from veracity.intervals.attach import attach_default
from veracity.intervals.scored import Scored
from veracity.records.arrays import Array, ratio
from veracity.scores.agreement import net_benefit, odds
from veracity.scores.entry import value_of

STEPS = 99  # thresholds, by default every hundredth
ENDS = 0.01, 0.99
BELOW = 0.25  # of the largest net benefit: a chart shows no more of what acting on everybody loses
POINTWISE = Note(
    "pointwise-band",
    "caution",
    "bands are pointwise: each covers its level at every threshold by itself, not the whole curve at once",
)


@curve(
    "Decision curve",
    needs="proba or label",
    by_fold=False,
    cite=("vickers2006", "vickers2016"),
    aliases="decision_curve_analysis, dca, net_benefit_curve",
    keywords="threshold probability, treat all, treat none, clinical usefulness, Vickers",
)
def decision_curve(
    models: Models, *, lowest: float = ENDS[0], highest: float = ENDS[1], band: float | None = None
) -> Curve:
    """Net benefit of acting on each row whose probability reaches the threshold, against that threshold.

    The guides act on everybody and on nobody; a model helps at thresholds where it lies above both (`facts` name
    them). Between `lowest` and `highest` lie the thresholds at which somebody might act, to be decided before looking.
    `band=0.95` adds the interval of the net benefit at each threshold. Labels without probabilities count as they are
    at every threshold.
    """
    if not 0 < lowest < highest < 1:
        raise BadInput(f"decision_curve: 0 < lowest < highest < 1, not lowest={lowest!r} and highest={highest!r}")
    at = None if band is None else Confidence(band)
    x = np.linspace(lowest, highest, STEPS)
    lines = tuple(_line(name, p, x, at) for name, p in models.items())
    everybody = {name: _net_benefit_of_all(p, x) for name, p in models.items()}
    top = max(float(y.max()) for y in (*everybody.values(), *(line.y for line in lines)))
    return Curve(
        "decision_curve",
        "Decision curve",
        "Threshold probability",
        "Net benefit",
        lines=lines,
        guides=(*_guides(everybody, x), Line("act on nobody", x[[0, -1]], np.zeros(2))),
        facts={"useful": {line.name: _useful(line, everybody[line.name]) for line in lines}},
        x_range=(0.0, 1.0) if (lowest, highest) == ENDS else (lowest, highest),
        y_range=(-BELOW * top, 1.1 * top) if top > 0 else None,
        notes=() if at is None else (POINTWISE,),
    )


def _line(name: str, p: Predictions, x: Array, at: Confidence | None) -> Line:
    asked = [net_benefit.choose(threshold=float(threshold)) for threshold in x]
    if at is None:
        return Line(name, x, np.array([value_of(choice, p) for choice in asked]), x)
    each = [Scored.of_predictions(choice, p) for choice in asked]
    found = [attach_default(scored, at)[0] for scored in each]
    limits = np.array([(np.nan, np.nan) if one is None else (one.low, one.high) for one in found])
    return Line(name, x, np.array([scored.value for scored in each]), x, *limits.T)


def _net_benefit_of_all(p: Predictions, x: Array) -> Array:
    weight = np.ones(len(p)) if p.multiplicity is None else p.multiplicity
    prevalence = ratio(weight[p.truth == p.named_positive].sum(), weight.sum())
    return np.array([prevalence - (1 - prevalence) * odds(threshold) for threshold in x.tolist()])


def _guides(everybody: dict[str, Array], x: Array) -> tuple[Line, ...]:
    """What acting on everybody brings; models on the same rows share one."""
    different = {y.tobytes(): name for name, y in reversed(everybody.items())}
    alone = len(different) == 1
    return tuple(
        Line("act on everybody" if alone else f"{name}: act on everybody", x, everybody[name])
        for name in reversed(different.values())
    )


def _useful(line: Line, everybody: Array) -> list[tuple[float, float]]:
    """The first and the last threshold of each stretch on which the line lies above both guides."""
    above = np.concatenate([[False], line.y > np.maximum(everybody, 0.0), [False]])
    starts, ends = np.flatnonzero(above[1:] & ~above[:-1]), np.flatnonzero(~above[1:] & above[:-1]) - 1
    return [(float(line.x[first]), float(line.x[last])) for first, last in zip(starts, ends, strict=True)]
