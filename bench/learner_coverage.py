"""How often intervals for a learner hold its risk, where that is known."""

from __future__ import annotations

from collections.abc import Iterator

from veracity.intervals.coverage import Coverage
from veracity.lab import Covered, NearestMean, TwoGaussians, coverage

WORLD = TwoGaussians(distance=2.0, features=5)
SAYS = "nearest mean of two Gaussians 2 apart in 5 features"
TRIALS, DEAR = 1000, 400
DESIGNS = (
    ("kfold(k=10)", TRIALS, ("corrected_t", "cv_wald", "cv_wald(form='within_fold')", "naive_t")),
    ("repeated_kfold(k=10, repeats=10)", TRIALS, ("corrected_t", "naive_t")),
    ("repeated_holdout(repeats=25, test=0.1)", TRIALS, ("corrected_t", "naive_t")),
    ("paired_subsampling(outer=10, inner=15)", DEAR, ("conservative_z",)),
    ("nested_cv_bates(k=10, repeats=10)", DEAR, ("nested_cv", "nested_cv(exponent=1.5)")),
    ("loo_bootstrap(draws=1000)", DEAR, ("loo_bootstrap_se",)),
)


def of_learners() -> Iterator[Coverage]:
    """One row for each interval, design and number of rows."""
    for rows in (50, 200):
        for by, trials, methods in DESIGNS:
            for found in coverage(WORLD, NearestMean, by, methods, rows, trials):
                yield _row(found)


def _row(found: Covered) -> Coverage:
    """Held against the risk that the interval is about: at all rows for the one that corrects its bias."""
    all_rows = found.method.startswith("nested_cv")
    world = f"{SAYS} by {found.by}, risk at {'all' if all_rows else 'its training'} rows"
    covered = found.at_all if all_rows else found.trained
    facts = (found.rows, found.level, round(covered, 4), found.trials, round(found.refused, 4))
    return Coverage(found.method, WORLD.score, world, *facts)
