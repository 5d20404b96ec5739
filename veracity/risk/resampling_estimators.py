"""Estimators of risk by hold-out, cross-validation, bootstrap and jackknife."""

from __future__ import annotations

import math

import numpy as np

from veracity.core.notes import Note, caution
from veracity.designs.entry import Auto
from veracity.records.arrays import Array
from veracity.risk import (
    OWN,
    RESUBSTITUTION,
    SPLITS,
    DesignPart,
    PointEstimate,
    clipped_to_range,
    design_part,
    risk_estimator,
)
from veracity.risk.fold_scores import Resampling

PROCEDURE = "mean risk of the procedure trained on {share} of the rows"
MODEL = "risk of the one model trained on {share} of the rows"
BY_SPLITS = {"any": SPLITS}


@risk_estimator(
    "Resubstitution",
    cite=("efron1983",),
    answers="score of the model trained on {share} of the rows on its own training rows, which is optimistic",
    says="the model was tested on rows it had learned from: the score is optimistic, and of all intervals only "
    "finite_class_bound and vc_bound can hold",
    code="optimistic",
    weight="caution",
    assumes=("IID",),
)
def resubstitution(r: Resampling) -> PointEstimate:
    """The score on the very rows that trained: optimistic, the more so the more a learner can remember."""
    return PointEstimate(r.pooled_value)


@risk_estimator("Hold-out", cite=("devroye1979",), answers=MODEL, interval={"any": OWN}, assumes=("IID",))
def holdout(r: Resampling) -> PointEstimate:
    """The score of one model on rows it never saw: unbiased for that model, pessimistic for one of all rows."""
    return PointEstimate(r.pooled_value)


@risk_estimator("Three-way split", cite=("hastie2009",), answers=MODEL, interval={"any": OWN}, assumes=("IID",))
def three_way(r: Resampling) -> PointEstimate:
    """The score of one model on test rows that neither trained it nor chose anything about it."""
    return PointEstimate(r.pooled_value)


@risk_estimator("Repeated hold-out", cite=("nadeau2003",), answers=PROCEDURE, interval=BY_SPLITS, assumes=("IID",))
def repeated_holdout(r: Resampling) -> PointEstimate:
    """The mean over independent hold-outs: as biased as one, with less variance.

    Means are over all rows that were tested; scores of a confusion matrix, or of an ordering, over hold-outs.
    """
    return PointEstimate(r.pooled_value)


@risk_estimator(
    "K-fold cross-validation", cite=("stone1974", "forman2010"), answers=PROCEDURE, interval=BY_SPLITS, assumes=("IID",)
)
def kfold(r: Resampling) -> PointEstimate:
    """The mean over all rows, each predicted by the model that did not see its fold; pessimistic for all n rows.

    Means are over rows, whatever the sizes of the folds; scores of a confusion matrix are of the counts of all folds
    together; and scores of an ordering are averaged over folds, because the values of different models cannot be
    ordered together. The value is the same whatever interval is asked for, and its default interval, conservative_t, is
    laid about it.
    """
    return PointEstimate(r.pooled_value)


@risk_estimator(
    "Repeated k-fold", cite=("stone1974", "nadeau2003"), answers=PROCEDURE, interval=BY_SPLITS, assumes=("IID",)
)
def repeated_kfold(r: Resampling) -> PointEstimate:
    """K-fold done several times: the same bias with less variance, and no new information about the population.

    Means are over rows, scores of a confusion matrix are of the counts of each repeat and averaged over repeats, and
    scores of an ordering are averaged over all folds.
    """
    return PointEstimate(r.pooled_value)


@risk_estimator(
    "Five times two folds", cite=("dietterich1998",), answers=PROCEDURE, interval=BY_SPLITS, assumes=("IID",)
)
def five_by_two(r: Resampling) -> PointEstimate:
    """The mean over five times two folds: trained on halves, so pessimistic."""
    return PointEstimate(r.pooled_value)


@risk_estimator(
    "Nested cross-validation", cite=("stone1974", "varma2006"), answers=PROCEDURE, interval=BY_SPLITS, assumes=("IID",)
)
def nested(r: Resampling) -> PointEstimate:
    """The outer test rows, each predicted by a learner that was tuned inside its outer training rows."""
    return PointEstimate(r.pooled_value)


@risk_estimator(
    "Leave-one-out",
    cite=("lachenbruch1968",),
    answers=PROCEDURE,
    interval={"mean": "cv_wald", "any": "percentile"},
    assumes=("IID",),
)
def leave_one_out(r: Resampling) -> PointEstimate:
    """The mean over all rows, each predicted by the model of all others: nearly unbiased, with high variance.

    Its intervals take rows as independent: they hold for a stable learner, which one row more or less changes little.
    """
    return PointEstimate(r.pooled_value)


@risk_estimator(
    "Paired subsampling", cite=("nadeau2003",), answers=PROCEDURE, interval={"any": "conservative_z"}, assumes=("IID",)
)
def paired_subsampling(r: Resampling) -> PointEstimate:
    """The mean over hold-outs of all rows; pairs of halves beside them serve the conservative interval."""
    return PointEstimate(r.split_scores().mean)


@risk_estimator(
    "Nested scheme of Bates, Hastie and Tibshirani",
    cite=("bates2024",),
    answers=PROCEDURE,
    interval={"mean": "nested_cv"},
    says="nested_cv_bates has an interval for means of losses only; corrected_t can be asked for",
    assumes=("IID",),
)
def nested_cv_bates(r: Resampling) -> PointEstimate:
    """The mean over all rows, each predicted by the model that left out its fold only."""
    return PointEstimate(r.pooled_value)


ADVISED = 200  # draws
OUT, ALL = "out of the draw", "all rows"
FEWER = "mean risk of the procedure trained on bootstrap draws with {share} of the rows in each"
WHOLE = "mean risk of the procedure trained on all rows"
OVER_DRAWS = Note("over-draws", "remark", "averaged over draws, as the rows of different models cannot go together")
FEW_DRAWS = caution(
    "few-draws",
    f"fewer than {ADVISED} draws: chance in the draws themselves is not yet averaged out",
    lambda r: len(r.run.design.main_splits) < ADVISED,
)


def draws_on_all_rows(draws: int, grouped: Auto) -> tuple[DesignPart, ...]:
    """Models of draws, on all rows."""
    return (design_part(ALL, "bootstrap", every=True, draws=draws, grouped=grouped),)


def draws_on_rows_left_out(draws: int, grouped: Auto) -> tuple[DesignPart, ...]:
    """Models of draws, on the rows that they were not drawn from."""
    return (design_part(OUT, "bootstrap", draws=draws, grouped=grouped),)


def draws_on_all_rows_and_resubstitution(draws: int, grouped: Auto) -> tuple[DesignPart, ...]:
    """Models of draws on all rows, and the model of all rows."""
    return (*draws_on_all_rows(draws, grouped), RESUBSTITUTION)


@risk_estimator(
    "Bootstrap",
    cite=("efron1979", "efron1983"),
    answers="score of the procedure trained on bootstrap draws, on all rows, {share} of which it had learned from",
    parts=draws_on_all_rows,
    limits=(FEW_DRAWS,),
    says="most of the rows that each model is tested on had trained it: the score is optimistic; use boot632plus",
    code="optimistic",
    weight="caution",
    assumes=("IID",),
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
    parts=draws_on_rows_left_out,
    limits=(FEW_DRAWS,),
    interval={"mean": "loo_bootstrap_se"},
    says="the bootstrap has an interval for means of losses only, by loo_bootstrap_se",
    aliases="out_of_bag, oob, out_of_bag_error, e0, e0_bootstrap",
    assumes=("IID",),
    keywords="epsilon zero, leave-one-out bootstrap, bootstrap estimate of error",
)
def loo_bootstrap(r: Resampling, *, draws: int = 1000, grouped: Auto = "auto") -> PointEstimate:
    """Each row's loss, averaged over the draws that left it out; then the mean over rows. Pessimistic.

    Scores of a confusion matrix are of one matrix in which every row counts once, shared among the draws that left it
    out; scores of an ordering are averaged over draws. Rows that every draw holds are skipped and counted. The value is
    steady from 200 draws on; its standard error, which comes from the same draws, needs 1,000.
    """
    return left_out_estimate(r)


def left_out_estimate(r: Resampling) -> PointEstimate:
    """The score of rows under the models of draws that left them out, every row counting once."""
    if not r.pools:
        return PointEstimate(r.mean(r.main_part, "fresh"), (OVER_DRAWS,))
    p = r.predictions(r.numbers(r.main_part), "fresh")
    missed = r.run.design.rows - len(np.unique(np.asarray(p.rows)))
    value = r.each_row_once(r.main_part)
    if not missed:
        return PointEstimate(value)
    says = f"the estimate misses {missed} of {r.run.design.rows} rows, which no draw left out: use more draws"
    return PointEstimate(value, (Note("never-out", "caution", says),))


@risk_estimator(
    "Optimism bootstrap",
    cite=("efron1983", "harrell1996"),
    answers=WHOLE,
    parts=draws_on_all_rows_and_resubstitution,
    limits=(FEW_DRAWS,),
    says="optimism_bootstrap has no interval: how much the estimated optimism itself varies is not known",
    aliases="optimism_corrected_bootstrap, refined_bootstrap, harrell",
    assumes=("IID",),
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


HELD_OUT, FOLDS = "held out", "folds"
NONE = "{0} has no interval: `by='{1}'` with the same {2} gives the value without the correction, and its interval"
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
    return not r.score.is_function_of_means


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
