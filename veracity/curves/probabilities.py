"""Curves of probabilities: calibration, net benefit, and discoveries by their expected share of false ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from veracity.core.confidence import Confidence
from veracity.core.errors import BadInput
from veracity.core.notes import Note
from veracity.curves import Models, curve
from veracity.curves.operating_points import UNIT, diagonal, shared_guides
from veracity.evidence.counts import Counts
from veracity.evidence.evidence import Sampling
from veracity.evidence.ordering import Ordering
from veracity.evidence.predictions import Predictions, subset
from veracity.findings.curve import Curve, Line, Mark
from veracity.findings.interval import Interval
from veracity.intervals.compute import attach_default, attach_interval
from veracity.intervals.scored import Scored
from veracity.records.arrays import Array, ratio
from veracity.scores.agreement import net_benefit, odds
from veracity.scores.entry import UNLABELLED, value_of
from veracity.scores.probability import Bins, bin_of, bin_rows, confidence_and_hit
from veracity.scores.rates import false_discovery_proportion, prevalence

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


@curve("Calibration", needs="proba", by_fold=False, cite=("naeini2015", "guo2017", "wilson1927"))
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
    lines = []
    for name, (_, rows) in by_model.items():
        cells = [(row.confidence, row.frequency, row.interval.low, row.interval.high) for row in rows]
        x, y, low, high = np.array(cells).T
        lines.append(Line(name, x, y, low=low, high=high))
    binary = all(p.binary or p.positive is not None for p in models.values())
    return Curve(
        "calibration",
        "Calibration",
        "Mean probability of the positive class" if binary else "Mean probability of the likeliest class",
        "Share of positive rows" if binary else "Accuracy",
        lines=tuple(lines),
        guides=(diagonal("perfectly calibrated"),),
        facts=facts,
        x_range=UNIT,
        y_range=UNIT,
        notes=_calibration_notes(models, by_model, bins, binary),
    )


def _calibration_bins(
    name: str, p: Predictions, bins: int, strategy: str, at: Confidence
) -> tuple[Bins, tuple[Bin, ...]]:
    if p.proba is None:
        raise BadInput(f"calibration needs probabilities, but {name} holds none: give `proba=`")
    p.permits("calibration", UNLABELLED)
    confidence, hit = confidence_and_hit(p)
    bin = bin_of(confidence, bins, strategy, p.multiplicity)
    bins_of_rows = bin_rows(confidence, hit, bin, p.multiplicity)
    limits = _bin_intervals(p, hit, bin, bins_of_rows, at)
    columns = (bins_of_rows.low, bins_of_rows.high, bins_of_rows.rows, bins_of_rows.confidence, bins_of_rows.frequency)
    numbers = zip(*(column.tolist() for column in columns), limits, strict=True)
    return bins_of_rows, tuple(Bin(*each) for each in numbers)


def _bin_intervals(p: Predictions, hit: Array, bin: Array, bins_of_rows: Bins, at: Confidence) -> list[Interval]:
    """Wilson per bin; weighted and clustered rows count as many plain rows as they are worth."""
    if p.weights is None and p.groups is None:
        hits = np.round(bins_of_rows.rows * bins_of_rows.frequency)
        return [_wilson(float(h), float(n), None, at) for h, n in zip(hits, bins_of_rows.rows, strict=True)]
    order = np.argsort(bin, kind="stable")
    parts = np.split(order, np.flatnonzero(np.diff(bin[order])) + 1)
    intervals = []
    for rows in parts:
        weight = np.ones(len(rows)) if p.multiplicity is None else p.multiplicity[rows]
        group = None if p.groups is None else np.unique(p.groups[rows], return_inverse=True)[1]
        sampling = Sampling(hit[rows] * 2, weight if p.multiplicity is not None else None, group)
        intervals.append(_wilson(float(weight[hit[rows]].sum()), float(weight.sum()), sampling, at))
    return intervals


def _wilson(hits: float, rows: float, sampling: Sampling | None, at: Confidence) -> Interval:
    """The share that came true is the prevalence of a table whose truth is whether it did."""
    table = Counts.of_arrays(np.array([[rows - hits, 0.0], [hits, 0.0]]), ("missed", "came true"), 1, sampling)
    return attach_interval(Scored(prevalence.choose(), table), "wilson", at)


def _calibration_notes(
    models: Models, by_model: dict[str, tuple[Bins, tuple[Bin, ...]]], bins: int, binary: bool
) -> tuple[Note, ...]:
    notes = [note for _, rows in by_model.values() for row in rows for note in row.interval.notes]
    few = [name for name, p in models.items() if len(p) / bins < FEW]
    if few:
        says = f"fewer than {FEW} rows per bin ({', '.join(few)}): the calibration error comes out too high"
        notes.insert(0, Note("few-rows-per-bin", "caution", says))
    if not binary:
        says = "with more than two classes: probability of the likeliest class against accuracy"
        notes.append(Note("top-class", "remark", says))
    return tuple(dict.fromkeys(notes))


STEPS = 99  # thresholds, by default every hundredth
ENDS = 0.01, 0.99
BELOW = 0.25  # of the largest net benefit: a chart shows no more of what acting on everybody loses
POINTWISE = Note(
    "pointwise-band",
    "caution",
    "bands are pointwise: each covers its level at every threshold by itself, not the whole curve at once",
)


@curve("Decision curve", needs="proba or label", by_fold=False, cite=("vickers2006", "vickers2016"))
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
    lines = tuple(_net_benefit_line(name, p, x, at) for name, p in models.items())
    everybody = {}
    for name, p in models.items():
        weight = np.ones(len(p)) if p.multiplicity is None else p.multiplicity
        share = ratio(weight[p.truth == p.named_positive].sum(), weight.sum())
        everybody[name] = np.array([share - (1 - share) * odds(threshold) for threshold in x.tolist()])
    acting = {name: (x, y) for name, y in everybody.items()}
    top = max(float(y.max()) for y in (*everybody.values(), *(line.y for line in lines)))
    return Curve(
        "decision_curve",
        "Decision curve",
        "Threshold probability",
        "Net benefit",
        lines=lines,
        guides=(*shared_guides(acting, "act on everybody"), Line("act on nobody", x[[0, -1]], np.zeros(2))),
        facts={"useful": {line.name: _useful(line, everybody[line.name]) for line in lines}},
        x_range=(0.0, 1.0) if (lowest, highest) == ENDS else (lowest, highest),
        y_range=(-BELOW * top, 1.1 * top) if top > 0 else None,
        notes=() if at is None else (POINTWISE,),
    )


def _net_benefit_line(name: str, p: Predictions, x: Array, at: Confidence | None) -> Line:
    asked = [net_benefit.choose(threshold=float(threshold)) for threshold in x]
    if at is None:
        return Line(name, x, np.array([value_of(choice, p) for choice in asked]), x)
    each = [Scored.of_predictions(choice, p) for choice in asked]
    found = [attach_default(scored, at)[0] for scored in each]
    limits = np.array([(np.nan, np.nan) if one is None else (one.low, one.high) for one in found])
    return Line(name, x, np.array([scored.value for scored in each]), x, *limits.T)


def _useful(line: Line, everybody: Array) -> list[tuple[float, float]]:
    """The first and the last threshold of each stretch on which the line lies above both guides."""
    above = np.concatenate([[False], line.y > np.maximum(everybody, 0.0), [False]])
    starts, ends = np.flatnonzero(above[1:] & ~above[:-1]), np.flatnonzero(~above[1:] & above[:-1]) - 1
    return [(float(line.x[first]), float(line.x[last])) for first, last in zip(starts, ends, strict=True)]


ROUNDING = 1e-12  # 1 - 0.95 exceeds 0.05 in floating point; equal to the tolerance is within it
CALIBRATED = Note(
    "needs-calibration",
    "caution",
    "the expected rate is true only if the probabilities are calibrated: look at the calibration curve",
)


NOT_CALIBRATED = "not-calibrated"


@dataclass(frozen=True)
class Discoveries:
    """The rows whose probability reaches the threshold, and the share of them expected to be false."""

    number: float
    threshold: float  # infinite when there are none
    rate: float
    observed: float | None  # the share that is false among labelled ones; None where none reaches the threshold
    labelled: float = 0.0  # how many of the labelled rows reach it
    promised: float | None = None  # the share of these that their probabilities promise to be false
    interval: Interval | None = None  # of the observed share

    def __str__(self) -> str:
        return f"{self.number:g} discoveries at rate {self.rate:.4g}"

    @property
    def contradicted(self) -> bool:
        """Whether labelled rows say that the probabilities that reach the threshold are not calibrated."""
        return self.interval is not None and self.promised is not None and self.promised not in self.interval


@curve("Posterior expected false-discovery rate", needs="proba", by_fold=False, cite=("newton2004",), assumes=("CAL",))
def posterior_fdr(models: Models, *, alpha: float = 0.05) -> Curve:
    """Expected share of false ones among the rows of highest probability, and the most rows that keep it within alpha.

    Rows of equal probability are taken together. The rate comes from the probabilities alone, which must be calibrated,
    so that rows need no label: where some have none (labelled="some") the discoveries are among these. Labelled rows
    that reach the threshold tell what share of them is false, and whether that is what their probabilities promise;
    they speak for the others as far as rows were labelled at random.
    """
    if not 0 <= alpha <= 1:
        raise BadInput(f"posterior_fdr: alpha must lie between 0 and 1, not {alpha!r}")
    lines = []
    for name, p in models.items():
        if p.proba is None:
            raise BadInput(f"posterior_fdr needs probabilities, but {name} holds none: give `proba=`")
        rows_asked = p if p.unlabelled is None else p.unlabelled  # discoveries are made among these
        lines.append(_discovery_line(name, replace(rows_asked, value=None).ordering))
    discoveries = {line.name: _discoveries(line, models[line.name], alpha) for line in lines}
    furthest = max(float(line.x[-1]) for line in lines)
    return Curve(
        "posterior_fdr",
        "Posterior expected false-discovery rate",
        "Rows called discoveries",
        "Expected share of false ones",
        lines=tuple(lines),
        guides=(Line(f"tolerance {alpha:g}", np.array([0.0, furthest]), np.array([alpha, alpha])),),
        marks=tuple(
            Mark(name, each.number, each.rate, each.threshold, str(each)) for name, each in discoveries.items()
        ),
        facts={"alpha": alpha, "discoveries": discoveries},
        y_range=(0.0, 1.0),
        notes=(CALIBRATED, *_labelled_notes(discoveries, models)),
    )


def _discovery_line(name: str, o: Ordering) -> Line:
    """The running mean of one minus the probability; no discoveries have rate 0 by definition."""
    assert o.values is not None  # predictions keep them
    rows = np.asarray(o.positives, float) + o.negatives
    number = np.cumsum(rows)
    rate = np.cumsum(rows * (1 - o.values.astype(float))) / number
    threshold = np.concatenate([[np.inf], o.values])
    return Line(name, np.concatenate([[0.0], number]), np.concatenate([[0.0], rate]), threshold)


def _discoveries(line: Line, p: Predictions, alpha: float) -> Discoveries:
    last = int(np.flatnonzero(line.y <= alpha + ROUNDING)[-1])
    assert line.threshold is not None
    number, threshold, rate = float(line.x[last]), float(line.threshold[last]), float(line.y[last])
    if last == 0 or p.labelled == "positives":
        return Discoveries(number, threshold, rate, None)
    return Discoveries(number, threshold, rate, *_labelled_share(p, threshold))


def _labelled_share(p: Predictions, threshold: float) -> tuple[float | None, float, float | None, Interval | None]:
    """Of labelled rows that reach the threshold: the share that is false, how many, what was promised, and limits."""
    positive = p.named_positive
    reach = p.probability(positive) >= threshold
    if not reach.any():
        return None, 0.0, None, None
    chosen = subset(p, reach)
    weight = np.ones(len(chosen)) if chosen.multiplicity is None else chosen.multiplicity
    promised = float((weight * (1 - chosen.probability(positive))).sum() / weight.sum())
    called = replace(chosen, label=np.full(len(chosen), positive), proba=None, value=None, threshold=None)
    share = Scored.of_predictions(false_discovery_proportion.choose(), called)
    return share.value, float(weight.sum()), promised, attach_interval(share, "wilson", Confidence(), anyway=True)


def _labelled_notes(discoveries: Mapping[str, Discoveries], models: Models) -> tuple[Note, ...]:
    """What labelled rows say of the probabilities of discoveries; where none speaks, that."""
    notes = []
    for name, each in discoveries.items():
        apart = models[name].unlabelled is not None
        of = f"{name}: of the {each.labelled:g} {'labelled rows' if apart else 'rows'} that reach the threshold"
        found = None if each.observed is None else f"{each.observed:.3g} {each.interval} are false"
        if each.contradicted:
            says = f"{of} {found} where {each.promised:.3g} was promised: the probabilities are not calibrated there"
            notes.append(Note(NOT_CALIBRATED, "caution", says))
        elif apart and found is not None:
            says = f"{of} {found}, and {each.promised:.3g} was promised; this speaks for rows labelled at random"
            notes.append(Note("labelled-discoveries", "remark", says))
        elif apart and each.number:
            says = f"{name}: no labelled row reaches the threshold, so that nothing here tells whether the rate is true"
            notes.append(Note("labelled-discoveries", "caution", says))
    return tuple(notes)
