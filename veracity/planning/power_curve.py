"""The chance to conclude against the size, as a chart, around what was answered."""

from __future__ import annotations

from typing import Any

import numpy as np

from veracity.core.confidence import Confidence
from veracity.core.entry import Choice
from veracity.findings.curve import Curve, Line, Mark
from veracity.findings.power import WORDS, Power
from veracity.planning import powers
from veracity.planning.entry import PowerOf
from veracity.records.arrays import Array

POINTS, SIMULATED = 80, 14  # sizes of a line; fewer where each one is simulated
TIMES = (1.0, 0.5, 1.5)  # of the effect, a line each; that of the answer first
REACH = 2.5  # times the size that was answered
WANTED = 0.8  # a chance that is often asked for


def power_curve(answer: Power) -> Curve:
    """Power against size for the effect of an answer, for half as much and for half as much again."""
    entry: PowerOf = powers[answer.test]
    choice = entry.choose(**dict(answer.given))
    size, effect = getattr(answer, entry.size), getattr(answer, entry.effect)
    sizes = _sizes(entry, size, SIMULATED if answer.error is not None else POINTS)
    at = Confidence(answer.level)
    lines = tuple(
        Line(f"{entry.effect} {one:.3g}", sizes.astype(float), _powers(choice, sizes, one, at))
        for one in _effects(choice, effect)
    )
    wanted = WANTED if answer.solved == "power" else answer.power
    ends = np.array([sizes[0], sizes[-1]], float)
    guide = Line(f"power {wanted:.3g}", ends, np.full(2, wanted))
    mark = Mark("asked", float(size), answer.power, says=answer.sentence(), of=f"{entry.effect} {effect:.3g}")
    title = f"Power of {answer.about}"
    x_range = (float(sizes[0]), float(sizes[-1]))
    titles = (title, WORDS[entry.size], f"chance to conclude at level {answer.level:g}")
    return Curve("power", *titles, lines, (guide,), (mark,), x_range=x_range, y_range=(0.0, 1.0))


def _sizes(entry: PowerOf, size: int, points: int) -> Array:
    last = min(max(round(REACH * size), entry.least + points), entry.most)
    return np.unique(np.linspace(entry.least, max(last, size), points).round().astype(int))


def _effects(choice: Choice, effect: float) -> list[float]:
    """Those of which there can be so much; a chance of winning is counted from even."""
    entry: PowerOf = choice.entry
    low, high = entry.span(choice.given)
    return [low + times * (effect - low) for times in TIMES if abs(low + times * (effect - low)) <= high]


def _powers(choice: Choice, sizes: Array, effect: float, at: Confidence) -> Array:
    given: dict[str, Any] = choice.given
    return np.array([float(choice.entry.function(int(size), effect, at, **given)) for size in sizes])
