"""What was said against what happened: probabilities in bins and how often they came true."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from veracity.core.confidence import Confidence
from veracity.core.errors import BadInput
from veracity.core.notes import Note
from veracity.core.words import option
from veracity.curves.entry import Models, curve
from veracity.curves.series import UNIT, diagonal
from veracity.evidence.bins import Bins, bin_of, bin_rows, confidence_and_hit
from veracity.evidence.counts import Counts
from veracity.evidence.evidence import Sampling
from veracity.evidence.predictions import Predictions
from veracity.findings.curve import Curve, Line
from veracity.findings.interval import Interval
from veracity.intervals.attach import attach_interval
from veracity.intervals.scored import Scored
from veracity.records.arrays import Array
from veracity.scores.entry import UNLABELLED
from veracity.scores.rates import prevalence

FEW = 20  # rows per bin: below this the error is mostly noise


@dataclass(frozen=True)
class Bin:
    """Rows of similar confidence: how many, what was said on average, how often it came true with its interval."""

    low: float
    high: float
    rows: float
    confidence: float
    frequency: float
    interval: Interval


@curve(
    "Calibration",
    needs="proba",
    by_fold=False,
    cite=("naeini2015", "guo2017", "wilson1927"),
    aliases="calibration_curve, calibration_plot, reliability_diagram, reliability_curve",
    keywords="reliability, Brier decomposition, Murphy decomposition, resolution, refinement, calibration_display",
)
def calibration(models: Models, *, bins: int = 10, strategy: str = "width", level: float = 0.95) -> Curve:
    """How often events came true against the probability they were given, in bins, each with a Wilson interval.

    The probability of the positive class; where none of several classes is named positive, that of the likeliest class
    against accuracy.
    """
    by_model = {name: _calibration_bins(name, p, bins, strategy, Confidence(level)) for name, p in models.items()}
    facts = {
        "bins": {name: rows for name, (_, rows) in by_model.items()},
        "calibration_error": {name: of.error for name, (of, _) in by_model.items()},
    }
    binary = all(map(_of_one_class, models.values()))
    return Curve(
        "calibration",
        "Calibration",
        "Mean probability of the positive class" if binary else "Mean probability of the likeliest class",
        "Share of positive rows" if binary else "Accuracy",
        lines=tuple(_line(name, rows) for name, (_, rows) in by_model.items()),
        guides=(diagonal("perfectly calibrated"),),
        facts=facts,
        x_range=UNIT,
        y_range=UNIT,
        notes=_notes(models, by_model, bins),
    )


def _of_one_class(p: Predictions) -> bool:
    return p.binary or p.positive is not None


def _calibration_bins(
    name: str, p: Predictions, bins: int, strategy: str, at: Confidence
) -> tuple[Bins, tuple[Bin, ...]]:
    if p.proba is None:
        raise BadInput(f"calibration needs probabilities, but {name} holds none: give {option('proba')}")
    p.permits("calibration", UNLABELLED)
    confidence, hit = confidence_and_hit(p)
    bin = bin_of(confidence, bins, strategy, p.multiplicity)
    bins_of_rows = bin_rows(confidence, hit, bin, p.multiplicity)
    limits = _intervals(p, hit, bin, bins_of_rows, at)
    columns = (bins_of_rows.low, bins_of_rows.high, bins_of_rows.rows, bins_of_rows.confidence, bins_of_rows.frequency)
    numbers = zip(*(column.tolist() for column in columns), limits, strict=True)
    return bins_of_rows, tuple(Bin(*each) for each in numbers)


def _intervals(p: Predictions, hit: Array, bin: Array, bins_of_rows: Bins, at: Confidence) -> list[Interval]:
    """Wilson per bin; weighted and clustered rows count as many plain rows as they are worth."""
    if p.weights is None and p.groups is None:
        hits = np.round(bins_of_rows.rows * bins_of_rows.frequency)
        return [_wilson(float(h), float(n), None, at) for h, n in zip(hits, bins_of_rows.rows, strict=True)]
    order = np.argsort(bin, kind="stable")
    parts = np.split(order, np.flatnonzero(np.diff(bin[order])) + 1)
    return [_interval_of_rows(p, hit, rows, at) for rows in parts]


def _interval_of_rows(p: Predictions, hit: Array, rows: Array, at: Confidence) -> Interval:
    weight = np.ones(len(rows)) if p.multiplicity is None else p.multiplicity[rows]
    group = None if p.groups is None else np.unique(p.groups[rows], return_inverse=True)[1]
    sampling = Sampling(hit[rows] * 2, weight if p.multiplicity is not None else None, group)
    return _wilson(float(weight[hit[rows]].sum()), float(weight.sum()), sampling, at)


def _wilson(hits: float, rows: float, sampling: Sampling | None, at: Confidence) -> Interval:
    """The share that came true is the prevalence of a table whose truth is whether it did."""
    table = Counts.of_arrays(np.array([[rows - hits, 0.0], [hits, 0.0]]), ("missed", "came true"), 1, sampling)
    return attach_interval(Scored(prevalence.choose(), table), "wilson", at)


def _line(name: str, rows: tuple[Bin, ...]) -> Line:
    cells = [(row.confidence, row.frequency, row.interval.low, row.interval.high) for row in rows]
    x, y, low, high = np.array(cells).T
    return Line(name, x, y, low=low, high=high)


def _notes(models: Models, by_model: dict[str, tuple[Bins, tuple[Bin, ...]]], bins: int) -> tuple[Note, ...]:
    notes = [note for _, rows in by_model.values() for row in rows for note in row.interval.notes]
    few = [name for name, p in models.items() if len(p) / bins < FEW]
    if few:
        says = f"fewer than {FEW} rows per bin ({', '.join(few)}): the calibration error comes out too high"
        notes.insert(0, Note("few-rows-per-bin", "caution", says))
    if not all(map(_of_one_class, models.values())):
        says = "with more than two classes: probability of the likeliest class against accuracy"
        notes.append(Note("top-class", "remark", says))
    return tuple(dict.fromkeys(notes))
