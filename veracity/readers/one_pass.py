"""Rows of a large text file, held as they are read: one pass, where the first rows tell what the others are."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from veracity.core.errors import BadInput
from veracity.evidence.labels import codes
from veracity.evidence.packed_ordering import load_loops
from veracity.evidence.predictions import Predictions
from veracity.kernels.beside import run_beside
from veracity.readers.arrow import StreamError, batches
from veracity.readers.count_question import CountQuestion, template
from veracity.readers.delimited import guessed_relation
from veracity.readers.relation import Relation, connect, quote
from veracity.readers.source import Source, Wanted
from veracity.records.arrays import Array, freeze

MOST = 50_000_000  # rows: half a gigabyte
OFTEN = 20  # rows of a distinct value: where there are fewer, sorting all rows is less work than counting them
OTHER = 2  # the code of a label that the first rows have not


def rows_in_one_pass(file: Source, wanted: Wanted, question: CountQuestion, lines: float) -> Predictions | None:
    """All rows of a CSV file in their order, a code and a number each.

    None where values come again and again, so that counting is less, and where a later row is not as the first ones
    let expect, be it right or wrong: both is found by who reads more than once.
    """
    import duckdb

    if lines > MOST:
        return None
    with connect() as connection, suppress(duckdb.Error, StreamError, BadInput):
        relation = guessed_relation(file, wanted, connection)
        if relation is None or set(relation.columns) != {question.truth, question.output}:
            return None
        like = _template_of_start(relation, question)
        if like is None:
            return None
        with run_beside(load_loops):
            return _every_row(relation, question, like, lines)
    return None


def _template_of_start(relation: Relation, question: CountQuestion) -> Predictions | None:
    """What the first rows tell of all: their classes, and that values are numbers that seldom come again."""
    start = replace(relation, table="start")
    if relation.columns[question.output].kind not in ("whole", "number"):
        return None
    rows, distinct = start.all(f"count(*), count(distinct {relation.columns[question.output].sql})")[0]
    return None if distinct * OFTEN <= rows else template(start, question)


def _every_row(relation: Relation, question: CountQuestion, like: Predictions, lines: float) -> Predictions | None:
    size = int(1.1 * lines) + 1  # what is not written costs nothing
    truth, values = np.empty(size, np.uint8), np.empty(size)
    rows = 0
    for places, part in batches(relation.stream(_codes_and_values(relation, question, like)), np.uint8, np.float64):
        if rows + len(part) > len(values) or places.max(initial=0) == OTHER or not _may_be(question, part):
            return None
        truth[rows : rows + len(part)], values[rows : rows + len(part)] = places, part
        rows += len(part)
    outputs: dict[str, Any] = {question.role: freeze(values[:rows])}
    return replace(like, truth=freeze(truth[:rows].view(np.int8)), **outputs)


def _codes_and_values(relation: Relation, question: CountQuestion, like: Predictions) -> str:
    """SQL for both; a label is known by its signs, which takes less than to read them."""
    truth, output = relation.columns[question.truth], relation.columns[question.output]
    labels = replace(relation, table="start").arrays(
        f"distinct {truth.written} as signs, {truth.sql} as label", f"where {truth.written} is not null"
    )
    places = codes(np.asarray(labels["label"]), like.classes, question.truth).tolist()
    known = " ".join(
        f"when {truth.written} = {quote(signs)} then {place}"
        for signs, place in zip(labels["signs"].tolist(), places, strict=True)
    )
    code = f"(case when {output.written} is null then {OTHER} {known} else {OTHER} end)::utinyint"
    return f"{code} as code, {output.sql}::double as value"


def _may_be(question: CountQuestion, part: Array) -> bool:
    """Whether all are numbers that a model may give."""
    low, high = (0.0, 1.0) if question.role == "proba" else (-np.finfo(float).max, np.finfo(float).max)
    return bool(part.min(initial=low) >= low and part.max(initial=high) <= high)
