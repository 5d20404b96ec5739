"""Exact counts at thresholds, for the reader to move through."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from veracity.evidence.ordering import Ordering
from veracity.evidence.predictions import Predictions
from veracity.reports.material import Material
from veracity.reports.page import Explorer, Section, Words

BUDGET = 14_000  # thresholds on the whole page, so that it stays small whatever the number of rows
FEWEST, MOST = 20, 400


def explorer_section(material: Material) -> Section | None:
    """One slider over the thresholds of every model of two classes that has values to order rows by."""
    models = [
        (f"{data} · {name}" if data and name else data or name or "the model", p)
        for data, by_name in material.models.items()
        for name, p in by_name.items()
        if has_order(p)
    ]
    if not models:
        return None
    most = int(np.clip(BUDGET / len(models), FEWEST, MOST))
    data = {"models": [counts(name, p, most) for name, p in models]}
    says = (
        "Move the threshold, or type what mistakes cost and how common positives are where the model will be used:"
        " the counts are exact for these rows, and everything else follows from them."
        " A threshold chosen here was chosen on these rows: its cost is optimistic."
    )
    if any(p.provenance == "several models" for _, p in models):
        says += " Each fold had a model of its own, and one threshold cuts the values of all of them."
    return Section("explorer", "Threshold and cost explorer", (Words(says), Explorer(data)))


def has_order(p: Predictions) -> bool:
    """Whether a threshold can be moved through its rows, of which it is known what they are."""
    known = p.kind == "classes" and p.binary and p.labelled != "positives" and len(p) > 0
    return known and bool({"proba", "value"} & set(p.offers)) and p.weights is None


def counts(name: str, p: Predictions, most: int = MOST) -> dict[str, Any]:
    """True and false positives at so many thresholds at most, from the strictest on; the first selects no row."""
    positive, order = p.named_positive, p.ordering
    assert order.values is not None
    places = _places(order, most)
    values = [*order.values.tolist(), -math.inf]
    pairs = [(values[place - 1], values[place]) for place in places[1:]]
    thresholds = [None, *(shortest_between(value, below) for value, below in pairs)]
    standard = 0.5 if p.proba is not None else 0.0
    selected = order.values > standard if p.proba is not None and positive == 1 else order.values >= standard
    above = int(np.count_nonzero(selected))  # at 0.5 a row is of the first class
    start = int(np.searchsorted(places, above, side="right")) - 1
    return {
        "name": name,
        "positive": str(p.classes[positive]),
        "negative": str(p.classes[1 - positive]),
        "positives": int(order.all_positives),
        "negatives": int(order.all_negatives),
        "thresholds": thresholds,
        "tp": [int(order.tp[place]) for place in places],
        "fp": [int(order.fp[place]) for place in places],
        "start": max(start, 0),
    }


def shortest_between(value: float, below: float) -> float:
    """The shortest number that selects the same rows: at most the value, above the one below it."""
    for digits in range(1, 17):
        short = float(f"{value:.{digits}g}")
        if below < short <= value:
            return short
    return value


def _places(order: Ordering, most: int) -> list[int]:
    """How many blocks are selected at each step: none, then evenly over the rows to all."""
    blocks = len(order.positives)
    if blocks < most:
        return list(range(blocks + 1))
    selected = order.tp + order.fp
    wanted = np.linspace(0, selected[-1], most)
    return np.unique(np.append(np.searchsorted(selected, wanted), blocks)).tolist()
