"""Intervals for a learner, from the losses of rows under several models or from pairs of halves."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from veracity.core.confidence import Confidence
from veracity.core.entry import Known
from veracity.core.errors import BadInput
from veracity.core.notes import Limit, Note, always, caution, refuse
from veracity.core.words import option
from veracity.evidence.learner_losses import DrawnLosses, FoldLosses, NestedLosses
from veracity.evidence.split_scores import Subsamples
from veracity.findings.interval import Limits
from veracity.intervals.entry import interval

FEWEST_DRAWS = 1_000
FORMS = ("all_pairs", "within_fold")
UNSTABLE_FROM = 0.1  # share of rows on which two models disagree
EXPONENTS = (1, 1.5)
EXAMPLE_J = (12.25, 6.25, 0.25, 0.25, 6.25, 12.25)
NEVER_OUT = refuse(
    "never-out",
    "some rows were in every draw, so their loss is not known: use more draws, "
    f"as {option('by', 'loo_bootstrap(draws=1000)')}",
    lambda x: bool((x.times_out == 0).any()),
)
FEW_DRAWS = caution(
    "few-draws",
    f"fewer than {FEWEST_DRAWS} draws: the standard error is poorly known, "
    f"use {option('by', f'loo_bootstrap(draws={FEWEST_DRAWS})')}",
    lambda x: x.draws < FEWEST_DRAWS,
)
FEWER_ROWS = Limit(
    "fewer-rows",
    "remark",
    "a draw holds about 63.2 % of the rows, so the interval is about a learner that sees fewer and errs more",
    always,
)
ONE_ROW_FOLDS = Note(
    "one-row-folds",
    "refuse",
    "a fold of one row has no variance inside: use form='all_pairs', "
    f"or {option('by', 'kfold(k=10)')} in place of leave_one_out",
)
REPEATED = caution(
    "repeated-folds",
    "cv_wald is for one cross-validation: repeats do not make it narrower, "
    f"{option('by', 'kfold(k=10)')} gives what it is for",
    lambda x: x.repeats > 1,
)
UNSTABLE = caution(
    "unstable-learner",
    "cv_wald holds for a learner that one row changes little, but models of this one often disagree: use corrected_t",
    lambda x: x.disagreement is not None and x.disagreement > UNSTABLE_FROM,
    lambda x: f" (two of them on {x.disagreement:.1%} of the rows)",
)
TRAINING_LEFT_OUT = (
    "the interval takes rows as independent and leaves out how training sets differ: it is about the models at hand,"
    " and too narrow for a learner that one row more or less changes much"
)
LEAVES_ONE_OUT = caution("rows-only", TRAINING_LEFT_OUT, lambda x: x.leaves_one_out)
NESTED_ONE_ROW_FOLDS = refuse(
    "one-row-folds",
    f"a fold of one row has no variance inside: use fewer folds, such as {option('by', 'nested_cv_bates(k=10)')}",
    lambda x: x.smallest_fold < 2,
)
FEW_REPEATS = caution(
    "few-repeats",
    "fewer than 10 repeats: the error of cross-validation is poorly known, 50 are advised",
    lambda x: x.repeats < 10,
)
UNDEFINED_HALVES = refuse(
    "undefined-splits",
    "the score is undefined in some splits, and none is dropped: test more rows, "
    f"{option('by', 'paired_subsampling(test=0.3)')}",
    lambda s: bool(np.isnan(s.full).any() or np.isnan(s.halves).any()),
)
SAME_HALVES = refuse(
    "no-spread", "both halves of every pair have the same score, so they say nothing", lambda s: s.variance == 0
)
FEW_PAIRS = caution(
    "few-pairs",
    "fewer than 10 pairs of halves: how far halves lie apart is poorly known, use paired_subsampling(outer=10)",
    lambda s: len(s.halves) < 10,
)


def _same_loss(when: Callable[[Any], bool]) -> Limit:
    return refuse("no-spread", "all rows have the same loss, so their spread says nothing", when)


@interval(
    "Leave-one-out bootstrap",
    reads=DrawnLosses,
    answers="learner",
    cite=("efron1997",),
    assumes=("IID", "NORM", "BIG"),
    limits=(NEVER_OUT, _same_loss(lambda x: np.ptp(x.each) == 0), FEW_DRAWS, FEWER_ROWS),
    aliases="efron_tibshirani_se",
)
def loo_bootstrap_se(x: DrawnLosses, at: Confidence) -> Limits:
    """Normal interval for the leave-one-out bootstrap; its standard error comes from the very same draws.

    The delta method after the bootstrap: how much each row weighs in the estimate is read from its loss where it was
    left out and from the loss of the draws that it was in.
    """
    half = at.z * loo_bootstrap_error(x)
    return Limits(x.mean - half, x.mean + half, about=x.mean)


def loo_bootstrap_error(x: DrawnLosses) -> float:
    """The length of the vector of the rows' influences."""
    own = (2 + 1 / (x.rows - 1)) * (x.each - x.mean) / x.rows
    return math.sqrt(float(np.sum((own + x.covariance / x.times_out) ** 2)))


def example_j(low: float, high: float, form: str) -> Known:
    """The squared losses of the mean learner on 1 to 6, in three folds of neighbours."""
    return Known(
        {"losses": EXAMPLE_J, "folds": (0, 0, 1, 1, 2, 2), "level": 0.95, "form": form}, (low, high), "by hand"
    )


@interval(
    "Cross-validation Wald",
    reads=FoldLosses,
    answers="models of the folds",
    cite=("bayle2020",),
    assumes=("IID", "STAB", "BIG"),
    limits=(_same_loss(lambda x: x.variance() == 0), REPEATED, UNSTABLE, LEAVES_ONE_OUT),
    known=(example_j(2.3301, 10.1699, "all_pairs"), example_j(3.4782, 9.0218, "within_fold")),
    aliases="bayle",
    keywords="confidence interval for cross-validation",
)
def cv_wald(x: FoldLosses, at: Confidence, *, form: str = "all_pairs") -> Limits:
    """Normal interval for the average risk of the k models of one cross-validation, as if its losses were independent.

    It is not about the learner: another training set would give other models, and that is left out. With
    `form="within_fold"` the variance is that inside the folds.
    """
    if form not in FORMS:
        raise BadInput(f"cv_wald: form is {' or '.join(map(repr, FORMS))}, not {form!r}")
    if form == "within_fold" and x.smallest_fold < 2:
        return Limits(math.nan, math.nan, (ONE_ROW_FOLDS,), x.mean)
    variance = x.variance() if form == "all_pairs" else x.variance_within()
    half = at.z * math.sqrt(variance / x.rows)
    return Limits(x.mean - half, x.mean + half, about=x.mean)


@interval(
    "Nested cross-validation",
    reads=NestedLosses,
    answers="learner trained on all rows",
    cite=("bates2024",),
    assumes=("IID", "NORM"),
    limits=(NESTED_ONE_ROW_FOLDS, _same_loss(lambda x: x.spread == 0), FEW_REPEATS),
    aliases="bates",
    keywords="confidence interval for cross-validation",
)
def nested_cv(x: NestedLosses, at: Confidence, *, exponent: float = 1) -> Limits:
    """Normal interval whose width is the measured error of cross-validation on folds that it left out as a whole.

    The value is corrected for training on fewer rows, so that it is about the learner trained on all rows. The standard
    error is kept between that of independent losses and sqrt(k) times as much. `exponent=1.5` corrects the bias as the
    authors' program does, 1 as their article. It reads the splits of nested_cv_bates, and means over rows only.
    """
    if exponent not in EXPONENTS:
        raise BadInput(f"nested_cv: exponent is {' or '.join(map(str, EXPONENTS))}, not {exponent!r}")
    value = x.mean - nested_bias(x, exponent)
    half = at.z * nested_error(x)
    return Limits(value - half, value + half, about=value)


def nested_bias(x: NestedLosses, exponent: float) -> float:
    """How much higher the risk is for training without two folds than with all rows."""
    return (1 + ((x.k - 2) / x.k) ** exponent) * (x.mean - float(x.outer.mean()))


def nested_error(x: NestedLosses) -> float:
    """Measured on k - 1 folds, so made smaller for k, and clipped to what is possible."""
    independent = x.spread / math.sqrt(x.rows)
    measured = math.sqrt(max(0.0, x.squared_error) * (x.k - 1) / x.k)
    return min(max(measured, independent), math.sqrt(x.k) * independent)


@interval(
    "Conservative z",
    reads=Subsamples,
    answers="learner",
    cite=("nadeau2003",),
    assumes=("IID", "NORM"),
    limits=(UNDEFINED_HALVES, SAME_HALVES, FEW_PAIRS),
    aliases="nadeau_bengio_conservative",
)
def conservative_z(s: Subsamples, at: Confidence) -> Limits:
    """Normal interval for the mean over splits, its variance measured between halves of the rows that share none.

    Half the rows vary more than all of them, so the interval is wider than it need be. It reads the splits of
    paired_subsampling, which costs (2 outer + 1) inner fits, and any score.
    """
    half = at.z * math.sqrt(s.variance)
    return Limits(s.mean - half, s.mean + half, about=s.mean)
