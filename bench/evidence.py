"""The lab without a learner: all binomial intervals by enumeration, all scores of confusion matrices by simulation."""

from __future__ import annotations

import time

from bench.figures.of_models import SHARES
from bench.row import Row
from veracity import lab
from veracity.scores import scores
from veracity.scores.on_counts import CountScore

POINTS = [(rows, share) for rows in (10, 20, 40, 80) for share in (0.02, 0.1, 0.3, 0.5, 0.8)]
GIVEN = {"matrix": "((0, 1), (5, 0))", "threshold": "0.3"}
TRIALS, SAMPLE = 10_000, 200


def binomial_intervals() -> Row:
    """Coverage of ten intervals at 20 points."""
    start = time.process_time()
    for rows, share in POINTS:
        lab.coverage(lab.Shares(share=share), methods=SHARES, rows=rows)
    seconds = time.process_time() - start
    name = f"coverage of {len(SHARES)} binomial intervals at {len(POINTS)} points, enumerated"
    return Row(name, f"{seconds:.2f} s CPU", "", seconds, 2.0, at_most=True, unit=" s")


def count_scores() -> Row:
    """Every score of a confusion matrix with its default interval."""
    names = [_spelled(entry) for entry in scores if isinstance(entry, CountScore)]
    start = time.process_time()
    for name in names:
        lab.coverage("confusion", methods="default", rows=SAMPLE, score=name, trials=TRIALS)
    seconds = time.process_time() - start
    title = f"{TRIALS:,} evaluations of {len(names)} scores of confusion matrices with intervals, {SAMPLE} rows"
    return Row(title, f"{seconds:.1f} s CPU", "", seconds, 60.0, at_most=True, unit=" s")


def _spelled(score: CountScore) -> str:
    needed = ", ".join(f"{one.name}={GIVEN[one.name]}" for one in score.parameters if one.required)
    return f"{score.name}({needed})" if needed else score.name


ROWS = (binomial_intervals, count_scores)
