"""What was measured of a method in the worlds that are most like what is at hand."""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import log
from typing import Any

from veracity.core.measurement import Measurement
from veracity.scores import scores

SHOWN = 3  # worlds
OF_TABLES = re.compile(r"(?:(\d+) equal learners on )?(\d+) data sets")


@dataclass(frozen=True)
class Situation:
    """What a world can be like: so many rows, this score, this design, or so many learners on so many data sets."""

    rows: int = 0
    score: str = ""
    by: str = ""  # the design of a learner; empty for fixed models
    learners: int = 0
    datasets: int = 0
    grouped: bool = False  # whether rows come in groups or are weighted


def nearest_figures(entry: Any, here: Situation) -> tuple[Measurement, ...]:
    """Of the same kind of evidence: first the same sampling, score and design, then as many rows or data sets."""
    fit = [one for one in entry.measurements() if bool(one.by) == bool(here.by) and _same_kind(one, here)]
    return tuple(sorted(fit, key=lambda one: _distance(one, here))[:SHOWN])


def _distance(one: Measurement, here: Situation) -> tuple[Any, ...]:
    score = getattr(one, "score", "")
    design = one.by.partition("(")[0] != here.by.partition("(")[0]
    found = OF_TABLES.search(one.world)
    learners, datasets = (int(number or 0) for number in found.groups()) if found else (0, 0)
    datasets = one.rows or 0 if one.unit == "data set" else datasets
    rows = one.rows or 0 if one.unit == "row" else 0
    apart = _ratio(rows, here.rows) + _ratio(learners, here.learners) + _ratio(datasets, here.datasets)
    grouped = ("groups" in one.world or "weight" in one.world) != here.grouped
    return grouped, score.partition("(")[0] != here.score.partition("(")[0], design, apart, one.world


def _ratio(a: int, b: int) -> float:
    """How many times as many, on a logarithmic scale; what one of them does not know tells nothing."""
    return abs(log(a / b)) if a and b else 0.0


def _same_kind(one: Measurement, here: Situation) -> bool:
    """Whether a world's score is for the same kind of target; a world without one is for any."""
    kinds = [_kind(score) for score in (getattr(one, "score", ""), here.score)]
    return None in kinds or kinds[0] == kinds[1]


def _kind(score: str) -> str | None:
    name = score.partition("(")[0]
    return str(scores[name].needs == "number") if name in scores else None
