"""The rows most wrong."""

from __future__ import annotations

from typing import Any

import numpy as np

from veracity.core.arguments import verb
from veracity.core.errors import BadInput
from veracity.core.notes import Note
from veracity.evidence.predictions import Predictions, check_predictions
from veracity.findings.classes_and_rows import Worst, WorstRow
from veracity.records.arrays import Array, python_value
from veracity.scores.entry import UNLABELLED
from veracity.scores.numeric import mae
from veracity.scores.probability import log_loss


@verb
def worst(p: Predictions, rows: int = 20) -> Worst:
    """The rows with the largest loss: the one given, log loss of probabilities, absolute error of numbers, else how far
    a decision value lies on the wrong side of the threshold (0 where none is given), else wrong labels in their order.
    """
    check_predictions(p, "worst")
    if rows < 1:
        raise BadInput(f"worst: rows is a whole number of at least 1, not {rows}")
    p.permits("worst", UNLABELLED)
    if p.kind == "grades":
        raise BadInput("worst shows the rows with the largest loss, and grades are none: sort the log by its grades")
    name, loss = _loss(p)
    each = _each_row_at_its_worst(p, loss)
    if name == "wrong label":
        rows = min(int(rows), int(np.count_nonzero(loss[each])))
    found = tuple(_row(p, int(index), float(loss[index])) for index in each[_largest(loss[each], int(rows))])
    return Worst(name, found, len(each), p.notes + _notes(p))


def _each_row_at_its_worst(p: Predictions, loss: Array) -> Array:
    """The places of all rows; of one that several models tested, where it was most wrong."""
    if p.origin is None or p.rows is None:
        return np.arange(len(p))
    order = np.argsort(-loss, kind="stable")
    first = np.unique(p.origin.row_numbers(p.rows)[order], return_index=True)[1]
    return np.sort(order[first])


def _notes(p: Predictions) -> tuple[Note, ...]:
    if p.provenance == "training rows":
        return (Note("optimistic", "caution", "these rows had trained the model, which may remember the truth"),)
    if p.different_rows < len(p):
        return (Note("several-models", "remark", "each row is shown as the model most wrong about it predicted it"),)
    return ()


def _loss(p: Predictions) -> tuple[str, Array]:
    if p.kind == "numbers":
        return "absolute error", mae.function(p)
    if p.loss is not None:
        return "loss", p.loss
    if p.proba is not None:
        return "log loss", log_loss.function(p)
    if p.value is not None:
        beyond = p.value - (p.threshold or 0.0)
        return "wrong side by", np.where(p.truth == p.named_positive, -beyond, beyond)
    return "wrong label", (p.labels() != p.truth).astype(float)


def _largest(loss: Array, number: int) -> Array:
    """Places of the largest losses, largest first, equal ones in their own order."""
    if number == 0:
        return np.arange(0)
    if number < len(loss):
        least = np.partition(loss, len(loss) - number)[len(loss) - number]
        above = np.flatnonzero(loss > least)
        chosen = np.concatenate([above, np.flatnonzero(loss == least)[: number - len(above)]])
    else:
        chosen = np.arange(len(loss))
    return chosen[np.lexsort((chosen, -loss[chosen]))]


def _row(p: Predictions, index: int, loss: float) -> WorstRow:
    row = index if p.rows is None else python_value(p.rows[index])
    if p.kind == "loss":
        return WorstRow(index, row, None, None, loss)
    truth = float(p.truth[index]) if p.kind == "numbers" else p.classes[int(p.truth[index])]
    chance = None if p.proba is None else float(p.truth_probability[index])
    return WorstRow(index, row, truth, _prediction(p, index), loss, chance)


def _prediction(p: Predictions, index: int) -> Any:
    if p.number is not None:
        return float(p.number[index])
    if "label" in p.offers:
        return p.classes[int(p.labels()[index])]
    return float(np.asarray(p.value)[index])
