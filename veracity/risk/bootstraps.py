"""Estimators from models trained on rows drawn with replacement."""

from __future__ import annotations

import numpy as np

from veracity.core.notes import Note, caution
from veracity.designs.entry import Auto
from veracity.risk.entry import RESUBSTITUTION, DesignPart, PointEstimate, clipped_to_range, design_part, risk_estimator
from veracity.risk.resampling import Resampling

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
