"""Time of `veracity curve` on a Parquet file of 10^8 rows, beside duckdb's count of the same rows."""

from __future__ import annotations

import tempfile
from pathlib import Path

from bench.on_disk import COUNT, NUMBER, VALUES, _write
from bench.row import Measure, Row, processor_seconds, within


def large_curves() -> list[Row]:
    """The ROC curve of each kind of file: ours and duckdb's count by label and value, in turn, in processor time."""
    return [_curve(kind, value, NUMBER) for kind, value in VALUES.items()]


def _curve(kind: str, value: str, number: int) -> Row:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.parquet"
        _write(path, value, number)
        roles = ["--truth", "label", "--value", "value", "--positive", "1"]
        ours, peer = [], []
        for _ in range(2):
            ours.append(processor_seconds(["-m", "veracity", "curve", str(path), *roles]))
            peer.append(processor_seconds(["-c", COUNT, str(path)]))
    name = f"veracity curve of {number:,} rows, {kind}, processor time; duckdb counting by label and value"
    return within(name, Measure(tuple(ours)), Measure(tuple(peer)), 2)


ROWS = (large_curves,)
