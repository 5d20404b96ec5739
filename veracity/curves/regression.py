"""Charts of numeric predictions: predicted against actual, residuals, distribution of errors."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from veracity.core.errors import BadInput
from veracity.curves import Models, curve
from veracity.evidence.predictions import Predictions
from veracity.findings.curve import Curve, Line, Mark
from veracity.records.arrays import Array

SHARES = (0.05, 0.25, 0.5, 0.75, 0.95)
MOST_BARS = 200


@dataclass(frozen=True)
class Errors:
    """Predicted minus actual over the rows of one model: mean, and the error below which each share of rows lies."""

    mean: float
    shares: tuple[float, ...]
    quantiles: tuple[float, ...]


@curve("Predicted against actual", needs="number", by_fold=False, cite=("witten2011",))
def predicted_actual(models: Models) -> Curve:
    """The predicted number of each row against the actual one; on the diagonal a prediction is exact."""
    numbers = _predicted_numbers(models, "predicted_actual")
    lines = tuple(Line(name, p.truth, numbers[name], style="points") for name, p in models.items())
    ends = _ends([*(line.x for line in lines), *(line.y for line in lines)])
    reach = (float(ends[0]), float(ends[1]))
    return Curve(
        "predicted_actual",
        "Predicted against actual",
        "Actual",
        "Predicted",
        lines=lines,
        guides=(Line("exact", ends, ends),),
        x_range=reach,
        y_range=reach,
    )


@curve("Residuals", needs="number", by_fold=False, cite=("witten2011",))
def residuals(models: Models) -> Curve:
    """Actual minus predicted against the predicted number; a trend or a funnel shows what the model misses."""
    numbers = _predicted_numbers(models, "residuals")
    lines = tuple(Line(name, numbers[name], p.truth - numbers[name], style="points") for name, p in models.items())
    return Curve(
        "residuals",
        "Residuals",
        "Predicted",
        "Actual minus predicted",
        lines=lines,
        guides=(Line("exact", _ends([line.x for line in lines]), np.zeros(2)),),
        facts={"errors": {name: _summary(numbers[name], p) for name, p in models.items()}},
    )


@curve("Distribution of errors", needs="number", by_fold=False, cite=("witten2011",))
def error_distribution(models: Models, *, bins: int | None = None) -> Curve:
    """Share of rows by the size of their error, predicted minus actual, in bars of equal width.

    Without `bins`, the width of the bars follows the spread of the middle half of the errors (Freedman and Diaconis).
    """
    numbers = _predicted_numbers(models, "error_distribution")
    errors = {name: numbers[name] - p.truth for name, p in models.items()}
    edges = _edges(list(errors.values()), bins)
    facts = {name: _summary(numbers[name], p) for name, p in models.items()}
    lines = []
    for name, error in errors.items():
        weight, _ = np.histogram(error, edges, weights=models[name].multiplicity)
        lines.append(Line(name, (edges[:-1] + edges[1:]) / 2, weight / weight.sum(), style="bars"))
    return Curve(
        "error_distribution",
        "Distribution of errors",
        "Predicted minus actual",
        "Share of rows",
        lines=tuple(lines),
        marks=tuple(Mark(name, each.mean, 0.0, says=f"mean error {each.mean:.4g}") for name, each in facts.items()),
        facts={"edges": tuple(edges.tolist()), "errors": facts},
    )


def _predicted_numbers(models: Models, kind: str) -> dict[str, Array]:
    numbers = {}
    for name, p in models.items():
        if p.number is None:
            raise BadInput(f"{kind} needs predicted numbers, but {name} holds none: give `number=`")
        numbers[name] = p.number
    return numbers


def _ends(columns: list[Array]) -> Array:
    return np.array([min(float(c.min()) for c in columns), max(float(c.max()) for c in columns)])


def _edges(errors: list[Array], bins: int | None) -> Array:
    """Edges of the bars over the errors of all models, so that their bars can be compared."""
    low, high = _ends(errors)
    if not high > low:
        return np.array([low - 0.5, low + 0.5])
    if bins is None:
        widths = [2 * np.subtract(*np.quantile(e, [0.75, 0.25])) / len(e) ** (1 / 3) for e in errors]
        known = [float(width) for width in widths if width > 0]
        bins = min(MOST_BARS, int(np.ceil((high - low) / min(known)))) if known else 10
    if isinstance(bins, bool) or int(bins) != bins or bins < 1:
        raise BadInput(f"error_distribution: bins is a whole number of at least 1, not {bins!r}")
    return np.linspace(low, high, int(bins) + 1)


def _summary(number: Array, p: Predictions) -> Errors:
    error, weight = number - p.truth, p.multiplicity
    if weight is None:
        return Errors(float(error.mean()), SHARES, tuple(np.quantile(error, SHARES).tolist()))
    order = np.argsort(error)
    below = np.cumsum(weight[order])
    place = np.searchsorted(below, np.array(SHARES) * below[-1])
    quantiles = error[order][np.minimum(place, len(error) - 1)]
    return Errors(float(np.average(error, weights=weight)), SHARES, tuple(quantiles.tolist()))
