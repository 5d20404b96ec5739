"""Estimates less their bias: of models that saw fewer rows than there are, and of a score on its training rows."""

from __future__ import annotations

import math

import numpy as np

from veracity.core.notes import caution
from veracity.core.words import phrase
from veracity.designs.entry import Auto
from veracity.records.arrays import Array
from veracity.risk.bootstraps import WHOLE
from veracity.risk.entry import RESUBSTITUTION, DesignPart, PointEstimate, clipped_to_range, design_part, risk_estimator
from veracity.risk.resampling import Resampling
from veracity.scores.on_rows import RowScore

HELD_OUT, FOLDS = "held out", "folds"
NONE = (
    "{0} has no interval: "
    + phrase("by='{1}'", "--by {1}")
    + " with the same {2} gives the value without the correction, and its interval"
)
OTHERS = "all others"


def holdout_parts(test: float, stratified: Auto, grouped: Auto) -> tuple[DesignPart, ...]:
    """The model of the training rows on all rows, and the model of all rows."""
    how = {"test": test, "stratified": stratified, "grouped": grouped, "ordered": False}
    return (design_part(HELD_OUT, "holdout", every=True, **how), RESUBSTITUTION)


def kfold_parts(k: int, stratified: Auto, grouped: Auto) -> tuple[DesignPart, ...]:
    """The models of the folds on all rows, and the model of all rows."""
    how = {"k": k, "stratified": stratified, "grouped": grouped, "ordered": False}
    return (design_part(FOLDS, "kfold", every=True, **how), RESUBSTITUTION)


@risk_estimator(
    "Corrected hold-out",
    cite=("burman1989",),
    answers=WHOLE,
    parts=holdout_parts,
    says=NONE.format("corrected_holdout", "holdout", "share of test rows"),
    aliases="bias_corrected_holdout",
    keywords="Burman",
    assumes=("IID", "STAB"),
)
def corrected_holdout(
    r: Resampling, *, test: float = 0.333, stratified: Auto = "auto", grouped: Auto = "auto"
) -> PointEstimate:
    """The hold-out plus what a model of all rows gains: its score on all rows less that of the held-out model on them.

    Takes away most of the pessimism of a hold-out for one more fit. For smooth learners; rows in time order are dealt
    as if their order did not matter.
    """
    return _corrected_estimate(r)


@risk_estimator(
    "Corrected k-fold",
    cite=("burman1989",),
    answers=WHOLE,
    parts=kfold_parts,
    says=NONE.format("corrected_kfold", "kfold", "k"),
    aliases="bias_corrected_cv, burman, adjusted_cv",
    assumes=("IID", "STAB"),
)
def corrected_kfold(r: Resampling, *, k: int = 10, stratified: Auto = "auto", grouped: Auto = "auto") -> PointEstimate:
    """K-fold plus the score of the model of all rows on these, less the mean score of the models of the folds on them.

    Takes away most of the pessimism of few folds for one more fit; each fold weighs as many rows as it has. For
    smooth learners; rows in time order are dealt as if their order did not matter.
    """
    return _corrected_estimate(r)


def _corrected_estimate(r: Resampling) -> PointEstimate:
    on_all = r.scores(r.main_part, "all", whole=True)
    apparent = r.resubstitution
    plain = r.pooled_value
    correction = apparent - float(np.average(on_all, weights=_sizes(r)))
    facts = (("uncorrected", plain), ("correction", correction))
    return clipped_to_range(r.score, PointEstimate(plain + correction, facts=facts))


def _sizes(r: Resampling) -> Array:
    """How much the rows that each split left out count."""
    parts = r.main_predictions.values()
    return np.array([len(p) if p.weights is None else p.weights.sum() for p in parts])


def leave_one_out_parts(grouped: Auto) -> tuple[DesignPart, ...]:
    """A model without each row (or group) on all rows, and the model of all rows."""
    return (design_part(OTHERS, "leave_one_out", every=True, grouped=grouped), RESUBSTITUTION)


def _is_jumpy(r: Resampling) -> bool:
    """Whether the score is no smooth function of what rows give."""
    entry = r.score.entry
    return not isinstance(entry, RowScore) or entry.reduce is not None


@risk_estimator(
    "Jackknife",
    cite=("quenouille1949", "tukey1958"),
    answers=WHOLE,
    parts=leave_one_out_parts,
    limits=(
        caution(
            "not-smooth",
            "the jackknife is for scores that change smoothly with the rows; labels, orders and medians jump",
            _is_jumpy,
        ),
    ),
    says="the jackknife gives a standard error beside the value, and no interval that is known to hold",
    aliases="quenouille",
    assumes=("IID", "STAB"),
)
def jackknife(r: Resampling, *, grouped: Auto = "auto") -> PointEstimate:
    """The score on the training rows less its bias, which leaving out each row in turn tells; n fits.

    Rows are deleted, not drawn: with theta the score of the model of all n rows on these, and theta_i that of the
    model without row i on the others, the bias is (n - 1)(mean theta_i - theta). Whole groups are left out where they
    are known. For smooth scores of smooth learners only; else use `boot632plus`.
    """
    each = r.scores(OTHERS, "trained", whole=True)
    theta, number = r.resubstitution, len(each)
    bias = (number - 1) * (float(each.mean()) - theta)
    error = math.sqrt((number - 1) / number * float(((each - each.mean()) ** 2).sum()))
    facts = (("resubstitution", theta), ("bias", bias), ("standard_error", error))
    return clipped_to_range(r.score, PointEstimate(theta - bias, facts=facts))
