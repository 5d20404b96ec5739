"""Further worlds for each kind of learner: other sizes, dimensions and class shares."""

from __future__ import annotations

from collections.abc import Iterator

from bench.defaults.cell import Cell
from bench.defaults.learners import BAYES, CENTRES, CONSTANT, DEAR, FEW, FOLDS, LOGISTIC, VECTORS, Case, cells_of
from bench.learner_laws import RING, clouds, numbers
from bench.plain_learners import Discriminant, Forest, LeastSquares, NearestRow, Tree

CASES = (
    Case("1-nearest-neighbour", clouds(1.1, 3, 0.2), 95, (FOLDS, FEW), NearestRow),
    Case("linear discriminant", clouds(1.7, 12, 0.35), 210, (FOLDS, FEW), Discriminant),
    Case("least squares", numbers(10, "normal"), 210, (FOLDS, FEW), LeastSquares),
    Case("the most frequent class", clouds(1, 2, 0.2), 160, (FOLDS, FEW), CONSTANT, slow=True),
    Case("nearest mean", clouds(1.7, 2, 0.25), 130, (FOLDS, FEW), CENTRES, slow=True),
    Case("naive Bayes", clouds(1.4, 7, 0.35), 180, (FOLDS, FEW), BAYES, slow=True),
    Case("support vectors", clouds(1.6, 2, 0.2), 150, (FOLDS, FEW), VECTORS, slow=True),
    Case("logistic regression", clouds(1.2, 3, 0.2), 150, (FOLDS, FEW), LOGISTIC, slow=True),
    Case("a deep tree", clouds(1.3, 5, 0.2), 150, (FOLDS, DEAR), Tree, slow=True),
    Case("a forest of 5 trees", RING, 130, (FOLDS, FEW), Forest, slow=True),
)


def cells() -> Iterator[Cell]:
    yield from cells_of(CASES)
