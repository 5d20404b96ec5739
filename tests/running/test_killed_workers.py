"""Workers that are killed from outside cost nobody a fit: the store is that of an undisturbed run, to the last bit."""

import contextlib
import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from functools import partial
from pathlib import Path

import pytest
from sklearn.naive_bayes import GaussianNB

from veracity.core.errors import EngineLost

FITS = 60


class Gated(GaussianNB):
    """Waits for the ticket in a folder, or for the gate to be open; then takes longer than a batch may.

    Who passed once passes again: dask makes a fit anew whose worker died just after its outcome had left it.
    """

    def __init__(self, gate=""):
        super().__init__()
        self.gate = gate

    def fit(self, features, target, sample_weight=None):
        gate = Path(self.gate)
        passed = gate / f"passed-{hashlib.sha256(features.tobytes()).hexdigest()}"
        while not ((gate / "open").exists() or passed.exists() or _take(gate / "ticket")):
            time.sleep(0.02)
        time.sleep(0.15)
        passed.touch()
        return super().fit(features, target)


def _take(ticket):
    try:
        ticket.rename(ticket.with_name(f"held-{os.getpid()}"))
    except FileNotFoundError:  # not there, or somebody else was faster
        return False
    return True


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


class KillsOthers(GaussianNB):
    """Kills the other workers, and then waits for its own end."""

    def fit(self, features, target, sample_weight=None):
        for other in set(workers_of(os.getppid())) - {os.getpid()}:
            os.kill(other, signal.SIGKILL)
            time.sleep(600)
        return super().fit(features, target)


class CannotBeOpened(GaussianNB):
    """Cannot be unpickled in a worker, where it says that it was tried."""

    def __init__(self, marker=""):
        super().__init__()
        self.marker = marker

    def __getstate__(self):
        return {"marker": self.marker, "parent": os.getpid()}

    def __setstate__(self, state):
        if os.getpid() != state["parent"]:
            Path(state["marker"]).touch()
            raise ImportError("no module called foo")
        self.__init__(state["marker"])


class Waits(GaussianNB):
    """Is being fitted while another learner is tried."""

    def __init__(self, marker=""):
        super().__init__()
        self.marker = marker

    def fit(self, features, target, sample_weight=None):
        while not Path(self.marker).exists():
            time.sleep(0.05)
        time.sleep(0.5)
        return super().fit(features, target)


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


def let_one_through(running, stored, gate):
    """Until one more is stored; a ticket that went with its worker is given out again."""
    before = stored()
    (gate / "ticket").touch()
    while running.is_alive() and stored() == before:
        time.sleep(0.05)
        if not (gate / "ticket").exists() and not _holders(gate).intersection(workers_of(os.getpid())):
            (gate / "ticket").touch()
    for holder in _holders(gate):
        (gate / f"held-{holder}").unlink()


def _holders(gate):
    return {int(path.name.removeprefix("held-")) for path in gate.glob("held-*")}


def kill_workers(running, stored, gate, kills):
    """Kill some worker so often, each time after one more fit was stored: none is hit twice alone."""
    choice = random.Random(5)
    for _ in range(kills):
        let_one_through(running, stored, gate)
        while running.is_alive() and not (workers := workers_of(os.getpid())):
            time.sleep(0.05)
        with contextlib.suppress(ProcessLookupError):  # the run has just ended its workers itself
            os.kill(choice.choice(workers), signal.SIGKILL)
    (gate / "open").touch()
    running.join()


@pytest.fixture
def gate(undisturbed, study):
    """Closed to everybody."""
    gate = Path(study.learners["nb"].gate)
    for path in gate.iterdir():
        path.unlink()
    return gate


@pytest.fixture(scope="module")
def study(small, tmp_path_factory):
    learners = {"nb": Gated(str(tmp_path_factory.mktemp("gate")))}
    return small(learners=learners, by="repeated_kfold(k=5, repeats=12)", data={"iris": small().data["iris"]})


@pytest.fixture(scope="module")
def undisturbed(study, content, tmp_path_factory):
    where = tmp_path_factory.mktemp("undisturbed") / "results.db"
    Path(study.learners["nb"].gate, "open").touch()
    study.run(where, workers=2, progress=False)
    return content(where)


@pytest.mark.slow
@pytest.mark.parametrize(("engine", "kills"), [("local", 20), ("dask", 6)])
def test_workers_killed_from_outside_change_nothing(
    study, undisturbed, gate, content, stored, tmp_path, cluster, engine, kills
):
    where, how = tmp_path / "results.db", {**({"workers": 2} if engine == "local" else cluster()), "progress": False}
    running = threading.Thread(target=study.run, args=(where,), kwargs=how)
    running.start()
    kill_workers(running, partial(stored, where), gate, kills)
    assert content(where) == undisturbed and len(undisturbed) == FITS


@pytest.mark.slow
def test_a_worker_that_was_stopped_is_replaced_and_its_fit_made(small, tmp_path):
    given = {"data": {"iris": small().data["iris"]}, "learners": {"stops": Stops(str(tmp_path / "marker"))}}
    runs = small(**given, timeout=4).run(tmp_path / "results.db", workers=2, progress=False)
    assert runs.run("stops").complete


def test_an_idle_worker_that_dies_is_not_the_fault_of_a_fit_that_is_tried_alone(small, tmp_path):
    given = {"data": {"iris": small().data["iris"]}, "learners": {"kills": KillsOthers()}, "by": "holdout"}
    assert small(**given).run(tmp_path / "results.db", workers=2, progress=False).run("kills").complete


def test_a_learner_that_workers_cannot_open_fails_alone(small, tmp_path):
    learners = {"waits": Waits(str(tmp_path / "marker")), "not": CannotBeOpened(str(tmp_path / "marker"))}
    study = small(data={"iris": small().data["iris"]}, learners=learners, by="kfold(k=2)")
    runs = study.run(tmp_path / "results.db", workers=3, progress=False)
    assert runs.run("waits").complete
    says = "the worker could not take the fit: ImportError: no module called foo"
    assert [one.reason for one in runs.store.failures()] == [says] * 2


SCHEDULER = "from distributed.cli.dask_scheduler import main; main()"
WORKER = "from distributed.cli.dask_worker import main; main()"


@pytest.mark.slow
def test_a_scheduler_that_dies_ends_the_run_with_a_sentence_and_what_is_finished_is_stored(
    study, undisturbed, gate, content, stored, tmp_path
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
            for number in range(3):
                (gate / "ticket").touch()
                while stored(where) == number:
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
    assert len(content(where)) == 3
    (gate / "open").touch()
    study.run(where, workers=2, progress=False)
    assert content(where) == undisturbed
