"""How often intervals for a learner hold its risk, where that is known."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from functools import partial
from typing import NamedTuple

from bench.fast.fits import Fast
from bench.figures.specification import Row, Specification, brief_row
from veracity.core.measurement import Coverage
from veracity.lab import Covered, NearestMean, NearestRow, TwoGaussians, coverage
from veracity.lab.learners import Learner


class Case(NamedTuple):
    """A learner in a world."""

    learner: Learner
    world: TwoGaussians
    says: str


STABLE = Case(
    Fast(NearestMean), TwoGaussians(distance=2.0, features=5), "nearest mean of two Gaussians 2 apart in 5 features"
)
UNSTABLE = Case(
    Fast(NearestRow), TwoGaussians(distance=2.0, features=1), "nearest row of two Gaussians 2 apart in one feature"
)
TRIALS, DEAR = 1000, 400
DESIGNS = (
    ("kfold(k=10)", TRIALS, ("corrected_t", "cv_wald", "cv_wald(form='within_fold')", "naive_t")),
    ("repeated_kfold(k=10, repeats=10)", TRIALS, ("corrected_t", "naive_t")),
    ("repeated_holdout(repeats=25, test=0.1)", TRIALS, ("corrected_t", "naive_t")),
    ("paired_subsampling(outer=10, inner=15)", DEAR, ("conservative_z",)),
    ("nested_cv_bates(k=10, repeats=10)", DEAR, ("nested_cv", "nested_cv(exponent=1.5)")),
    ("nested_cv_bates(k=10, repeats=50)", DEAR, ("nested_cv",)),
    ("loo_bootstrap(draws=1000)", DEAR, ("loo_bootstrap_se",)),
)


def specifications() -> Iterator[Specification]:
    """One for each learner, number of rows and design."""
    for case in (STABLE, UNSTABLE):
        for rows in (50, 200):
            for by, trials, methods in DESIGNS:
                unit = f"coverage of {', '.join(methods)} by {by}, {case.says}, {rows} rows"
                yield Specification(unit, "intervals", partial(_rows, case, rows, by, trials, methods))


def _rows(case: Case, rows: int, by: str, trials: int, methods: tuple[str, ...], seed: int) -> list[Row]:
    found = coverage(case.world, case.learner, by=by, methods=methods, rows=rows, trials=trials, seed=seed)
    return [brief_row(**asdict(_row(case, one))) for one in found]


def _row(case: Case, found: Covered) -> Coverage:
    """Held against the risk that the interval is about: at all rows for the one that corrects its bias."""
    all_rows = found.method.startswith("nested_cv")
    return Coverage(
        method=found.method,
        world=case.says,
        rows=found.rows,
        by=found.by,
        level=found.level,
        trials=found.trials,
        refused=round(found.refused, 4),
        score=case.world.score,
        covered=round(found.at_all if all_rows else found.coverage, 4),
        target="all rows" if all_rows else "its training rows",
    )
