"""A finished study of many learners on many data sets, written as a run would write it but without fitting."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from sklearn.tree import DecisionTreeClassifier

from veracity.records.fit import Outcome
from veracity.stores.open_store import open_store
from veracity.studies.study import Study

DATA_SETS, LEARNERS = 100, 40
BY = "repeated_kfold(k=5, repeats=5)"


def large_store(data_sets: int = DATA_SETS, learners: int = LEARNERS) -> Path:
    """The file of the store, which is made once and stays in the folder of temporary files."""
    path = Path(tempfile.gettempdir()) / f"veracity-bench-{data_sets}x{learners}.db"
    if not path.exists():
        part = path.with_suffix(".part")
        part.unlink(missing_ok=True)
        _write(part, data_sets, learners)
        part.rename(path)
    return path


def _write(path: Path, data_sets: int, learners: int) -> None:
    random = np.random.default_rng(13)
    write_without_fitting(study_of_trees(random, data_sets, learners), path, random)


def study_of_trees(random: np.random.Generator, data_sets: int, learners: int) -> Study:
    """Small data sets of noise, and trees that differ."""
    tables = {f"data {d:03}": _table(random, classes=2 + (d % 3 == 2)) for d in range(data_sets)}
    trees = {f"learner {k:02}": DecisionTreeClassifier(min_samples_leaf=k + 1) for k in range(learners)}
    return Study(tables, trees, BY, seed=7)


def write_without_fitting(study: Study, path: Path, random: np.random.Generator) -> None:
    """Predictions that nobody made, of every fit of a study of classes, in a new store."""
    with open_store(path) as store:
        study.register(store)
        batch = []
        for outcome in random_outcomes(study, random):
            batch.append(outcome)
            if len(batch) == 2_000:
                store.write(batch)
                batch = []
        store.write(batch)


def _table(random: np.random.Generator, classes: int) -> tuple[np.ndarray, np.ndarray]:
    rows = int(random.integers(100, 301))
    return random.normal(size=(rows, 3)), np.arange(rows) % classes


def random_outcomes(study: Study, random: np.random.Generator) -> Iterator[Outcome]:
    """Probabilities that favour the true class by a skill of the learner and an ease of the data set."""
    skill = {name: 0.6 + 0.02 * place for place, name in enumerate(study.learners)}
    ease = {name: random.uniform(0.5, 2.5) for name in study.data}
    for fit in study.plan().plan.fits:
        truth, classes = study.data[fit.data].truth, len(study.data[fit.data].classes)
        spread = random.normal(size=(len(fit.predict), classes))
        spread[np.arange(len(fit.predict)), truth[fit.predict]] += skill[fit.learner] * ease[fit.data]
        proba = np.exp(spread)
        proba /= proba.sum(axis=1, keepdims=True)
        label = proba.argmax(axis=1).astype(np.int8)
        yield Outcome(fit.key, "done", fit.predict, label, proba, seconds=0.01)
