"""The losses of rows under the models of bootstrap draws that left them out."""

from __future__ import annotations

import numpy as np

from veracity.core.errors import Refused
from veracity.evidence.drawn_losses import Draw, DrawnLosses
from veracity.risk.kinds import main_part
from veracity.risk.resampling import Resampling
from veracity.risk.suited import losses_of_rows, plain_means

NEEDS = "loo_bootstrap(draws=1000)"


def with_replacement(r: Resampling) -> bool:
    """Whether a model of the main part learned from a row twice."""
    splits = r.run.design.splits
    return any(np.bincount(splits[number].train).max() > 1 for number in main_part(r.run.design))


def drawn_losses(r: Resampling) -> DrawnLosses:
    """Refuses splits whose training rows were not drawn with replacement."""
    plain_means(r, "loo_bootstrap_se")
    if not with_replacement(r):
        raise Refused(
            f"loo_bootstrap_se reads rows drawn with replacement, which {r.run.design.name} has not: use by={NEEDS!r}",
            "wrong-design",
        )
    numbers = r.numbers(r.first)
    split, row, loss = losses_of_rows(r, "loo_bootstrap_se", numbers)
    edges = np.searchsorted(split, numbers[1:])
    parts = zip(numbers, np.split(row, edges), np.split(loss, edges), strict=True)
    draws = (Draw(r.run.design.splits[number].train, rows, losses) for number, rows, losses in parts)
    return DrawnLosses.of(r.run.design.rows, draws)
