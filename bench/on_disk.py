"""Time and memory of `veracity score` on a Parquet file of 10^8 rows, and on CSV and long files of 10^7."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import duckdb

from bench.row import Measure, Row, within

NUMBER = 100_000_000
VALUES = {
    "at most 10^6 distinct values": "floor(random() * 1000000) / 1000000",
    "all values distinct": "random() + i * 1e-17",
}
GIGABYTES = {"at most 10^6 distinct values": 1.0, "all values distinct": 2.0}

COUNT = """
import duckdb, sys
duckdb.sql(f"select count(*) from (select label, value, count(*) from '{sys.argv[1]}' group by 1, 2)").fetchall()
"""

READ = """
import duckdb, sys
duckdb.sql(f"select label, value from read_csv('{sys.argv[1]}')").fetchnumpy()
"""


def _child(command: list[str]) -> tuple[float, float]:
    """Seconds and peak gigabytes of a command, measured around it by a small parent."""
    watch = (
        "import json, resource, subprocess, sys, time; t = time.perf_counter(); "
        "subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL); "
        "print(json.dumps([time.perf_counter() - t, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 2**20]))"
    )
    free = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}  # as duckdb is
    watched = [sys.executable, "-c", watch, *command]
    out = subprocess.run(watched, check=True, capture_output=True, text=True, env=free).stdout
    seconds, gigabytes = json.loads(out)
    return seconds, gigabytes


def _write(path: Path, value: str, number: int = NUMBER, form: str = "format parquet") -> None:
    label = "(random() < 0.3 + 0.4 * value)::int"
    rows = f"select {value} as value, 'row ' || i as name from range({number}) t(i)"
    names = "label, value" if number == NUMBER else "label, value, name"
    duckdb.sql(f"copy (select {names.replace('label', f'{label} as label')} from ({rows})) to '{path}' ({form})")


def large_files() -> list[Row]:
    """Each kind of file once: ours and duckdb's count by label and value, in turn."""
    rows = []
    for kind, value in VALUES.items():
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "rows.parquet"
            _write(path, value)
            command = [sys.executable, "-m", "veracity", "score", str(path), "--truth", "label"]
            ours = [_child([*command, "--value", "value", "--positive", "1", "--json"]) for _ in range(2)]
            peer = [_child([sys.executable, "-c", COUNT, str(path)]) for _ in range(2)]
        name = f"veracity score of 10^8 rows, {kind}; duckdb counting by label and value"
        rows.append(within(name, Measure(tuple(s for s, _ in ours)), Measure(tuple(s for s, _ in peer)), 3))
        peak, beside = max(g for _, g in ours), max(g for _, g in peer)
        aim = GIGABYTES[kind]
        rows.append(Row(f"its peak memory, {kind}", f"{peak:.2f} GB", f"{beside:.2f} GB", peak, aim, True, " GB"))
    return rows


def csv_files() -> list[Row]:
    """Three scores of each kind of file: ours and duckdb reading the same two columns of three, in turn."""
    rows = []
    for kind, value in VALUES.items():
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "rows.csv"
            _write(path, value, NUMBER // 10, "header")
            command = [sys.executable, "-m", "veracity", "score", str(path), "--truth", "label", "--proba", "value"]
            scores = ["--positive", "1", "auc", "error", "average_precision"]
            ours, peer = [], []
            for _ in range(3):
                ours.append(_child([*command, *scores]))
                peer.append(_child([sys.executable, "-c", READ, str(path)]))
        name = f"three scores of a CSV file of 10^7 rows, {kind}; duckdb reading the two columns"
        rows.append(within(name, Measure(tuple(s for s, _ in ours)), Measure(tuple(s for s, _ in peer)), 2))
    return rows


def long_files() -> list[Row]:
    """The error of two models: a file with a row for each item and model, and the wide one of the same predictions."""
    rows = []
    for ending, form in (("csv", "header"), ("parquet", "format parquet")):
        with tempfile.TemporaryDirectory() as folder:
            wide, long = (Path(folder) / f"{name}.{ending}" for name in ("wide", "long"))
            _write_models(wide, long, NUMBER // 20, form)
            command = [sys.executable, "-m", "veracity", "score"]
            ours, peer = [], []
            for _ in range(3):
                roles = ["--model", "model", "--rows", "id", "--truth", "y", "--label", "label", "error"]
                ours.append(_child([*command, str(long), *roles]))
                peer.append(_child([*command, str(wide), "--truth", "y", "--label", "a", "--label", "b", "error"]))
        name = f"error of two models in a long {ending} file of 10^7 rows; veracity score of the wide file"
        rows.append(within(name, Measure(tuple(s for s, _ in ours)), Measure(tuple(s for s, _ in peer)), 2))
    return rows


def _write_models(wide: Path, long: Path, number: int, form: str) -> None:
    """Two models' labels of the same rows, in columns and one behind the other, sorted by row."""
    with duckdb.connect() as base:
        truth = f"select i as id, (random() < 0.5)::int as y, random() as u, random() as v from range({number}) t(i)"
        labels = "if(u < 0.8, y, 1 - y) as a, if(v < 0.7, y, 1 - y) as b"
        base.execute(f"create table wide as select id, y, {labels} from ({truth})")
        base.execute(f"copy wide to '{wide}' ({form})")
        each = [f"select id, '{name}' as model, y, {name[-1]} as label from wide" for name in ("model a", "model b")]
        base.execute(f"copy (select * from ({' union all '.join(each)}) order by id, model) to '{long}' ({form})")


ROWS = (large_files, csv_files, long_files)
