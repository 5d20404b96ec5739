"""Estimators of risk by hold-out, cross-validation, bootstrap and jackknife."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from veracity.core.entry import Choice
from veracity.core.errors import Refused
from veracity.core.notes import Note, caution
from veracity.designs.parameters import Auto
from veracity.evidence.counts import Counts
from veracity.evidence.predictions import Predictions, subset
from veracity.intervals import fewer_than
from veracity.risk import OWN, RESUBSTITUTION, SPLITS, DesignPart, Estimator, PointEstimate, risk_estimator
from veracity.risk.fold_scores import Resampling, pools, row_weights, split_predictions
from veracity.scores.entry import evidence_for, value_of, values_on
from veracity.scores.numeric import mae, mse, pinball, r2, relative_squared_error, rmse, root_relative_squared_error

PROCEDURE = "mean risk of the procedure trained on {share} of the rows"
OF_PROCEDURE: dict[str, Any] = {"answers": PROCEDURE, "interval": {"any": SPLITS}}
OF_MODEL: dict[str, Any] = {"answers": "risk of the one model trained on {share} of the rows", "interval": {"any": OWN}}


def over_tested_rows(name: str, title: str, docstring: str, **fields: Any) -> Estimator:
    """Return the estimator whose value is that of all tested rows together."""

    def function(r: Resampling) -> PointEstimate:
        return PointEstimate(r.pooled_value)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = docstring
    return Estimator(function, title, assumes=("IID",), **fields)


resubstitution = over_tested_rows(
    "resubstitution",
    "Resubstitution",
    "The score on the very rows that trained: optimistic, the more so the more a learner can remember.",
    cite=("efron1983",),
    answers="score of the model trained on {share} of the rows on its own training rows, which is optimistic",
    says="the model was tested on rows it had learned from: the score is optimistic, and of all intervals only "
    "finite_class_bound and vc_bound can hold",
    code="optimistic",
    weight="caution",
)
holdout = over_tested_rows(
    "holdout",
    "Hold-out",
    "The score of one model on rows it never saw: unbiased for that model, pessimistic for one of all rows.",
    cite=("devroye1979",),
    **OF_MODEL,
)
three_way = over_tested_rows(
    "three_way",
    "Three-way split",
    "The score of one model on test rows that neither trained it nor chose anything about it.",
    cite=("hastie2009",),
    **OF_MODEL,
)
repeated_holdout = over_tested_rows(
    "repeated_holdout",
    "Repeated hold-out",
    """The mean over independent hold-outs: as biased as one, with less variance.

    Means are over all rows that were tested; scores of a confusion matrix, or of an ordering, over hold-outs.
    """,
    cite=("nadeau2003",),
    **OF_PROCEDURE,
)
kfold = over_tested_rows(
    "kfold",
    "K-fold cross-validation",
    """The mean over all rows, each predicted by the model that did not see its fold; pessimistic for all n rows.

    Means are over rows, whatever the sizes of the folds; scores of a confusion matrix are of the counts of all folds
    together; and scores of an ordering are averaged over folds, because the values of different models cannot be
    ordered together. The value is the same whatever interval is asked for, and its default interval, conservative_t, is
    laid about it.
    """,
    cite=("stone1974", "forman2010"),
    **OF_PROCEDURE,
)
repeated_kfold = over_tested_rows(
    "repeated_kfold",
    "Repeated k-fold",
    """K-fold done several times: the same bias with less variance, and no new information about the population.

    Means are over rows, scores of a confusion matrix are of the counts of each repeat and averaged over repeats, and
    scores of an ordering are averaged over all folds.
    """,
    cite=("stone1974", "nadeau2003"),
    **OF_PROCEDURE,
)
five_by_two = over_tested_rows(
    "five_by_two",
    "Five times two folds",
    "The mean over five times two folds: trained on halves, so pessimistic.",
    cite=("dietterich1998",),
    **OF_PROCEDURE,
)
nested = over_tested_rows(
    "nested",
    "Nested cross-validation",
    "The outer test rows, each predicted by a learner that was tuned inside its outer training rows.",
    cite=("stone1974", "varma2006"),
    **OF_PROCEDURE,
)
leave_one_out = over_tested_rows(
    "leave_one_out",
    "Leave-one-out",
    """The mean over all rows, each predicted by the model of all others: nearly unbiased, with high variance.

    Its intervals take rows as independent: they hold for a stable learner, which one row more or less changes little.
    """,
    cite=("lachenbruch1968",),
    answers=PROCEDURE,
    interval={"mean": "cv_wald", "any": "percentile"},
)
nested_cv_bates = over_tested_rows(
    "nested_cv_bates",
    "Nested scheme of Bates, Hastie and Tibshirani",
    "The mean over all rows, each predicted by the model that left out its fold only.",
    cite=("bates2024",),
    answers=PROCEDURE,
    interval={"mean": "nested_cv"},
    says="nested_cv_bates has an interval for means of losses only; corrected_t can be asked for",
)


@risk_estimator(
    "Paired subsampling", cite=("nadeau2003",), answers=PROCEDURE, interval={"any": "conservative_z"}, assumes=("IID",)
)
def paired_subsampling(r: Resampling) -> PointEstimate:
    """The mean over hold-outs of all rows; pairs of halves beside them serve the conservative interval."""
    return PointEstimate(r.split_scores().mean)


ALL = "all rows"
FEWER = "mean risk of the procedure trained on bootstrap draws with {share} of the rows in each"
WHOLE = "mean risk of the procedure trained on all rows"
OVER_DRAWS = Note("over-draws", "remark", "averaged over draws, as the rows of different models cannot go together")
FEW_DRAWS = fewer_than(
    200, "draws", "chance in the draws themselves is not yet averaged out", lambda r: len(r.run.design.main_splits)
)
OF_DRAWS: dict[str, Any] = {"limits": (FEW_DRAWS,), "assumes": ("IID",)}
OF_DRAWS_FOR_ALL_ROWS: dict[str, Any] = {**OF_DRAWS, "answers": WHOLE}
# models of draws predict the rows that they were not drawn from, or all rows
LEFT_OUT_OF_DRAWS = DesignPart("out of the draw", "bootstrap")
ALL_BY_DRAWS = DesignPart(ALL, "bootstrap", every=True)


@risk_estimator(
    "Bootstrap",
    cite=("efron1979", "efron1983"),
    answers="score of the procedure trained on bootstrap draws, on all rows, {share} of which it had learned from",
    parts=(ALL_BY_DRAWS,),
    says="most of the rows that each model is tested on had trained it: the score is optimistic; use boot632plus",
    code="optimistic",
    weight="caution",
    **OF_DRAWS,
)
def bootstrap(r: Resampling, *, draws: int = 200, grouped: Auto = "auto") -> PointEstimate:
    """The mean over draws of the score on all rows: optimistic, as about 63 % of them trained the model.

    The ordinary bootstrap, kept for comparison; `boot632plus` mends it, and `loo_bootstrap` tests on new rows only.
    """
    return PointEstimate(r.mean(ALL, "all"))


@risk_estimator(
    "Leave-one-out bootstrap",
    cite=("efron1983", "efron1997"),
    answers=FEWER,
    parts=(LEFT_OUT_OF_DRAWS,),
    interval={"mean": "loo_bootstrap_se"},
    says="the bootstrap has an interval for means of losses only, by loo_bootstrap_se",
    **OF_DRAWS,
)
def loo_bootstrap(r: Resampling, *, draws: int = 1000, grouped: Auto = "auto") -> PointEstimate:
    """Each row's loss, averaged over the draws that left it out; then the mean over rows. Pessimistic.

    Scores of a confusion matrix are of one matrix in which every row counts once, shared among the draws that left it
    out; scores of an ordering are averaged over draws. Rows that every draw holds are skipped and counted. The value is
    steady from 200 draws on; its standard error, which comes from the same draws, needs 1,000.
    """
    return left_out_estimate(r)


def left_out_estimate(r: Resampling) -> PointEstimate:
    """Return the score of rows under the models of draws that left them out, every row counting once."""
    if not pools(r.score):
        return PointEstimate(r.mean(r.main_part, "fresh"), (OVER_DRAWS,))
    p = r.tested_rows
    assert p.rows is not None
    missed = r.run.design.rows - len(np.unique(p.rows))
    weight = 1 / np.bincount(p.rows)[p.rows]  # each row counts once, shared among the models that it is new to
    value = value_of(r.score, replace(p, weights=weight if p.weights is None else weight * p.weights))
    if not missed:
        return PointEstimate(value)
    says = f"the estimate misses {missed} of {r.run.design.rows} rows, which no draw left out: use more draws"
    return PointEstimate(value, (Note("never-out", "caution", says),))


def clipped_to_range(score: Choice, point: PointEstimate) -> PointEstimate:
    """Return the estimate, moved to the nearest value that the score can have, with a note where it was."""
    low, high = score.range
    value = float(np.clip(point.value, low, high))
    if value == point.value or np.isnan(value):
        return point
    says = f"the correction gave {point.value:.4g}, which {score} cannot be: it is set to {value:g}"
    return point._replace(value=value, notes=(*point.notes, Note("clipped", "caution", says)))


@risk_estimator(
    "Optimism bootstrap",
    cite=("efron1983", "harrell1996"),
    parts=(ALL_BY_DRAWS, RESUBSTITUTION),
    says="optimism_bootstrap has no interval: how much the estimated optimism itself varies is not known",
    **OF_DRAWS_FOR_ALL_ROWS,
)
def optimism_bootstrap(r: Resampling, *, draws: int = 200, grouped: Auto = "auto") -> PointEstimate:
    """The score on the training rows, less its optimism: how much better models of draws are on their own draw.

    Right for learners that fit smoothly, such as regressions. Still optimistic for learners that remember their rows,
    such as 1-nearest-neighbour: there use `boot632plus`.
    """
    apparent = r.resubstitution
    optimism = float((r.scores(ALL, "trained") - r.scores(ALL, "all")).mean())
    facts = (("resubstitution", apparent), ("optimism", optimism))
    return clipped_to_range(r.score, PointEstimate(apparent - optimism, facts=facts))


UNORDERED = (("ordered", False),)
NONE = "{0} has no interval: `by='{1}'` with the same {2} gives the value without the correction, and its interval"
OTHERS = "all others"


@risk_estimator(
    "Corrected hold-out",
    cite=("burman1989",),
    answers=WHOLE,
    parts=(DesignPart("held out", "holdout", every=True, fixed=UNORDERED), RESUBSTITUTION),
    says=NONE.format("corrected_holdout", "holdout", "share of test rows"),
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
    parts=(DesignPart("folds", "kfold", every=True, fixed=UNORDERED), RESUBSTITUTION),
    says=NONE.format("corrected_kfold", "kfold", "k"),
    assumes=("IID", "STAB"),
)
def corrected_kfold(r: Resampling, *, k: int = 10, stratified: Auto = "auto", grouped: Auto = "auto") -> PointEstimate:
    """K-fold plus the score of the model of all rows on these, less the mean score of the models of the folds on them.

    Takes away most of the pessimism of few folds for one more fit; each fold weighs as many rows as it has. For
    smooth learners; rows in time order are dealt as if their order did not matter.
    """
    return _corrected_estimate(r)


def _corrected_estimate(r: Resampling) -> PointEstimate:
    on_all, plain = r.scores(r.main_part, "all", whole=True), r.pooled_value
    left_out = [len(p) if p.weights is None else p.weights.sum() for p in r.main_predictions.values()]
    correction = r.resubstitution - float(np.average(on_all, weights=left_out))
    facts = (("uncorrected", plain), ("correction", correction))
    return clipped_to_range(r.score, PointEstimate(plain + correction, facts=facts))


@risk_estimator(
    "Jackknife",
    cite=("quenouille1949", "tukey1958"),
    answers=WHOLE,
    parts=(DesignPart(OTHERS, "leave_one_out", every=True), RESUBSTITUTION),
    limits=(
        caution(
            "not-smooth",
            "the jackknife is for scores that change smoothly with the rows; labels, orders and medians jump",
            lambda r: not r.score.is_function_of_means,
        ),
    ),
    says="the jackknife gives a standard error beside the value, and no interval that is known to hold",
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


LEFT_OUT = 0.632  # 1 - 1/e, the share of rows in a draw as their number grows
REMEMBERED = 0.01
CHUNK = 2_000_000  # pairs of a truth and a prediction at once
MOST = 1_000_000_000  # pairs of all
SQUARED = (mse, rmse, r2, relative_squared_error, root_relative_squared_error)  # their first column is squared errors
REMEMBERS = Note(
    "remembers",
    "caution",
    "the learner is all but perfect on the rows that trained it, which makes boot632 optimistic: use boot632plus",
)
BY_ANALOGY = Note(
    "by-analogy", "remark", "the weights were derived for losses that are means over rows; here they are an analogy"
)


@risk_estimator(
    ".632 bootstrap",
    cite=("efron1983",),
    parts=(LEFT_OUT_OF_DRAWS, RESUBSTITUTION),
    says="boot632 has no interval that is known to hold",
    **OF_DRAWS_FOR_ALL_ROWS,
)
def boot632(r: Resampling, *, draws: int = 200, grouped: Auto = "auto") -> PointEstimate:
    """0.368 times the score of the model of all rows on these rows, plus 0.632 times the leave-one-out bootstrap.

    Nearly unbiased for learners that fit smoothly. Optimistic for learners that remember their rows, such as
    1-nearest-neighbour, whose score on training rows is perfect: there use `boot632plus`.
    """
    apparent, out = r.resubstitution, left_out_estimate(r)
    value = (1 - LEFT_OUT) * apparent + LEFT_OUT * out.value
    facts = (("resubstitution", apparent), ("loo_bootstrap", out.value))
    notes = out.notes if r.score.averages_rows else (*out.notes, BY_ANALOGY)
    low, high = r.score.range
    best = high if r.score.better == "higher" else low
    scale = high - low if math.isfinite(high - low) else abs(best - out.value)
    if abs(best - apparent) < REMEMBERED * scale:
        notes += (REMEMBERS,)
    return PointEstimate(value, notes, facts)


@risk_estimator(
    ".632+ bootstrap",
    cite=("efron1997",),
    parts=(LEFT_OUT_OF_DRAWS, RESUBSTITUTION),
    says="boot632plus has no interval that is known to hold",
    **OF_DRAWS_FOR_ALL_ROWS,
)
def boot632plus(r: Resampling, *, draws: int = 200, grouped: Auto = "auto") -> PointEstimate:
    """The .632 bootstrap with a weight that grows with overfitting, up to the leave-one-out bootstrap alone.

    Overfitting R is how far the leave-one-out bootstrap is on the way from the score on training rows (R = 0) to the
    score when predictions tell nothing about the truth (R = 1); the weight is .632 / (1 - .368 R). Preferred over
    `boot632`, and never worse than the score without information.
    """
    apparent, out = r.resubstitution, left_out_estimate(r)
    of_all_rows = split_predictions(r.run, r.numbers(RESUBSTITUTION.name)[0])
    chance = no_information(r.score, of_all_rows)
    value, weight, overfitting = weigh(apparent, out.value, chance, r.score.better)
    facts = (
        ("R", overfitting),
        ("weight", weight),
        ("no_information", chance),
        ("resubstitution", apparent),
        ("loo_bootstrap", out.value),
    )
    return PointEstimate(value, out.notes if r.score.averages_rows else (*out.notes, BY_ANALOGY), facts)


def weigh(apparent: float, out: float, chance: float, better: str = "lower") -> tuple[float, float, float]:
    """Return the .632+ estimate, the weight of the leave-one-out bootstrap, and the overfitting that it follows from.

    From the score on training rows, on rows left out, and without information.
    """
    if any(map(math.isnan, (apparent, out, chance))):
        return math.nan, math.nan, math.nan
    sign = 1 if better == "lower" else -1
    low, top = sign * apparent, sign * chance
    high = min(sign * out, top)
    overfitting = (high - low) / (top - low) if low < high and math.isfinite(top) else 0.0
    weight = LEFT_OUT / (1 - (1 - LEFT_OUT) * overfitting)
    value = high if weight == 1 else (1 - weight) * low + weight * high
    return sign * value, weight, overfitting


def no_information(score: Choice, p: Predictions) -> float:
    """Return the score when every truth goes with every prediction, each pair counting alike."""
    weight = row_weights(p)
    if p.kind == "numbers":
        number = np.asarray(p.number)
        gap = float(np.average(p.truth, weights=weight) - np.average(number, weights=weight))
        if score.entry in SQUARED:
            means = np.array(evidence_for(score, p).means)
            away = (x - np.average(x, weights=weight) for x in (p.truth, number))
            means[0] = float(sum(np.average(x**2, weights=weight) for x in away)) + gap**2
            return float(score.link_means(means))
        if score.entry is mae:
            return mean_absolute_gap(p)
        if score.entry is pinball:
            return (mean_absolute_gap(p) + (2 * score.given["q"] - 1) * gap) / 2
        return _from_pairs(score, p)
    if score.reads == "confusion matrix":  # the matrix in which truth and prediction are independent
        counts = evidence_for(score, p)
        matrix = np.outer(counts.of_truth, counts.of_prediction) / counts.total
        return float(values_on(score, Counts.of_arrays(matrix, p.classes, p.positive)))
    shares = np.bincount(p.truth, weight, len(p.classes)) / weight.sum()  # of the classes in truth
    if score.is_function_of_means:  # the mean over classes of the means if all rows were of that one
        same_truth = (replace(p, truth=np.full_like(p.truth, of)) for of in np.flatnonzero(shares))
        return float(score.link_means(shares[shares > 0] @ [evidence_for(score, one).means for one in same_truth]))
    rows, there = len(p), np.flatnonzero(shares)  # each row once for every class, as heavy as the class is frequent
    copies = subset(replace(p, groups=None), np.tile(np.arange(rows), len(there)))
    weights = np.repeat(shares[there], rows) * np.tile(weight, len(there))
    truth = np.repeat(there, rows).astype(p.truth.dtype)
    return value_of(score, replace(copies, truth=truth, weights=weights, repeats=None))


def mean_absolute_gap(p: Predictions) -> float:
    """Return the mean absolute difference over all pairs, by running sums of the sorted truth."""
    weight, centre = row_weights(p), np.median(p.truth)  # from the centre, sums stay small
    order = np.argsort(p.truth)
    truth, number = p.truth[order] - centre, np.asarray(p.number) - centre
    weights = np.concatenate([[0.0], np.cumsum(weight[order])])
    sums = np.concatenate([[0.0], np.cumsum(weight[order] * truth)])
    below = np.searchsorted(truth, number)
    each = number * (2 * weights[below] - weights[-1]) - 2 * sums[below] + sums[-1]
    return float(each @ weight / weight.sum() ** 2)


def _from_pairs(score: Choice, p: Predictions) -> float:
    """Return any other score of numbers from all pairs, in chunks where it is a mean over rows."""
    rows, mean = len(p), score.reads == "row losses" and score.is_mean
    if rows**2 > (MOST if mean else CHUNK):
        raise Refused(
            f"{score} without information needs all {rows}^2 pairs of a truth and a prediction: use loo_bootstrap or "
            "boot632, which do not need it, or fewer rows",
            "too-many-pairs",
        )
    step = max(1, CHUNK // rows)
    weight, values, weights = row_weights(p), [], []
    for first in range(0, rows, step):  # every truth beside each prediction of a chunk
        chunk = np.arange(first, min(first + step, rows))
        copies = subset(replace(p, groups=None), np.repeat(chunk, rows))
        pairs = np.repeat(weight[chunk], rows) * np.tile(weight, len(chunk))
        values.append(value_of(score, replace(copies, truth=np.tile(p.truth, len(chunk)), weights=pairs, repeats=None)))
        weights.append(weight[chunk].sum())
    return float(np.average(values, weights=weights))
