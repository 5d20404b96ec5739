"""Intervals for a learner from its scores on the splits of a design: Student's, widened for what the splits share."""

from __future__ import annotations

import math
from collections.abc import Callable

from veracity.core.confidence import Confidence
from veracity.core.entry import Known
from veracity.core.notes import Limit, always, caution, refuse
from veracity.core.skewness import bent
from veracity.core.words import option
from veracity.evidence.split_scores import SplitScores
from veracity.findings.interval import Limits
from veracity.intervals.coverage import coverage_of
from veracity.intervals.entry import interval

MOST_FREEDOM = 15  # splits of the same rows tell no more of the variance, however many they are
SHRINKAGE = 10  # splits that weigh as much as the guess that there is no skewness
MOST_SKEWNESS = 0.4  # beyond it Hall's transformation costs width and gives nothing
VERY_SKEWED = 0.5
STEADY = 0.15  # share of the variance of losses that lies between models, when a tenth of the rows is left out
BEYOND_STEADY = 5.0  # how much more variance the mean has for what lies between models beyond that, by simulation
HIDDEN = 0.25  # of the variance, beyond which what class shares add to it is told
BEYOND_SPREAD = 1.0  # times the variance that splits show, beyond which what training shares add decides
DIFFERENCES = (0.02, 0.04, -0.01, 0.03, 0.05, 0.00, 0.02, 0.03, 0.01, 0.01)
ONE_SPLIT = refuse(
    "one-split",
    f"one split says nothing about how splits differ: use {option('by', 'repeated_kfold(k=10, repeats=10)')}",
    lambda s: len(s) < 2,
)
UNDEFINED = refuse(
    "undefined-splits",
    "the score is undefined in some splits, and none is dropped: use fewer folds or a design that spreads classes",
    lambda s: s.undefined > 0,
)
SAME_SCORE = refuse(
    "no-spread", "all splits have the same score, so their spread says nothing", lambda s: s.spread == 0
)
NO_SPREAD = refuse(
    SAME_SCORE.code,
    SAME_SCORE.says,
    lambda s: s.spread == 0 and (s.losses.skewness is None or s.losses.spread_away == 0),
)
FEW_SPLITS = caution(
    "few-splits", "fewer than 10 splits: the spread between them is poorly known", lambda s: len(s) < 10
)
UNEQUAL = caution(
    "unequal-training",
    "the training sets differ in size, and the variance is that of sets of one size: take the result for a rough guide",
    lambda s: s.unequal,
    lambda s: f" (they have {s.train.min():g} to {s.train.max():g} rows)",
)


def _worst(name: str, by: str = "") -> Callable[[SplitScores], str]:
    """How rarely an interval held the truth where that was known, by some designs."""

    def more(_: SplitScores) -> str:
        worst = min((row for row in coverage_of(name) if by in row.by), key=lambda row: row.covered, default=None)
        if worst is None:
            return ""
        held = f"it held {worst.covered:.0%} at {worst.level:.0%}"
        return f"; in a simulated world ({worst.setting}, {worst.rows} rows) {held}"

    return more


TOO_NARROW = caution(
    "repeated-splits",
    "by several repeats corrected_t is too narrow for a learner that changes with every row: use conservative_t",
    lambda s: s.rounds > 1,
    _worst("corrected_t", by="repeated"),
)
EVEN_CLASSES = caution(
    "even-classes",
    "classes are spread evenly over the splits and are not got wrong alike: how their shares differ from sample to "
    "sample does not show, and the variance is too small: use conservative_t, which adds it",
    lambda s: s.losses.spread_away * s.tested_share > HIDDEN * corrected_error(s) ** 2,
)
TRAINED_ALIKE = caution(
    "trained-alike",
    "all models trained on the class shares of the sample, and the score follows these: other samples would give models"
    " that call a class far more or less often, by how much is known only roughly, and the interval may be too narrow",
    lambda s: s.losses.trained_away * s.tested_share > BEYOND_SPREAD * s.spread**2 * _steady_factor(s),
)
BELOW_CHANCE = Limit(
    "below-chance",
    "remark",
    "the splits are worse than chance: where there is little to learn, those of one sample err to the same side, so"
    " the interval reaches as far above chance as they lie below",
    lambda s: s.chance is not None and s.centre < s.chance and _spread_limits(s, Confidence())[1] < s.chance,
)
UNSTABLE = Limit(
    "unstable-risk",
    "remark",
    "models of this learner differ much where few training rows do: whether they find what there is may depend on the "
    "sample, which splits of it hardly show, so the interval is wider",
    lambda s: widening(s) > 1.005,
    lambda s: f" by {widening(s) - 1:.0%}",
)
SKEWED = caution(
    "skewed-losses",
    "losses are very skewed: a few large ones make the score, and its interval may be too narrow on the side where the "
    "learner is worse",
    lambda s: abs(s.losses.skewness or 0) > VERY_SKEWED,
)
NAIVE = Limit(
    "naive",
    "refuse",
    "naive_t takes splits that share training rows for independent, and with ever more repeats its width goes to 0: "
    "use corrected_t, or conservative_t by several repeats",
    always,
    _worst("naive_t"),
)


@interval(
    title="Corrected resampled t",
    reads=SplitScores,
    answers="learner",
    cite=("nadeau2003",),
    assumes=("RHO", "NORM"),
    limits=(ONE_SPLIT, UNDEFINED, SAME_SCORE, FEW_SPLITS, UNEQUAL, TOO_NARROW, EVEN_CLASSES),
    known=(Known({"splits": DIFFERENCES, "train": 9, "test": 1, "level": 0.95}, (0.0010, 0.0390)),),
    aliases="nadeau_bengio, corrected_resampled_t_interval",
    keywords="standard error of cross-validation",
)
def corrected_t(s: SplitScores, at: Confidence) -> Limits:
    """Student's interval for the mean over splits, widened because the splits share training rows.

    The variance of the mean is s^2 (1/J + n_test/n_train) in place of s^2/J: with ever more repeats the width tends
    to what the rows themselves allow, and not to 0. That is too little for learners which change with every row, by one
    k-fold for skewed losses, and where classes are spread evenly over splits and not got wrong alike: conservative_t is
    the default.
    """
    half = at.t(len(s) - 1) * corrected_error(s)
    return Limits(s.centre - half, s.centre + half, about=s.centre)


@interval(
    title="Conservative resampled t",
    reads=SplitScores,
    answers="learner",
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
    low, high = conservative_limits(s, at)
    return Limits(low, high, about=s.centre)


@interval(
    title="Student's t over splits",
    reads=SplitScores,
    answers="learner",
    cite=("dietterich1998", "nadeau2003", "bengio2004"),
    assumes=("NORM",),
    limits=(NAIVE, ONE_SPLIT, UNDEFINED, SAME_SCORE),
    aliases="plus_minus_standard_deviation",
    keywords="standard deviation over folds",
)
def naive_t(s: SplitScores, at: Confidence) -> Limits:
    """Student's interval for the mean over splits as if they were independent, which they are not: always refused.

    It is here because it is so often printed, and so that it can be simulated.
    """
    half = at.t(len(s) - 1) * s.spread / math.sqrt(len(s))
    return Limits(s.centre - half, s.centre + half, about=s.centre)


def corrected_error(s: SplitScores) -> float:
    """Standard error of the mean of splits that share training rows."""
    return s.spread * math.sqrt(1 / len(s) + s.test_share)


def conservative_error(s: SplitScores) -> float:
    """The same, with what the mean over repeats would take away given back, and wider where models differ much."""
    steady = s.spread**2 * _steady_factor(s)
    return math.sqrt(widening(s) ** 2 * steady + s.losses.spread_away * s.tested_share)


def widening(s: SplitScores) -> float:
    """Return how much wider an interval is for models that differ more than those of steady learners do.

    It is 1 by one round, in which one model tests each row: how much models differ cannot be seen there.
    """
    beyond = (s.losses.between_models or 0) - STEADY * math.sqrt(10 * s.tested_share)
    return math.sqrt(1 + BEYOND_STEADY * max(beyond, 0.0) * s.tested_share / _steady_factor(s))


def _steady_factor(s: SplitScores) -> float:
    return 1 / len(s) + s.test_share + (1 - 1 / s.rounds) * s.tested_share


def conservative_freedom(s: SplitScores) -> int:
    """Degrees of freedom."""
    return min(len(s) - 1, MOST_FREEDOM)


def conservative_skewness(s: SplitScores) -> float:
    """Return the skewness of the mean over all rows: from their losses, or from the splits, of which few tell little.

    It is bounded: Hall's transformation is made for small skewness, and a large one would make its interval endless.
    """
    skewness = s.losses.skewness
    if skewness is None:
        skewness = s.skewness * math.sqrt(s.tested_share) * len(s) / (len(s) + SHRINKAGE)
    return min(max(skewness, -MOST_SKEWNESS), MOST_SKEWNESS)


def conservative_limits(s: SplitScores, at: Confidence) -> tuple[float, float]:
    """Where Hall's transformation of Student's ratio is at its quantiles."""
    low, high = _spread_limits(s, at)
    return low, high if s.chance is None else max(high, 2 * s.chance - s.centre)


def _spread_limits(s: SplitScores, at: Confidence) -> tuple[float, float]:
    t, error, skewness = at.t(conservative_freedom(s)), conservative_error(s), conservative_skewness(s)
    return s.centre - error * bent(t, skewness), s.centre - error * bent(-t, skewness)
