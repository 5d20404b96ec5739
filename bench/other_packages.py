"""The same work by scikit-learn's cross_validate and by R's pROC, their numbers held against ours."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from functools import partial
from pathlib import Path
from time import process_time

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import RepeatedStratifiedKFold, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import veracity as vc
from bench.row import Measure, Row, faster, measure, within

LEARNERS = {
    "naive Bayes": (GaussianNB(), 10),
    "a tree": (DecisionTreeClassifier(random_state=0), 10),
    "a forest of 20 trees": (RandomForestClassifier(20, random_state=0), 3),
}
SCORES = {"accuracy": "accuracy", "auc": "roc_auc", "balanced_accuracy": "balanced_accuracy"}
PROC = """
suppressPackageStartupMessages(library(pROC))
read <- function(name) readBin(name, "double", {rows})
truth <- read("truth"); first <- read("first"); second <- read("second")
seconds <- system.time({{
  one <- roc(truth, first, quiet = TRUE, direction = "<")
  two <- roc(truth, second, quiet = TRUE, direction = "<")
  found <- roc.test(one, two, method = "delong", paired = TRUE)
}})[["user.self"]]
cat(seconds, format(found$p.value, digits = 17))
"""


def cross_validation() -> list[Row]:
    """Three scores of repeated ten folds, ours with intervals and by a worker that has started, both in one process."""
    features, target = load_breast_cancer(return_X_y=True)
    rows = []
    for name, (learner, repeats) in LEARNERS.items():
        splits = RepeatedStratifiedKFold(n_splits=10, n_repeats=repeats, random_state=7)
        theirs = partial(cross_validate, learner, features, target, scoring=list(SCORES.values()), cv=splits)
        ours = partial(_estimates, learner, features, target, splits)
        _check_equal(ours(), theirs())
        title = f"{10 * repeats} fits of {name}, three scores with intervals, start-up apart; cross_validate, without"
        rows.append(within(title, measure(ours, 5), measure(theirs, 5), 1.1))
    return rows


def _estimates(learner: object, features: np.ndarray, target: np.ndarray, splits: object) -> list[vc.Estimate]:
    runs = vc.evaluate(learner, features, target, by=splits, seed=7, positive=1, progress=False)
    return [next(iter(vc.estimate(runs, score))) for score in SCORES]


def _check_equal(ours: list[vc.Estimate], theirs: dict[str, np.ndarray]) -> None:
    for estimate, name in zip(ours, SCORES.values(), strict=True):
        mean = abs(theirs[f"test_{name}"].mean())
        assert np.isclose(estimate.value, mean, rtol=1e-9), (estimate, mean)


def delong_in_r() -> list[Row]:
    """DeLong's test of two models of 10^5 rows, in processor time; nothing where R or pROC is not installed."""
    if shutil.which("Rscript") is None:
        print("pROC: not installed (`.ci/peers make bench` installs it), skipped\n")
        return []
    draw = np.random.default_rng(5)
    truth = (draw.random(100_000) < 0.3).astype(float)
    values = [draw.normal(size=len(truth)) + shift * truth for shift in (1.0, 1.01)]
    models = [vc.predictions(truth.astype(int), value=value, positive=1) for value in values]

    def ours() -> vc.Comparison:
        return vc.compare({"first": models[0], "second": models[1]}, "auc", using="delong_test")

    theirs, p_value = _delong_by_proc(truth, *values)
    assert np.isclose(ours().p_value, p_value, rtol=1e-7), (ours().p_value, p_value)
    return [faster("DeLong's test of two models, 10^5 rows; pROC", measure(ours, 5, clock=process_time), theirs, 5)]


def _delong_by_proc(truth: np.ndarray, first: np.ndarray, second: np.ndarray) -> tuple[Measure, float]:
    seconds, p_value = [], float("nan")
    with tempfile.TemporaryDirectory() as folder:
        for name, column in (("truth", truth), ("first", first), ("second", second)):
            column.tofile(Path(folder) / name)
        for _ in range(2):
            code = ["Rscript", "--vanilla", "-e", PROC.format(rows=len(truth))]
            out = subprocess.run(code, cwd=folder, check=True, capture_output=True, text=True).stdout
            taken, p_value = map(float, out.split())
            seconds.append(taken)
    return Measure(tuple(seconds)), p_value


ROWS = (cross_validation, delong_in_r)
