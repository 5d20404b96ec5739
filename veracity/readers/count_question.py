"""Questions that need no row of a file by itself: two columns, the labels in one of them, and both batch by batch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from veracity.core.errors import BadInput
from veracity.core.words import brief
from veracity.evidence.labels import Places
from veracity.evidence.make_predictions import predictions
from veracity.evidence.predictions import Predictions
from veracity.readers.arrow import batches
from veracity.readers.clean_columns import Notation
from veracity.readers.read_predictions import ABOUT_ROWS, NOTATION, labels_in_type
from veracity.readers.relation import Relation, literal
from veracity.records.arrays import Array, python_value

MANY_LABELS = 1_000
ROW_WISE = ("label", "number", "correct", "loss", "grade", *ABOUT_ROWS)


@dataclass(frozen=True)
class CountQuestion:
    """The two columns of a question that counts can answer, and the arguments that speak of them."""

    truth: str
    output: str
    role: str  # value or proba
    others: Mapping[str, Any]
    how: Notation


def count_question(asked: Mapping[str, Any]) -> CountQuestion | None:
    """The question as one that counts can answer, or None."""
    value, proba = asked.get("value"), asked.get("proba")
    output = value if proba is None else proba
    row_wise = any(asked.get(role) is not None for role in ROW_WISE) or asked.get("labelled", "all") != "all"
    how = Notation(**{word: asked[word] for word in NOTATION if word in asked})
    if row_wise or not isinstance(output, str) or (value is not None and proba is not None):
        return None
    others = {key: item for key, item in asked.items() if key in ("positive", "classes", "threshold", "labelled")}
    return CountQuestion(asked["truth"], output, "value" if proba is None else "proba", others, how)


def template(relation: Relation, question: CountQuestion) -> Predictions | None:
    """Predictions with one row per label, checked as all rows would be; None where labels are not a few classes."""
    truth = relation.columns[question.truth].sql
    few = relation.arrays(f"{truth} as label", f"group by 1 order by 1 limit {MANY_LABELS + 1}")
    labels = np.asarray(few["label"])
    if len(labels) > MANY_LABELS:
        return None
    given = dict(question.others)
    given |= labels_in_type(given.get("positive"), given.get("classes"), labels)
    if given["classes"] is not None:
        _check_labels(relation, question, labels, given["classes"])
    names = {"truth": relation.source.column(question.truth), question.role: relation.source.column(question.output)}
    given[question.role] = np.zeros(len(labels))
    found = predictions(labels, **given, places=Places(names, first=1))
    return found if found.binary else None


def _check_labels(relation: Relation, question: CountQuestion, labels: Array, classes: tuple[Any, ...]) -> None:
    for label in map(python_value, labels):
        if label not in classes:
            relation.connection.execute("set preserve_insertion_order = true")
            row = relation.first_row(f"{relation.columns[question.truth].sql} = {literal(label)}")
            place = relation.source.column(question.truth)
            says = f"row {row} holds {brief(repr(label))}, which is not among the classes {brief(str(list(classes)))}"
            raise BadInput(f"{place}: {says}")


def labelled_batches(relation: Relation, question: CountQuestion, positive: Any) -> Iterator[tuple[Array, Array]]:
    """Values and whether each row is positive, batch by batch."""
    truth, output = relation.columns[question.truth].sql, relation.columns[question.output].sql
    select = f"{output}::double as output, ({truth} = {literal(positive)})::utinyint as positive"
    for values, is_positive in batches(relation.stream(select), np.float64, np.uint8):
        yield values, is_positive.view(bool)
