"""Where fits run changes nothing in what they say, and no engine is lost with one of its processes."""

import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import CancelledError
from itertools import pairwise
from pathlib import Path

import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.naive_bayes import GaussianNB

from veracity.core.errors import BadInput, EngineLost
from veracity.records.plan import Progress
from veracity.running.engines import make_engine

distributed = pytest.importorskip("distributed")


class KillsOnce(GaussianNB):
    """Kills its process the first time it is fitted anywhere."""

    def __init__(self, marker="", then=0):
        super().__init__()
        self.marker = marker
        self.then = then

    def fit(self, features, target, sample_weight=None):
        if not Path(self.marker).exists():
            Path(self.marker).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(self.then)
        return super().fit(features, target)


class Slow(GaussianNB):
    """Takes long enough to be killed meanwhile."""

    def fit(self, features, target, sample_weight=None):
        time.sleep(0.2)
        return super().fit(features, target)


@pytest.mark.slow
def test_a_killed_local_worker_costs_nothing(small, tmp_path):
    study = small(learners={"once": KillsOnce(str(tmp_path / "marker"))})
    runs = study.run(tmp_path / "results.db", workers=2, progress=False)
    assert study.plan().against(runs.store) == Progress(10, 10, 0)


@pytest.mark.slow
def test_a_fit_that_is_tried_alone_leaves_no_silence_in_which_others_take_it(small, tmp_path):
    heard = []
    learners = {"once": KillsOnce(str(tmp_path / "marker"), then=6)}
    study = small(learners=learners, by="holdout", data={"iris": small().data["iris"]})
    study.run(tmp_path / "results.db", progress=lambda *_: heard.append(time.monotonic()))
    assert max(later - sooner for sooner, later in pairwise(heard)) < 5


@pytest.fixture(scope="module")
def here(tmp_path_factory):
    """A folder of stores, and of the marker of the learner that kills once."""
    return tmp_path_factory.mktemp("engines")


@pytest.fixture(scope="module")
def study(small, here):
    """Two data sets, and a learner that kills its process unless the marker is there."""
    learners = {"nb": GaussianNB(), "forest": RandomForestClassifier(5), "once": KillsOnce(str(here / "marker"))}
    return small(learners=learners)


@pytest.fixture(scope="module")
def by_dask(study, here, local_cluster):
    """A store that was filled by dask, one of whose workers was killed meanwhile."""
    with local_cluster() as cluster:
        study.run(here / "dask.db", engine="dask", address=cluster.scheduler_address, progress=False)
    assert (here / "marker").exists()
    return here / "dask.db"


@pytest.fixture(scope="module")
def by_one(study, here, by_dask):
    """A store that one worker filled, undisturbed."""
    study.run(here / "one.db", progress=False)
    return here / "one.db"


def test_dask_gives_the_same_bits_although_a_worker_is_killed(by_dask, by_one, content):
    one = content(by_one)
    assert len(one) == 30 and {bits[0] for bits in one.values()} == {"done"}
    assert content(by_dask) == one


@pytest.mark.slow
def test_a_fit_that_hangs_on_dask_is_a_failure_and_the_others_go_on(small, bad, tmp_path, cluster):
    given = {"data": {"iris": small().data["iris"]}, "learners": {"hangs": bad("hangs"), "nb": GaussianNB()}}
    runs = small(**given, timeout=2).run(tmp_path / "results.db", **cluster(), progress=False)
    assert runs.run("hangs").failed == 1 and runs.run("nb").complete
    assert "hung past its timeout of 2 s" in runs.run("hangs").reason


def test_workers_dask_sqlite_and_postgresql_give_the_same_bits(study, by_dask, by_one, content, tmp_path, schema):
    study.run(tmp_path / "two.db", workers=2, progress=False)
    study.run(schema, workers=2, progress=False)
    for other in (tmp_path / "two.db", by_dask, schema):
        assert content(other) == content(by_one)


@pytest.mark.slow
def test_a_running_cluster_by_its_address_survives_a_killed_worker(small, tmp_path, stored, local_cluster):
    study = small(learners={"slow": Slow()}, by="repeated_kfold(k=5, repeats=4)", data={"iris": small().data["iris"]})
    with local_cluster() as cluster, distributed.Client(cluster, set_as_default=False) as client:
        running = threading.Thread(
            target=study.run,
            args=(tmp_path / "results.db",),
            kwargs={"engine": "dask", "address": cluster.scheduler_address, "progress": False},
        )
        running.start()
        while running.is_alive() and stored(tmp_path / "results.db") < 3:
            time.sleep(0.1)
        os.kill(next(iter(client.run(os.getpid).values())), signal.SIGKILL)
        running.join()
    progress = study.plan().against(tmp_path / "results.db")
    assert progress.left == 0 and progress.failed == 0


def test_wrong_engines_are_told():
    with pytest.raises(BadInput, match="there is no engine called 'spark': there are local and dask"):
        make_engine("spark")
    with pytest.raises(BadInput, match="workers is a whole number of at least 1, not 0"):
        make_engine("local", 0)
    with pytest.raises(BadInput, match="`address=` is that of a dask cluster"):
        make_engine("local", 1, "tcp://127.0.0.1:8786")
    with pytest.raises(BadInput, match="`engine='dask'` needs the address of a running cluster"):
        make_engine("dask")


def test_workers_of_several_threads_are_refused(small, tmp_path, cluster):
    with pytest.raises(BadInput, match=r"make 2 fits at once in one process.*`dask worker --nthreads 1`"):
        small().run(tmp_path / "results.db", **cluster(threads=2), progress=False)


def test_windows_is_refused_where_fits_begin(small, tmp_path, monkeypatch):
    monkeypatch.setattr("platform.system", lambda: "Windows")
    with pytest.raises(BadInput, match="on Linux and macOS only: on Windows run veracity inside WSL"):
        small().run(tmp_path / "results.db", progress=False)


@pytest.mark.slow
def test_a_cluster_that_is_not_there_is_told():
    with pytest.raises(EngineLost, match=r"cannot reach a dask cluster at tcp://127\.0\.0\.1:1: "):
        make_engine("dask", 1, "tcp://127.0.0.1:1")


@pytest.mark.slow
def test_a_cluster_that_is_gone_is_told_by_whatever_is_asked_of_it(local_cluster):
    cluster = local_cluster()
    engine = make_engine("dask", 1, cluster.scheduler_address)
    cluster.close()
    for ask in (lambda: engine.share("thing"), lambda: engine.submit(len, "thing").result(), engine.mend):
        with pytest.raises((EngineLost, CancelledError)):
            ask()
    with pytest.raises(
        EngineLost, match=r"the scheduler of the dask cluster at tcp://.* is gone; what is finished is kept"
    ):
        engine.share("thing")
    engine.close()


def test_a_worker_that_starts_after_its_parent_died_ends_by_itself():
    """The parent's number is one that is gone, as when it was killed while its worker was still starting."""
    gone = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, text=True)
    code = f"import time; from veracity.running.worker import start; start({int(gone.stdout)}); time.sleep(600)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 1
