"""What a fitted model says of some rows, checked, in the classes of the data."""

from __future__ import annotations

from typing import Any

import numpy as np

from veracity.core.errors import BadInput
from veracity.evidence.columns import SUM_TOLERANCE
from veracity.evidence.labels import codes
from veracity.records.arrays import Array
from veracity.records.data import Data

SINGLE_TOLERANCE = 1e-5  # what single precision can do


class UnusableError(Exception):
    """What a model said cannot be used; the text is the sentence for the user."""


def predict(model: Any, data: Data, train: Array, rows: Array) -> dict[str, Array]:
    """Return numbers, or labels with probabilities where the model gives them, else decision values of two classes.

    Every call of the model gets its own copy of the rows: `StandardScaler(copy=False)` and the like change it in place.
    """
    if data.kind == "numbers":
        return {"number": _numbers(model.predict(data.take(rows)), "predict", len(rows))}
    outputs = {}
    if hasattr(model, "predict_proba"):
        known = _known_classes(model, data, train)
        outputs["proba"] = _probabilities(model.predict_proba(data.take(rows)), known, data, len(rows))
    outputs["label"] = predict_labels(model, data, rows)
    if "proba" not in outputs and len(data.classes) == 2 and hasattr(model, "decision_function"):
        known = _known_classes(model, data, train)
        outputs["value"] = _value(model.decision_function(data.take(rows)), known, data, len(rows))
    return outputs


def predict_labels(model: Any, data: Data, rows: Array) -> Array:
    """Return the labels that the model predicts for some rows."""
    return _codes(_column(model.predict(data.take(rows)), "predict", len(rows)), data, "predict")


def _known_classes(model: Any, data: Data, train: Array) -> Array:
    """Codes of the classes the model knows, in the order of its columns."""
    own = getattr(model, "classes_", None)
    if own is None:
        return np.unique(data.truth[train])
    own, labels = np.asarray(own), data.labels
    if own.dtype == labels.dtype and own.shape == labels.shape and (own == labels).all():
        return data.codes
    return _codes(own, data, "classes_")


def _codes(given: Array, data: Data, what: str) -> Array:
    """The place of each label among the data's classes."""
    labels = data.labels
    if labels.dtype.kind == given.dtype.kind or (labels.dtype.kind in "iuf" and given.dtype.kind in "iuf"):
        places = labels.searchsorted(given)
        places[places == len(labels)] = 0
        if (labels[places] == given).all():
            return places.astype(data.codes.dtype)
    if given.dtype.kind == "f":
        _all_finite(given, what)
    try:
        return codes(given, data.classes, what)
    except BadInput as why:
        raise UnusableError(str(why)) from None


def _column(predicted: Any, what: str, rows: int) -> Array:
    """One value per row."""
    array = np.asarray(predicted)
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.shape != (rows,):
        raise UnusableError(f"{what} gave shape {array.shape} for {rows} rows: one value per row is needed")
    return array


def _numbers(predicted: Any, what: str, rows: int) -> Array:
    array = _column(predicted, what, rows)
    try:
        array = np.array(array, np.float64)
    except (TypeError, ValueError):
        raise UnusableError(f"{what} gave {array.dtype} values where numbers are needed") from None
    _all_finite(array, what)
    return array


def _all_finite(array: Array, what: str) -> None:
    finite = np.isfinite(array)
    if not finite.all():
        row = np.unravel_index(int(finite.argmin()), array.shape)[0]
        raise UnusableError(f"{what} gave {array[row]} for the {_ordinal(int(row))} of its rows")


def _ordinal(row: int) -> str:
    number = row + 1
    ending = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def _probabilities(predicted: Any, known: Array, data: Data, rows: int) -> Array:
    """A column for each class of the data; one that training never showed has probability 0."""
    array = np.asarray(predicted)
    if array.shape != (rows, len(known)):
        needed = f"{rows} rows and {len(known)} classes in training"
        raise UnusableError(f"predict_proba gave shape {array.shape} for {needed}: one column per class is needed")
    array = array if array.dtype in (np.float64, np.float32) else array.astype(np.float64)
    if rows:
        tolerance = SUM_TOLERANCE if array.dtype == np.float64 else SINGLE_TOLERANCE
        sums = np.add.reduce(array, 1, np.float64)
        low, high = np.minimum.reduce(sums), np.maximum.reduce(sums)
        least = np.minimum.reduce(array, None)
        if not (low >= 1 - tolerance and high <= 1 + tolerance and least >= -tolerance):  # not-a-number fails too
            _all_finite(array, "predict_proba")
            row = int(array.min(1).argmin()) if array.min() < 0 else int(np.abs(sums - 1).argmax())
            shown = np.array2string(array[row], precision=6, threshold=6)
            gave = f"predict_proba gave {shown} for the {_ordinal(row)} of its rows"
            raise UnusableError(f"{gave}: these are no probabilities")
        if least < 0 or np.maximum.reduce(array, None) > 1:  # only rounding is left
            array = array.clip(0, 1)
    if known is data.codes or (len(known) == len(data.classes) and (known[:-1] < known[1:]).all()):
        return array
    whole = np.zeros((rows, len(data.classes)), array.dtype)
    whole[:, known] = array
    return whole


def _value(decided: Any, known: Array, data: Data, rows: int) -> Array:
    """Higher is more of the positive class, or of the second where none is named."""
    wanted = 1 if data.positive is None else data.positive
    array = np.asarray(decided)
    if array.ndim == 2 and array.shape[1] == 2 == len(known):
        return _numbers(array[:, int((known == wanted).argmax())], "decision_function", rows)
    value = _numbers(array, "decision_function", rows)
    return value if known[-1] == wanted else -value
