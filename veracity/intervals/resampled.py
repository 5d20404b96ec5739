"""Confidence intervals of a learner's risk, from its scores or losses on the splits of a resampling design."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from veracity.core.confidence import Confidence
from veracity.core.distributions import bent, straightened
from veracity.core.errors import BadInput
from veracity.core.measurement import Coverage, measurements_of
from veracity.core.notes import Limit, Note, always, caution, refuse
from veracity.evidence.losses import DrawnLosses, FoldLosses, NestedLosses
from veracity.evidence.score_matrix import SplitScores, Subsamples, conservative_degrees, conservative_error
from veracity.findings.interval import Limits
from veracity.intervals import SKEWED_LOSSES, fewer_than, interval, without_variance

SHRINKAGE = 10  # splits that weigh as much as the guess that there is no skewness
MOST_SKEWNESS = 0.4  # beyond it Hall's transformation costs width and gives nothing
VERY_SKEWED = 0.5
STEADY = 0.15  # share of the variance of losses that lies between models, when a tenth of the rows is left out
BEYOND_STEADY = 5.0  # how much more variance the mean has for what lies between models beyond that, by simulation
HIDDEN = 0.25  # of the variance, beyond which what class shares add to it is told
BEYOND_SPREAD = 1.0  # times the variance that splits show, beyond which what training shares add decides
ONE_SPLIT = refuse(
    "one-split",
    "one split says nothing about how splits differ: use `by='repeated_kfold(k=10, repeats=10)'`",
    lambda s: len(s) < 2,
)
UNDEFINED = refuse(
    "undefined-splits",
    "the score is undefined in some splits, and none is dropped: use fewer folds or a design that spreads classes",
    lambda s: s.undefined > 0,
)

SAME_SCORE = without_variance("splits have the same score", lambda s: s.spread == 0)
NO_SPREAD = without_variance(
    "splits have the same score", lambda s: s.spread == 0 and (s.losses.skewness is None or s.losses.spread_away == 0)
)
FEW_SPLITS = fewer_than(10, "splits", "the spread between them is poorly known", len)
UNEQUAL = caution(
    "unequal-training",
    "the training sets differ in size, and the variance is that of sets of one size: take the result for a rough guide",
    lambda s: s.unequal,
    lambda s: f" (they have {s.train.min():g} to {s.train.max():g} rows)",
)


def _worst_coverage(name: str, by: str = "") -> str:
    """Return the wording of how rarely an interval held the truth in a simulated world, by some designs."""
    rows = (row for row in measurements_of(name, Coverage, "veracity.intervals") if by in row.by)
    worst = min(rows, key=lambda row: row.covered)
    held = f"it held {worst.covered:.0%} at {worst.level:.0%}"
    return f"; in a simulated world ({worst.setting}, {worst.rows} rows) {held}"


TOO_NARROW = caution(
    "repeated-splits",
    "by several repeats corrected_t is too narrow for a learner that changes with every row: use conservative_t",
    lambda s: s.rounds > 1,
    lambda _: _worst_coverage("corrected_t", by="repeated"),
)
EVEN_CLASSES = caution(
    "even-classes",
    "classes are spread evenly over the splits and are not got wrong alike: how their shares differ from sample to "
    "sample does not show, and the variance is too small: use conservative_t, which adds it",
    lambda s: s.losses.spread_away * s.tested_share > HIDDEN * s.standard_error**2,
)
TRAINED_ALIKE = caution(
    "trained-alike",
    "all models trained on the class shares of the sample, and the score follows these: other samples would give models"
    " that call a class far more or less often, by how much is known only roughly, and the interval may be too narrow",
    lambda s: s.losses.trained_away * s.tested_share > BEYOND_SPREAD * _steady_error(s) ** 2,
)
BELOW_CHANCE = Limit(
    "below-chance",
    "remark",
    "the splits are worse than chance: where there is little to learn, those of one sample err to the same side, so"
    " the interval reaches as far above chance as they lie below",
    lambda s: s.chance is not None and s.centre < s.chance and conservative_law(s).limits(Confidence()).high < s.chance,
)
UNSTABLE = Limit(
    "unstable-risk",
    "remark",
    "models of this learner differ much where few training rows do: whether they find what there is may depend on the "
    "sample, which splits of it hardly show, so the interval is wider",
    lambda s: widening(s) > 1.005,
    lambda s: f" by {widening(s) - 1:.0%}",
)
SKEWED = caution("skewed-losses", SKEWED_LOSSES.format("learner"), lambda s: abs(s.losses.skewness or 0) > VERY_SKEWED)
NAIVE = Limit(
    "naive",
    "refuse",
    "naive_t takes splits that share training rows for independent, and with ever more repeats its width goes to 0: "
    "use corrected_t, or conservative_t by several repeats",
    always,
    lambda _: _worst_coverage("naive_t"),
)

OF_SPLITS: dict[str, Any] = {"reads": SplitScores, "answers": "learner"}


@interval(
    "Corrected resampled t",
    **OF_SPLITS,
    cite=("nadeau2003",),
    assumes=("RHO", "NORM"),
    limits=(ONE_SPLIT, UNDEFINED, SAME_SCORE, FEW_SPLITS, UNEQUAL, TOO_NARROW, EVEN_CLASSES),
)
def corrected_t(s: SplitScores, at: Confidence) -> Limits:
    """Student's interval for the mean over splits, widened because the splits share training rows.

    The variance of the mean is s^2 (1/J + n_test/n_train) in place of s^2/J: with ever more repeats the width tends
    to what the rows themselves allow, and not to 0. That is too little for learners which change with every row, by one
    k-fold for skewed losses, and where classes are spread evenly over splits and not got wrong alike: conservative_t is
    the default.
    """
    return ResampledT(s.centre, s.standard_error, len(s) - 1).limits(at)


@interval(
    "Conservative resampled t",
    **OF_SPLITS,
    cite=("nadeau2003", "hall1992", "bengio2004"),
    assumes=("RHO2",),
    limits=(ONE_SPLIT, UNDEFINED, NO_SPREAD, FEW_SPLITS, UNEQUAL, TRAINED_ALIKE, BELOW_CHANCE, UNSTABLE, SKEWED),
)
def conservative_t(s: SplitScores, at: Confidence) -> Limits:
    """Student's interval for the mean over splits, as wide as one repeat says however many there are.

    The variance of corrected_t falls with every repeat, and for learners that change with every row that of the mean
    does not. So here it is s^2 (1/J + n_test/n_train + (1 - 1/R) n_test/n), which for R repeats of k folds is that of
    one k-fold. The law has 15 degrees of freedom at most, and Hall's transformation takes out the skewness of the
    losses of rows; where the score is no mean of plain rows that of the splits, shrunk as if ten more had none; either
    is 0.4 at most. Splits with the class shares of the sample do not show how these differ from sample to sample: the
    variance of what the classes of rows lose on average, over the number of rows, is added; of scores that are no means
    of rows, that of what a row of each class moves them by, as one that is tested and as one that models learn from,
    whose log odds it raises. An area below chance has an interval that reaches as far above it. For learners that
    change little it is wider than it need be. What all models of the splits have in common they do not show, and no
    unbiased estimate of it exists: the sample as a whole may decide whether a learner finds anything, as for a tree on
    a chessboard. Such learners differ much from model to model, so by repeats the variance grows by 5 s^2 n_test/n
    times the share of the variance of a row's loss that lies between models which tried it, beyond 0.15 (by ten folds,
    more where more rows are left out). By one k-fold each row is tried by one model, so that share cannot be seen and
    nothing is added: for deep trees on patterns that some samples hide the interval is too narrow then, and repeats
    tell. The interval is laid about the estimate of the design, also where test parts differ in size.
    """
    limits = conservative_law(s).limits(at)
    return limits if s.chance is None else limits._replace(high=max(limits.high, 2 * s.chance - s.centre))


@interval(
    "Student's t over splits",
    **OF_SPLITS,
    cite=("dietterich1998", "nadeau2003", "bengio2004"),
    assumes=("NORM",),
    limits=(NAIVE, ONE_SPLIT, UNDEFINED, SAME_SCORE),
)
def naive_t(s: SplitScores, at: Confidence) -> Limits:
    """Student's interval for the mean over splits as if they were independent, which they are not: always refused.

    It is here because it is so often printed, and so that it can be simulated.
    """
    return ResampledT(s.centre, s.spread / math.sqrt(len(s)), len(s) - 1).limits(at)


class ResampledT(NamedTuple):
    """Student's law of an estimate from splits that share rows, less the skewness that Hall's transformation takes."""

    estimate: float
    standard_error: float
    df: int
    skewness: float = 0.0

    @property
    def statistic(self) -> float:
        """Student's t of the estimate against 0, where there is a standard error."""
        return straightened(self.estimate / self.standard_error, self.skewness)

    def limits(self, at: Confidence) -> Limits:
        """The values at which that statistic is at its quantiles."""
        t = at.t(self.df)
        low, high = (self.estimate - self.standard_error * bent(end, self.skewness) for end in (t, -t))
        return Limits(low, high, about=self.estimate)


def conservative_law(s: SplitScores) -> ResampledT:
    """Return the law of conservative_t: wider where models differ much and where splits have even class shares."""
    error = math.hypot(widening(s) * _steady_error(s), math.sqrt(s.losses.spread_away * s.tested_share))
    skewness = s.losses.skewness  # of the mean over all rows
    if skewness is None:  # from the splits, of which few tell little
        skewness = s.skewness * math.sqrt(s.tested_share) * len(s) / (len(s) + SHRINKAGE)
    # Hall's transformation is made for small skewness, and a large one would make its interval endless
    bounded = min(max(skewness, -MOST_SKEWNESS), MOST_SKEWNESS)
    return ResampledT(s.centre, error, conservative_degrees(len(s)), bounded)


def _steady_error(s: SplitScores) -> float:
    return conservative_error(s.spread, len(s), s.test_share, s.tested_share, s.rounds)


def widening(s: SplitScores) -> float:
    """Return how much wider an interval is for models that differ more than those of steady learners do.

    It is 1 by one round, in which one model tests each row: how much models differ cannot be seen there.
    """
    beyond = (s.losses.between_models or 0) - STEADY * math.sqrt(10 * s.tested_share)
    steady = conservative_error(1.0, len(s), s.test_share, s.tested_share, s.rounds) ** 2
    return math.sqrt(1 + BEYOND_STEADY * max(beyond, 0.0) * s.tested_share / steady)


UNSTABLE_FROM = 0.1  # share of rows on which two models disagree
NEVER_OUT = refuse(
    "never-out",
    "some rows were in every draw, so their loss is not known: use more draws, as `by='loo_bootstrap(draws=1000)'`",
    lambda x: bool((x.times_out == 0).any()),
)
FEW_DRAWS = fewer_than(
    1000, "draws", "the standard error is poorly known, use `by='loo_bootstrap(draws=1000)'`", lambda x: x.draws
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
    "a fold of one row has no variance inside: use form='all_pairs', or `by='kfold(k=10)'` in place of leave_one_out",
)
REPEATED = caution(
    "repeated-folds",
    "cv_wald is for one cross-validation: repeats do not make it narrower, `by='kfold(k=10)'` gives what it is for",
    lambda x: x.repeats > 1,
)
OFTEN_DISAGREE = caution(
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
    "a fold of one row has no variance inside: use fewer folds, such as `by='nested_cv_bates(k=10)'`",
    lambda x: x.smallest_fold < 2,
)
FEW_REPEATS = fewer_than(
    10, "repeats", "the error of cross-validation is poorly known, 50 are advised", lambda x: x.repeats
)
UNDEFINED_HALVES = refuse(
    "undefined-splits",
    "the score is undefined in some splits, and none is dropped: test more rows, `by='paired_subsampling(test=0.3)'`",
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


@interval(
    "Leave-one-out bootstrap",
    reads=DrawnLosses,
    answers="learner",
    cite=("efron1997",),
    assumes=("IID", "NORM", "BIG"),
    limits=(
        NEVER_OUT,
        without_variance("rows have the same loss", lambda x: np.ptp(x.each) == 0),
        FEW_DRAWS,
        FEWER_ROWS,
    ),
)
def loo_bootstrap_se(x: DrawnLosses, at: Confidence) -> Limits:
    """Normal interval for the leave-one-out bootstrap; its standard error comes from the very same draws.

    The delta method after the bootstrap: how much each row weighs in the estimate is read from its loss where it was
    left out and from the loss of the draws that it was in.
    """
    return Limits.plus_minus(x.mean, at.z * loo_bootstrap_error(x), about=x.mean)


def loo_bootstrap_error(x: DrawnLosses) -> float:
    """Return the length of the vector of the rows' influences."""
    own = (2 + 1 / (x.rows - 1)) * (x.each - x.mean) / x.rows
    return math.sqrt(float(np.sum((own + x.covariance / x.times_out) ** 2)))


@interval(
    "Cross-validation Wald",
    reads=FoldLosses,
    answers="models of the folds",
    cite=("bayle2020",),
    assumes=("IID", "STAB", "BIG"),
    limits=(
        without_variance("rows have the same loss", lambda x: x.variance() == 0),
        REPEATED,
        OFTEN_DISAGREE,
        LEAVES_ONE_OUT,
    ),
)
def cv_wald(x: FoldLosses, at: Confidence, *, form: str = "all_pairs") -> Limits:
    """Normal interval for the average risk of the k models of one cross-validation, as if its losses were independent.

    It is not about the learner: another training set would give other models, and that is left out. With
    `form="within_fold"` the variance is that inside the folds.
    """
    if form not in ("all_pairs", "within_fold"):
        raise BadInput(f"cv_wald: form is 'all_pairs' or 'within_fold', not {form!r}")
    if form == "within_fold" and x.smallest_fold < 2:
        return Limits(math.nan, math.nan, (ONE_ROW_FOLDS,), x.mean)
    variance = x.variance() if form == "all_pairs" else x.variance_within()
    return Limits.plus_minus(x.mean, at.z * math.sqrt(variance / x.rows), about=x.mean)


@interval(
    "Nested cross-validation",
    reads=NestedLosses,
    answers="learner trained on all rows",
    cite=("bates2024",),
    assumes=("IID", "NORM"),
    limits=(NESTED_ONE_ROW_FOLDS, without_variance("rows have the same loss", lambda x: x.spread == 0), FEW_REPEATS),
)
def nested_cv(x: NestedLosses, at: Confidence, *, exponent: float = 1) -> Limits:
    """Normal interval whose width is the measured error of cross-validation on folds that it left out as a whole.

    The value is corrected for training on fewer rows, so that it is about the learner trained on all rows. The standard
    error is kept between that of independent losses and sqrt(k) times as much. `exponent=1.5` corrects the bias as the
    authors' program does, 1 as their article. It reads the splits of nested_cv_bates, and means over rows only.
    """
    if exponent not in (1, 1.5):
        raise BadInput(f"nested_cv: exponent is 1 or 1.5, not {exponent!r}")
    # how much higher the risk is for training without two folds than with all rows
    bias = (1 + ((x.k - 2) / x.k) ** exponent) * (x.mean - float(x.outer.mean()))
    return Limits.plus_minus(x.mean - bias, at.z * nested_error(x), about=x.mean - bias)


def nested_error(x: NestedLosses) -> float:
    """Return the standard error: measured on k - 1 folds, so made smaller for k, and clipped to what is possible."""
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
)
def conservative_z(s: Subsamples, at: Confidence) -> Limits:
    """Normal interval for the mean over splits, its variance measured between halves of the rows that share none.

    Half the rows vary more than all of them, so the interval is wider than it need be. It reads the splits of
    paired_subsampling, which costs (2 outer + 1) inner fits, and any score.
    """
    return Limits.plus_minus(s.mean, at.z * math.sqrt(s.variance), about=s.mean)
