"""Stores: whole ones moved, repacked and tidied, which must answer the same, and damaged ones, which must say so."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import veracity as vc
from bench.fuzz.case import Case
from bench.fuzz.damage import damaged, damaged_text
from bench.fuzz.scratch import folder, run_command, write

STUDY = """
seed = 3
by = ["kfold(k=3)", "holdout"]
scores = ["error"]
[data]
moons = "sklearn:make_moons(n_samples=40, noise=0.3, random_state=1)"
blobs = "sklearn:make_blobs(n_samples=40, centers=2, cluster_std=6.0, random_state=1)"
rings = "sklearn:make_circles(n_samples=40, noise=0.2, factor=0.4, random_state=1)"
[learners]
nb = "sklearn.naive_bayes:GaussianNB"
near = { use = "sklearn.neighbors:KNeighborsClassifier", n_neighbors = 3 }
stump = { use = "sklearn.tree:DecisionTreeClassifier", max_depth = 1 }
"""
VERSIONS = ("0", "-1", "99", "x", "")  # of the schema
RUINED = 0.4  # share of the stores that are damaged
SAME = (  # what leaves a store as it was
    "vacuum",
    "analyze",
    "reindex",
    "pragma journal_mode = delete",
    "pragma page_size = 512; vacuum",
    "pragma auto_vacuum = full; vacuum",
    "delete from veracity_claims",
    "delete from veracity_owners",
    "insert into veracity_owners values ('somebody', 0.0)",
)
NAMES = ("store.db", "a store.db", "é.db", "store", "store.sqlite", "x'y\".db")


@cache
def whole() -> bytes:
    """A store that was run, once for the process."""
    path = folder() / "whole.db"
    vc.Study.read(write("whole.toml", STUDY.encode())).run(path, progress=False).store.close()
    with closing(sqlite3.connect(path)) as store:
        store.execute("pragma journal_mode = delete")
    return path.read_bytes()


QUESTIONS: dict[str, Callable[[Path], Any]] = {
    "estimate": lambda path: vc.estimate(vc.read_runs(path), "error").to_json(),
    "rank": lambda path: vc.rank(vc.read_runs(path), "error", by="kfold(k=3)").to_json(),
    "compare": lambda path: vc.compare(vc.read_runs(path), "error", by="kfold(k=3)", anyway=True).to_json(),
    "predictions": lambda path: _predictions(vc.read_runs(path)),
    "status": lambda path: json.loads(run_command(["status", str(path), "--json"])),
    "estimate on the command line": lambda path: json.loads(run_command(["estimate", str(path), "error", "--json"])),
    "report": lambda path: len(vc.report(vc.read_runs(path), "error").html) > 0,
}
OFTEN = (*("estimate", "rank", "compare", "predictions", "status") * 4, *list(QUESTIONS)[5:])


def _predictions(runs: Any) -> dict[str, Any]:
    return {"runs": [_rows(run) for run in runs], "notes": [str(note) for note in runs.notes]}


def _rows(run: Any) -> dict[str, Any]:
    p, name = run.predictions, f"{run.learner} on {run.data} by {run.design.name}"
    rows = None if p is None else [p.rows.tolist(), p.truth.tolist(), p.labels().tolist()]
    return {"run": name, "absent": run.absent, "failed": run.failed, "rows": rows}


@cache
def answer(question: str) -> str:
    """What the whole store answers."""
    return json.dumps(QUESTIONS[question](write("asked.db", whole())), sort_keys=True, default=str)


def case(random: Random) -> Case:
    """A store and one question."""
    question, name = random.choice(OFTEN), random.choice(NAMES)
    ruin = random.random() < RUINED
    seed = random.randrange(2**31)
    change = _damage(random) if ruin else random.sample(SAME, random.randrange(1, 4))

    def ask() -> str:
        for old in folder().glob(f"{name}*"):
            old.unlink()
        path = write(name, whole())
        _apply(Random(seed), path, change)
        return json.dumps(QUESTIONS[question](path), sort_keys=True, default=str).replace(name, "asked.db")

    def check(found: str) -> str:
        expected = answer(question)
        if found == expected or (ruin and tells_more(json.loads(found), json.loads(expected))):
            return ""
        return f"{question}: {_first_difference(found, expected)}"

    return Case(f"{question} of {name!r} after {change}, seed {seed}", ask, check, not ruin)


def _damage(random: Random) -> list[str]:
    """Statements, or words for what `_apply` does itself."""
    table, column = random.choice(COLUMNS)
    nth = f"{random.randrange(1000)} % (select max(count(*), 1) from veracity_{table})"
    gone = "about" if table == "splits" else table  # whoever takes splits out of a plan has planned fewer
    one = f"rowid = (select rowid from veracity_{table} order by rowid limit 1 offset {nth})"
    return [
        random.choice(
            (
                f"flip {table}.{column}",
                f"flip {table}.{column}",
                f"update veracity_{table} set {column} = '' where {one}",
                f"update veracity_{table} set {column} = 'x' where {one}",
                f"update veracity_{table} set {column} = 18446744073709551616 where {one}",
                f"update veracity_{table} set {column} = x'00' where {one}",
                f"delete from veracity_{gone} where {one.replace(table, gone)}",
                f"drop table veracity_{table}",
                f"alter table veracity_{table} rename column {column} to other",
                f"update veracity_about set value = '{random.choice(VERSIONS)}' where name = 'schema'",
                "bytes",
                "cut",
            )
        )
    ]


COLUMNS = (
    *(("about", "value"), ("data", "described"), ("data", "arrays"), ("data", "fingerprint"), ("designs", "described")),
    *(("designs", "arrays"), ("splits", "key"), ("splits", "learner"), ("fits", "key"), ("fits", "payload")),
    *(("fits", "chosen"), ("fits", "seconds"), ("fits", "status"), ("questions", "question")),
)


def _apply(random: Random, path: Path, change: list[str]) -> None:
    for one in change:
        if one in ("bytes", "cut"):
            body = path.read_bytes()
            path.write_bytes(damaged(random, body) if one == "bytes" else body[: random.randrange(len(body))])
        else:
            with closing(sqlite3.connect(path, isolation_level=None)) as store:
                _flip(random, store, *one.split(" ")[1].split(".")) if one.startswith("flip") else store.executescript(
                    one
                )


def _flip(random: Random, store: sqlite3.Connection, table: str, column: str) -> None:
    """A few signs of one cell changed."""
    cells = store.execute(f"select rowid, {column} from veracity_{table} order by rowid").fetchall()
    if cells:
        row, cell = random.choice(cells)
        other = damaged(random, cell) if isinstance(cell, bytes) else damaged_text(random, str(cell))
        store.execute(f"update veracity_{table} set {column} = ? where rowid = ?", (other, row))


def tells_more(found: Any, expected: Any) -> bool:
    """Whether an answer of a damaged store has a note that the whole one's has not, or says which fits are missing."""
    if set(_notes(found)) - set(_notes(expected)):
        return True
    if isinstance(found, dict) and "fits" in found:
        return bool(found["fits"]["done"] != found["fits"]["planned"])
    if not isinstance(found, dict) or "runs" not in found:
        return False
    whole = {run["run"]: run for run in expected["runs"]}  # every other run is as it was
    others = {run["run"]: run for run in found["runs"] if not run["absent"]}
    return len(found["runs"]) == len(whole) > len(others) and all(
        whole.get(name) == run for name, run in others.items()
    )


def _notes(shape: Any) -> Iterator[str]:
    """All notes of an answer, at whatever depth."""
    if isinstance(shape, dict):
        yield from (json.dumps(note) for note in shape.get("notes") or ())
        shape = list(shape.values())
    if isinstance(shape, list):
        for part in shape:
            yield from _notes(part)


def _first_difference(found: str, expected: str) -> str:
    place = next(
        (k for k, (a, b) in enumerate(zip(found, expected, strict=False)) if a != b), min(len(found), len(expected))
    )
    near = slice(max(0, place - 80), place + 80)
    return f"...{found[near]!r}, but the whole store ...{expected[near]!r}"
