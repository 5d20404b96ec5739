"""Time of `veracity curve` on a Parquet file of 10^8 rows, beside duckdb's count of the same rows."""

from __future__ import annotations

import tempfile
from pathlib import Path

import duckdb
import numpy as np
from sklearn import metrics

from bench.on_disk import COUNT, NUMBER, VALUES, _write, answer
from bench.row import Measure, Row, in_words, processor_seconds, within

ROLES = ["--truth", "label", "--value", "value", "--positive", "1"]


def large_curves() -> list[Row]:
    """The ROC curve of each kind of file: ours and duckdb's count by label and value, in turn, in processor time."""
    return [_curve(kind, value, NUMBER) for kind, value in VALUES.items()]


def _check_points(value: str) -> None:
    """The points of a small file's curve are those of scikit-learn."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.parquet"
        _write(path, value, 10_000)
        line = answer(["-m", "veracity", "curve", str(path), *ROLES])["lines"][0]
        columns = duckdb.sql(f"select label, value from '{path}'").fetchnumpy()
    alarms, hits, _ = metrics.roc_curve(columns["label"], columns["value"], drop_intermediate=False)
    np.testing.assert_allclose((line["x"], line["y"]), (alarms, hits), atol=1e-12)


def _curve(kind: str, value: str, number: int) -> Row:
    _check_points(value)
    smaller = []
    for size in (number // 100, number // 10, number):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "rows.parquet"
            _write(path, value, size)
            ours, peer = [], []
            for _ in range(2):
                ours.append(processor_seconds(["-m", "veracity", "curve", str(path), *ROLES]))
                peer.append(processor_seconds(["-c", COUNT, str(path)]))
        smaller.append((in_words(size, "rows"), min(ours)))
    name = f"veracity curve of {number:,} rows, {kind}, processor time; duckdb counting by label and value"
    return within(name, Measure(tuple(ours), smaller=tuple(smaller[:-1])), Measure(tuple(peer)), 2)


ROWS = (large_curves,)
