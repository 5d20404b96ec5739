"""Worlds made from a user's own rows: they are drawn anew, and a model fitted to them supplies the target."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from veracity.core.errors import BadInput, Refused
from veracity.core.notes import Note
from veracity.lab.worlds import Kind, Sample, Truth, World
from veracity.learners.preparation import default_preparation
from veracity.readers.read_data import data_of
from veracity.records.arrays import Array
from veracity.records.data import Data

FEWEST = 50  # rows, below which a model of their target is a guess
FOLDS = 5  # by which the model of numbers shows its errors
CAUTION = Note(
    "plasmode",
    "caution",
    "the target of these samples comes from a model that was fitted to the data, and their rows are those of the data "
    "drawn again: learners that resemble this model look better than they are, and rows that the data lack never come",
)


@dataclass(frozen=True, eq=False)
class Plasmode(World):
    """Rows of a data set, drawn with replacement."""

    name: str
    features: Array
    notes: ClassVar[tuple[Note, ...]] = (CAUTION,)

    def __repr__(self) -> str:
        return f"plasmode({self.name})"

    @cached_property
    def digest(self) -> str:
        """Of all rows and of what the model says of them: two data sets may have one name."""
        found = hashlib.sha256()
        for one in fields(self)[1:]:
            values = np.ascontiguousarray(getattr(self, one.name))
            found.update(f"{one.name} {values.dtype} {values.shape} ".encode() + values.tobytes())
        return found.hexdigest()


@dataclass(frozen=True, eq=False, repr=False)
class PlasmodeClasses(Plasmode):
    """Classes by the probabilities of a model."""

    chances: Array  # (rows, classes)

    @property
    def best_truth(self) -> Truth:
        return Truth(float(1 - self.chances.max(1).mean()))

    def _draw_rows(self, rows: int, random: np.random.Generator) -> Sample:
        place = random.integers(len(self.features), size=rows)
        below = np.cumsum(self.chances[place], 1)
        target = (random.random(rows)[:, None] * below[:, -1:] >= below).sum(1)
        return Sample(self.features[place], target, classes=self.chances.shape[1])


@dataclass(frozen=True, eq=False, repr=False)
class PlasmodeNumbers(Plasmode):
    """Numbers that a model predicts, and errors of it on rows that it had not seen."""

    kind: ClassVar[Kind] = "numbers"
    expected: Array
    errors: Array

    @property
    def best_truth(self) -> Truth:
        return Truth(float(self.errors.var()))

    def _draw_rows(self, rows: int, random: np.random.Generator) -> Sample:
        place, error = random.integers(len(self.features), size=(2, rows))
        return Sample(self.features[place], self.expected[place] + self.errors[error])


def plasmode(X: Any, y: Any, *, model: Any = None, name: str = "data", kind: str = "auto") -> Plasmode:  # noqa: N803
    """A world like a data set: its rows are drawn again, and `model`, fitted to them, supplies the target.

    Without `model` it is a logistic regression, or a ridge regression for numbers.
    """
    return plasmode_of(data_of(X, y, name=name, kind=kind), model)


def plasmode_of(data: Data, model: Any = None) -> Plasmode:
    """The same of data that were read."""
    if len(data) < FEWEST:
        says = f"{data.name} has {len(data)} rows, too few to fit the model that supplies a plasmode's target"
        raise Refused(f"{says}: {FEWEST} are needed, or take a world of the lab", "too-few-rows")
    features = _numbers(data)
    chosen = _default_model(data.kind) if model is None else model
    fitted = chosen.fit(features.copy(), data.truth.copy())
    if data.kind == "numbers":
        expected = np.asarray(fitted.predict(features.copy()), float)
        return PlasmodeNumbers(data.name, features, expected, _errors(chosen, features, data.truth))
    if not hasattr(fitted, "predict_proba"):
        raise BadInput(f"{type(chosen).__name__} gives no probabilities, by which a plasmode draws classes")
    return PlasmodeClasses(data.name, features, np.asarray(fitted.predict_proba(features.copy()), float))


def _errors(model: Any, features: Array, truth: Array) -> Array:
    """Of rows that the model had not seen, around their mean."""
    from sklearn.base import clone

    fold = np.random.default_rng(0).permutation(len(truth)) % FOLDS
    missed = np.empty(len(truth))
    for number in range(FOLDS):
        fitted = clone(model).fit(features[fold != number], truth[fold != number])
        missed[fold == number] = truth[fold == number] - fitted.predict(features[fold == number])
    return missed - missed.mean()


def _default_model(kind: str) -> Any:
    from sklearn.linear_model import LogisticRegression, RidgeCV
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    plain = LogisticRegression(max_iter=1000) if kind == "classes" else RidgeCV(np.logspace(-3, 3, 13))
    return make_pipeline(StandardScaler(), plain)


def _numbers(data: Data) -> Array:
    """Features as numbers: categories as columns of 0 and 1, missing cells filled, as before learners."""
    features = data.features
    if data.categorical or data.incomplete:
        features = default_preparation(data).fit_transform(features, data.truth)
    dense = features.toarray() if hasattr(features, "toarray") else features
    return np.asarray(dense, float)
