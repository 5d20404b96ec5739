"""Whether one ROC curve lies above another everywhere, or where they cross."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from veracity.core.verb import verb
from veracity.curves.operating_points import operating_points
from veracity.evidence.origin import require_one_model
from veracity.evidence.predictions import Predictions, check_predictions
from veracity.findings.curve import Line
from veracity.records.arrays import Array
from veracity.tables.result import SentenceResult
from veracity.tables.table import Column, Table

ROUNDING = 1e-12  # rates closer than this are equal: interpolation rounds

Relation = Literal["dominates", "is dominated", "cross", "equal"]


@dataclass(frozen=True)
class Dominance(SentenceResult):
    """What two ROC curves say of each other; prints as one sentence."""

    a: str
    b: str
    relation: Relation
    crossings: tuple[float, ...] = ()  # false positive rates where the other curve takes the lead

    def sentence(self) -> str:
        if self.relation == "equal":
            return f"{self.a} and {self.b} have the same ROC curve."
        if self.relation == "cross":
            rates = ", ".join(f"{rate:.4g}" for rate in self.crossings[:5])
            more = f" and {len(self.crossings) - 5} more" if len(self.crossings) > 5 else ""
            return (
                f"The ROC curves of {self.a} and {self.b} cross at false positive rate {rates}{more}: "
                "which is better depends on costs and prior, and AUC alone may not name a winner."
            )
        above, below = (self.a, self.b) if self.relation == "dominates" else (self.b, self.a)
        return f"{above} dominates {below}: at every false positive rate its true positive rate is at least as high."

    def table(self) -> Table:
        """The sentence in columns, with every crossing."""
        rates = ", ".join(f"{rate:.4g}" for rate in self.crossings)
        titles = ("a", "relation", "b", "crossings at false positive rate")
        return Table(tuple(Column(title, "left") for title in titles), ((self.a, self.relation, self.b, rates),))

    def to_json(self) -> dict[str, Any]:
        """The shape of `veracity dominance --json`."""
        return {"a": self.a, "b": self.b, "relation": self.relation, "crossings": list(self.crossings), "notes": []}


def verdict(a: Line, b: Line) -> Dominance:
    """Which curve dominates, or at which false positive rates they cross."""
    at, gap = gaps(a, b)
    above, below = bool((gap > ROUNDING).any()), bool((gap < -ROUNDING).any())
    if above and below:
        return Dominance(a.name, b.name, "cross", crossings(at, gap))
    return Dominance(a.name, b.name, "dominates" if above else "is dominated" if below else "equal")


def gaps(a: Line, b: Line) -> tuple[Array, Array]:
    """a minus b at every false positive rate of either, just before it and just after.

    A curve may rise straight up at a rate, so it has two heights there. Between two rates both curves are straight,
    hence the gaps at these places decide the order everywhere.
    """
    at = np.union1d(a.x, b.x)
    gap = np.stack(_heights(a, at), 1) - np.stack(_heights(b, at), 1)
    return np.repeat(at, 2), gap.ravel()


def _heights(line: Line, at: Array) -> tuple[Array, Array]:
    """Height of a curve where it arrives at each rate and where it leaves it."""
    start = np.concatenate([[True], np.diff(line.x) > 0])
    x = line.x[start]
    arrives = line.y[start]
    leaves = line.y[np.concatenate([np.flatnonzero(start)[1:] - 1, [len(line.x) - 1]])]
    k = np.searchsorted(x, at, side="right") - 1
    onwards = np.minimum(k + 1, len(x) - 1)
    share = np.where(onwards > k, (at - x[k]) / np.where(onwards > k, x[onwards] - x[k], 1), 0.0)
    between = leaves[k] + share * (arrives[onwards] - leaves[k])
    vertex = x[k] == at
    return np.where(vertex, arrives[k], between), np.where(vertex, leaves[k], between)


def crossings(at: Array, gap: Array) -> tuple[float, ...]:
    """The rates where the lead changes; where curves run together first, the end of that stretch."""
    led = np.flatnonzero(np.abs(gap) > ROUNDING)
    change = np.flatnonzero(np.sign(gap[led[:-1]]) != np.sign(gap[led[1:]]))
    before, after = led[change], led[change + 1]
    share = gap[before] / (gap[before] - gap[after])
    straight = at[before] + share * (at[after] - at[before])
    rates = np.where(after - before > 1, at[after - 1], straight)
    return tuple(rates.tolist())


@verb
def dominance(p1: Predictions, p2: Predictions) -> Dominance:
    """Which of two models dominates in ROC space, or at which false positive rates their curves cross."""
    for p in (p1, p2):
        require_one_model(
            check_predictions(p, "dominance"), "dominance", "give the predictions of a hold-out, or of one fold"
        )
    names = (p1.name, p2.name) if p1.name != p2.name else ("the first", "the second")
    a, b = (operating_points(name, p, "dominance") for name, p in zip(names, (p1, p2), strict=True))
    return verdict(Line(a.name, a.fpr, a.tpr), Line(b.name, b.fpr, b.tpr))
