"""How often intervals hold the truth: simulated samples of known worlds, written where the catalogue reads them.

Run `python -m bench.coverage` (about half an hour on one core); the same seed gives the same file.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from itertools import chain
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np

from bench.learner_coverage import of_learners
from veracity.core.confidence import Confidence
from veracity.core.errors import Refused
from veracity.core.seeds import generator
from veracity.evidence.counts import Counts
from veracity.evidence.losses import Losses
from veracity.evidence.ordering import Ordering
from veracity.intervals.attach import attach_interval
from veracity.intervals.coverage import Coverage
from veracity.intervals.scored import Scored
from veracity.scores import scores

SEED = 20_240
AT = Confidence(0.95)
NORMAL = NormalDist()
OUT = Path(__file__).parent.parent / "veracity" / "intervals" / "measured" / "methods.json"
Random = np.random.Generator


@dataclass(frozen=True)
class World:
    """Rows drawn from a known law: a score, its true value, and one sample as evidence."""

    score: str
    says: str
    rows: int
    truth: float
    sample: Callable[[Random], Any]
    methods: tuple[str, ...]
    trials: int = 4000


def shares(rows: int, share: float) -> World:
    """Errors of a classifier with this error rate."""

    def sample(random: Random) -> Counts:
        wrong = random.binomial(rows, share)
        return Counts([[rows - wrong, wrong], [0, 0]], (0, 1), 0)

    methods = ("wilson", "wilson_cc", "agresti_coull", "wald", "student_t")
    exact = ("clopper_pearson", "mid_p", "jeffreys", "blaker", "isaksson")
    return World("error", f"error rate {share:g}", rows, share, sample, methods + exact)


TABLE = np.array([[50, 3, 2], [4, 30, 6], [1, 5, 19]]) / 120


def matrices(score: str, rows: int, table: Any, methods: tuple[str, ...], trials: int) -> World:
    """Confusion matrices with these shares."""
    share = np.asarray(table, float) / np.sum(table)
    classes, positive = tuple(range(len(share))), 0 if len(share) == 2 else None
    truth = float(scores.choose(score).entry.evaluate(Counts(share, classes, positive), **scores.choose(score).given))

    def sample(random: Random) -> Counts:
        return Counts(random.multinomial(rows, share.ravel()).reshape(share.shape), classes, positive)

    return World(score, f"{len(share)} classes", rows, truth, sample, methods, trials)


def curves(score: str, rows: int, gap: float, truth: float, methods: tuple[str, ...], trials: int = 2000) -> World:
    """Normal values, three in ten rows positive, whose mean lies `gap` standard deviations higher."""

    def sample(random: Random) -> Ordering:
        positive = random.random(rows) < 0.3
        return Ordering.of(random.normal(size=rows) + gap * positive, positive)

    return World(score, f"normal values {gap:g} deviations apart", rows, truth, sample, methods, trials)


def losses(rows: int, methods: tuple[str, ...], trials: int = 2000) -> World:
    """Skewed losses between 0 and 1 with mean 0.2."""

    def sample(random: Random) -> Losses:
        return Losses(random.beta(0.5, 2.0, rows)[:, None])

    return World("brier_half", "skewed losses of mean 0.2", rows, 0.2, sample, methods, trials)


def medians(rows: int) -> World:
    """Absolute values of normal errors."""

    def sample(random: Random) -> Losses:
        return Losses(np.abs(random.normal(size=rows))[:, None])

    median = NORMAL.inv_cdf(0.75)
    return World("median_absolute_error", "normal errors", rows, median, sample, ("order_statistics",), 4000)


def in_the_limit(score: str, gap: float) -> float:
    """The score of the two normal laws themselves, as an ordering of very many blocks with their exact weights."""
    edges = np.linspace(-8.0, 8.0 + gap, 40_001)
    inside = [np.diff([NORMAL.cdf(edge - shift) for edge in edges])[::-1] for shift in (gap, 0.0)]
    choice = scores.choose(score)
    return float(choice.entry.evaluate(Ordering(0.3 * inside[0], 0.7 * inside[1]), **choice.given))


def worlds() -> Iterator[World]:
    yield shares(50, 0.1)
    yield shares(50, 0.02)
    yield shares(500, 0.1)
    yield losses(50, ("mean_t", "percentile(draws=999)", "studentised(draws=999)", "bca(draws=999)"), 1000)
    yield losses(200, ("mean_t", "hoeffding", "empirical_bernstein", "betting"), 1000)
    yield medians(50)
    for gap in (1.0, 2.5):
        area = NORMAL.cdf(gap / 2**0.5)
        yield curves("auc", 100, gap, area, ("delong", "delong_logit", "hanley_mcneil"))
        yield curves("auc", 1000, gap, area, ("delong", "delong_logit", "hanley_mcneil"), 1000)
    for score in ("average_precision", "partial_auc", "equal_error_rate", "lift_at", "break_even", "gain_area"):
        yield curves(score, 500, 1.0, in_the_limit(score, 1.0), ("delta",), 1000)
    for score in (
        "max_fbeta",
        "hull_auc",
    ):  # maxima over thresholds: too high on average, so no interval is quite right
        yield curves(score, 500, 1.0, in_the_limit(score, 1.0), ("delta", "bca(draws=999)"), 300)
    two = [[40, 10], [20, 130]]
    yield matrices("fbeta", 200, two, ("f1_exact", "f1_exact(of='wilson')", "delta"), 2000)
    yield matrices("fbeta", 120, TABLE, ("delta",), 2000)
    bootstraps = tuple(f"{name}(draws=999)" for name in ("percentile", "basic", "bca", "studentised"))
    yield matrices("kappa", 120, TABLE, ("delta", *bootstraps), 1000)
    yield matrices("balanced_accuracy", 120, TABLE, ("square_and_add",), 2000)
    yield matrices("youden", 200, two, ("square_and_add",), 2000)
    yield matrices("positive_likelihood_ratio", 200, two, ("log_ratio",), 2000)


def measure(world: World) -> Iterator[Coverage]:
    """One row for each method: the same samples for all of them."""
    choice = scores.choose(world.score)
    held = dict.fromkeys(world.methods, 0)
    refused = dict.fromkeys(world.methods, 0)
    random = generator(SEED, world.score, world.says, world.rows)
    for trial in range(world.trials):
        m = Scored(choice, world.sample(random))
        for method in world.methods:
            try:
                held[method] += world.truth in attach_interval(m, method, AT, trial)
            except Refused:
                refused[method] += 1
    for method in world.methods:
        given = world.trials - refused[method]
        yield Coverage(
            method=method,
            world=world.says,
            rows=world.rows,
            level=AT.level,
            trials=world.trials,
            refused=round(refused[method] / world.trials, 4),
            score=world.score,
            covered=round(held[method] / given, 4) if given else float("nan"),
        )


def main() -> None:
    rows = []
    of_models = (row for world in worlds() for row in measure(world))
    for row in chain(of_models, of_learners()):
        rows.append(asdict(row))
        print(row, flush=True)
    OUT.write_text(json.dumps({"seed": SEED, "made_by": "python -m bench.coverage", "measured": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
