"""The lab without a learner: all binomial intervals by enumeration, all scores of confusion matrices by simulation."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial

from bench.figures.of_models import SHARES
from bench.row import Row, alone, in_words, measure, measure_growth
from veracity import lab
from veracity.scores import scores
from veracity.scores.on_counts import CountScore

POINTS = [(rows, share) for rows in (10, 20, 40, 80) for share in (0.02, 0.1, 0.3, 0.5, 0.8)]
GIVEN = {"matrix": "((0, 1), (5, 0))", "threshold": "0.3"}
TRIALS, SAMPLE = 10_000, 200


def binomial_intervals() -> Row:
    """Coverage of ten intervals at 20 points; fewer points have other numbers of rows, as limits are remembered."""

    def job(points: int, more: int) -> None:
        for rows, share in POINTS[:: len(POINTS) // points]:
            lab.coverage(lab.Shares(share=share), methods=SHARES, rows=rows + more)

    job(2, 3)  # what is imported and compiled
    numbers = (len(POINTS), 10, 2)
    seconds = {k: measure(partial(job, k, more), 1, clock=time.process_time) for more, k in enumerate(numbers)}
    smaller = tuple((in_words(k, "points"), seconds[k].best) for k in (2, 10))
    ours = replace(seconds[len(POINTS)], smaller=smaller)
    return alone(f"coverage of {len(SHARES)} binomial intervals at {len(POINTS)} points, enumerated", ours, 2)


def count_scores() -> Row:
    """Every score of a confusion matrix with its default interval."""
    names = [_spelled(entry) for entry in scores if isinstance(entry, CountScore)]

    def job(trials: int) -> None:
        for name in names:
            lab.coverage("confusion", methods="default", rows=SAMPLE, score=name, trials=trials)

    ours = measure_growth(job, TRIALS, 1, time.process_time, of="evaluations")
    title = f"{TRIALS:,} evaluations of {len(names)} scores of confusion matrices with intervals, {SAMPLE} rows"
    return alone(title, ours, 60)


def _spelled(score: CountScore) -> str:
    needed = ", ".join(f"{one.name}={GIVEN[one.name]}" for one in score.parameters if one.required)
    return f"{score.name}({needed})" if needed else score.name


ROWS = (binomial_intervals, count_scores)
