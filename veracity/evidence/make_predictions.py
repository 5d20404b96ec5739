"""Predictions made from what a user gives, every array checked where it enters."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from veracity.core.arguments import Column, Label, Numbers, Table, verb
from veracity.core.errors import BadInput
from veracity.core.notes import Note
from veracity.core.words import plural
from veracity.evidence import columns as check
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
from veracity.evidence.origin import split_columns_origin
from veracity.evidence.predictions import Predictions, subset
from veracity.records.arrays import Array, RowNames, as_array, as_numbers, freeze, python_value

MOST_ROWS = 2**53  # beyond, a row more or less is lost in floating point
LABELLED = ("all", "positives", "some")
AT_RANDOM = Note(
    "labelled-at-random",
    "caution",
    "the labelled positives must be a random sample of all positives, as recall and the false negative rate are of"
    " positives like these; what needs true negatives, such as precision and error, cannot be known",
)


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

    Parameters
    ----------
    y
        The truth, one value per row.
    label
        The class that the model says, for each row.
    proba
        One column per class in the order of classes, or one column of the positive class.
    value
        Decision values; higher is more positive.
    number
        A number for each row, where the target is one.
    correct
        1 or true where the model was right, in place of truth and prediction.
    loss
        A loss for each row, in place of truth and prediction.
    classes
        All classes in their order; sorted, as they come in the truth, unless given.
    positive
        The class that scores of one class are about, named by its label and never guessed.
    rows
        One id per row, by which rows of several models are matched.
    weights
        Sampling weights, one per row.
    counts
        How many equal rows each row stands for.
    groups
        One label per row, equal for rows that belong together, such as those of one patient.
    fold
        The fold of each row, where each fold was predicted by a model of its own.
    repeat
        Which cross-validation the fold is of.
    labelled
        'all', 'positives' (other rows are unknown) or 'some' (rows without a label are unknown).
    prior
        The shares of classes among the training rows.
    train_mean
        The mean target of the training rows.
    threshold
        The probability or decision value from which on a row is called positive.
    missing
        'refuse' rows with missing cells, or 'drop' them and say how many.
    name
        What the result is called in tables.
    places
        Where each row stands in a file, for sentences about bad rows.

    Examples
    --------
    >>> p = vc.predictions([0, 0, 1, 1, 1], proba=[0.2, 0.6, 0.4, 0.7, 0.9], positive=1)
    >>> p
    Predictions(5 rows, 2 classes, label, proba, value)
    """
    at = places or Places()
    check.check_missing(missing)
    columns = {"truth": y, "label": label, "proba": proba, "value": value, "number": number, "correct": correct}
    columns |= {"loss": loss, "rows": rows, "weights": weights, "counts": counts, "groups": groups}
    columns |= {"fold": fold, "repeat": repeat}
    check.check_same_index(columns, at)
    columns["proba"] = check.named_columns(proba, at["proba"])
    left_out: tuple[Note, ...] = ()
    if missing == "drop":
        columns, at, left_out = check.drop_rows(columns, at, labelled)
    y, label, proba, value, number, correct, loss, rows, weights, counts, groups, fold, repeat = columns.values()
    if correct is not None or loss is not None:
        others = {"y": y, "label": label, "proba": proba, "value": value, "number": number, "classes": classes}
        others |= {"positive": positive, "threshold": threshold, "prior": prior, "train_mean": train_mean}
        at, p = _of_ready_made(correct, loss, others, at)
        p = replace(p, **_shared_columns(p.truth, at, rows, weights, counts, groups, name))
    else:
        if y is None and labelled == "some" and proba is not None:
            y = np.full(len(as_array(proba, at["proba"])), None)
        if y is None:
            raise BadInput("give the truth, `y=`, or what is known of each row already, `correct=` or `loss=`")
        y = as_array(y, at["truth"])
        shared = _shared_columns(y, at, rows, weights, counts, groups, name)
        if number is None:
            if labelled == "some" and (fold is not None or repeat is not None):
                raise BadInput("`labelled='some'` is for the rows of one model: leave out fold and repeat")
            p = _of_classes(y, label, proba, value, classes, positive, labelled, prior, threshold, at, shared)
        elif any(given is not None for given in (label, proba, value, classes, positive, threshold)):
            raise BadInput(
                "`number=` is for a numeric target: it goes with no label, proba, value, classes, positive or threshold"
            )
        else:
            truth = check.number_column(y, "truth", at)
            predicted = check.number_column(number, "number", at, len(truth))
            p = Predictions("numbers", truth, number=predicted, train_mean=train_mean, **shared)
    p = replace(p, notes=p.notes + left_out)
    return p if fold is None and repeat is None else with_origin(p, fold, repeat, at)


def _of_ready_made(correct: Any, loss: Any, others: Mapping[str, Any], at: Places) -> tuple[Places, Predictions]:
    """Return predictions of known quality; the truth, which nobody gave, stands there as if all rows had the same."""
    if correct is not None and loss is not None:
        raise BadInput("`correct=` and `loss=` both say how well each row was predicted: give one")
    role = "correct" if loss is None else "loss"
    beside = next((name for name, given in others.items() if given is not None), None)
    if beside is not None:
        other = "`truth=`" if beside == "y" else f"`{beside}=`"
        raise BadInput(f"`{role}=` says how well each row was predicted, so {other} has no place beside it")
    at = replace(at, names={**at.names, "truth": at[role]})
    if loss is not None:
        losses = check.number_column(loss, role, at)
        return at, Predictions("loss", freeze(np.zeros(len(losses), np.int8)), loss=losses)
    wrong = freeze(~check.right_or_wrong(correct, role, at), np.int8)
    return at, Predictions("correct", freeze(np.zeros(len(wrong), np.int8)), RIGHT_WRONG, label=wrong)


def with_origin(p: Predictions, fold: Any, repeat: Any, at: Places) -> Predictions:
    """Return predictions of the models of several folds, which remember that they are."""
    folds, repeats, ids = (
        None if column is None else check.label_column(column, role, len(p), at)
        for role, column in (("fold", fold), ("repeat", repeat), ("rows", p.rows))
    )
    place = at["repeat" if fold is None else "fold"]
    origin, splits, rows = split_columns_origin(folds, repeats, ids, place, p.truth, p.groups)
    return replace(p, origin=origin, splits=splits, rows=rows)


def _of_classes(
    y: Array,
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
    if label is None and proba is None and value is None:
        raise BadInput("give what the model said: `label=`, `proba=`, `value=` or `number=`")
    if labelled not in LABELLED:
        raise BadInput(f"`labelled=` is one of {', '.join(LABELLED)}, not {labelled!r}")
    if labelled != "all" and positive is None:
        raise BadInput(f"`labelled={labelled!r}` needs the class that is looked for: `positive=`")
    predicted = None if label is None else check.label_column(label, "label", len(y), at)
    gaps = np.zeros(len(y), bool)
    if labelled != "all" and y.ndim == 1:
        gaps = check.unlabelled_rows(y)
        if y.dtype.kind in "cO":  # which may hold what is no label, and has no order to find the classes by
            there = np.flatnonzero(~gaps)
            as_labels(y[there], at["truth"], RowNames(lambda place: int(there[place]) + at.first), LEAVE_OUT)
        y, classes = _fill_gaps(y, gaps, positive, predicted, classes, labelled)
    truth = as_labels(y, at["truth"], at.first, LEAVE_OUT)
    names = _classes(classes, truth, predicted, at)
    index = None
    if positive is not None:
        positive = python_value(positive)
        if not isinstance(positive, LABELS) or positive not in names:
            raise BadInput(f"the positive class {positive!r} does not occur: {at['truth']} holds {list(names)[:20]}")
        index = names.index(positive)
    chances = None if proba is None else check.probability_columns(proba, names, index, len(truth), at)
    values = None if value is None else check.number_column(value, "value", at, len(truth))
    if values is not None and index is None:
        raise BadInput(f"decision values need the class they speak for: `positive=` one of {list(names)}")
    p = Predictions(
        "classes",
        freeze(codes(truth, names, at["truth"], at.first)),
        classes=names,
        positive=index,
        label=None if predicted is None else freeze(codes(predicted, names, at["label"], at.first)),
        proba=chances,
        value=values,
        labelled="all" if labelled == "some" and not gaps.any() else labelled,  # type: ignore[arg-type]
        prior=_prior(prior, names),
        threshold=_threshold(threshold, chances, values),
        notes=(AT_RANDOM,) if labelled == "positives" else (),
        **shared,
    )
    if labelled != "some" or not gaps.any():
        return p
    number = int(gaps.sum())
    have = "has" if number == 1 else "have"
    says = f"{number} of {plural(len(gaps), 'row')} {have} no label: what needs the truth is of the others"
    notes = (*p.notes, Note("unlabelled-rows", "remark", says))
    return replace(subset(p, ~gaps), unlabelled=subset(p, gaps), notes=notes)


def _fill_gaps(
    y: Array, gaps: Array, positive: Any, predicted: Array | None, classes: Any, labelled: str
) -> tuple[Array, Any]:
    """Return the labels with one in each gap, and the classes, where rows of one of two may be missing.

    Beside labelled positives a gap is not positive as far as anyone knows; of rows to be set aside it does not matter.
    """
    label = python_value(positive)
    if classes is None:
        known = check.known_labels(y) if gaps.any() else y
        seen = dict.fromkeys((*distinct_labels(known), *(() if predicted is None else distinct_labels(predicted))))
        others = [one for one in seen if one != label]
        if len(others) < 2 and (label in seen or labelled == "some" or not seen):
            classes = (*others, label) if others else (f"not {label}", label)
            with suppress(TypeError):  # labels of several types have no order
                classes = tuple(sorted(classes)) if others else classes
    else:
        others = [one for one in map(python_value, as_labels(classes, "classes")) if one != label]
    if not gaps.any():
        return y, classes
    filled = np.empty(len(y), object)
    filled[~gaps] = check.known_labels(y).tolist()
    filled[gaps] = (others or [f"not {label}"])[0] if labelled == "positives" else label
    return filled, classes


def _shared_columns(
    y: Array, at: Places, rows: Any, weights: Any, counts: Any, groups: Any, name: str
) -> dict[str, Any]:
    """Return what both kinds of target have."""
    size = len(y)
    if size == 0:
        raise BadInput(f"{at['truth']}: there are no rows")
    shared: dict[str, Any] = {"name": name}
    if rows is not None:
        shared["rows"] = check.same_length(freeze(time_texts(as_array(rows, at["rows"]))), "rows", size, at)
    if weights is not None:
        shared["weights"] = check.usable_weights(check.positive_column(weights, "weights", size, at), at)
    if counts is not None:
        repeats = shared["repeats"] = check.positive_column(counts, "counts", size, at)
        if (repeats % 1 != 0).any():
            raise BadInput(f"{at['counts']}: repeats of a row are whole numbers; for sampling weights use `weights=`")
        if repeats.sum() > MOST_ROWS:
            raise BadInput(f"{at['counts']}: more than 2^53 rows in all cannot be told apart one by one")
    if groups is not None:
        shared["groups"] = freeze(text_codes(check.label_column(groups, "groups", size, at)))
    return shared


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


def _threshold(threshold: float | None, proba: Array | None, value: Array | None) -> float | None:
    if threshold is None:
        return None
    if proba is None and value is None:
        raise BadInput("a threshold cuts probabilities or decision values: give `proba=` or `value=`")
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
