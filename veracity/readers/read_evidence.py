"""Predictions for questions that may be asked of large files, which are counted or held in two columns."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from veracity.core.errors import BadInput
from veracity.evidence.counts import Counts, Errors
from veracity.evidence.labels import codes
from veracity.evidence.make_predictions import predictions
from veracity.evidence.ordering import Ordering
from veracity.evidence.packed_ordering import load_loops
from veracity.evidence.predictions import Predictions
from veracity.kernels.beside import run_beside
from veracity.readers.clean_columns import Notation
from veracity.readers.columns import columns_of, open_relation
from veracity.readers.read_predictions import (
    ABOUT_ROWS,
    NOTATION,
    clean_table,
    columns_to_read,
    labels_in_type,
    predictions_of,
    read_table,
)
from veracity.readers.relation import Relation, literal
from veracity.readers.roles import is_called
from veracity.readers.source import Source, is_path, open_source
from veracity.records.arrays import freeze

LARGE_ROWS = 5_000_000  # above this a file is aggregated where the question allows it
MAX_COUNTED_VALUES = 2_000_000  # distinct values up to which duckdb counts rows in a few hundred megabytes
MIN_ROWS_PER_VALUE = 20  # where there are fewer, sorting all rows is less work than counting them
MAX_LABELS = 1_000
ROW_WISE = ("label", "number", "correct", "loss", "grade", *ABOUT_ROWS)  # roles that need each row by itself


@dataclass(frozen=True, eq=False)
class Reading:
    """What a source gave: predictions or an ordering, how many rows, and what its classes are called."""

    evidence: Predictions | Ordering | Counts
    rows: int
    classes: tuple[Any, ...] = ()
    positive: Any = None

    @classmethod
    def of(cls, p: Predictions) -> Reading:
        """Make a reading of predictions."""
        rows = p.different_rows if p.repeats is None else int(p.repeats.sum())
        classes = () if p.kind == "correct" else p.classes
        return cls(p, rows, classes, None if p.positive is None else p.classes[p.positive])

    @classmethod
    def of_counts(cls, counts: Counts) -> Reading:
        """Make a reading of counts in place of a file; of a number of errors no classes are known."""
        classes = () if isinstance(counts, Errors) else counts.classes
        return cls(counts, int(counts.total), classes, None if counts.positive is None else classes[counts.positive])


def read_evidence(
    source: Any, *, large: int = LARGE_ROWS, few: int = MAX_COUNTED_VALUES, keep_values: bool = False, **asked: Any
) -> Reading:
    """Read as `read_predictions` does, but aggregate a file of more than `large` rows, none asked for by itself.

    Up to `few` distinct values, each of many rows, are counted into predictions with repeats. More decision values
    become an ordering; more probabilities, or decision values with a threshold or whose values are to be kept, stay
    rows. A file in which anything is unusual is read row by row, which says what is wrong.
    """
    if not is_path(source):
        return Reading.of(predictions_of(read_table(source, [asked]), asked, "model"))
    wanted = columns_to_read(source, [asked])
    with open_source(source) as file:
        if _may_be_aggregated(file, asked, large):
            assert file.path is not None  # of which a row takes a byte at least
            loading = run_beside(load_loops) if file.path.stat().st_size > large else nullcontext()
            with loading, suppress(BadInput), open_relation(file, wanted) as relation:
                reading = _aggregate(relation, asked, large, few, keep_values)
                if reading is not None:
                    return reading
        return Reading.of(predictions_of(clean_table(columns_of(file, wanted), [asked]), asked, "model"))


def _may_be_aggregated(file: Source, asked: Mapping[str, Any], large: int) -> bool:
    """Return whether a question reads two columns as they stand there, and no row by itself, of a large file.

    How many rows a text file has is told by its size and its start.
    """
    outputs = [role for role in ("value", "proba") if asked.get(role) is not None]
    how = Notation(**{word: asked[word] for word in NOTATION if word in asked})
    row_wise = any(asked.get(role) is not None for role in ROW_WISE) or asked.get("labelled", "all") != "all"
    if len(outputs) != 1 or not isinstance(asked[outputs[0]], str) or row_wise or not how.plain:
        return False
    if file.format not in ("csv", "tsv"):
        return file.format == "parquet"  # which says how many rows it has when it is open
    assert file.path is not None
    with file.path.open("rb") as stream:
        head = stream.read(1 << 20)
    return file.path.stat().st_size / len(head) * head.count(b"\n") > large


def _aggregate(relation: Relation, asked: Mapping[str, Any], large: int, few: int, keep_values: bool) -> Reading | None:
    """Return what is asked of a large file; None where it is small, or a cell or label needs a look at its row."""
    import duckdb

    role = "value" if asked.get("proba") is None else "proba"
    others = set(relation.columns) - {asked["truth"], asked[role]}
    truth, output = relation.columns[asked["truth"]].sql, relation.columns[asked[role]].sql
    if relation.columns[asked[role]].kind not in ("whole", "number"):
        return None
    with suppress(duckdb.Error):
        for name in others:  # folds, repeats or models, of which each row has its own, unless all are of one model
            sql = relation.columns[name].sql
            if not is_called(name, "model") or not relation.all(f"min({sql}) is not distinct from max({sql})")[0][0]:
                return None
        rows, truths, values, low, high, distinct = relation.all(
            f"count(*), count({truth}), count({output}), min({output}), max({output}), approx_count_distinct({output})"
        )[0]
        bounds = (0, 1) if role == "proba" else (-np.finfo(float).max, np.finfo(float).max)
        # duckdb orders NaN above everything
        if rows <= large or truths < rows or values < rows or not (low >= bounds[0] and high <= bounds[1]):
            return None
        like = _empty_predictions(relation, truth, asked, role)
        if like is None:
            return None
        relation.connection.execute("set preserve_insertion_order = false")
        order_suffices = role == "value" and like.threshold is None and not keep_values
        if distinct <= few and distinct * MIN_ROWS_PER_VALUE <= rows:
            evidence: Predictions | Ordering = _count_rows(relation, truth, output, like, role)
        elif order_suffices:
            evidence = _sort_values(relation, truth, output, like)
        else:
            evidence = _read_rows(relation, truth, output, like, role)
        return Reading(evidence, rows, like.classes, like.classes[like.named_positive])
    return None


def _empty_predictions(relation: Relation, truth: str, asked: Mapping[str, Any], role: str) -> Predictions | None:
    """Return predictions with one row per label, checked as all rows would be; None where there are not two labels."""
    labels = np.asarray(relation.arrays(f"{truth} as label", f"group by 1 order by 1 limit {MAX_LABELS + 1}")["label"])
    if len(labels) > MAX_LABELS:
        return None
    options: dict[str, Any] = {
        key: asked[key] for key in ("positive", "classes", "threshold", "labelled") if key in asked
    }
    options |= labels_in_type(options.get("positive"), options.get("classes"), labels)
    options[role] = np.zeros(len(labels))
    found = predictions(labels, **options)
    return found if found.binary else None


def _count_rows(relation: Relation, truth: str, output: str, like: Predictions, role: str) -> Predictions:
    """Return one row per truth and value, with the number of rows there; the order is fixed so that sums are, too."""
    cells = relation.arrays(
        f"{truth} as truth, {output}::double as output, count(*) as number", "group by 1, 2 order by 1, 2"
    )
    truths = codes(np.asarray(cells["truth"]), like.classes, "truth")
    outputs: dict[str, Any] = {role: freeze(np.asarray(cells["output"]))}
    return replace(like, truth=freeze(truths), repeats=freeze(cells["number"], float), **outputs)


def _sort_values(relation: Relation, truth: str, output: str, like: Predictions) -> Ordering:
    """Return the ordering of the values of each class."""
    positive = literal(like.classes[like.named_positive])
    positives, negatives = (
        np.asarray(
            relation.arrays(f"{output}::double as value", f"where ({truth} = {positive}) = {is_positive}")["value"]
        )
        for is_positive in ("true", "false")
    )
    return Ordering.of_classes(positives, negatives, keep_values=False)


def _read_rows(relation: Relation, truth: str, output: str, like: Predictions, role: str) -> Predictions:
    """Return all rows in their order, a code and a number each."""
    relation.connection.execute("set preserve_insertion_order = true")
    positive = literal(like.classes[like.named_positive])
    cells = relation.arrays(f"({truth} = {positive})::utinyint as is_positive, {output}::double as value")
    is_positive = np.asarray(cells["is_positive"]).astype(bool)
    truths = np.where(is_positive, np.int8(like.named_positive), np.int8(1 - like.named_positive))
    outputs: dict[str, Any] = {role: freeze(np.asarray(cells["value"]))}
    return replace(like, truth=freeze(truths), **outputs)
