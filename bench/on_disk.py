"""Time and memory of `veracity score` on a Parquet file of 10^8 rows, and on CSV and long files of 10^7."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import duckdb
from sklearn import metrics

from bench.row import Measure, Row, in_words, within

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
    names = "label, value" if "parquet" in form else "label, value, name"
    duckdb.sql(f"copy (select {names.replace('label', f'{label} as label')} from ({rows})) to '{path}' ({form})")


class Sides(NamedTuple):
    """Seconds of both sides, whose smaller files were done too, and the most gigabytes of each."""

    ours: Measure
    peer: Measure
    gigabytes: tuple[float, float]


def _sides(write: Callable[[Path, int], tuple[list[str], list[str]]], number: int, times: int) -> Sides:
    """Files of so many rows, and of a tenth and a hundredth; `write` makes one and gives both sides' commands."""
    smaller: tuple[list[tuple[str, float]], ...] = ([], [])
    found: list[list[tuple[float, float]]] = []
    for size in (number // 100, number // 10, number):
        with tempfile.TemporaryDirectory() as folder:
            commands = write(Path(folder), size)
            in_turn = [[_child([sys.executable, *words]) for words in commands] for _ in range(times)]
        found = [list(side) for side in zip(*in_turn, strict=True)]
        if size < number:
            for best, side in zip(smaller, found, strict=True):
                best.append((in_words(size, "rows"), min(seconds for seconds, _ in side)))
    ours, peer = (
        Measure(tuple(seconds for seconds, _ in side), smaller=tuple(best))
        for side, best in zip(found, smaller, strict=True)
    )
    return Sides(ours, peer, (max(g for _, g in found[0]), max(g for _, g in found[1])))


def answer(words: list[str]) -> Any:
    """What a command of ours tells, for machines."""
    out = subprocess.run([sys.executable, *words, "--json"], check=True, capture_output=True, text=True).stdout
    return json.loads(out)


def _check_scores(words: list[str], path: Path) -> None:
    """The scores of a small file beside scikit-learn's of the columns that duckdb reads."""
    found = {name: score["value"] for name, score in answer(words)["scores"].items()}
    columns = duckdb.sql(f"select label, value from '{path}'").fetchnumpy()
    truth, value = columns["label"], columns["value"]
    theirs = {
        "auc": metrics.roc_auc_score(truth, value),
        "average_precision": metrics.average_precision_score(truth, value),
        "error": 1 - metrics.accuracy_score(truth, value >= 0.5),
    }
    for name in theirs.keys() & found.keys():
        assert abs(found[name] - theirs[name]) < 1e-9, (name, found[name], theirs[name])


def large_files() -> list[Row]:
    """Each kind of file once: ours and duckdb's count by label and value, in turn."""
    rows = []
    for kind, value in VALUES.items():

        def write(folder: Path, number: int, value: str = value) -> tuple[list[str], list[str]]:
            path = folder / "rows.parquet"
            _write(path, value, number)
            roles = ["--truth", "label", "--value", "value", "--positive", "1"]
            ours = ["-m", "veracity", "score", str(path), *roles]
            if number < NUMBER // 10:
                _check_scores(ours, path)
            return [*ours, "--json"], ["-c", COUNT, str(path)]

        ours, peer, (peak, beside) = _sides(write, NUMBER, 2)
        rows.append(within(f"veracity score of 10^8 rows, {kind}; duckdb counting by label and value", ours, peer, 3))
        aim = GIGABYTES[kind]
        rows.append(Row(f"its peak memory, {kind}", f"{peak:.2f} GB", f"{beside:.2f} GB", peak, aim, True, " GB"))
    return rows


def csv_files() -> list[Row]:
    """Three scores of each kind of file: ours and duckdb reading the same two columns of three, in turn."""
    rows = []
    for kind, value in VALUES.items():

        def write(folder: Path, number: int, value: str = value) -> tuple[list[str], list[str]]:
            path = folder / "rows.csv"
            _write(path, value, number, "header")
            roles = ["--truth", "label", "--proba", "value", "--positive", "1"]
            ours = ["-m", "veracity", "score", str(path), *roles, "auc", "error", "average_precision"]
            if number < NUMBER // 100:
                _check_scores(ours, path)
            return ours, ["-c", READ, str(path)]

        ours, peer, _ = _sides(write, NUMBER // 10, 3)
        name = f"three scores of a CSV file of 10^7 rows, {kind}; duckdb reading the two columns"
        rows.append(within(name, ours, peer, 2))
    return rows


def long_files() -> list[Row]:
    """The error of two models: a file with a row for each item and model, and the wide one of the same predictions."""
    rows = []
    for ending, form in (("csv", "header"), ("parquet", "format parquet")):

        def write(folder: Path, number: int, ending: str = ending, form: str = form) -> tuple[list[str], list[str]]:
            wide, long = (folder / f"{name}.{ending}" for name in ("wide", "long"))
            _write_models(wide, long, number // 2, form)
            score = ["-m", "veracity", "score"]
            roles = ["--model", "model", "--rows", "id", "--truth", "y", "--label", "label", "error"]
            ours, peer = (
                [*score, str(long), *roles],
                [*score, str(wide), "--truth", "y", "--label", "a", "--label", "b", "error"],
            )
            assert [*answer(ours)["models"].values()] == [*answer(peer)["models"].values()]
            return ours, peer

        ours, peer, _ = _sides(write, NUMBER // 10, 3)
        name = f"error of two models in a long {ending} file of 10^7 rows; veracity score of the wide file"
        rows.append(within(name, ours, peer, 2))
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
