"""Scores of rows whose quality somebody has told already: by a loss, or by grades."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from veracity.core.errors import BadInput
from veracity.core.words import brief, plural
from veracity.evidence.predictions import Predictions
from veracity.records.arrays import Array, python_value
from veracity.scores.entry import NEEDS
from veracity.scores.on_rows import RowScore, row_score


@dataclass(frozen=True, eq=False, repr=False)
class MeanScore(RowScore):
    """The mean of what is given for each row: of losses lower is better, of grades higher."""

    def suits(self, kind: str) -> bool:
        return kind in ("loss", "grades")

    def for_models(self, *models: Predictions) -> RowScore:
        if any(p.kind != "grades" for p in models):
            return self
        shares = all(p.passes is not None for p in models)
        return replace(self, better="higher", needs="grade", range=(0.0, 1.0) if shares else self.range)


@MeanScore.decorator("Mean", better="lower", range=(-np.inf, np.inf), needs="loss", cite=("witten2011",))
def mean(p: Predictions) -> Array:
    """Mean of the losses given for each row (lower is better), or of the grades of items (higher is better).

    An item that was graded several times counts once, by the mean of its grades, however many they are.
    """
    if p.grade is not None:
        return p.grade
    if p.loss is None:
        raise BadInput("these predictions hold no losses: give `loss=`")
    return p.loss


@row_score("Pass rate of k answers", better="higher", needs="grade", cite=("chen2021",))
def pass_at(p: Predictions, *, k: int) -> Array:
    """Chance that at least one of k answers to an item is right, averaged over items: pass@k, higher is better.

    Of an item with n grades, c of them 1, it is 1 - C(n-c, k) / C(n, k): the share of all draws of k of its n
    answers, without replacement, that hold a right one. This estimate is unbiased; 1 - (1 - c/n)^k is not.
    """
    if p.tries is None:
        raise BadInput(f"pass_at needs {NEEDS['grade']}")
    if k < 1:
        raise BadInput(f"pass_at: k is how many answers are drawn, a whole number of at least 1, not {k}")
    if p.passes is None:
        raise BadInput(
            "pass_at needs grades that are 0 (wrong) or 1 (right), and others occur: the score of others is mean"
        )
    fewer = np.flatnonzero(p.tries < k)
    if len(fewer):
        item = fewer[0] if p.rows is None else brief(repr(python_value(p.rows[fewer[0]])), 40)
        least = int(p.tries.min())
        has = f"{plural(len(fewer), 'item')} of {len(p)} {'has' if len(fewer) == 1 else 'have'} fewer"
        says = f"pass_at(k={k}) needs {k} grades of every item, and {has} (item {item} has {int(p.tries[fewer[0]])})"
        raise BadInput(f"{says}: ask for pass_at(k={least}), or leave these items out")
    wrong = p.tries - p.passes
    none_right = np.ones(len(p))
    for drawn in range(k):
        none_right *= np.maximum(wrong - drawn, 0) / (p.tries - drawn)
    return 1 - none_right
