"""Files too large to hold row by row, where nothing of a single row is asked: counted, or streamed into an ordering."""

from __future__ import annotations

import math
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from veracity.core.errors import BadInput
from veracity.evidence.counts import Counts, Errors
from veracity.evidence.drop_rows import LEAVE_OUT, left_out_note
from veracity.evidence.labels import codes
from veracity.evidence.ordering import Ordering
from veracity.evidence.packed_ordering import load_loops
from veracity.evidence.predictions import Predictions
from veracity.kernels.beside import run_beside
from veracity.readers.arrow import StreamError
from veracity.readers.clean_columns import SET_ASIDE, number_as_sql
from veracity.readers.columns import columns_of, open_relation
from veracity.readers.count_question import CountQuestion, count_question, labelled_batches, template
from veracity.readers.missing_marks import mark_as_sql
from veracity.readers.one_pass import OFTEN, rows_in_one_pass
from veracity.readers.read_predictions import clean_table, columns_to_read, predictions_of, read_table
from veracity.readers.relation import Relation, SqlColumn, first_line
from veracity.readers.source import Source, Wanted, empty_cell, is_path, open_source
from veracity.readers.split_columns import names_models
from veracity.records.arrays import freeze

LARGE = 5_000_000  # rows: above this a file is aggregated where the question allows it
FEW = 2_000_000  # distinct values: up to here duckdb counts them in a few hundred megabytes


@dataclass(frozen=True, eq=False)
class Reading:
    """What a source gave: predictions or an ordering, how many rows, and what its classes are called."""

    evidence: Predictions | Ordering | Counts
    rows: int
    classes: tuple[Any, ...] = ()
    positive: Any = None

    @classmethod
    def of(cls, p: Predictions) -> Reading:
        """Predictions, and what they are of."""
        rows = p.different_rows if p.repeats is None else int(p.repeats.sum())
        classes = () if p.kind == "correct" else p.classes
        return cls(p, rows, classes, None if p.positive is None else p.classes[p.positive])

    @classmethod
    def of_counts(cls, counts: Counts) -> Reading:
        """Counts in place of a file; of a number of errors no classes are known."""
        classes = () if isinstance(counts, Errors) else counts.classes
        return cls(counts, int(counts.total), classes, None if counts.positive is None else classes[counts.positive])


def read_evidence(
    source: Any, *, large: int = LARGE, few: int = FEW, keep_values: bool = False, **asked: Any
) -> Reading:
    """As `read_predictions`, but a file of more than `large` rows, none asked for by itself, is aggregated.

    Up to `few` distinct values, each of many rows, are counted into predictions with repeats. More decision values
    become an ordering; more probabilities, or decision values with a threshold or whose values are to be kept, stay
    rows, kept as small as they can be.
    """
    if not is_path(source):
        return Reading.of(predictions_of(read_table(source, [asked]), asked, "model"))
    question, wanted = count_question(asked), columns_to_read(source, [asked])
    with open_source(source) as file:
        reading = None
        if question is not None and file.format != "arff" and (file.format == "parquet" or _lines(file) > large):
            reading = _reading_in_one_pass(file, wanted, question, keep_values)
            reading = reading or _reading_of_relation(file, wanted, question, large, few, keep_values)
        return reading or Reading.of(predictions_of(clean_table(columns_of(file, wanted), [asked]), asked, "model"))


def _reading_in_one_pass(file: Source, wanted: Wanted, question: CountQuestion, keep_values: bool) -> Reading | None:
    if file.format not in ("csv", "tsv") or not question.how.plain:
        return None
    rows = rows_in_one_pass(file, wanted, question, _lines(file))
    if rows is None:
        return None
    evidence: Predictions | Ordering = rows
    if _order_suffices(question, rows, keep_values):
        values, positive = np.asarray(rows.value), rows.truth == rows.named_positive
        evidence = Ordering.of_classes(values[positive], values[~positive], keep_values=False)
    return Reading(evidence, len(rows), rows.classes, rows.classes[rows.named_positive])


def _order_suffices(question: CountQuestion, like: Predictions, keep_values: bool) -> bool:
    """Whether nothing but the order of its rows is needed of the answer."""
    return question.role == "value" and like.threshold is None and not keep_values


def _reading_of_relation(
    file: Source, wanted: Wanted, question: CountQuestion, large: int, few: int, keep_values: bool
) -> Reading | None:
    loading = run_beside(load_loops) if _size(file) > large else nullcontext()
    with loading, open_relation(file, wanted) as relation:
        others = set(relation.columns) - {question.truth, question.output}
        if not all(_is_one_model(relation, name) for name in others):
            return None  # folds, repeats or models, of which each row has its own
        how = (question, large, few, keep_values)
        if question.how.plain:
            return _aggregate(relation, *how)
        with suppress(BadInput):  # what is wrong is told by who reads row by row
            return _aggregate_written(relation, *how)
    return None


def _is_one_model(relation: Relation, name: str) -> bool:
    """Whether a column names models, and all rows are of one."""
    sql = relation.columns[name].sql
    return names_models(name) and bool(relation.all(f"min({sql}) is not distinct from max({sql})")[0][0])


def _size(file: Source) -> int:
    """Bytes, of which a row takes one at least."""
    assert file.path is not None
    return file.path.stat().st_size


def _lines(file: Source) -> float:
    """About how many lines a text file has, from its size and its start."""
    assert file.path is not None
    with file.path.open("rb") as stream:
        head = stream.read(1 << 20)
    return _size(file) / len(head) * head.count(b"\n")


def _aggregate(relation: Relation, question: CountQuestion, large: int, few: int, keep_values: bool) -> Reading | None:
    """The answer from counts; None where the file is small or its columns need reading to say what is wrong."""
    import duckdb

    try:
        if relation.columns[question.output].kind not in ("whole", "number"):
            return None
        if relation.source.format == "parquet" and relation.all("count(*)")[0][0] <= large:  # costs nothing there
            return None
        relation.connection.execute("set preserve_insertion_order = false; set memory_limit = '600MB'")
        rows, distinct = _survey(relation, question)
        like = template(relation, question)
        if like is None:
            return None
        if distinct <= few and distinct * OFTEN <= rows:
            evidence: Predictions | Ordering = _counts(relation, question, like)
        elif _order_suffices(question, like, keep_values):
            evidence = _ordering(relation, question, like, rows)
        else:
            evidence = _every_row(relation, question, like, rows)
    except (duckdb.Error, StreamError) as why:
        raise BadInput(f"{relation.source.name} cannot be read: {first_line(why)}") from None
    return Reading(evidence, rows, like.classes, like.classes[like.named_positive])


def _aggregate_written(
    relation: Relation, question: CountQuestion, large: int, few: int, keep_values: bool
) -> Reading | None:
    """As `_aggregate`, of cells that are written otherwise and without rows that have a gap, where duckdb can tell."""
    names = (question.truth, question.output)
    truth, cells = (relation.columns[name] for name in names)
    number = number_as_sql(relation, question.output, "chance" if question.role == "proba" else "number", question.how)
    if number is None:
        return None
    unread = f"case when {number} is null then {cells.sql}::varchar end"
    relation.make_table("written", f"{truth.sql} as c0, {number} as c1, {unread} as c2")
    written = {question.truth: SqlColumn("c0", truth.kind), question.output: SqlColumn("c1", "number")}
    relation = replace(relation, table="written", columns=written)
    others = "true" if question.how.missing == "refuse" else f"not {mark_as_sql('c2')}"
    if relation.all(f"count(*) filter (c2 is not null and {others})")[0][0]:
        return None
    if question.how.missing == "refuse":
        return _aggregate(relation, question, large, few, keep_values)
    gone = {name: relation.gap(name) for name in names}
    counted = [f"count(*) filter ({gap})" for gap in (*gone.values(), " or ".join(gone.values()))]
    rows, *each, number = relation.all(", ".join(("count(*)", *counted)))[0]
    if number == rows:
        return None
    kept = replace(relation, table=f"(from written where not ({' or '.join(gone.values())}))")
    reading = _aggregate(kept, question, large, few, keep_values=keep_values or number > 0)  # an ordering has no notes
    if reading is None or not isinstance(reading.evidence, Predictions) or not number:
        return reading
    note = left_out_note(relation.source.name, rows, number, dict(zip(names, each, strict=True)))
    return replace(reading, evidence=replace(reading.evidence, notes=(note,)))


def _survey(relation: Relation, question: CountQuestion) -> tuple[int, int]:
    """How many rows there are, and about how many distinct values.

    One pass finds whatever is wrong with a cell; a second one only names its row.
    """
    truth, output = relation.columns[question.truth].sql, relation.columns[question.output].sql
    rows, truths, values, low, high, distinct = relation.all(
        f"count(*), count({truth}), count({output}), min({output}), max({output}), approx_count_distinct({output})"
    )[0]
    for name, sql, present in ((question.truth, truth, truths), (question.output, output, values)):
        if present < rows:
            way = SET_ASIDE if name == question.truth else LEAVE_OUT
            raise empty_cell(relation.source, name, relation.first_row(f"{sql} is null"), way)
    if math.isnan(high):  # duckdb orders NaN above everything
        raise _bad_cell(relation, question, f"isnan({output}::double)", f"every number must be finite: {LEAVE_OUT}")
    if question.role == "proba" and not (low >= 0 and high <= 1):
        raise _bad_cell(relation, question, f"{output} not between 0 and 1", "probabilities must lie between 0 and 1")
    if not (math.isfinite(low) and math.isfinite(high)):
        raise _bad_cell(relation, question, f"not isfinite({output}::double)", "every number must be finite")
    return rows, distinct


def _bad_cell(relation: Relation, question: CountQuestion, condition: str, rule: str) -> BadInput:
    output = relation.columns[question.output].sql
    relation.connection.execute("set preserve_insertion_order = true")
    row = relation.first_row(condition)
    value = relation.all(output, f"where {condition} limit 1")[0][0]
    return BadInput(f"{relation.source.column(question.output)}: row {row} is {value}; {rule}")


def _counts(relation: Relation, question: CountQuestion, like: Predictions) -> Predictions:
    """One row per truth and value, with the number of rows there; the order is fixed so that sums are, too."""
    truth, output = relation.columns[question.truth].sql, relation.columns[question.output].sql
    cells = relation.arrays(
        f"{truth} as truth, {output}::double as output, count(*) as number", "group by 1, 2 order by 1, 2"
    )
    truths = codes(np.asarray(cells["truth"]), like.classes, question.truth)
    outputs: dict[str, Any] = {question.role: freeze(cells["output"])}
    return replace(like, truth=freeze(truths), repeats=freeze(cells["number"], float), **outputs)


def _ordering(relation: Relation, question: CountQuestion, like: Predictions, size: int) -> Ordering:
    """Values of positive rows from the front of one array, of the others from the back, sorted where they lie."""
    values = np.empty(size)
    front, back = 0, size
    for part, positive in labelled_batches(relation, question, like.classes[like.named_positive]):
        hits, others = part[positive], part[~positive]
        values[front : front + len(hits)] = hits
        values[back - len(others) : back] = others
        front, back = front + len(hits), back - len(others)
    return Ordering.of_classes(values[:front], values[front:], keep_values=False)


def _every_row(relation: Relation, question: CountQuestion, like: Predictions, size: int) -> Predictions:
    """All rows in their order, a code and a number each."""
    relation.connection.execute("set preserve_insertion_order = true")
    truth, values = np.empty(size, np.int8), np.empty(size)
    start = 0
    for part, positive in labelled_batches(relation, question, like.classes[like.named_positive]):
        place = slice(start, start + len(part))
        values[place] = part
        truth[place] = np.where(positive, like.named_positive, 1 - like.named_positive)
        start += len(part)
    outputs: dict[str, Any] = {question.role: freeze(values)}
    return replace(like, truth=freeze(truth), **outputs)
