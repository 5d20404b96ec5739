"""Files too large to hold row by row, where nothing of a single row is asked: counted, or streamed into an ordering."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from veracity.core.errors import BadInput
from veracity.evidence.ordering import Ordering
from veracity.evidence.predictions import Predictions
from veracity.readers import counted
from veracity.readers.arrow import StreamError
from veracity.readers.columns import columns_of, related
from veracity.readers.counted import Question
from veracity.readers.read_predictions import columns_asked, read_predictions
from veracity.readers.relation import Relation, first_line
from veracity.readers.source import Source, is_path, opened

LARGE = 5_000_000  # rows: above this a file is aggregated where the question allows it
FEW = 2_000_000  # distinct values: up to here duckdb counts them in a few hundred megabytes
ROW_WISE = ("label", "number", "weights", "counts", "groups", "rows")


@dataclass(frozen=True, eq=False)
class Reading:
    """What a source gave: predictions or an ordering, how many rows, and what its classes are called."""

    evidence: Predictions | Ordering
    rows: int
    classes: tuple[Any, ...] = ()
    positive: Any = None


def read_evidence(source: Any, *, large: int = LARGE, few: int = FEW, **asked: Any) -> Reading:
    """As `read_predictions`, but a file of more than `large` rows, none asked for by itself, is aggregated.

    Up to `few` distinct values are counted into predictions with repeats. More decision values become an ordering;
    more probabilities, or decision values with a threshold, stay rows, kept as small as they can be.
    """
    if not is_path(source):
        return _row_by_row(source, asked)
    names = columns_asked(*(asked.get(role) for role in ("truth", "value", "proba", *ROW_WISE)))
    question = _question(asked)
    with opened(source) as file:
        found = None
        if question is not None and file.format != "arff" and (file.format == "parquet" or _lines(file) > large):
            with related(file, names) as relation:
                found = _aggregated(relation, question, large, few)
        return found or _row_by_row(columns_of(file, names), asked)


def _row_by_row(source: Any, asked: Mapping[str, Any]) -> Reading:
    p = read_predictions(source, **asked)
    rows = len(p) if p.repeats is None else int(p.repeats.sum())
    return Reading(p, rows, p.classes, None if p.positive is None else p.classes[p.positive])


def _question(asked: Mapping[str, Any]) -> Question | None:
    """The question as one that counts can answer, or None."""
    value, proba = asked.get("value"), asked.get("proba")
    said = value if proba is None else proba
    row_wise = any(asked.get(role) is not None for role in ROW_WISE)
    if row_wise or not isinstance(said, str) or (value is not None and proba is not None):
        return None
    others = {key: item for key, item in asked.items() if key not in ("truth", "value", "proba", *ROW_WISE)}
    return Question(asked["truth"], said, "value" if proba is None else "proba", others)


def _lines(file: Source) -> float:
    """About how many lines a text file has, from its size and its start."""
    assert file.path is not None
    with file.path.open("rb") as stream:
        head = stream.read(1 << 20)
    return file.path.stat().st_size / len(head) * head.count(b"\n")


def _aggregated(relation: Relation, question: Question, large: int, few: int) -> Reading | None:
    """The answer from counts; None where the file is small or its columns need reading to say what is wrong."""
    import duckdb

    try:
        if relation.columns[question.said].kind not in ("whole", "number"):
            return None
        if relation.source.format == "parquet" and relation.all("count(*)")[0][0] <= large:  # costs nothing there
            return None
        relation.connection.execute("set preserve_insertion_order = false; set memory_limit = '600MB'")
        survey = counted.survey(relation, question)
        template = counted.template(relation, question)
        if template is None:
            return None
        if survey.distinct <= few:
            evidence: Predictions | Ordering = counted.counts(relation, question, template)
        elif question.role == "value" and template.threshold is None and template.labelled == "all":
            evidence = counted.ordering(relation, question, template, survey.rows)
        else:
            evidence = counted.rows(relation, question, template, survey.rows)
    except (duckdb.Error, StreamError) as why:
        raise BadInput(f"{relation.source.name} cannot be read: {first_line(why)}") from None
    return Reading(evidence, survey.rows, template.classes, template.classes[template.named_positive])
