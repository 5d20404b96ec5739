"""Speed and memory of studies: the cost of keeping everything, beside a bare loop that keeps nothing."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris, load_wine, make_classification
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from bench.row import Measure, Row, in_words, measure, measure_in_turn, peak_bytes, within
from veracity.designs.make_design import make_design
from veracity.readers.read_data import data_of
from veracity.records.data import Data
from veracity.records.design import Rows
from veracity.records.plan import Plan
from veracity.running.engines import Local
from veracity.running.make_plan import Setup, make_plan
from veracity.running.runner import Runner
from veracity.stores.open_store import open_store

AIMS = {1: 1.1, 2: 0.58}  # times a bare loop, by workers
LABELS, CHANCES, BOTH = (f"bare loop of {what}" for what in ("labels", "probabilities", "labels and probabilities"))
LEARNERS = {
    "dummy": DummyClassifier(),
    "nb": GaussianNB(),
    "tree": DecisionTreeClassifier(),
    "1nn": KNeighborsClassifier(n_neighbors=1),
}


def _tables() -> dict[str, Data]:
    pairs = {
        "iris": load_iris(return_X_y=True),
        "wine": load_wine(return_X_y=True),
        "cancer": load_breast_cancer(return_X_y=True),
        "made 300": make_classification(300, 10, random_state=0),
        "made 500": make_classification(500, 20, random_state=1),
    }
    return {name: data_of(x, y, name=name) for name, (x, y) in pairs.items()}


def _plan(tables: dict[str, Data], repeats: int = 10, learners: dict[str, Any] | None = None) -> Plan:
    by = f"repeated_kfold(k=10, repeats={repeats})"
    designs = {name: [make_design(by, Rows(len(d), d.truth), 7)] for name, d in tables.items()}
    return make_plan(Setup(tables, designs, learners or LEARNERS, 7))


def _bare(tables: dict[str, Data], plan: Plan, chances: bool = False) -> None:
    """A loop that keeps nothing: labels alone, or labels and probabilities, which are what a study asks for."""
    for fit in plan.fits:
        table = tables[fit.data]
        model = clone(LEARNERS[fit.learner]).fit(table.features[fit.train], table.target[fit.train])
        model.predict(table.features[fit.predict])
        if chances:
            model.predict_proba(table.features[fit.predict])


def _warm(workers: int) -> tuple[Local, float]:
    """An engine whose workers have started and imported, and how long that took."""
    started = time.perf_counter()
    engine = Local(workers)
    waiting = [engine.submit(_import_everything) for _ in range(4 * workers)]
    for future in waiting:
        future.result()
    return engine, time.perf_counter() - started


def _import_everything() -> None:
    import sklearn.naive_bayes
    import sklearn.neighbors
    import sklearn.tree  # noqa: F401

    import veracity.running.worker  # noqa: F401

    time.sleep(0.05)


def _run(tables: dict[str, Data], plan: Plan, engine: Local, where: Path) -> Callable[[], object]:
    def job() -> object:
        with open_store(str(where)) as store:
            return Runner(plan, tables, LEARNERS, store, engine).run()

    return job


def _run_anew(tables: dict[str, Data], plan: Plan, engine: Local) -> Callable[[], object]:
    def job() -> object:
        with tempfile.TemporaryDirectory() as folder:
            return _run(tables, plan, engine, Path(folder) / "x.db")()

    return job


def two_thousand_fits() -> list[Row]:
    tables = _tables()
    plan, tenth = _plan(tables), _plan(tables, 1)
    _bare(tables, tenth)
    engines = {f"{workers} worker(s)": _warm(workers) for workers in AIMS}
    runs = {name: _run_anew(tables, plan, engine) for name, (engine, _) in engines.items()}
    taken = measure_in_turn({LABELS: lambda: _bare(tables, plan), BOTH: lambda: _bare(tables, plan, True), **runs})
    rows = []
    for (name, (engine, start)), aim in zip(engines.items(), AIMS.values(), strict=True):
        fewer = measure(_run_anew(tables, tenth, engine), 3)
        ours = replace(taken[name], smaller=((in_words(len(tenth), "fits"), fewer.best),))
        about = f"{len(plan)} fits, {name}, SQLite store (start-up {start:.2f} s apart)"
        rows += [within(f"{about}; {loop}", ours, taken[loop], aim) for loop in (LABELS, BOTH)]
    with tempfile.TemporaryDirectory() as folder:
        again = _run(tables, plan, engines["1 worker(s)"][0], Path(folder) / "x.db")
        again()
        name = "a finished study again; its first run, 1 worker"
        rows.append(within(name, measure(again, 3), taken["1 worker(s)"], 0.05))
    for engine, _ in engines.values():
        engine.close()
    return rows


def memory_of_the_parent() -> Row:
    """Peak memory of the process that runs a study, with ten times as many fits."""
    peaks = []
    for repeats in (5, 50):
        code = f"from bench.studies import peak; print(peak({repeats}))"
        out = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
        peaks.append(json.loads(out))
    few, many = peaks
    name = f"peak memory of the parent, {many['fits']} fits; {few['fits']} fits"
    ours, peer = f"{many['megabytes']:.0f} MB", f"{few['megabytes']:.0f} MB"
    return Row(name, ours, peer, many["megabytes"] / few["megabytes"], 1.2, at_most=True)


def peak(repeats: int) -> str:
    tables = _tables()
    plan = _plan(tables, repeats)
    engine = Local(2)
    with tempfile.TemporaryDirectory() as folder:
        _run(tables, plan, engine, Path(folder) / "x.db")()
    engine.close()
    megabytes = peak_bytes() / 2**20
    return json.dumps({"fits": len(plan.fits), "megabytes": megabytes})


def _work(_: object = None) -> None:
    """A quarter of a second of a processor."""
    until = time.process_time() + 0.25
    while time.process_time() < until:
        pass


class Slow(GaussianNB):
    """A learner that takes a quarter of a second of real work."""

    def fit(self, x: np.ndarray, y: np.ndarray) -> Slow:
        _work()
        super().fit(x, y)
        return self


def two_workers() -> list[Row]:
    """By the clock, in turn; two bare processes that share the same work show what the machine has to give."""
    from loky import ProcessPoolExecutor

    tables, learners = {"iris": _tables()["iris"]}, {"slow": Slow()}
    plan = _plan(tables, 2, learners)
    engines = [_warm(workers)[0] for workers in (1, 2)]

    def run(engine: Local) -> object:
        with tempfile.TemporaryDirectory() as folder, open_store(str(Path(folder) / "x.db")) as store:
            return Runner(plan, tables, learners, store, engine).run()

    with ProcessPoolExecutor(2) as bare:
        list(bare.map(_work, range(2)))
        names = ("one", "two", "bare")
        jobs = [*(partial(run, engine) for engine in engines), lambda: list(bare.map(_work, range(len(plan))))]
        taken = measure_in_turn(dict(zip(names, jobs, strict=True)))
    for engine in engines:
        engine.close()
    one, two, two_bare = (taken[name] for name in names)
    name = f"two workers that have started, {len(plan)} fits of 0.25 s"
    return [
        Row(f"{name}; one worker", str(two), str(one), one.best / two.best, 1.8),
        within(f"{name}; two bare processes that share this work", two, two_bare, 1.1),
    ]


WEKA = Path("/usr/share/java/weka.jar")


def _write_arff(table: Data, path: Path) -> None:
    lines = [f"@relation {path.stem}", *(f"@attribute a{i} numeric" for i in range(table.features.shape[1]))]
    lines += [f"@attribute class {{{','.join(f'c{k}' for k in range(len(table.classes)))}}}", "@data"]
    lines += [",".join([*map(repr, map(float, x)), f"c{y}"]) for x, y in zip(table.features, table.truth, strict=True)]
    path.write_text("\n".join(lines) + "\n")


def weka() -> list[Row]:
    """Weka's Experimenter with its own learners on the same data and design, printed beside ours; skipped if absent."""
    if not WEKA.exists() or shutil.which("java") is None:
        print("Weka's Experimenter: not installed (Debian package weka), skipped\n")
        return []
    tables = _tables()
    plan = _plan(tables)
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for name, table in tables.items():
            files.append(Path(folder) / f"{name.replace(' ', '_')}.arff")
            _write_arff(table, files[-1])
        source = Path(__file__).parent / "weka" / "TwoThousandFits.java"
        command = ["java", "-cp", str(WEKA), str(source), str(Path(folder) / "results.csv"), *map(str, files)]
        out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        theirs = Measure((float(out.rsplit("seconds ", 1)[1].split()[0]),))
        engine, _ = _warm(1)
        ours = measure(_run(tables, plan, engine, Path(folder) / "x.db"), 1)
        engine.close()
    return [within(f"{len(plan.fits)} fits, 1 worker; Weka's Experimenter with its own learners", ours, theirs, 1)]


def status_of_many() -> Row:
    """Asking an opened store of 100,000 fits how far it is, beside a join of its splits and fits."""
    from sqlalchemy import func, select

    from veracity.records.fit import Outcome
    from veracity.records.plan import PlannedSplit
    from veracity.stores.schema import fits, splits

    number, smaller = 100_000, []
    with tempfile.TemporaryDirectory() as folder, open_store(str(Path(folder) / "x.db")) as store:
        keys = [f"{k:032x}" for k in range(number)]
        store.save_cells(PlannedSplit("data", "learner", "design", k, key) for k, key in enumerate(keys))
        rows, label = np.arange(15), np.zeros(15, np.int8)
        for first in range(0, number, 1_000):
            if first in (1_000, 10_000):
                smaller.append((in_words(first, "fits"), measure(store.status, 9).best))
            store.write([Outcome(key, "done", rows, label) for key in keys[first : first + 1_000]])
        with store._reader.connect() as connection:
            joined = select(func.count(fits.c.seconds)).select_from(splits.join(fits, fits.c.key == splits.c.key))
            peer = measure(lambda: connection.execute(joined).scalar(), 9)
        ours = replace(measure(store.status, 9), smaller=tuple(smaller))
        return within(f"status of {number} stored fits; one SQL join of them with their splits", ours, peer, 4)


ROWS = (two_thousand_fits, weka, status_of_many, memory_of_the_parent, two_workers)
