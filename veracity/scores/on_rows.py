"""Scores that are means over rows, or functions of such means."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from veracity.core.entry import Parameter
from veracity.core.errors import BadInput
from veracity.records.arrays import Array
from veracity.records.losses import Losses
from veracity.records.predictions import Predictions
from veracity.scores.entry import Score, decorate


@dataclass(frozen=True, eq=False, repr=False)
class RowScore(Score):
    """The function gives per-row losses, or columns of them; `link` maps the columns' means to the score.

    `reduce` replaces mean and link for scores that are no function of means, such as a median.
    """

    link: Callable[..., Any] | None = field(default=None)
    reduce: Callable[..., Any] | None = field(default=None)

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        return super().parameters

    @property
    def is_mean(self) -> bool:
        """Whether the score is the plain mean of a per-row loss."""
        return self.link is None and self.reduce is None

    def gather(self, p: Predictions, **arguments: Any) -> Losses:
        if (p.kind == "numbers") != (self.needs == "number"):
            raise BadInput(
                f"{self.name} is for {'numbers' if self.needs == 'number' else 'classes'}, not for this target"
            )
        found = self.function(p, **arguments)
        columns = np.stack(found, -1) if isinstance(found, tuple) else np.asarray(found, float)[:, None]
        return Losses(columns, p.multiplicity, p.sampling(np.arange(len(p))))

    def evaluate(self, evidence: Losses, **arguments: Any) -> Array:
        if self.reduce is not None:
            return np.asarray(self.reduce(evidence, **arguments), float)
        return self._linked(evidence.means, **arguments)

    def _linked(self, means: Array, **arguments: Any) -> Array:
        if self.link is None:
            return means[..., 0]
        return np.asarray(self.link(*np.moveaxis(means, -1, 0), **arguments), float)

    def influence_of(self, evidence: Losses, **arguments: Any) -> Array | None:
        if self.influence is not None:
            found: Array = self.influence(evidence, **arguments)
            return found
        if self.reduce is not None:
            return None
        centred = evidence.columns - evidence.means[..., None, :]
        if self.link is None:
            return centred[..., 0]
        return (centred * self._slope(evidence, **arguments)[..., None, :]).sum(-1)

    def _slope(self, evidence: Losses, **arguments: Any) -> Array:
        """Derivative of the link by each mean, by central differences a small part of a standard deviation wide."""
        means = evidence.means
        step = 1e-5 * evidence.columns.std(0)
        steps = np.diag(np.where(step > 0, step, 1e-12))
        up = self._linked(means[..., None, :] + steps, **arguments)
        down = self._linked(means[..., None, :] - steps, **arguments)
        return np.where(step > 0, (up - down) / (2 * np.diag(steps)), 0.0)


def row_score(title: str, **fields: Any) -> Callable[[Callable[..., Any]], RowScore]:
    """A score whose function gives one loss per row, or a tuple of columns for `link`."""
    return decorate(RowScore, title, **fields)
