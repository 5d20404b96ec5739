"""Scores of an ordering: areas, precision over the list, and points read off the curve."""

from __future__ import annotations

import numpy as np

from veracity.core.errors import BadInput
from veracity.core.notes import always, caution
from veracity.evidence.ordering import Ordering
from veracity.kernels import sweep
from veracity.records.arrays import Array, ratio
from veracity.scores.on_orderings import Frame, ordering_score

ONE_CLASS = "only one of the two classes has rows"
NO_POSITIVE = "there are no positive rows"
OPTIMISTIC = caution(
    "same-rows", "the threshold was read off the same rows: optimistic; choose it on validation rows", always
)


def _half(_: Ordering) -> Frame:
    return Frame(0.5)


def _as_many_as_positive(o: Ordering) -> Frame:
    return Frame(float(ratio(o.all_positives, o.all_positives + o.all_negatives)))


@ordering_score(
    "Area under the ROC curve",
    undefined=ONE_CLASS,
    pairwise=True,
    cite=("hanley1982", "fawcett2006", "hand2001"),
    frame=_half,
    aliases="roc_auc, auroc, auc_roc, roc_auc_score, area_under_roc, area_under_curve, area_under_the_curve,"
    " c_statistic, c_index, concordance, concordance_index, roc_auc_ovr(average='macro_ovr'),"
    " roc_auc_ovr_weighted(average='prior_ovr'), roc_auc_ovo(average='ovo'), harrells_c",
    keywords="Mann-Whitney, Mann-Whitney U, Wilcoxon rank sum, Gini, Gini coefficient, Somers' D, ranking quality,"
    " trapezoidal rule, ranking accuracy, accuracy ratio, probability of correct ranking",
)
def auc(o: Ordering) -> Array:
    """Chance that a positive row has a higher value than a negative one, ties counting half."""
    return ratio(o.sweep(sweep.rank_area), o.all_positives * o.all_negatives)


def _of_range(_: Ordering, *, max_fpr: float = 0.1, standardised: bool = False) -> Frame:
    chance, near = max_fpr**2 / 2, min(2 * max_fpr, 1.0)
    if not standardised:
        return Frame(chance, 0.0, max_fpr, near)
    return Frame(0.5, (1 - chance / (max_fpr - chance)) / 2, 1.0, near)


@ordering_score(
    "Partial area under the ROC curve",
    undefined=ONE_CLASS,
    cite=("mcclish1989",),
    frame=_of_range,
    aliases="pauc, partial_roc_auc",
)
def partial_auc(o: Ordering, *, max_fpr: float = 0.1, standardised: bool = False) -> Array:
    """Area under the ROC curve for false positive rates up to `max_fpr`.

    With `standardised` it is mapped so that 0.5 is chance and 1 is perfect.
    """
    if not 0 < max_fpr <= 1:
        raise BadInput(f"partial_auc: max_fpr must lie in (0, 1], not {max_fpr!r}")
    area = ratio(o.sweep(sweep.area_until, max_fpr * o.all_negatives), o.all_positives * o.all_negatives)
    if not standardised:
        return area
    chance = max_fpr**2 / 2
    return (1 + (area - chance) / (max_fpr - chance)) / 2


@ordering_score(
    "Average precision",
    undefined=NO_POSITIVE,
    cite=("davis2006",),
    frame=_as_many_as_positive,
    aliases="ap, pr_auc, auprc, aucpr, auc_pr, average_precision_score, area_under_pr, area_under_prc,"
    " area_under_precision_recall_curve",
    keywords="mean average precision, MAP, interpolated precision, 11-point average precision",
)
def average_precision(o: Ordering) -> Array:
    """Mean over positive rows of the precision when the list is cut after their block; by chance, the prevalence."""
    return ratio(o.sweep(sweep.precision_sum), o.all_positives)


@ordering_score(
    "Equal error rate",
    better="lower",
    undefined=ONE_CLASS,
    cite=("martin1997",),
    frame=_half,
    aliases="eer, crossover_error_rate",
    keywords="biometrics, CER",
)
def equal_error_rate(o: Ordering) -> Array:
    """The rate at which false positives and false negatives are equally frequent, on the ROC polyline."""
    found = o.sweep(sweep.crossing, np.maximum(o.all_positives, 1e-300), np.maximum(o.all_negatives, 1e-300))[..., 0]
    return np.where((o.all_positives > 0) & (o.all_negatives > 0), found, np.nan)


def _splits_a_block(o: Ordering) -> bool:
    return bool(np.any(o.sweep(sweep.cut, o.all_positives)[..., 2] < 1 - 1e-12)) if isinstance(o, Ordering) else False


@ordering_score(
    "Break-even point",
    undefined=NO_POSITIVE,
    cite=("joachims2005",),
    frame=_as_many_as_positive,
    limits=(
        caution(
            "interpolated",
            "as many rows as are positive cannot be selected without splitting tied rows: interpolated",
            _splits_a_block,
        ),
        OPTIMISTIC,
    ),
    aliases="prbep, precision_recall_break_even, precision_recall_break_even_point, r_precision, bep",
)
def break_even(o: Ordering) -> Array:
    """Precision, which equals recall, when as many rows are selected as are positive."""
    return ratio(o.sweep(sweep.cut, o.all_positives)[..., 0], o.all_positives)


@ordering_score(
    "Best F-beta over thresholds",
    undefined=NO_POSITIVE,
    limits=(OPTIMISTIC,),
    cite=("rijsbergen1979",),
    aliases="best_fbeta, max_f1(beta=1), best_f1(beta=1)",
)
def max_fbeta(o: Ordering, *, beta: float = 1.0) -> Array:
    """The largest F-beta that any threshold reaches on these rows."""
    if not beta > 0:
        raise BadInput(f"max_fbeta: beta must be greater than 0, not {beta!r}")
    best = o.sweep(sweep.best_f, o.all_positives, float(beta**2))[..., 0]
    return np.where(o.all_positives > 0, best, np.nan)


@ordering_score(
    "Area under the ROC convex hull",
    undefined=ONE_CLASS,
    limits=(OPTIMISTIC,),
    cite=("provost2001",),
    aliases="auch, aucch, rocch_auc",
)
def hull_auc(o: Ordering) -> Array:
    """Area under the upper convex hull of the ROC curve."""
    return auc.function(o.hull[1])


def _of_fraction(_: Ordering, *, fraction: float = 0.1) -> Frame:
    return Frame(1.0, 0.0, 1 / fraction)


@ordering_score(
    "Lift at a fraction",
    range=(0.0, np.inf),
    undefined=NO_POSITIVE,
    cite=("witten2011",),
    frame=_of_fraction,
    aliases="lift_at_k, top_lift, top_decile_lift(fraction=0.1)",
    keywords="precision at k, hits at k, success at k, P@10, P@k",
)
def lift_at(o: Ordering, *, fraction: float = 0.1) -> Array:
    """How many times more frequent positive rows are in the top fraction than among all."""
    if not 0 < fraction <= 1:
        raise BadInput(f"lift_at: fraction must lie in (0, 1], not {fraction!r}")
    selected = fraction * (o.all_positives + o.all_negatives)
    return ratio(o.sweep(sweep.cut, selected)[..., 0] / fraction, o.all_positives)


@ordering_score(
    "Area under the gain curve",
    undefined=ONE_CLASS,
    cite=("witten2011",),
    frame=_half,
    aliases="gain_capture, area_under_gains",
)
def gain_area(o: Ordering) -> Array:
    """Area under the share of positive rows found against the share of rows selected."""
    prevalence = ratio(o.all_positives, o.all_positives + o.all_negatives)
    return prevalence / 2 + (1 - prevalence) * auc.function(o)
