"""The test of two learners of equal risk by one k-fold whose classes are spread evenly, stable and unstable learners.

Most pairs see two blocks of features that are as good as each other. Of the others one calls a class as much too often
as the other does the other class, so that class shares decide which of them errs less in a sample.
"""

from __future__ import annotations

from collections.abc import Iterator

from bench.defaults.cell import Cell
from bench.defaults.learners import FOLDS, Case, cells_of, pair
from bench.learner_laws import Law, clouds
from bench.plain_learners import Bayes, Cut, Discriminant, NearestRow, Tree


def cuts(at: float, law: Law, rows: int, by: str) -> Case:
    """Cut on both sides of where both classes are as likely; where they differ much, every sample is cautioned."""
    says = f"linear discriminants cut at odds of {at:g} and {-at:g}"
    return Case(says, law, rows, (by,), lambda: Cut(at), lambda: Cut(-at), expects="cautioned")


CASES = (
    pair("linear discriminant", clouds(1.3, 3, 0.18, 2), 130, 3, Discriminant, FOLDS),
    pair("linear discriminant", clouds(0, 2, 0.28, 2), 160, 2, Discriminant, FOLDS),
    pair("naive Bayes", clouds(0.9, 4, 0.22, 2), 120, 4, Bayes, FOLDS),
    pair("1-nearest-neighbour", clouds(1.6, 2, 0.17, 2), 140, 2, NearestRow, FOLDS),
    pair("1-nearest-neighbour", clouds(0, 3, 0.25, 2), 110, 3, NearestRow, FOLDS),
    pair("a deep tree", clouds(1.4, 2, 0.2, 2), 120, 2, Tree, FOLDS, slow=True),
    cuts(0.7, clouds(1.1, 3), 110, FOLDS),
    cuts(1.8, clouds(0.9, 2), 140, FOLDS),
)


def cells() -> Iterator[Cell]:
    yield from cells_of(CASES)
