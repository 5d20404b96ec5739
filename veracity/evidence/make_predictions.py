"""Predictions made from what a user gives, every array checked where it enters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from veracity.core.arguments import Column, Label, Numbers, Table, verb
from veracity.core.errors import BadInput
from veracity.core.words import option
from veracity.evidence.columns import (
    check_same_index,
    label_column,
    named_columns,
    number_column,
    positive_column,
    probability_columns,
    right_or_wrong,
    same_length,
    usable_weights,
)
from veracity.evidence.counts import RIGHT_WRONG
from veracity.evidence.labels import (
    LABELS,
    LEAVE_OUT,
    Places,
    as_labels,
    codes,
    distinct_labels,
    text_codes,
    time_texts,
)
from veracity.evidence.missing_values import (
    AT_RANDOM,
    check_labelled,
    check_missing,
    drop_rows,
    fill_gaps,
    set_aside,
    unlabelled_rows,
)
from veracity.evidence.origin import SplitColumns
from veracity.evidence.predictions import Predictions
from veracity.records.arrays import Array, as_array, as_numbers, freeze, python_value

MOST_ROWS = 2**53  # beyond, a row more or less is lost in floating point


@verb
def predictions(
    y: Column = None,
    *,
    label: Column = None,
    proba: Table = None,
    value: Column = None,
    number: Column = None,
    correct: Column = None,
    loss: Column = None,
    classes: Column = None,
    positive: Label = None,
    rows: Column = None,
    weights: Column = None,
    counts: Column = None,
    groups: Column = None,
    fold: Column = None,
    repeat: Column = None,
    labelled: str = "all",
    prior: Numbers = None,
    train_mean: float | None = None,
    threshold: float | None = None,
    missing: str = "refuse",
    name: str = "model",
    places: Places | None = None,
) -> Predictions:
    """Truth and predictions over the same rows, checked: the start of everything.

    Give any of `label` (classes), `proba` (one column per class, or one of the positive class), `value` (decision
    values, higher is more positive), or `number` (a numeric target). `weights` are sampling weights, `counts` true
    repeats of a row, `groups` clusters of rows that belong together. `labelled="positives"` says that rows not labelled
    positive are unknown, `labelled="some"` that rows without a label are: those are set aside for posterior_fdr, which
    reads probabilities alone. `prior` (class shares) and `train_mean` are facts of the training rows that some scores
    need. Where each fold of the rows was predicted by a model of its own, `fold` says which, and `repeat` of which
    cross-validation, with `rows` to tell rows apart: such predictions are read as those of runs are.

    Where it is known already how well each row was predicted, no `y` is needed: `correct` (1 or true where the model
    was right) is scored by error and accuracy, `loss` by its mean. Rows with a missing cell (None, NaN) are refused, or
    left out and counted with `missing="drop"`.
    """
    at = places or Places()
    check_missing(missing)
    columns = {"truth": y, "label": label, "proba": proba, "value": value, "number": number, "correct": correct}
    columns |= {"loss": loss, "rows": rows, "weights": weights, "counts": counts, "groups": groups}
    columns |= {"fold": fold, "repeat": repeat}
    check_same_index(columns, at)
    proba = columns["proba"] = named_columns(proba, at["proba"])
    if missing == "drop":
        facts = {"classes": classes, "positive": positive, "labelled": labelled, "prior": prior}
        facts |= {"train_mean": train_mean, "threshold": threshold, "name": name}
        return _of_complete_rows(columns, facts, at)
    if correct is not None or loss is not None:
        others = {"y": y, "label": label, "proba": proba, "value": value, "number": number, "classes": classes}
        others |= {"positive": positive, "threshold": threshold, "prior": prior, "train_mean": train_mean}
        at, p = _of_ready_made(correct, loss, others, at)
        shared = _shared_columns(p.truth, at, rows=rows, weights=weights, counts=counts, groups=groups, name=name)
        p = replace(p, **shared)
        return p if fold is None and repeat is None else with_origin(p, fold, repeat, at)
    if y is None and labelled == "some" and proba is not None:
        y = np.full(len(as_array(proba, at["proba"])), None)
    if y is None:
        ready_made = "`correct=` or `loss=`"
        raise BadInput(f"give the truth, `y=`, or what is known of each row already, {ready_made}")
    y = as_array(y, at["truth"])
    shared = _shared_columns(y, at, rows=rows, weights=weights, counts=counts, groups=groups, name=name)
    if number is not None:
        if any(given is not None for given in (label, proba, value, classes, positive, threshold)):
            raise BadInput(
                "`number=` is for a numeric target: it goes with no label, proba, value, classes, positive or threshold"
            )
        p = _of_numbers(y, number, train_mean, at, shared)
    else:
        if label is None and proba is None and value is None:
            outputs = ", ".join(map(option, ("label", "proba", "value")))
            raise BadInput(f"give what the model said: {outputs} or `number=`")
        check_labelled(labelled, positive)
        if labelled == "some" and (fold is not None or repeat is not None):
            raise BadInput("`labelled='some'` is for the rows of one model: leave out fold and repeat")
        p = _of_classes(y, label, proba, value, classes, positive, labelled, prior, threshold, at, shared)
        p = p if labelled != "some" else set_aside(p, unlabelled_rows(y))
    return p if fold is None and repeat is None else with_origin(p, fold, repeat, at)


def _of_complete_rows(columns: dict[str, Any], facts: dict[str, Any], at: Places) -> Predictions:
    """The rows without a missing cell; the others are counted and told."""
    columns, at, notes = drop_rows(columns, at, facts["labelled"])
    p = predictions(columns.pop("truth"), **columns, **facts, places=at)
    return replace(p, notes=p.notes + notes)


def _of_ready_made(correct: Any, loss: Any, others: Mapping[str, Any], at: Places) -> tuple[Places, Predictions]:
    """What is known of each row without its truth, which stands there as if it were the same for all."""
    if correct is not None and loss is not None:
        raise BadInput("`correct=` and `loss=` both say how well each row was predicted: give one")
    role = "correct" if loss is None else "loss"
    _check_alone(role, others)
    at = replace(at, names={**at.names, "truth": at[role]})
    if loss is not None:
        losses = number_column(loss, role, at)
        return at, Predictions("loss", freeze(np.zeros(len(losses), np.int8)), loss=losses)
    wrong = freeze(~right_or_wrong(correct, role, at), np.int8)
    return at, Predictions("correct", freeze(np.zeros(len(wrong), np.int8)), RIGHT_WRONG, label=wrong)


def _check_alone(role: str, others: Mapping[str, Any]) -> None:
    """What is known of each row already takes the place of truth and predictions."""
    beside = next((name for name, given in others.items() if given is not None), None)
    if beside is not None:
        other = "`truth=`" if beside == "y" else f"`{beside}=`"
        raise BadInput(f"`{role}=` says how well each row was predicted, so {other} has no place beside it")


def with_origin(p: Predictions, fold: Any, repeat: Any, at: Places) -> Predictions:
    """Predictions of the models of several folds, which remember that they are."""
    folds = None if fold is None else label_column(fold, "fold", len(p), at)
    repeats = None if repeat is None else label_column(repeat, "repeat", len(p), at)
    ids = None if p.rows is None else label_column(p.rows, "rows", len(p), at)
    columns = SplitColumns(folds, repeats, ids, at["repeat" if fold is None else "fold"])
    origin, splits, rows = columns.origin(p.truth, p.groups)
    return replace(p, origin=origin, splits=splits, rows=rows)


def _of_numbers(y: Any, number: Any, train_mean: float | None, at: Places, shared: dict[str, Any]) -> Predictions:
    truth = number_column(y, "truth", at)
    said = number_column(number, "number", at, len(truth))
    return Predictions("numbers", truth, number=said, train_mean=train_mean, **shared)


def _of_classes(
    y: Any,
    label: Any,
    proba: Any,
    value: Any,
    classes: Any,
    positive: Any,
    labelled: str,
    prior: Any,
    threshold: float | None,
    at: Places,
    shared: dict[str, Any],
) -> Predictions:
    predicted = None if label is None else label_column(label, "label", len(y), at)
    if labelled != "all":
        y, classes = fill_gaps(y, unlabelled_rows(y), positive, predicted, classes, labelled)
    truth = as_labels(y, at["truth"], at.first, LEAVE_OUT)
    names = _classes(classes, truth, predicted, at)
    index = _index(positive, names, at)
    chances = None if proba is None else probability_columns(proba, names, index, len(truth), at)
    values = None if value is None else number_column(value, "value", at, len(truth))
    if values is not None and index is None:
        raise BadInput(f"decision values need the class they speak for: `positive=` one of {list(names)}")
    return Predictions(
        "classes",
        freeze(codes(truth, names, at["truth"], at.first)),
        classes=names,
        positive=index,
        label=None if predicted is None else freeze(codes(predicted, names, at["label"], at.first)),
        proba=chances,
        value=values,
        labelled=labelled,  # type: ignore[arg-type]
        prior=_prior(prior, names),
        threshold=_threshold(threshold, chances, values),
        notes=(AT_RANDOM,) if labelled == "positives" else (),
        **shared,
    )


def _shared_columns(
    y: Array, at: Places, *, rows: Any, weights: Any, counts: Any, groups: Any, name: str
) -> dict[str, Any]:
    """What both kinds of target have."""
    size = len(y)
    if size == 0:
        raise BadInput(f"{at['truth']}: there are no rows")
    out: dict[str, Any] = {"name": name}
    if rows is not None:
        ids = time_texts(as_array(rows, at["rows"]))
        out["rows"] = same_length(freeze(ids), "rows", size, at)
    if weights is not None:
        out["weights"] = usable_weights(positive_column(weights, "weights", size, at), at)
    if counts is not None:
        repeats = positive_column(counts, "counts", size, at)
        if (repeats % 1 != 0).any():
            raise BadInput(f"{at['counts']}: repeats of a row are whole numbers; for sampling weights use `weights=`")
        if repeats.sum() > MOST_ROWS:
            raise BadInput(f"{at['counts']}: more than 2^53 rows in all cannot be told apart one by one")
        out["repeats"] = repeats
    if groups is not None:
        out["groups"] = freeze(text_codes(label_column(groups, "groups", size, at)))
    return out


def _classes(classes: Any, truth: Array, predicted: Array | None, at: Places) -> tuple[Any, ...]:
    if classes is not None:
        names = tuple(python_value(label) for label in as_labels(classes, "classes"))
        if len(set(names)) != len(names):
            raise BadInput(f"classes: each class once, not {list(names)}")
    else:
        seen = distinct_labels(truth)
        seen = seen if predicted is None else tuple(dict.fromkeys((*seen, *distinct_labels(predicted))))
        try:
            names = tuple(sorted(seen))
        except TypeError:
            raise BadInput(
                f"{at['truth']} and {at['label']} hold labels of different types "
                f"({seen[0]!r} and {seen[-1]!r}): make them alike"
            ) from None
    if len(names) < 2:
        only = f"only the class {names[0]!r}" if names else "no class"
        raise BadInput(
            f"{at['truth']}: there is {only}; two are needed: name them with `classes=` if one has no rows,"
            f" or say `labelled='positives'` if only positives are labelled"
        )
    if len(names) > 1000 and classes is None and truth.dtype.kind == "f":
        raise BadInput(f"{at['truth']} holds {len(names)} different numbers: for a numeric target give `number=`")
    return names


def _index(positive: Any, names: tuple[Any, ...], at: Places) -> int | None:
    if positive is None:
        return None
    label = python_value(positive)
    if not isinstance(label, LABELS) or label not in names:
        raise BadInput(f"the positive class {label!r} does not occur: {at['truth']} holds {list(names)[:20]}")
    return names.index(label)


def _threshold(threshold: float | None, proba: Array | None, value: Array | None) -> float | None:
    if threshold is not None and proba is None and value is None:
        raise BadInput("a threshold cuts probabilities or decision values: give `proba=` or `value=`")
    if threshold is None:
        return None
    cut = float(threshold)
    if np.isnan(cut):
        raise BadInput("the threshold is not a number")
    if proba is not None and np.isfinite(cut) and not 0 <= cut <= 1:  # an infinite one predicts all or nobody
        raise BadInput(f"a threshold of probabilities lies between 0 and 1, not at {cut:g}")
    return cut


def _prior(prior: Any, names: tuple[Any, ...]) -> tuple[float, ...] | None:
    if prior is None:
        return None
    given = [prior.get(name) for name in names] if isinstance(prior, Mapping) else prior
    shares = tuple(as_numbers(given, "prior").ravel().tolist())
    if len(shares) != len(names) or not min(shares) >= 0 or not abs(sum(shares) - 1) <= 1e-6:
        raise BadInput(f"prior: one share per class in the order {list(names)}, summing to 1, not {list(shares)}")
    return shares
