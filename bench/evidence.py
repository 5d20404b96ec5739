"""The lab without a learner: all binomial intervals by enumeration, all scores of confusion matrices by simulation."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from bench.figures.of_models import SHARES
from bench.row import Measure, Row, alone, in_words, measure
from veracity import lab
from veracity.scores import scores
from veracity.scores.on_counts import CountScore

POINTS = [(rows, share) for rows in (10, 20, 40, 80) for share in (0.02, 0.1, 0.3, 0.5, 0.8)]
GIVEN = {"matrix": "((0, 1), (5, 0))", "threshold": "0.3"}
TRIALS, SAMPLE = 10_000, 200


def binomial_intervals() -> Row:
    """Coverage of ten intervals at 20 points."""

    def job(points: int, more: int) -> None:
        for rows, share in POINTS[:points]:
            lab.coverage(lab.Shares(share=share), methods=SHARES, rows=rows + more)

    name = f"coverage of {len(SHARES)} binomial intervals at {len(POINTS)} points, enumerated"
    return alone(name, _once(job, (5, 10, len(POINTS)), "points"), 2)


def count_scores() -> Row:
    """Every score of a confusion matrix with its default interval."""
    names = [_spelled(entry) for entry in scores if isinstance(entry, CountScore)]

    def job(trials: int, more: int) -> None:
        for name in names:
            lab.coverage("confusion", methods="default", rows=SAMPLE + more, score=name, trials=trials)

    title = f"{TRIALS:,} evaluations of {len(names)} scores of confusion matrices with intervals, {SAMPLE} rows"
    return alone(title, _once(job, (100, 1_000, TRIALS), "evaluations"), 60)


def _once(job: Callable[[int, int], None], sizes: Sequence[int], of: str) -> Measure:
    """Processor time of each size, done once: limits are remembered, so smaller ones are of some more rows."""
    job(sizes[0], len(sizes))  # what is imported and compiled
    *smaller, whole = (
        measure(partial(job, size, len(sizes) - 1 - place), 1, clock=time.process_time)
        for place, size in enumerate(sizes)
    )
    told = tuple((in_words(size, of), one.best) for size, one in zip(sizes, smaller, strict=False))
    return replace(whole, smaller=told)


def _spelled(score: CountScore) -> str:
    needed = ", ".join(f"{one.name}={GIVEN[one.name]}" for one in score.parameters if one.required)
    return f"{score.name}({needed})" if needed else score.name


ROWS = (binomial_intervals, count_scores)
