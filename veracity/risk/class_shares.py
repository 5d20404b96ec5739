"""How a score of classes follows their shares in the sample, which splits with those very shares do not show.

Other samples have other shares: of the rows that are tested, and of the rows that models learn from, which call a class
the more often the more rows of it they saw.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from veracity.core.entry import Choice
from veracity.evidence.counts import Counts
from veracity.evidence.predictions import Predictions
from veracity.evidence.split_scores import LossTraits
from veracity.records.arrays import Array, freeze, ratio
from veracity.risk.fold_scores import Resampling, count_cells, split_predictions
from veracity.scores.entry import evidence_for, value_of, values_on

STEP = 1e-3  # of the weight of a class, in differences that stand for a derivative
FAR = (1.0, 2.0)  # standard deviations of log odds by which models are moved: labels that jump are met by one of them
LEAST = 1e-300  # probability that has a logarithm
FEW_CLASSES = 5  # beyond, no class moves a score much by the models that it makes
BY_DOUBT = 2.0  # standard errors
GRADIENT_TOLERANCE = 1e-12  # of the mean log loss, at which a slope of log odds is found


class ClassPull(NamedTuple):
    """What a row of each class moves the mean over splits by, times the number of rows."""

    tested: Array  # as one of the rows that are tested
    trained: Array  # as one that models learn from
    known: bool = True  # whether what models say tells how they would follow other shares; decision values do not

    @property
    def whole(self) -> Array:
        return self.tested + self.trained

    def __sub__(self, other: ClassPull) -> ClassPull:
        """Of a difference of two learners."""
        return ClassPull(self.tested - other.tested, self.trained - other.trained, self.known and other.known)


def with_class_shares(traits: LossTraits, pull: ClassPull | None, p: Predictions) -> LossTraits:
    """With the variance that shares of classes would give the splits, were they not the same in all of them."""
    if pull is None or not np.isfinite(pull.whole).all():
        return traits
    assert p.splits is not None
    found = traits.with_classes(pull.whole[p.truth], p.truth, p.splits)
    if not pull.known:
        return found._replace(trained_away=math.inf)
    tested = np.unique(p.splits, return_counts=True)[1]
    return found._replace(trained_away=float(pull.trained[p.truth].var() * np.mean(1 / tested)))


@np.errstate(invalid="ignore")  # a difference of infinite scores, as likelihood ratios may be, is left out of means
def class_pull(r: Resampling, p: Predictions, numbers: Sequence[int]) -> ClassPull | None:
    """Of a score that is no mean of rows, from predictions of some splits; None where it cannot be had."""
    choice, sizes = r.score, _class_sizes(p)
    if not sizes.all():
        return None
    if choice.reads == "confusion matrix":
        place = np.searchsorted(numbers, np.asarray(p.splits))
        return _pull_on_counts(choice, p, place, sizes)
    if choice.reads == "ordering" and choice.pairwise:  # areas do not heed how many rows they order
        return ClassPull(np.zeros(len(sizes)), np.zeros(len(sizes)))
    parts = (split_predictions(r.run, number) for number in numbers)
    if choice.reads == "ordering":
        slopes = [_slope_of_ordering(choice, part, sizes / sizes.sum()) for part in parts]
        return ClassPull(_mean_over_splits(np.stack(slopes)) * sizes.sum() / sizes, np.zeros(len(sizes)))
    if choice.is_function_of_means:
        both = np.stack([(_pull_on_rows(choice, part), _slope_of_models(choice, part, sizes)) for part in parts])
        return ClassPull(_mean_over_splits(both[:, 0]), _mean_over_splits(both[:, 1]) * sizes.sum() / sizes)
    return None


def _class_sizes(p: Predictions) -> Array:
    """Rows of each class; one that several models tested is one."""
    _, first = np.unique(np.asarray(p.rows), return_index=True)
    return np.bincount(p.truth[first], minlength=len(p.classes))


def _pull_on_counts(choice: Choice, p: Predictions, place: Array, sizes: Array) -> ClassPull:
    """Tested rows by the mean influence of those of each class on the confusion matrix of a split."""
    cells = count_cells(choice, p, place, place.max() + 1)
    counts = Counts.of_arrays(cells, p.classes, p.positive)
    influence = np.asarray(choice.influence_of(counts)).reshape(cells.shape)
    tested = _mean_over_splits(ratio((influence * cells).sum(-1), counts.of_truth))
    odds = log_odds(p)
    if len(sizes) > FEW_CLASSES or odds is None:
        trained = np.zeros(len(sizes))
    else:
        trained = _pull_of_training(choice, p, place, sizes, odds)
    known = p.proba is not None and (not choice.one_class or _tells_apart(counts))
    return ClassPull(tested, trained, known)


def _tells_apart(counts: Counts) -> bool:
    """Whether models find classes better than by chance, beyond doubt: else their shares alone say which they call."""
    found = ratio(np.diagonal(counts.matrix, axis1=-2, axis2=-1), counts.of_truth)
    recall = found[np.isfinite(found).all(-1)].mean(-1)
    if len(recall) < 2:
        return False
    error = recall.std(ddof=1) * math.sqrt(1 / len(recall) + 1 / max(len(recall) - 1, 1))
    return bool(recall.mean() - BY_DOUBT * error > 1 / len(counts.classes))


def _pull_on_rows(choice: Choice, part: Predictions) -> Array:
    influence, classes = choice.influence_of(evidence_for(choice, part)), len(part.classes)
    return ratio(np.bincount(part.truth, influence, classes), np.bincount(part.truth, minlength=classes))


def _slope_of_models(choice: Choice, part: Predictions, sizes: Array) -> Array:
    """By the log odds of each class, in probabilities and in the shares that these are measured against."""
    deviation = 1 / np.sqrt(sizes * (1 - sizes / sizes.sum()))
    every = range(len(sizes)) if len(sizes) <= FEW_CLASSES else ()
    slopes = [
        (value_of(choice, _moved(part, at, step)) - value_of(choice, _moved(part, at, -step))) / (2 * step)
        for at in every
        for step in (float(deviation[at]),)
    ]
    return np.array(slopes) if slopes else np.zeros(len(sizes))


def _moved(part: Predictions, at: int, step: float) -> Predictions:
    """What models would say that learned from more rows of a class."""
    raised = np.where(np.arange(len(part.classes)) == at, math.exp(step), 1.0)
    proba = np.stack([part.probability(one) for one in range(len(part.classes))], 1) * raised
    proba /= proba.sum(1, keepdims=True)
    one_column = part.proba is not None and part.proba.ndim == 1
    prior = None if part.prior is None else np.asarray(part.prior) * raised
    shares = None if prior is None else tuple((prior / prior.sum()).tolist())
    return replace(part, proba=freeze(proba[:, part.positive] if one_column else proba), prior=shares)


def _slope_of_ordering(choice: Choice, part: Predictions, shares: Array) -> Array:
    """By the logarithm of the weight of each class: its rows weigh a little more and a little less."""
    evidence = evidence_for(choice, part)
    of_cell = np.asarray(evidence.parts)
    chosen = of_cell == np.arange(of_cell.max() + 1)[:, None]
    ends = [values_on(choice, evidence.reweigh(evidence.cells * (1 + step * chosen))) for step in (STEP, -STEP)]
    return _by_class((ends[0] - ends[1]) / (2 * STEP), part, shares)


def _by_class(slope: Array, p: Predictions, shares: Array) -> Array:
    """Where one class is looked for, the slope of all others is shared among them."""
    if p.positive is None and not p.binary:
        return np.pad(slope, (0, len(shares) - len(slope)))
    positive = 1 if p.positive is None else p.positive
    found: Array = slope[1] * shares / (1 - shares[positive])
    found[positive] = slope[0]
    return found


def _mean_over_splits(values: Array) -> Array:
    """Of splits that have a score."""
    there = np.isfinite(values).all(-1)
    return values[there].mean(0) if there.any() else np.zeros(values.shape[-1])


def _pull_of_training(choice: Choice, p: Predictions, place: Array, sizes: Array, odds: Array) -> Array:
    """Models of a larger share of a class call it as if its log odds were raised by as much."""
    shares = sizes / sizes.sum()
    labels, first = np.asarray(choice.labels(p)), odds.argmax(1)
    deviation = 1 / np.sqrt(sizes * (1 - shares))

    def moved_score(at: int, step: float) -> Array:
        moved = odds.copy()
        moved[:, at] += step
        said = moved.argmax(1)
        cells = count_cells(choice, p, place, place.max() + 1, np.where(said == first, labels, said))
        return values_on(choice, Counts.of_arrays(cells, p.classes, p.positive))

    def slope(at: int) -> float:
        steps = [far * float(deviation[at]) for far in FAR]
        every = [_mean_difference(moved_score(at, one), moved_score(at, -one)) / (2 * one) for one in steps]
        return max(every, key=abs)

    if len(shares) == 2:  # what raises one lowers the other
        rise = slope(1)
        return np.array([-rise, rise]) / shares
    return np.array([slope(at) for at in range(len(shares))]) / shares


def _mean_difference(above: Array, below: Array) -> float:
    apart = above - below
    there = np.isfinite(apart)
    return float(apart[there].mean()) if there.any() else 0.0


def log_odds(p: Predictions) -> Array | None:
    """Of every class, up to what they have in common: logarithms of probabilities, or values brought to that scale."""
    if p.proba is not None:
        return np.log(np.maximum(np.stack([p.probability(at) for at in range(len(p.classes))], 1), LEAST))
    if p.value is None or not p.binary or p.positive is None:
        return None
    found = np.zeros((len(p), 2))
    found[:, p.positive] = max(_slope_of_odds(p.value, p.truth == p.positive), LEAST) * p.value
    return found


def _slope_of_odds(value: Array, positive: Array) -> float:
    """Return by how much log odds rise with a decision value: logistic regression on one feature.

    Where the value separates the classes there is no finite slope, and a large one is returned.
    """
    from scipy.optimize import minimize
    from scipy.special import expit, log_expit

    scale = float(np.abs(value).max())
    if not 0 < scale < np.inf or positive.all() or not positive.any():
        return 0.0
    signed = np.where(positive, 1.0, -1.0)[:, None] * np.stack([np.ones(len(value)), value / scale], 1)

    def loss(weights: Array) -> float:
        return -float(log_expit(signed @ weights).mean())

    def gradient(weights: Array) -> Array:
        return -(expit(-signed @ weights) @ signed) / len(value)

    def hessian(weights: Array) -> Array:
        margin = signed @ weights
        return signed.T @ (signed * (expit(margin) * expit(-margin))[:, None]) / len(value)

    how: dict[str, Any] = {"jac": gradient, "hess": hessian, "options": {"gtol": GRADIENT_TOLERANCE}}
    found = minimize(loss, np.zeros(2), method="trust-exact", **how)
    return float(found.x[1]) / scale
