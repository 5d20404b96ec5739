"""Which interval a score gets when none is asked for, as the table of defaults decides it on examples."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from veracity.core.entry import Choice
from veracity.evidence.make_predictions import predictions
from veracity.evidence.predictions import Predictions
from veracity.intervals.defaults import OWN, default_rule
from veracity.intervals.scored import Scored
from veracity.scores.entry import Score

NEEDED: dict[str, Any] = {"matrix": ((0, 1), (1, 0)), "q": 0.5}  # an example of what must be given
ROWS = 60


def usual_intervals(score: Score) -> tuple[str, ...]:
    """A line for each kind of rows that has an interval of its own; one line where all have the same."""
    lines = {case: _usual_interval(score, p) for case, p in _examples(score)}
    if len(set(lines.values())) == 1:
        return tuple(lines.values())[:1]
    return tuple(f"{case}: {line}" for case, line in lines.items())


def _usual_interval(score: Score, p: Predictions) -> str:
    m = Scored.of_predictions(_choice(score, p), p)
    rule = default_rule(m)
    name = score.default_interval if rule.interval == OWN else rule.interval
    if name is None:
        return f"none: {rule.says}"
    return name


def _choice(score: Score, p: Predictions) -> Choice:
    given = {one.name: NEEDED[one.name] for one in score.parameters if one.required}
    if "matrix" in given and len(p.classes) == 3:
        given["matrix"] = ((0, 1, 1), (1, 0, 1), (1, 1, 0))
    choice = score.choose(**given)
    return choice.setting(baseline="test") if choice.accepts("baseline") else choice


def _examples(score: Score) -> Iterator[tuple[str, Predictions]]:
    """Predictions that are neither perfect nor undefined: of two and three classes, or of numbers; rows in groups."""
    random, groups = np.random.default_rng(0), np.arange(ROWS) % 20
    if score.needs == "number":
        truth = random.normal(size=ROWS)
        yield "rows by themselves", predictions(truth, number=truth + random.normal(size=ROWS))
        yield "rows in groups", predictions(truth, number=truth + random.normal(size=ROWS), groups=groups)
        return
    two, three = np.arange(ROWS) % 2, np.arange(ROWS) % 3
    chance = np.clip(0.3 + 0.2 * two + random.normal(scale=0.2, size=ROWS), 0.01, 0.99)
    chances = random.dirichlet(np.ones(3), size=ROWS) * 0.7 + 0.3 * np.eye(3)[three]
    yield "two classes", predictions(two, proba=chance, positive=1)
    yield "more classes", predictions(three, proba=chances)
    yield "two classes, rows in groups", predictions(two, proba=chance, positive=1, groups=groups)
