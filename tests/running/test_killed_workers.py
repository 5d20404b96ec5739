"""Workers that are killed from outside cost nobody a fit: the store is that of an undisturbed run, to the last bit."""

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from sklearn.naive_bayes import GaussianNB

from veracity.core.errors import EngineLost, VeracityError
from veracity.stores.open_store import open_store

KILLS = 12


class Unhurried(GaussianNB):
    """Takes long enough to be killed meanwhile."""

    def fit(self, features, target, sample_weight=None):
        time.sleep(0.15)
        return super().fit(features, target)


class Stops(GaussianNB):
    """Stops its process the first time, so that its clock stands still."""

    def __init__(self, marker=""):
        super().__init__()
        self.marker = marker

    def fit(self, features, target, sample_weight=None):
        if not Path(self.marker).exists():
            Path(self.marker).touch()
            os.kill(os.getpid(), signal.SIGSTOP)
        return super().fit(features, target)


def fits_stored(where):
    try:
        with open_store(where, create=False) as store:
            return len(store.finished())
    except VeracityError:  # it is just being made
        return 0


def workers_of(parent):
    """Processes of Python that were started by this one for fits: loky's and dask's, without their helpers."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            words = (path / "cmdline").read_bytes().replace(b"\0", b" ")
            above = int((path / "stat").read_text().rsplit(")", 1)[1].split()[1])
        except (OSError, IndexError):
            continue
        if above == parent and (b"popen_loky_posix" in words or b"spawn_main" in words):
            found.append(int(path.name))
    return found


def killed_workers(running, where, kills, total):
    """Kill some worker as often as asked, each time after something more was stored: none is hit twice alone."""
    choice, done, stored = random.Random(5), 0, 0
    while running.is_alive() and done < kills:
        now = fits_stored(where)
        if now > stored and (workers := workers_of(os.getpid())) and now < total:
            os.kill(choice.choice(workers), signal.SIGKILL)
            done, stored = done + 1, now
        time.sleep(0.05)
    running.join()
    return done


def disturbed(study, where, kills, **how):
    running = threading.Thread(target=study.run, args=(where,), kwargs={"progress": False, **how})
    running.start()
    return killed_workers(running, where, kills, study.plan().plan.planned)


@pytest.fixture(scope="module")
def study(small):
    return small(
        learners={"nb": Unhurried()}, by="repeated_kfold(k=5, repeats=12)", data={"iris": small().data["iris"]}
    )


@pytest.fixture(scope="module")
def undisturbed(study, content, tmp_path_factory):
    where = tmp_path_factory.mktemp("undisturbed") / "results.db"
    study.run(where, workers=2, progress=False)
    return content(where)


@pytest.mark.slow
@pytest.mark.parametrize(("engine", "kills"), [("local", KILLS), ("dask", 6)])
def test_workers_killed_from_outside_change_nothing(study, undisturbed, content, tmp_path, engine, kills):
    assert disturbed(study, tmp_path / "results.db", kills, engine=engine, workers=2) >= min(kills, 4)
    assert content(tmp_path / "results.db") == undisturbed


@pytest.mark.slow
def test_a_worker_that_was_stopped_is_replaced_and_its_fit_made(small, tmp_path):
    given = {"data": {"iris": small().data["iris"]}, "learners": {"stops": Stops(str(tmp_path / "marker"))}}
    runs = small(**given, timeout=4).run(tmp_path / "results.db", workers=2, progress=False)
    assert runs.run("stops").complete


SCHEDULER = "from distributed.cli.dask_scheduler import main; main()"
WORKER = "from distributed.cli.dask_worker import main; main()"


@pytest.mark.slow
def test_a_scheduler_that_dies_ends_the_run_with_a_sentence_and_what_is_finished_is_stored(
    study, undisturbed, content, tmp_path
):
    file, where = tmp_path / "scheduler.json", tmp_path / "results.db"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": tmp_path}
    first = ["--scheduler-file", str(file), "--no-dashboard"]
    scheduler = subprocess.Popen(
        [sys.executable, "-c", SCHEDULER, *first, "--port", "0", "--host", "127.0.0.1"], **quiet
    )
    worker = subprocess.Popen(
        [sys.executable, "-c", WORKER, *first, "--nthreads", "1", "--death-timeout", "60"], **quiet
    )
    try:
        while scheduler.poll() is None and not file.exists():
            time.sleep(0.1)
        address = json.loads(file.read_text())["address"]

        def kill():
            while fits_stored(where) < 3:
                time.sleep(0.05)
            scheduler.kill()

        killer = threading.Thread(target=kill)
        killer.start()
        with pytest.raises(EngineLost, match=f"the scheduler of the dask cluster at {address} is gone"):
            study.run(where, engine="dask", address=address, progress=False)
        killer.join()
    finally:
        for process in (worker, scheduler):
            process.terminate()
            process.wait()
    assert 3 <= len(content(where)) < 60
    study.run(where, workers=2, progress=False)
    assert content(where) == undisturbed
