"""What rows lost under models trained on bootstrap draws that left them out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from veracity.records.arrays import Array, frozen, ratio


class Draw(NamedTuple):
    """The rows drawn, each as often as it was, the rows left out and what those lost."""

    drawn: Array
    left_out: Array
    losses: Array


@dataclass(frozen=True, eq=False)
class DrawnLosses:
    """For each row its mean loss where left out, and how its times drawn go with the loss of the draws."""

    each: Array  # (rows,), NaN for a row that no draw left out
    times_out: Array  # (rows,)
    covariance: Array  # (rows,): sum over draws of (times drawn - its mean) x (summed loss / rows)
    draws: int

    @classmethod
    def of(cls, rows: int, draws: Iterable[Draw]) -> DrawnLosses:
        """One pass over the draws."""
        lost, out, times, joint = np.zeros((4, rows))
        number, total = 0, 0.0
        for draw in draws:
            count = np.bincount(draw.drawn, minlength=rows)
            summed = float(draw.losses.sum()) / rows
            lost[draw.left_out] += draw.losses
            out[draw.left_out] += 1
            times += count
            joint += count * summed
            total += summed
            number += 1
        return cls(frozen(ratio(lost, out)), frozen(out), frozen(joint - times * total / number), number)

    @property
    def rows(self) -> int:
        return len(self.each)

    @property
    def mean(self) -> float:
        return float(self.each.mean())
