"""Estimators from models trained on rows drawn with replacement."""

from __future__ import annotations

import numpy as np

from veracity.core.notes import Note
from veracity.risk.entry import Found, Part, risk_estimator
from veracity.risk.resampling import Resampling

OUT, ALL = "out of the draw", "all rows"
FEWER = "mean risk of the procedure trained on bootstrap draws with {share} of the rows in each"


def out_of_draw(draws: int) -> tuple[Part, ...]:
    """Models of draws, on the rows that they were not drawn from."""
    return (Part(OUT, f"bootstrap(draws={draws})"),)


@risk_estimator(
    "Leave-one-out bootstrap",
    cite=("efron1997",),
    answers=FEWER,
    parts=out_of_draw,
    interval={"mean": "loo_bootstrap_se"},
    says="the bootstrap has an interval for means of losses only, by loo_bootstrap_se",
)
def loo_bootstrap(r: Resampling, *, draws: int = 200) -> Found:
    """Each row's loss, averaged over the draws that left it out; then the mean over rows. Pessimistic.

    A score that is no mean over rows is averaged over draws.
    """
    return left_out(r)


def left_out(r: Resampling) -> Found:
    """The mean over rows of each row's average over the draws that left it out."""
    part = OUT if any(split.part == OUT for split in r.run.design.splits) else r.run.design.splits[0].part
    if not r.is_mean:
        return Found(float(np.mean(r.scores(part, "fresh"))), (Note("over-draws", "remark", "averaged over draws"),))
    each, times = r.over_rows(part)
    there = times > 0
    weights = r.row_weights()
    value = float(np.average(each[there], weights=None if weights is None else weights[there]))
    if there.all():
        return Found(value)
    says = f"{int((~there).sum())} rows were in every draw and are left out of the mean: use more draws"
    return Found(value, (Note("never-out", "caution", says),))
