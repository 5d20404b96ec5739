"""One fit: a learner trained on some rows and asked about others; whatever goes wrong is an outcome too."""

from __future__ import annotations

import json
import time
import traceback
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from veracity.learners.fingerprint import fingerprint
from veracity.learners.fit_arguments import fit_keywords, is_pipeline
from veracity.learners.preparation import advice_on_texts, with_preparation
from veracity.learners.seeding import Seeding, unfitted_copy
from veracity.learners.sklearn_promises import last_step, least_company
from veracity.learners.tuning_design import with_inner_design
from veracity.records.arrays import Array
from veracity.records.data import Data
from veracity.records.fit import OUTPUTS, Answer, Fit, Outcome, fit_key, rows_digest, rows_to_predict
from veracity.running.isolation import Isolation
from veracity.running.predict import UnusableError, predict
from veracity.running.time_limit import OutOfTimeError, TimeLimit

LONGEST = 300  # characters of a reason


class Statement(NamedTuple):
    """What a model said of some rows, by the key of an answer or of the fit, and the seconds that it took."""

    key: str
    rows: Array
    outputs: dict[str, Array]
    seconds: float


def fit_one(learner: Any, data: Data, fit: Fit, *, timeout: float | None = None) -> list[Outcome]:
    """Train once and predict: the outcome of each answer. None depends on which others are asked, nor on what was
    fitted before.

    A learner that raises, hangs or answers nonsense is a failed outcome, never an exception.
    """
    return deal_answers(fit, fit_and_ask(learner, data, fit, TimeLimit(timeout), Isolation()))


def fit_and_ask(
    learner: Any, data: Data, fit: Fit, limit: TimeLimit, isolation: AbstractContextManager[None]
) -> list[Outcome]:
    """An outcome for each question that the model was asked: of one answer, by its key, or of several at once, by the
    key of the fit. Fits that follow each other at once, with nothing between them, may share what isolates them.
    """
    with isolation:
        return _fit_in_time(learner, data, fit, limit)


def deal_answers(fit: Fit, asked: list[Outcome]) -> list[Outcome]:
    """The outcome of each answer: its own, or its part of what was said at once, with its share of that time by rows.

    Parts are taken by whoever waits for the worker: what travels is what the model said, once.
    """
    by_key = {outcome.key: outcome for outcome in asked}
    return [by_key.get(answer.key) or _part(by_key[fit.key], answer) for answer in fit.stored]


def _part(whole: Outcome, answer: Answer) -> Outcome:
    assert whole.rows is not None
    every = len(answer.rows) == len(whole.rows)
    at = slice(None) if every else whole.rows.searchsorted(answer.rows)
    outputs = {name: array[at] for name in OUTPUTS if (array := getattr(whole, name)) is not None}
    seconds = whole.seconds_predict * len(answer.rows) / len(whole.rows)
    return replace(whole, key=answer.key, rows=answer.rows, **outputs, seconds_predict=seconds)


def _fit_in_time(learner: Any, data: Data, fit: Fit, limit: TimeLimit) -> list[Outcome]:
    started = time.perf_counter()
    doing = "fit"
    try:
        whole = with_preparation(with_inner_design(learner, fit.inner), data)  # what this imports is no time of the fit
        with limit:
            model = unfitted_copy(whole)
            with Seeding(model, fit.seed, fit.key) as seeding:
                begun = time.perf_counter()
                train(model, data, np.sort(fit.train), fit.validation)
                trained = time.perf_counter() - begun
                doing = "predict"
                statements = _ask(model, data, fit, seeding)
            chosen = _choice(model)
    except KeyboardInterrupt:
        raise
    except BaseException as why:  # SystemExit and the like must not end a worker
        if isinstance(why, OutOfTimeError) and limit.seconds is None:
            raise  # the time of the fit that this one is part of is over
        trace = "" if isinstance(why, (UnusableError, OutOfTimeError)) else traceback.format_exc()
        reason = "; ".join(filter(None, (reason_of(why, doing, limit.seconds), advice_on_texts(why, data))))
        return failed_outcomes(fit, reason, trace, time.perf_counter() - started)
    times = {"seconds": time.perf_counter() - started, "seconds_fit": trained}
    return [
        Outcome(key, "done", rows, **outputs, chosen=chosen, seconds_predict=seconds, **times)  # type: ignore[arg-type]
        for key, rows, outputs, seconds in statements
    ]


def failed_outcomes(fit: Fit, reason: str, trace: str = "", seconds: float = 0.0) -> list[Outcome]:
    """The same failure for every answer of a fit."""
    return [Outcome(answer.key, "failed", reason=reason, traceback=trace, seconds=seconds) for answer in fit.stored]


def _ask(model: Any, data: Data, fit: Fit, seeding: Seeding) -> list[Statement]:
    """What the model says of the rows of each answer, asked by itself; of several at once where that makes no
    difference to the last bit.
    """

    def ask(key: str, rows: Array) -> Statement:
        seeding.restart()
        begun = time.perf_counter()
        outputs = predict(model, data, fit.train, rows) if len(rows) else {}
        return Statement(key, rows, outputs, time.perf_counter() - begun)

    company = least_company(model, data.features) if len(fit.stored) > 1 else 0
    together: list[Answer] = []
    alone: list[Answer] = []
    for answer in fit.stored:
        (together if 0 < company <= len(answer.rows) else alone).append(answer)
    at_once = [ask(fit.key, rows_to_predict(tuple(together)) if alone else fit.predict)] if together else []
    return at_once + [ask(*answer) for answer in alone]


def fit_all(learner: Any, data: Data, seed: int, inner: str = "") -> Any:
    """The model trained on all rows, with the random numbers that a fit of all rows in a study has."""
    rows = np.arange(len(data))
    whole = with_preparation(with_inner_design(learner, inner), data)
    key = fit_key(data.fingerprint, fingerprint(whole), rows_digest(rows), seed)
    model = unfitted_copy(whole)
    with Isolation(), Seeding(model, seed, key) as seeding:
        train(model, data, rows)
        seeding.keep()
    return model


def train(model: Any, data: Data, rows: Array, validation: Array | None = None) -> None:
    """Fit the model to some rows; a learner that takes validation rows gets their features and target too."""
    features, target, extras = data.take(rows), data.target[rows], _extras(model, data, rows, validation)
    if validation is None or "validation" not in fit_keywords(model):
        model.fit(features, target, **extras)
    else:
        held_out = (data.take(validation), data.target[validation])
        _fit_with_validation(model, features, target, extras, held_out)


def _fit_with_validation(
    model: Any, features: Any, target: Array, extras: dict[str, Any], validation: tuple[Any, Array]
) -> None:
    """In a pipeline, validation rows go through the same transformers, which are fitted to training rows only."""
    if not is_pipeline(model):
        model.fit(features, target, **extras, validation=validation)
        return
    step, last = model.steps[-1]
    held = {keyword.removeprefix(f"{step}__"): value for keyword, value in extras.items()}
    if len(model.steps) > 1:
        before = model[:-1]
        features = before.fit_transform(features, target)
        validation = (before.transform(validation[0]), validation[1])
    _fit_with_validation(last, features, target, held, validation)


def _extras(model: Any, data: Data, rows: Array, validation: Array | None) -> dict[str, Any]:
    """Return what the data knows of the rows, by the keywords that the learner's fit names."""
    keywords = fit_keywords(model)
    held: dict[str, Any] = {"sample_weight": data.weights, "groups": data.groups, "time": data.time}
    held = {name: array[rows] for name, array in held.items() if array is not None and name in keywords}
    if data.weights is not None and validation is not None:
        held["validation_weight"] = data.weights[validation]
    if data.positive is not None:
        held["positive"] = data.classes[data.positive]
    if "rows" in keywords and (rows[1:] == rows[:-1]).any():  # drawn with replacement: which are copies of which
        held["rows"] = rows
    return {keyword: held[name] for name, keyword in keywords.items() if name in held}


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
