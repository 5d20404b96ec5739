"""The interval for the models of a cross-validation, from the losses of its rows."""

from __future__ import annotations

import math

from veracity.core.confidence import Confidence
from veracity.core.entry import Known
from veracity.core.errors import BadInput
from veracity.core.notes import Note, caution, refuse
from veracity.evidence.learner_losses import FoldLosses
from veracity.findings.interval import Limits
from veracity.intervals.entry import interval

FORMS = ("all_pairs", "within_fold")
UNSTABLE_FROM = 0.1  # share of rows on which two models disagree
EXAMPLE_J = (12.25, 6.25, 0.25, 0.25, 6.25, 12.25)
ONE_ROW_FOLDS = Note(
    "one-row-folds",
    "refuse",
    "a fold of one row has no variance inside: use form='all_pairs', or by='kfold(k=10)' in place of leave_one_out",
)
NO_SPREAD = refuse(
    "no-spread", "all rows have the same loss, so their spread says nothing", lambda x: x.variance() == 0
)
REPEATED = caution(
    "repeated-folds",
    "cv_wald is for one cross-validation: repeats do not make it narrower, by='kfold(k=10)' gives what it is for",
    lambda x: x.repeats > 1,
)
UNSTABLE = caution(
    "unstable-learner",
    "cv_wald holds for a learner that one row changes little, but models of this one often disagree: use corrected_t",
    lambda x: x.disagreement is not None and x.disagreement > UNSTABLE_FROM,
    lambda x: f" (two of them on {x.disagreement:.1%} of the rows)",
)


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
    limits=(NO_SPREAD, REPEATED, UNSTABLE),
    known=(example_j(2.3301, 10.1699, "all_pairs"), example_j(3.4782, 9.0218, "within_fold")),
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
