"""Estimators that are the score of a design's test rows: one for each design."""

from __future__ import annotations

from veracity.risk.entry import OWN, SPLITS, PointEstimate, risk_estimator
from veracity.risk.resampling import Resampling

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
