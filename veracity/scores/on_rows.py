"""Scores that are means over rows, or functions of such means."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from veracity.core.errors import BadInput
from veracity.core.notes import Note
from veracity.evidence.losses import Losses, SummedLosses
from veracity.evidence.predictions import Predictions
from veracity.evidence.row_sums import Columns, Gaps
from veracity.records.arrays import Array
from veracity.scores.entry import Score


@dataclass(frozen=True, eq=False, repr=False)
class RowScore(Score):
    """The function gives per-row losses, or columns of them; `link` maps the columns' means to the score.

    `reduce` replaces mean and link for scores that are no function of means, such as a median.
    """

    reads = "row losses"

    link: Callable[..., Any] | None = field(default=None)
    reduce: Callable[..., Any] | None = field(default=None)
    mean: bool = False  # its link does nothing with the default parameters
    tells: Callable[..., tuple[Note, ...]] | None = field(default=None)  # notes that depend on the parameters
    slope: Callable[..., Array] | None = field(default=None)  # of the link, by each mean
    sums: Callable[..., Columns | Gaps | None] | None = field(default=None)  # the same as `function` of sums over rows

    @property
    def is_mean(self) -> bool:
        """Whether the score is the plain mean of a per-row loss."""
        return (self.link is None or self.mean) and self.reduce is None

    @property
    def is_function_of_means(self) -> bool:
        return self.reduce is None

    @property
    def averages_rows(self) -> bool:
        return self.is_mean and all(parameter.name != "baseline" for parameter in self.parameters)

    def row_values(self, p: Predictions, **arguments: Any) -> Array:
        """What each row gives, for a score that is their mean."""
        return self.gather(p, **arguments).columns[:, 0]

    def gather(self, p: Predictions, **arguments: Any) -> Losses:
        if not self.suits(p.kind):
            raise BadInput(f"{self.name} is for {self.target_kind}, not for this target")
        sampling = None if p.weights is None and p.groups is None else p.sampling(np.arange(len(p)))
        summed = None if self.sums is None or p.row_sums is None else self.sums(p.row_sums, p, **arguments)
        columns = self._columns(p, **arguments) if summed is None else np.empty((0, 0))
        found = Losses(columns, p.multiplicity, sampling, p.rarer, len(p.classes), p.smallest)
        return found if summed is None else SummedLosses(summed, found, lambda: self._columns(p, **arguments))

    def _columns(self, p: Predictions, **arguments: Any) -> Array:
        """Return the columns of losses, each in one piece of memory, as means and products read it."""
        losses = self.function(p, **arguments)
        columns = [np.asarray(column) for column in (losses if isinstance(losses, tuple) else (losses,))]
        for column in columns:
            if column.shape != (len(p),):
                raise BadInput(
                    f"{self.name} gave numbers of shape {column.shape} for {len(p)} rows: one each is needed"
                )
        if len(columns) == 1:
            return np.asarray(columns[0], np.float64)[:, None]
        return np.stack(columns, dtype=np.float64, casting="unsafe").T

    def evaluate(self, evidence: Losses, **arguments: Any) -> Array:
        if self.reduce is not None:
            return np.asarray(self.reduce(evidence, **arguments), float)
        return self.link_means(evidence.means, **arguments)

    def link_means(self, means: Array, **arguments: Any) -> Array:
        """The score from the means of the columns, which are on the last axis."""
        if self.link is None:
            return means[..., 0]
        return np.asarray(self.link(*np.moveaxis(means, -1, 0), **arguments), float)

    def influence_of(self, evidence: Losses, **arguments: Any) -> Array | None:
        with np.errstate(invalid="ignore"):  # an infinite loss has no influence: NaN
            if self.influence is not None:
                found: Array = self.influence(evidence, **arguments)
                return found
            if self.reduce is not None:
                return None
            if self.link is None:
                return evidence.columns[:, 0] - evidence.means[..., :1]
            slope = self._slope(evidence, **arguments)
            return slope @ evidence.columns.T - (slope * evidence.means).sum(-1)[..., None]

    def moments_of(self, evidence: Losses, **arguments: Any) -> Array | None:
        """Powers 0 to 3 of the influence values summed over rows, where sums of the rows tell them."""
        if not isinstance(evidence, SummedLosses) or not isinstance(evidence.summed, Columns):
            return None
        slope = np.eye(evidence.width)[0] if self.link is None else self._slope(evidence, **arguments)
        return evidence.summed.moments(slope)

    def with_sums(self, function: Callable[..., Columns | Gaps | None]) -> Callable[..., Columns | Gaps | None]:
        """Decorator: `function(sums, p, **arguments)` gives the columns from sums over rows; None where it cannot."""
        object.__setattr__(self, "sums", function)
        return function

    def _slope(self, evidence: Losses, **arguments: Any) -> Array:
        """Derivative of the link by each mean; if need be by differences a small part of a standard deviation wide."""
        means = evidence.means
        if self.slope is not None:
            return self.slope(means, **arguments)
        # in one pass, near enough for a step; exactly 0 of equal numbers
        away = evidence.columns - evidence.columns[:1]
        variance = [column @ column / len(column) - column.mean() ** 2 for column in away.T]
        step = 1e-5 * np.sqrt(np.maximum(variance, 0.0))
        steps = np.diag(np.where(step > 0, step, 1e-12))
        up = self.link_means(means[..., None, :] + steps, **arguments)
        down = self.link_means(means[..., None, :] - steps, **arguments)
        return np.where(step > 0, (up - down) / (2 * np.diag(steps)), 0.0)

    def remarks(self, evidence: Losses, **arguments: Any) -> tuple[Note, ...]:
        own = () if self.tells is None else self.tells(evidence, **arguments)
        return super().remarks(evidence) + own


row_score = RowScore.decorator  # the function gives one loss per row, or a tuple of columns for `link`
