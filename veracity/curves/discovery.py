"""How many rows can be called discoveries before too many of them are expected to be false."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from veracity.core.confidence import Confidence
from veracity.core.errors import BadInput
from veracity.core.notes import Note
from veracity.core.words import option
from veracity.curves.entry import Models, curve
from veracity.evidence.ordering import Ordering
from veracity.evidence.predictions import Predictions
from veracity.evidence.take_rows import subset
from veracity.findings.curve import Curve, Line, Mark
from veracity.findings.interval import Interval
from veracity.intervals.attach import attach_interval
from veracity.intervals.scored import Scored
from veracity.scores.rates import false_discovery_proportion

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


@curve(
    "Posterior expected false-discovery rate",
    needs="proba",
    by_fold=False,
    cite=("newton2004",),
    assumes=("CAL",),
    aliases="posterior_false_discovery_rate, pefdr, local_fdr, bayesian_fdr",
    keywords="unlabelled rows, discoveries, screening, false discoveries among unlabelled rows",
)
def posterior_fdr(models: Models, *, alpha: float = 0.05) -> Curve:
    """Expected share of false ones among the rows of highest probability, and the most rows that keep it within alpha.

    Rows of equal probability are taken together. The rate comes from the probabilities alone, which must be calibrated,
    so that rows need no label: where some have none (labelled="some") the discoveries are among these. Labelled rows
    that reach the threshold tell what share of them is false, and whether that is what their probabilities promise;
    they speak for the others as far as rows were labelled at random.
    """
    if not 0 <= alpha <= 1:
        raise BadInput(f"posterior_fdr: alpha must lie between 0 and 1, not {alpha!r}")
    asked = {name: _unlabelled_or_all(name, p) for name, p in models.items()}
    lines = tuple(_line(name, p.ordering) for name, p in asked.items())
    discoveries = {line.name: _discoveries(line, models[line.name], alpha) for line in lines}
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
        notes=(CALIBRATED, *_labelled_notes(discoveries, models)),
    )


def _unlabelled_or_all(name: str, p: Predictions) -> Predictions:
    """The rows among which discoveries are made, to be ordered by their probabilities."""
    if p.proba is None:
        raise BadInput(f"posterior_fdr needs probabilities, but {name} holds none: give {option('proba')}")
    return replace(p if p.unlabelled is None else p.unlabelled, value=None)


def _line(name: str, o: Ordering) -> Line:
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
