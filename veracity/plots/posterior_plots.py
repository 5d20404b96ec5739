"""What a posterior believes of a difference: its density over the rope, or its draws in a triangle."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from veracity.core.errors import BadInput
from veracity.findings.comparison import Comparison
from veracity.findings.significance import Posterior, Student
from veracity.plots.look import COLOURS, COLUMN, GREY, INK, PALE, axes_of, look, one_line, write_below
from veracity.records.arrays import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes

POINTS = 401  # of a density
FAR = 0.0005  # of the density lies beyond each end
NAME = 22  # characters of a name
CORNERS = np.array([[0.0, 0.0], [0.5, math.sqrt(0.75)], [1.0, 0.0]])  # left, inside, right
FILLS = ((COLOURS[5], "///"), (PALE, ""), (COLOURS[0], "\\\\\\"))


def posterior_density(comparison: Comparison, ax: Axes | None = None, width: float | None = None) -> Axes:
    """Draw the density of the mean difference, what lies left of the rope, inside and right of it told apart."""
    posterior = _posterior(comparison)
    if posterior.law is None:
        raise BadInput(f"{comparison.using} has draws of three chances: plot(c, 'posterior_triangle') shows them")
    with look():
        place = axes_of(ax, width, COLUMN, 2.6)
        if posterior.law.scale > 0:
            _draw_density(place, posterior.law, posterior.rope, _labels(comparison, ", "))
        else:
            place.axvline(posterior.law.mean, color=INK, label="all of it at one number")
        for limit in {-posterior.rope, posterior.rope}:
            place.axvline(limit, color=INK, linewidth=0.9, linestyle=(0, (4, 3)))
        write_below(place, f"difference of {comparison.score}, {comparison.a} − {comparison.b}", side="center")
        place.set_ylabel("density")
        place.set_ylim(bottom=0)
        place.legend(loc="lower left", bbox_to_anchor=(0, 1), borderaxespad=0.2)
    return place


def posterior_triangle(comparison: Comparison, ax: Axes | None = None, width: float | None = None) -> Axes:
    """Draw what each draw says of the next data set: the nearer to a corner, the likelier that outcome.

    Lines part the draws by their likeliest outcome; the share of draws on each side is told at the corners.
    """
    posterior = _posterior(comparison)
    if posterior.draws is None:
        raise BadInput(f"{comparison.using} is a law of one number: plot(c, 'posterior_density') shows it")
    with look():
        place = axes_of(ax, width, COLUMN, 3.2)
        place.fill(*CORNERS.T, facecolor="white", edgecolor=INK, linewidth=1.0, zorder=1)
        place.plot(
            *(posterior.draws @ CORNERS).T,
            "o",
            color=COLOURS[0],
            alpha=0.15,
            markersize=2.5,
            markeredgewidth=0,
            zorder=2,
        )
        # where two outcomes are equally likely; without a rope, only left and right are held against each other
        middle: Array = CORNERS.mean(axis=0)
        borders = [(CORNERS[[0, 2]].mean(axis=0), middle if posterior.rope else CORNERS[1])]
        borders += [(CORNERS[[i, 1]].mean(axis=0), middle) for i in (0, 2)] if posterior.rope else []
        for start, end in borders:
            place.plot(*np.stack([start, end]).T, color=INK, linewidth=0.9, linestyle=(0, (4, 3)), zorder=3)
        top = CORNERS[1, 1] + 0.03
        corners = ((0, -0.04, "left", "top"), (0.5, top, "center", "bottom"), (1, -0.04, "right", "top"))
        for (x, y, side, level), label in zip(corners, _labels(comparison, "\n"), strict=True):
            place.text(x, y, label, ha=side, va=level, multialignment=side, fontsize=8)
        place.set_title(one_line(comparison.using, 60), fontsize=8, weight="normal")
        place.set_xlim(-0.05, 1.05)
        place.set_ylim(-0.2, CORNERS[1, 1] + 0.2)
        place.set_aspect("equal")
        place.set_axis_off()
    return place


def _posterior(comparison: Comparison) -> Posterior:
    if comparison.posterior is None:
        raise BadInput(
            f"{comparison.using} is no posterior: compare(..., using='signed_rank_posterior(rope=0.01)') is one"
        )
    return comparison.posterior


def _labels(comparison: Comparison, between: str) -> list[str]:
    """Left, inside, right: who is better there, and with which probability."""
    first, second = one_line(comparison.a, NAME), one_line(comparison.b, NAME)
    left, right = (second, first) if comparison.better == "higher" else (first, second)
    outcomes = (f"{left} better", "practically equal", f"{right} better")
    return [f"{who}{between}{p:.3f}" for who, p in zip(outcomes, comparison.probabilities or (), strict=True)]


def _draw_density(ax: Axes, law: Student, rope: float, labels: list[str]) -> None:
    from matplotlib.colors import to_rgba
    from scipy.special import gammaln, stdtrit

    reach = abs(float(stdtrit(law.df, FAR))) * law.scale
    ends = (min(law.mean - reach, -1.2 * rope), max(law.mean + reach, 1.2 * rope))
    x = np.union1d(np.linspace(*ends, POINTS), [-rope, rope])
    t = (x - law.mean) / law.scale
    height = gammaln((law.df + 1) / 2) - gammaln(law.df / 2) - 0.5 * np.log(law.df * np.pi) - np.log(law.scale)
    y = np.exp(height - (law.df + 1) / 2 * np.log1p(t**2 / law.df))
    parts = (x <= -rope, (x >= -rope) & (x <= rope), x >= rope)
    for part, (colour, hatch), label in zip(parts, FILLS, labels, strict=True):
        if rope or colour != PALE:
            face = to_rgba(colour, 1.0 if colour == PALE else 0.45)
            how: dict[str, Any] = {"edgecolor": GREY, "linewidth": 0, "hatch": hatch, "label": label}
            ax.fill_between(x[part], y[part], facecolor=face, **how)
    ax.plot(x, y, color=INK, linewidth=1.4)
