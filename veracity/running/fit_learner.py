"""One fit: a learner trained on some rows and asked about others; whatever goes wrong is an outcome too."""

from __future__ import annotations

import json
import os
import sys
import time
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np

from veracity.core.errors import BadInput
from veracity.evidence.columns import SUM_TOLERANCE
from veracity.evidence.labels import codes
from veracity.learners.fingerprint import fingerprint
from veracity.learners.inspection import fit_keywords, is_pipeline, last_step, with_inner_design
from veracity.learners.preparation import advice_on_texts, with_preparation
from veracity.learners.seeding import seeded
from veracity.records.arrays import Array
from veracity.records.data import Data
from veracity.records.fit import Fit, Outcome, fit_key, rows_digest
from veracity.running.time_limit import OutOfTimeError, TimeLimit

LONGEST = 300  # characters of a reason
_LIBRARIES: dict[int, list[Any]] = {}  # that multiply matrices, by the number of modules imported when they were found


@contextmanager
def isolated() -> Iterator[None]:
    """Put back what a fit may change for all that come after it, and show none of its warnings.

    That is filters of warnings, what numpy does about errors, the settings of scikit-learn, the folder, and the threads
    of libraries that multiply matrices. `seeded` puts random numbers back.
    """
    from sklearn import config_context

    folder, threads = _folder(), _threads()
    with warnings.catch_warnings(), np.errstate(), config_context():
        warnings.simplefilter("ignore")
        try:
            yield
        finally:
            for library, number in threads:
                if library.get_num_threads() != number:
                    library.set_num_threads(number)
            if folder is not None and _folder() != folder:
                with suppress(OSError):  # it was removed meanwhile
                    os.chdir(folder)


def _folder() -> Path | None:
    try:
        return Path.cwd()
    except FileNotFoundError:  # it was removed
        return None


def _threads() -> list[tuple[Any, int]]:
    """Return the threads that libraries use now; those are looked for where modules were imported since."""
    if len(sys.modules) not in _LIBRARIES:
        from threadpoolctl import ThreadpoolController

        _LIBRARIES.clear()
        _LIBRARIES[len(sys.modules)] = ThreadpoolController().lib_controllers
    return [(library, library.get_num_threads()) for library in _LIBRARIES[len(sys.modules)]]


@isolated()
def fit_one(
    learner: Any, data: Data, fit: Fit, *, timeout: float | None = None, limit: TimeLimit | None = None
) -> Outcome:
    """Train once and predict, and return the outcome, which does not depend on what was fitted before.

    A learner that raises, hangs or answers nonsense is a failed outcome, never an exception. `limit` is that of a
    caller that looks itself whether the fit hangs.
    """
    limit = limit or TimeLimit(timeout)
    started = time.perf_counter()
    doing = "fit"
    try:
        whole = with_preparation(with_inner_design(learner, fit.inner), data)  # what this imports is no time of the fit
        with limit, seeded(whole, fit.seed, fit.repeats or fit.key) as (model, restart):
            begun = time.perf_counter()
            train(model, data, np.sort(fit.train), fit.validation)
            trained = time.perf_counter() - begun
            doing = "predict"
            restart()
            asked = time.perf_counter()
            outputs = predict(model, data, fit.train, fit.predict) if len(fit.predict) else {}
            predicted = time.perf_counter() - asked
        chosen = _choice(model)
    except KeyboardInterrupt:
        raise
    except BaseException as why:  # SystemExit and the like must not end a worker
        if isinstance(why, OutOfTimeError) and limit.seconds is None:
            raise  # the time of the fit that this one is part of is over
        trace = "" if isinstance(why, (UnusableError, OutOfTimeError)) else traceback.format_exc()
        reason = "; ".join(filter(None, (reason_of(why, doing, limit.seconds), advice_on_texts(why, data))))
        return failed_outcome(fit, reason, trace, time.perf_counter() - started)
    return Outcome(
        fit.key,
        "done",
        fit.predict,
        **outputs,  # type: ignore[arg-type]
        seconds=time.perf_counter() - started,
        chosen=chosen,
        seconds_fit=trained,
        seconds_predict=predicted,
    )


def failed_outcome(fit: Fit, reason: str, trace: str = "", seconds: float = 0.0) -> Outcome:
    """The outcome of a fit that failed."""
    return Outcome(fit.key, "failed", reason=reason, traceback=trace, seconds=seconds)


def fit_all(learner: Any, data: Data, seed: int, inner: str = "") -> Any:
    """The model trained on all rows, with the random numbers that a fit of all rows in a study has."""
    rows = np.arange(len(data))
    whole = with_preparation(with_inner_design(learner, inner), data)
    key = fit_key(data.fingerprint, fingerprint(whole), rows_digest(rows), seed)
    with isolated(), seeded(whole, seed, key) as (model, _):
        train(model, data, rows)
    return model


def train(model: Any, data: Data, rows: Array, validation: Array | None = None) -> None:
    """Fit the model to some rows; a learner that takes validation rows gets their features and target too."""
    keywords = fit_keywords(model)
    known: dict[str, Any] = {"sample_weight": data.weights, "groups": data.groups, "time": data.time}
    known = {name: array[rows] for name, array in known.items() if array is not None and name in keywords}
    if data.weights is not None and validation is not None:
        known["validation_weight"] = data.weights[validation]
    if data.positive is not None:
        known["positive"] = data.classes[data.positive]
    if "rows" in keywords and (rows[1:] == rows[:-1]).any():  # drawn with replacement: which are copies of which
        known["rows"] = rows
    extras = {keyword: known[name] for name, keyword in keywords.items() if name in known}
    features, target = data.take(rows), data.target[rows]
    if validation is None or "validation" not in keywords:
        model.fit(features, target, **extras)
        return
    validation_features = data.take(validation)
    while is_pipeline(model):  # validation rows go through its transformers, which are fitted to training rows only
        step, last = model.steps[-1]
        extras = {keyword.removeprefix(f"{step}__"): value for keyword, value in extras.items()}
        if len(model.steps) > 1:
            before = model[:-1]
            features = before.fit_transform(features, target)
            validation_features = before.transform(validation_features)
        model = last
    model.fit(features, target, **extras, validation=(validation_features, data.target[validation]))


def _choice(model: Any) -> str:
    """What a learner that chooses for itself has settled on: all it wants remembered, or its parameters."""
    last = last_step(model)
    best = getattr(last, "chosen_", None) or getattr(last, "best_params_", None)
    return "" if best is None else json.dumps(best, default=repr, sort_keys=True)


def reason_of(why: BaseException, doing: str, timeout: float | None = None) -> str:
    """What went wrong, as one sentence."""
    if isinstance(why, OutOfTimeError):
        return f"{doing} took longer than the timeout of {timeout:g} s"
    if isinstance(why, UnusableError):
        return str(why)
    if isinstance(why, MemoryError):
        return f"{doing} ran out of memory"
    try:
        text = " ".join(str(why).split("\n\n")[0].split())
    except Exception:  # an error that fails to say anything is known by its kind
        text = ""
    text = f"{doing} raised {type(why).__name__}" + (f": {text}" if text else "")
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


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
