"""Worlds on which defaults are judged, kept apart from those that chose them.

`conservative_t` was chosen on 1-nearest-neighbour, linear discriminants and least squares in `two_gaussians`, `sine`
and `pure_noise` of 60 to 120 rows, on noise by gamma, lognormal and Student's laws, and on trees on parities, boards
and bands. What stands here has other laws, shapes, shares, dimensions, sizes or learners, and chose nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from veracity.lab import NearestMean, Stump

CHOOSING = ("two_gaussians", "sine", "pure_noise")
CLASSES = {  # rows of a sample
    "gaussians(distance=1.7, features=7, share=0.35, correlation=0.3)": 70,
    "gaussians(distance=1.0, features=3, ratio=2.2)": 130,
    "rare_positives(distance=2.2, share=0.2)": 100,
    "sparse_logistic(features=15, active=3, strength=1.2)": 90,
    "xor(noise=0.15)": 80,
    "rings(noise=0.1, features=3)": 110,
    "label_noise(of=gaussians(distance=3, features=4), share=0.15)": 60,
}
NUMBERS = {
    "sparse_linear(features=12, active=3)": 80,
    "skewed_errors(features=6, shape=2.5)": 120,
    "heavy_tails(features=4, df=7.0)": 60,
    "friedman1(features=7)": 100,
}


class Judged(NamedTuple):
    """A learner in a world at a size."""

    world: str
    says: str
    learner: Callable[[], Any]
    rows: int


def learners_of_classes() -> dict[str, Callable[[], Any]]:
    """From the most stable to the least."""
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier

    return {
        "nearest mean": NearestMean,
        "naive Bayes": GaussianNB,
        "linear discriminant": LinearDiscriminantAnalysis,
        "quadratic discriminant": QuadraticDiscriminantAnalysis,
        "stump": Stump,
        "5 nearest neighbours": KNeighborsClassifier,
        "1 nearest neighbour": lambda: KNeighborsClassifier(1),
    }


def learners_of_numbers() -> dict[str, Callable[[], Any]]:
    """The same for numbers."""
    from sklearn.linear_model import LinearRegression, Ridge
    from sklearn.neighbors import KNeighborsRegressor

    return {
        "ridge": lambda: Ridge(alpha=5.0),
        "least squares": LinearRegression,
        "5 nearest neighbours": KNeighborsRegressor,
        "1 nearest neighbour": lambda: KNeighborsRegressor(1),
    }


def judging_cases() -> Iterator[Judged]:
    """Every learner in every world that suits it."""
    for worlds, learners in ((CLASSES, learners_of_classes()), (NUMBERS, learners_of_numbers())):
        for says, learner in learners.items():
            yield from (Judged(world, says, learner, rows) for world, rows in worlds.items())
