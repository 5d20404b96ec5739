"""Rows of each truth at each value, counted by duckdb, or streamed at eight bytes a row where values are many."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from veracity.core.errors import BadInput
from veracity.core.words import brief
from veracity.evidence.labels import codes, plain
from veracity.evidence.make_predictions import Places
from veracity.evidence.make_predictions import predictions as checked
from veracity.evidence.ordering import Ordering
from veracity.evidence.predictions import Predictions
from veracity.readers.arrow import batches
from veracity.readers.relation import Relation, literal
from veracity.readers.typed import typed
from veracity.records.arrays import Array, frozen

MANY_LABELS = 1_000


@dataclass(frozen=True)
class Question:
    """The two columns of a question that counts can answer, and the arguments that speak of them."""

    truth: str
    said: str
    role: str  # value or proba
    others: Mapping[str, Any]


@dataclass(frozen=True)
class Survey:
    """How many rows there are, and about how many distinct values."""

    rows: int
    distinct: int


def survey(relation: Relation, question: Question) -> Survey:
    """One pass that finds whatever is wrong with a cell; a second one only to name its row."""
    truth, said = relation.columns[question.truth].sql, relation.columns[question.said].sql
    found = relation.all(
        f"count(*), count({truth}), count({said}), min({said}), max({said}), approx_count_distinct({said})"
    )[0]
    rows, truths, values, low, high, distinct = found
    for name, sql, present in ((question.truth, truth, truths), (question.said, said, values)):
        if present < rows:
            row = relation.first_row(f"{sql} is null")
            raise BadInput(f"{relation.source.column(name)}: row {row} is empty; fill it in or leave the row out")
    if not (math.isfinite(low) and math.isfinite(high)):  # duckdb orders NaN above everything
        raise _bad(relation, question, f"not isfinite({said}::double)", "every number must be finite")
    if question.role == "proba" and not (low >= 0 and high <= 1):
        raise _bad(relation, question, f"{said} not between 0 and 1", "probabilities must lie between 0 and 1")
    return Survey(rows, distinct)


def _bad(relation: Relation, question: Question, condition: str, rule: str) -> BadInput:
    said = relation.columns[question.said].sql
    relation.connection.execute("set preserve_insertion_order = true")
    row = relation.first_row(condition)
    value = relation.all(said, f"where {condition} limit 1")[0][0]
    return BadInput(f"{relation.source.column(question.said)}: row {row} is {value}; {rule}")


def template(relation: Relation, question: Question) -> Predictions | None:
    """Predictions with one row per label, checked as all rows would be; None where labels are not a few classes."""
    truth = relation.columns[question.truth].sql
    labels = relation.arrays(f"{truth} as label", f"group by 1 order by 1 limit {MANY_LABELS + 1}")["label"]
    labels = np.asarray(labels)
    if len(labels) > MANY_LABELS:
        return None
    given = dict(question.others)
    if given.get("positive") is not None:
        given["positive"] = typed(given["positive"], labels)
    if given.get("classes") is not None:
        given["classes"] = tuple(typed(each, labels) for each in given["classes"])
        _all_known(relation, question, labels, given["classes"])
    names = {"truth": relation.source.column(question.truth), question.role: relation.source.column(question.said)}
    given[question.role] = np.zeros(len(labels))
    made = checked(labels, **given, places=Places(names, first=1))
    return made if made.binary else None


def _all_known(relation: Relation, question: Question, labels: Array, classes: tuple[Any, ...]) -> None:
    for label in map(plain, labels):
        if label not in classes:
            relation.connection.execute("set preserve_insertion_order = true")
            row = relation.first_row(f"{relation.columns[question.truth].sql} = {literal(label)}")
            place = relation.source.column(question.truth)
            says = f"row {row} holds {brief(repr(label))}, which is not among the classes {brief(str(list(classes)))}"
            raise BadInput(f"{place}: {says}")


def counts(relation: Relation, question: Question, like: Predictions) -> Predictions:
    """One row per truth and value, with the number of rows there; the order is fixed so that sums are, too."""
    truth, said = relation.columns[question.truth].sql, relation.columns[question.said].sql
    found = relation.arrays(
        f"{truth} as truth, {said}::double as said, count(*) as number", "group by 1, 2 order by 1, 2"
    )
    truths = codes(np.asarray(found["truth"]), like.classes, question.truth)
    said_by_model: dict[str, Any] = {question.role: frozen(found["said"])}
    return replace(like, truth=frozen(truths), repeats=frozen(found["number"], float), **said_by_model)


def ordering(relation: Relation, question: Question, like: Predictions, size: int) -> Ordering:
    """Values of positive rows from the front of one array, of the others from the back, sorted where they lie."""
    values = np.empty(size)
    front, back = 0, size
    for said, positive in _pairs(relation, question, like.classes[like.named_positive]):
        hits, others = said[positive], said[~positive]
        values[front : front + len(hits)] = hits
        values[back - len(others) : back] = others
        front, back = front + len(hits), back - len(others)
    return Ordering.of_classes(values[:front], values[front:], keep_values=False)


def rows(relation: Relation, question: Question, like: Predictions, size: int) -> Predictions:
    """All rows in their order, a code and a number each."""
    relation.connection.execute("set preserve_insertion_order = true")
    truth, values = np.empty(size, np.int8), np.empty(size)
    start = 0
    for said, positive in _pairs(relation, question, like.classes[like.named_positive]):
        part = slice(start, start + len(said))
        values[part] = said
        truth[part] = np.where(positive, like.named_positive, 1 - like.named_positive)
        start += len(said)
    said_by_model: dict[str, Any] = {question.role: frozen(values)}
    return replace(like, truth=frozen(truth), **said_by_model)


def _pairs(relation: Relation, question: Question, positive: Any) -> Any:
    """Values and whether each row is positive, batch by batch."""
    truth, said = relation.columns[question.truth].sql, relation.columns[question.said].sql
    select = f"{said}::double as said, ({truth} = {literal(positive)})::utinyint as positive"
    for values, is_positive in batches(relation.stream(select), np.float64, np.uint8):
        yield values, is_positive.view(bool)
