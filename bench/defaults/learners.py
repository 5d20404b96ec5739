"""The defaults of learners: by repeats the interval of the risk of one and the test of two, stable and unstable.

Chosen on 1-nearest-neighbour, linear discriminants and least squares in Gaussian, sine and noise worlds of 60 to 120
rows, skewness on least squares with gamma, lognormal and Student's noise, the width for models that differ on trees of
any depth on parities of 60 to 250 rows and on the chessboard, bands, quadrants and ring below, what class shares add on
pure noise and on classes of share 0.1 and 0.15; all others have other laws, distances, shares, dimensions and sizes,
and chose nothing. The truth is the risk at the training rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from copy import copy
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from bench.defaults.cell import Answer, Cell, Random, held, rejected
from bench.learner_laws import (
    BANDS,
    BLOCKS_OF_NOISE,
    BOARD,
    CODES,
    CORNER,
    NOISE,
    PRODUCT,
    QUADRANTS,
    RING,
    SPOKES,
    STEP,
    TWO_BOARDS,
    WEAK,
    Law,
    clouds,
    numbers,
)
from bench.plain_learners import (
    Block,
    Checked,
    Chosen,
    Discriminant,
    Forest,
    LeastSquares,
    NearestNumber,
    NearestRow,
    Tree,
)
from veracity.contests.compare import ComparisonSpec, compare_pair
from veracity.contests.score_sources import from_runs
from veracity.core.confidence import Confidence
from veracity.core.entry import Choice
from veracity.evidence.run import Run
from veracity.lab.simulate import run_of
from veracity.lab.worlds import Sample
from veracity.learners.from_text import learner_from_text
from veracity.records.design import Rows
from veracity.risk.designs import design_for
from veracity.risk.estimate_run import EstimateRequest, estimate_run
from veracity.scores import scores

FOLDS, REPEATED, MANY = "kfold(k=10)", "repeated_kfold(k=10, repeats=5)", "repeated_kfold(k=5, repeats=10)"
FIVE, FEW, DEAR = "kfold(k=5)", "repeated_kfold(k=5, repeats=2)", "repeated_kfold(k=5, repeats=4)"
HOLDOUTS, THIRDS, HALVES = "repeated_holdout", "repeated_holdout(repeats=30, test=0.3333)", "five_by_two"
DRAWS, FRESH = 1_000, 1_000  # training sets and rows by which the risk of a learner is known
SEED = 12


class Case(NamedTuple):
    """A learner, and for a comparison another of the same risk, on rows of a law."""

    says: str
    law: Law
    rows: int
    designs: tuple[str, ...]
    learner: Callable[[], Any]
    other: Callable[[], Any] | None = None
    slow: bool = False
    expects: str = "holds"
    code: str = ""
    misses: tuple[str, ...] = ()  # designs by which the interval does not hold

    @property
    def world(self) -> str:
        return f"{self.says}, {self.law.says}"

    @property
    def choice(self) -> Choice:
        return scores.choose(self.law.score)


def of_sklearn(text: str) -> Callable[[], Any]:
    """Makes a learner of scikit-learn, which is imported when it is asked for the first time."""
    first = cache(lambda: learner_from_text(f"sklearn.{text}"))
    return lambda: copy(first())


BAYES, CENTRES = of_sklearn("naive_bayes:GaussianNB"), of_sklearn("neighbors:NearestCentroid")
LOGISTIC, VECTORS = of_sklearn("linear_model:LogisticRegression"), of_sklearn("svm:SVC")
CONSTANT = of_sklearn("dummy:DummyClassifier")

ALONE = (
    Case("1-nearest-neighbour", STEP, 80, (FOLDS, REPEATED, MANY, HOLDOUTS, HALVES), NearestRow),
    Case("1-nearest-neighbour", RING, 250, (FOLDS, REPEATED, THIRDS), NearestRow, slow=True),
    Case("1-nearest-neighbour", clouds(1.5, 10, 0.3), 140, (FOLDS, REPEATED, HOLDOUTS, HALVES), NearestRow),
    Case("1-nearest-neighbour", NOISE, 500, (REPEATED,), NearestRow, slow=True),
    Case("linear discriminant", clouds(1.2, 8), 90, (FOLDS, REPEATED, THIRDS, HALVES), Discriminant),
    Case("linear discriminant", clouds(2.5, 25, 0.4), 110, (REPEATED, HOLDOUTS), Discriminant, slow=True),
    Case("least squares", numbers(3, "normal"), 70, (FOLDS, REPEATED, HOLDOUTS, HALVES), LeastSquares),
    Case("least squares", numbers(40, "normal"), 100, (REPEATED, MANY, HOLDOUTS), LeastSquares, slow=True),
    Case("least squares", numbers(4, "gamma"), 120, (FOLDS, REPEATED, MANY, HOLDOUTS), LeastSquares),
    Case("least squares", numbers(8, "gamma"), 500, (REPEATED,), LeastSquares, slow=True),
    Case("1-nearest-neighbour", numbers(2, "gamma"), 150, (REPEATED, THIRDS), NearestNumber),
    Case("least squares", numbers(5, "skewed"), 90, (FOLDS, REPEATED), LeastSquares),
    Case("least squares", numbers(2, "heavy"), 160, (FOLDS,), LeastSquares),
    # whether any model finds the pattern depends on the sample, of which one k-fold shows nothing
    Case("a deep tree", BOARD, 120, (FOLDS, REPEATED, DEAR, HALVES), Tree, slow=True, misses=(FOLDS,)),
    Case("a deep tree", BANDS, 160, (FOLDS, REPEATED), Tree, slow=True, misses=(FOLDS,)),
    Case("a deep tree", QUADRANTS, 90, (FOLDS, DEAR), Tree, slow=True, misses=(FOLDS,)),
    Case("a deep tree", SPOKES, 140, (FOLDS, REPEATED), Tree, slow=True),
    Case("a tree of depth 3", CODES, 110, (FOLDS, FIVE, REPEATED, DEAR), lambda: Tree(depth=3), slow=True),
    Case("a tree of depth 4", PRODUCT, 130, (FOLDS, REPEATED), lambda: Tree(of="numbers", depth=4), slow=True),
    Case("a tree of depth 2 if it pays", CORNER, 120, (REPEATED,), lambda: Checked(lambda: Tree(depth=2)), slow=True),
    Case("a linear discriminant of the best feature", WEAK, 80, (REPEATED,), lambda: Chosen(Discriminant), slow=True),
    Case("a forest of 3 trees", CODES, 150, (FOLDS, DEAR), lambda: Forest(trees=3), slow=True),
    Case("a deep tree", RING, 200, (FOLDS, HOLDOUTS), Tree, slow=True),
    Case("a deep tree", numbers(3, "gamma"), 100, (FOLDS, DEAR), lambda: Tree(of="numbers"), slow=True),
    Case("a forest of 5 trees", clouds(1.2, 4), 80, (FOLDS, DEAR), Forest, slow=True),
    Case("naive Bayes", RING, 70, (FOLDS, FEW), BAYES, slow=True),
    Case("naive Bayes", clouds(0.6, 3, 0.25), 110, (FOLDS,), BAYES, slow=True),
    Case("logistic regression", WEAK, 80, (FOLDS, FEW), LOGISTIC, slow=True),
    Case("logistic regression", BLOCKS_OF_NOISE, 80, (FOLDS,), LOGISTIC, slow=True),
    Case("nearest mean", clouds(1.2, 8), 60, (FOLDS, FEW), CENTRES, slow=True),
    Case("support vectors", QUADRANTS, 90, (FOLDS, FEW), VECTORS, slow=True),
    # folds with the class shares of the sample do not show how these differ from sample to sample
    Case("linear discriminant", clouds(0.8, 5, 0.2), 130, (FOLDS, FEW), Discriminant),
    Case("1-nearest-neighbour", clouds(2, 6, 0.12), 200, (FOLDS, FEW), NearestRow),
    Case("the most frequent class", clouds(1, 2, 0.42), 70, (FOLDS, FEW), CONSTANT, slow=True),
)


def pair(says: str, law: Law, rows: int, columns: int, make: Callable[[], Any], *by: str, slow: bool = False) -> Case:
    """One learner on two blocks of features that are as good as each other."""
    first, second = (lambda at=at: Block(make(), at * columns, (at + 1) * columns) for at in (0, 1))
    return Case(f"{says} on two blocks", law, rows, by, first, second, slow)


PAIRS = (
    pair("1-nearest-neighbour", clouds(1.2, 1, 0.5, 2), 80, 1, NearestRow, FOLDS, REPEATED, HOLDOUTS, THIRDS, HALVES),
    pair("1-nearest-neighbour", BLOCKS_OF_NOISE, 200, 2, NearestRow, FOLDS, REPEATED, HALVES),
    pair("1-nearest-neighbour", clouds(1, 10, 0.3, 2), 120, 10, NearestRow, REPEATED, HOLDOUTS, slow=True),
    pair("1-nearest-neighbour", numbers(2, "gamma", 2), 100, 2, NearestNumber, REPEATED, THIRDS, slow=True),
    pair("linear discriminant", clouds(1.5, 6, 0.5, 2), 70, 6, Discriminant, FOLDS, REPEATED, HALVES),
    pair("least squares", numbers(4, "gamma", 2), 80, 4, LeastSquares, FOLDS, REPEATED, HOLDOUTS, HALVES),
    pair("least squares", numbers(25, "normal", 2), 90, 25, LeastSquares, REPEATED, slow=True),
    pair("a deep tree", clouds(1.5, 3, 0.5, 2), 120, 3, Tree, DEAR, HALVES, slow=True),
    pair("a deep tree", TWO_BOARDS, 150, 3, Tree, FOLDS, DEAR, slow=True),
    pair("a tree of depth 3", TWO_BOARDS, 150, 3, lambda: Tree(depth=3), FOLDS, slow=True),
)


def cells() -> Iterator[Cell]:
    """One learner, then two."""
    yield from cells_of((*ALONE, *PAIRS))


def cells_of(cases: Iterable[Case]) -> Iterator[Cell]:
    """Of one learner its coverage, of two their error rate, by every design."""
    for case in cases:
        for by in case.designs:
            yield _cell(case, by, _interval_asked if case.other is None else _test_asked)


def _cell(case: Case, by: str, asked: Callable[[Case, str, Random], Answer]) -> Cell:
    """Over-coverage is no failure here: whether a learner is stable cannot be seen from its splits."""
    return Cell(
        case.world,
        case.law.score,
        case.rows,
        lambda random: asked(case, by, random),
        kind="coverage" if case.other is None else "error rate",
        most=1.0,
        by=by,
        target="its training rows" if case.other is None else "",
        trials=1_000,
        slow=case.slow,
        expects="misses" if by in case.misses else case.expects,  # type: ignore[arg-type]
        code=case.code,
    )


def _interval_asked(case: Case, by: str, random: Random) -> Answer:
    sample = case.law.draw(case.rows, random)
    run = _run(case, sample, case.learner, by, int(random.integers(2**31)))
    request = EstimateRequest(case.choice, case.law.score, Confidence())
    found = estimate_run(run, request)
    return held(found, _truth(case, by))


def _test_asked(case: Case, by: str, random: Random) -> Answer:
    sample, seed = case.law.draw(case.rows, random), int(random.integers(2**31))
    assert case.other is not None
    runs = {name: _run(case, sample, one, by, seed) for name, one in (("a", case.learner), ("b", case.other))}
    return rejected(compare_pair(from_runs(runs, case.choice, case.law.score), ComparisonSpec(), "a", "b"))


def _run(case: Case, sample: Sample, learner: Callable[[], Any], by: str, seed: int) -> Run:
    return run_of(case.law, sample, learner, by, seed)  # type: ignore[arg-type]  # it asks for the kind alone


@cache
def _truth(case: Case, by: str) -> float:
    """The risk of the learner trained on as many rows as by the design, over fresh training sets and rows."""
    random = np.random.default_rng(SEED)
    rows = len(design_for(by, Rows(case.rows), 0).splits[0].train)
    risks = []
    for _ in range(DRAWS):
        model, fresh = case.learner(), case.law.draw(FRESH, random)
        model.fit(*case.law.draw(rows, random))
        away = model.predict(fresh.features) - fresh.target
        risks.append(np.mean(away**2))  # of classes 0 and 1 the error rate
    return float(np.mean(risks))
