"""Runs that share a store with other runs, other programs and other containers."""

import os
import sqlite3
import subprocess
import sys
import time

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier

import veracity as vc
from veracity.stores.open_store import open_store

LOCKED_S = 3.0  # longer than the store below waits for its turn
OWN = """
import os, pathlib, time
from sklearn.dummy import DummyClassifier

class Slow(DummyClassifier):
    def fit(self, X, y, sample_weight=None):
        with open("fits.log", "a") as log:
            log.write("fit\\n")
        time.sleep({seconds})
        if pathlib.Path("broken").exists():
            raise RuntimeError("broken since " + pathlib.Path("broken").read_text())
        return super().fit(X, y, sample_weight)
"""
STUDY = """
by = "kfold(k=6)"
[data.small]
file = "small.csv"
target = "y"
[learners]
slow = "own:Slow"
"""
LOCK = """
import pathlib, sqlite3, sys, time
other = sqlite3.connect("results.db", isolation_level=None, timeout=60)
while not pathlib.Path("fits.log").exists():
    time.sleep(0.02)
other.execute("begin immediate")
time.sleep(float(sys.argv[1]))
other.execute("commit")
"""


@pytest.fixture
def folder(tmp_path):
    """A study of six slow fits, each of which leaves a line."""
    (tmp_path / "own.py").write_text(OWN.format(seconds=0.5))
    (tmp_path / "study.toml").write_text(STUDY)
    rows = [f"{number},{'a' if number % 3 else 'b'}" for number in range(60)]
    (tmp_path / "small.csv").write_text("\n".join(["x,y", *rows]))
    return tmp_path


def start(folder, *words, before=(), **environment):
    line = [*before, sys.executable, "-m", "veracity", *words]
    pipe = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(line, cwd=folder, env={**os.environ, **environment}, text=True, **pipe)


def run(folder, *words, before=(), **environment):
    return start(folder, "run", "study.toml", "--trust-here", *words, before=before, **environment)


def fits_of(folder):
    log = folder / "fits.log"
    return len(log.read_text().splitlines()) if log.exists() else 0


def wait_for_fits(folder, number):
    end = time.monotonic() + 120
    while fits_of(folder) < number:
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.mark.slow
@pytest.mark.parametrize("seconds", [LOCKED_S, 600])
def test_a_lock_of_another_program_is_waited_for_and_told(folder, seconds):
    open_store(folder / "results.db").close()
    holder = subprocess.Popen([sys.executable, "-c", LOCK, str(seconds)], cwd=folder)
    patience = "1" if seconds > 60 else "20"
    ended = run(folder, VERACITY_STORE_WAIT_S=patience) if seconds > 60 else None
    if ended is None:
        told = []
        script = (
            "import sys, veracity as vc; from veracity.stores.open_store import open_store\n"
            "if __name__ == '__main__':\n"
            "    study = vc.Study.read('study.toml', trust_here=True)\n"
            "    tell = lambda progress, left: progress.trouble and print(progress.trouble, flush=True)\n"
            "    runs = study.run(open_store('results.db', wait=0.3), progress=tell)\n"
            "    print(runs.store.status().done)\n"
        )
        done = subprocess.run([sys.executable, "-c", script], cwd=folder, capture_output=True, text=True)
        told = done.stdout.splitlines()
        assert done.returncode == 0, done.stderr
        assert told[-1] == "6" and "is locked by another program that writes to it; trying again for" in told[0]
    else:
        output, errors = ended.communicate(timeout=300)
        assert ended.returncode == 1, output
        assert "is locked by another program" in errors and "everything stored before is kept" in errors
    holder.kill()
    holder.wait()


@pytest.mark.slow
def test_a_retry_that_is_interrupted_has_forgotten_no_reason(folder):
    (folder / "broken").write_text("yesterday")
    run(folder).communicate()
    before = {one.reason for one in vc.read_runs(folder / "results.db").failures()}
    assert before == {"fit raised RuntimeError: broken since yesterday"}
    (folder / "broken").write_text("today")
    again = run(folder, "--retry", "failed")
    wait_for_fits(folder, 6 + 3)
    again.terminate()
    again.communicate(timeout=120)
    reasons = [one.reason.rpartition(" ")[2] for one in vc.read_runs(folder / "results.db").failures()]
    assert len(reasons) == 6 and set(reasons) == {"yesterday", "today"}
    (folder / "broken").unlink()
    run(folder, "--retry", "failed").communicate()
    assert vc.read_runs(folder / "results.db").failures() == []


@pytest.mark.slow
def test_two_retries_at_once_do_no_fit_twice(folder):
    (folder / "broken").write_text("yesterday")
    run(folder).communicate()
    both = [run(folder, "--retry", "failed") for _ in range(2)]
    for one in both:
        one.communicate(timeout=300)
    assert fits_of(folder) == 6 + 6


UNSHARE = ["unshare", "--pid", "--fork", "--mount-proc"]


@pytest.mark.slow
def test_a_container_with_our_host_name_keeps_its_fits(folder):
    if subprocess.run([*UNSHARE, "true"], capture_output=True, check=False).returncode:
        pytest.skip("no right to number processes anew")
    first = run(folder, before=UNSHARE)
    wait_for_fits(folder, 1)
    second = run(folder)
    for one in (first, second):
        output, errors = one.communicate(timeout=300)
        assert one.returncode == 0, output + errors
    assert fits_of(folder) == 6


@pytest.mark.slow
def test_a_run_that_waits_for_one_long_fit_writes_seldom(folder):
    (folder / "own.py").write_text(OWN.format(seconds=6))
    (folder / "study.toml").write_text(STUDY.replace("kfold(k=6)", "holdout(test=0.3)"))
    run_of = run(folder)
    wait_for_fits(folder, 1)
    with sqlite3.connect(folder / "results.db") as watcher:
        time.sleep(1)  # the plan is written
        seen = set()
        end = time.monotonic() + 4
        while time.monotonic() < end:
            seen.add(watcher.execute("pragma data_version").fetchone()[0])
            time.sleep(0.02)
    watcher.close()
    run_of.communicate(timeout=300)
    assert len(seen) <= 4  # of heartbeats every three seconds; five a second would be 20


@pytest.mark.slow
def test_a_repair_takes_nothing_from_a_run_that_registers(tmp_path):
    draw = np.random.default_rng(1)
    data = {f"d{number}": (draw.normal(size=(200, 2)), np.arange(200) % 2) for number in range(60)}
    study = vc.Study(data, {"most": DummyClassifier()}, ["repeated_kfold(k=10, repeats=10)"], seed=1)
    where = tmp_path / "results.db"
    open_store(where).close()
    script = f"import veracity as vc\nwhile True: vc.check_store({str(where)!r}, repair=True)"
    repairer = subprocess.Popen([sys.executable, "-c", script], cwd=tmp_path)
    try:
        time.sleep(3)  # it has begun
        with open_store(where) as store:
            study.register(store)
        time.sleep(1)
    finally:
        repairer.kill()
        repairer.wait()
    assert vc.check_store(where).problems == ()
    with open_store(where) as store:
        assert all(len(store.design(name, by)) == 100 for name, _, by in store.places()) and len(store.places()) == 60
