"""Scores of small confusion matrices: averages over classes, ratios of rates, agreement; and what has none."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

import veracity as vc
from bench.defaults.cell import Answer, Cell, Random, held, interval_cell
from veracity.evidence.counts import Counts
from veracity.scores import scores
from veracity.scores.entry import values_on

TWO = {0.1: ((0.065, 0.035), (0.12, 0.78)), 0.3: ((0.24, 0.06), (0.1, 0.6))}
THREE = ((0.36, 0.08, 0.04), (0.05, 0.24, 0.05), (0.02, 0.03, 0.13))
FOUR = ((0.3, 0.06, 0.02, 0.02), (0.04, 0.22, 0.02, 0.02), (0.01, 0.03, 0.12, 0.02), (0.01, 0.01, 0.01, 0.09))
FOR_F = {"0.16 positive": ((0.11, 0.05), (0.06, 0.78)), "0.45 positive": ((0.31, 0.14), (0.17, 0.38))}
MORE = (("five classes, few errors", 5, 0.95, 65), ("ten classes", 10, 0.8, 120))  # the last two: share right, and rows
AVERAGES = ("precision", "recall", "fbeta", "youden")
OF_TWO = ("kappa", "mcc", "lift", "positive_likelihood_ratio", "negative_likelihood_ratio", "youden")
OF_MANY = (
    "precision",
    "recall",
    "fbeta",
    "balanced_accuracy",
    "specificity",
    "kappa",
    "mcc",
    "recall(average='prior')",
)


def _even_matrix(classes: int, right: float) -> Any:
    """Classes of one share, each taken for every other one equally often."""
    wrong = (1 - right) / (classes - 1)
    return (np.full((classes, classes), wrong) + (right - wrong) * np.eye(classes)) / classes


def _truth(score: str, matrix: Any) -> float:
    return float(values_on(scores.choose(score), Counts(matrix, positive=0 if len(matrix) == 2 else None)))


def _draw(matrix: Any, rows: int, random: Random) -> vc.Predictions:
    """Rows of a matrix of shares; every class is there and is predicted, as scores need it."""
    size = len(matrix)
    while True:
        cell = random.choice(size * size, rows, p=np.ravel(matrix))
        truth, said = cell // size, cell % size
        if len(set(truth)) == len(set(said)) == size:
            positive = {"positive": 0} if size == 2 else {}
            return vc.predictions(truth, label=said, classes=list(range(size)), **positive)


def _calibrated(rows: int, random: Random) -> vc.Predictions:
    chance = random.beta(1.5, 2.5, rows)
    return vc.predictions((random.random(rows) < chance).astype(int), proba=chance, positive=1)


def _bet(random: Random) -> Answer:
    """Betting in the order of the rows, as asked for by name."""
    wrong = (random.random(120) < 0.2).astype(int)
    p = vc.predictions(np.zeros(120, int), label=wrong, classes=[0, 1])
    return held(vc.estimate(p, "error", interval="betting(shuffle=False)")["error"], 0.2)


def cells() -> Iterator[Cell]:
    """Default intervals of counts."""
    for share, matrix in TWO.items():
        for rows in (20, 50, 100):
            for score in OF_TWO:
                world, draw = f"two classes, {share} positive", partial(_draw, matrix, rows)
                given = 0.85 if score == "positive_likelihood_ratio" else 0.98  # infinite without a false positive
                yield interval_cell(
                    world, score, rows, _truth(score, matrix), draw, most=1.0, given=given, trials=1_500
                )
    for name, matrix in FOR_F.items():
        for rows in (25, 60, 120):
            for score in ("fbeta(beta=2)", "fbeta(beta=0.5)"):
                draw = partial(_draw, matrix, rows)
                world = f"two classes, {name}"
                yield interval_cell(world, score, rows, _truth(score, matrix), draw, most=1.0, trials=1_500)
    for name, matrix in (("three", THREE), ("four", FOUR)):
        for rows in (50, 100):
            for score in OF_MANY:
                draw = partial(_draw, matrix, rows)
                yield interval_cell(f"{name} classes", score, rows, _truth(score, matrix), draw, trials=1_500)
    for name, classes, right, rows in MORE:
        matrix = _even_matrix(classes, right)
        for score in AVERAGES:
            draw = partial(_draw, matrix, rows)
            yield interval_cell(name, score, rows, _truth(score, matrix), draw, trials=1_500)
    draw = partial(_draw, TWO[0.3], 3)
    yield interval_cell("three rows", "kappa", 3, _truth("kappa", TWO[0.3]), draw, expects="caution", code="few-rows")
    draw = partial(_calibrated, 200)
    fields = {"expects": "none", "code": "on-request"}
    yield interval_cell("calibrated chances", "calibration_error", 200, 0.0, draw, **fields)
    yield Cell("rows in their order", "error", 120, _bet, most=1.0)
