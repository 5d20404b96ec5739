"""How far estimators of risk are off on average, where the risk is known."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from sklearn.neighbors import KNeighborsClassifier

from bench.figures.specification import Row, Specification
from bench.learner_coverage import STABLE, UNSTABLE, Case
from veracity.lab import TwoGaussians, quality
from veracity.tuning.tuned import Tuned, tuned

ROWS, TRIALS, DEAR = 50, 1000, 200
CHEAP = (
    "resubstitution",
    "holdout",
    "three_way",
    "repeated_holdout",
    "kfold",
    "corrected_holdout",
    "corrected_kfold",
    "five_by_two",
    "leave_one_out",
    "jackknife",
)
OF_MANY_FITS = (
    "repeated_kfold",
    "bootstrap",
    "loo_bootstrap",
    "optimism_bootstrap",
    "boot632",
    "boot632plus",
    "paired_subsampling",
    "nested_cv_bates(k=10, repeats=10)",
)
NESTED = "nested(outer=kfold(k=5), inner=kfold(k=3))"


def tuned_neighbours() -> Tuned:
    """As many neighbours as do best inside the training rows."""
    return tuned(KNeighborsClassifier(), {"n_neighbors": [1, 5, 15]}, by="kfold(k=3)", score="error")


TUNED = Case(
    tuned_neighbours, TwoGaussians(distance=2.0, features=5), "tuned neighbours of two Gaussians 2 apart in 5 features"
)


def specifications() -> Iterator[Specification]:
    """One for each learner and estimator."""
    for case in (STABLE, UNSTABLE):
        for by in (*CHEAP, *OF_MANY_FITS):
            trials = TRIALS if by in CHEAP else DEAR
            yield Specification(f"bias of {by}, {case.says}", "risk", partial(_rows, case, by, trials))
    yield Specification(f"bias of {NESTED}, {TUNED.says}", "risk", partial(_rows, TUNED, NESTED, DEAR))


def _rows(case: Case, by: str, trials: int, seed: int) -> list[Row]:
    found = quality(case.world, case.learner, by, ROWS, trials, seed)
    numbers = {"bias": found.bias, "spread": found.error, "truth": found.truth}
    rounded = {name: round(number, 4) for name, number in numbers.items()}
    return [{"method": by, "world": case.says, "rows": ROWS, "trials": trials, **rounded}]
