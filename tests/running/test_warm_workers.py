"""Workers wait for the next study, unless fresh ones would be different."""

import os
import signal
import subprocess
import sys
import time

import psutil
import pytest
from loky import get_reusable_executor
from sklearn.naive_bayes import GaussianNB

import veracity as vc
from veracity.running import shared_files
from veracity.running.engines import make_engine

LONG = 600.0  # seconds: a busy machine decides nothing
SCRIPT = """
import os, sys
from sklearn.dummy import DummyClassifier
import veracity as vc
from veracity.running import engines

engines.IDLE_WORKERS_END_AFTER_S = 600.0

X, y = [[0.0], [1.0]] * 20, [0, 1] * 20
SAYS = 0

class Mine(DummyClassifier):
    def fit(self, X, y, sample_weight=None):
        self.chosen_ = {"pid": os.getpid(), "says": SAYS}
        return super().fit(X, y)

def asked():
    return vc.evaluate(Mine(), X, y, by="holdout", progress=False).chosen().splits[0].params

first = asked()
SAYS = 1
second = asked()

class Mine(Mine):
    def fit(self, X, y, sample_weight=None):
        super().fit(X, y)
        self.chosen_ = {**self.chosen_, "says": 2}
        return self

third = asked()
print(first["pid"] == second["pid"] == third["pid"], first["says"], second["says"], third["says"])
"""


class Imports(GaussianNB):
    """Imports a module of the user's own only where it is fitted."""

    def fit(self, features, target, sample_weight=None):
        import only_in_workers

        self.chosen_ = {"word": only_in_workers.WORD}
        return super().fit(features, target)


def ask(function, *arguments, workers=1):
    """The answer of a worker of an engine that lives for this question alone."""
    place = make_engine("local", workers)
    try:
        return place.submit(function, *arguments).result()
    finally:
        place.close()


def running(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def children():
    """The workers of this process."""
    found = psutil.Process().children()
    return {child.pid for child in found if "popen_loky_posix" in " ".join(child.cmdline())}


def eventually(condition):
    end = time.monotonic() + LONG
    while not condition() and time.monotonic() < end:
        time.sleep(0.05)
    return condition()


def test_the_next_study_finds_the_same_worker():
    first = ask(os.getpid)
    assert ask(os.getpid) == first


def test_other_circumstances_need_other_workers(monkeypatch, tmp_path):
    first = ask(os.getpid)
    monkeypatch.setenv("VERACITY_TEST_WORD", "new")
    assert ask(os.getenv, "VERACITY_TEST_WORD") == "new"
    second = ask(os.getpid)
    monkeypatch.chdir(tmp_path)
    assert ask(os.getcwd) == str(tmp_path)
    third = ask(os.getpid)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert len({first, second, third, ask(os.getpid, workers=2)}) == 4
    assert eventually(lambda: not any(map(running, (first, second, third))))


def test_a_module_of_the_users_own_is_read_again(monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(str(tmp_path))
    for text in ("first", "second"):
        (tmp_path / "own_words.py").write_text(f"def word():\n    return {text!r}\n")
        sys.modules.pop("own_words", None)
        import own_words

        assert ask(own_words.word) == text
    sys.modules.pop("own_words")


def test_a_module_that_only_workers_import_is_read_again(monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(str(tmp_path))
    for text in ("first", "the second"):
        (tmp_path / "only_in_workers.py").write_text(f"WORD = {text!r}\n")
        runs = vc.evaluate(Imports(), [[0.0], [1.0]] * 20, [0, 1] * 20, by="holdout", progress=False)
        assert runs.chosen().splits[0].params["word"] == text
    assert "only_in_workers" not in sys.modules


def test_calls_that_a_script_makes_by_loky_itself_live_on(tmp_path):
    executor = get_reusable_executor(max_workers=1)
    future = executor.submit(_wait_for, tmp_path / "gate")
    vc.evaluate(GaussianNB(), [[0.0], [1.0]] * 20, [0, 1] * 20, by="holdout", progress=False)
    (tmp_path / "gate").touch()
    assert future.result() == "waited"
    executor.shutdown()


def _wait_for(path):
    while not path.exists():
        time.sleep(0.05)
    return "waited"


def test_a_worker_killed_while_it_waits_is_replaced():
    first = ask(os.getpid)
    os.kill(first, signal.SIGKILL)
    runs = vc.evaluate(GaussianNB(), [[0.0], [1.0]] * 20, [0, 1] * 20, by="kfold(k=4)", progress=False)
    assert runs.run().complete and ask(os.getpid) not in (first, os.getpid())


def test_what_changes_while_workers_are_busy_needs_new_ones(monkeypatch):
    place = make_engine("local", 1)
    first = place.submit(os.getpid).result()
    monkeypatch.setenv("VERACITY_TEST_WORD", "meanwhile")
    place.close()
    assert ask(os.getpid) != first


def test_a_worker_that_is_at_work_does_not_wait():
    place = make_engine("local", 1)
    pid = place.submit(os.getpid).result()
    place.submit(time.sleep, 600)
    place.close()
    assert eventually(lambda: not running(pid))
    assert ask(os.getpid) != pid


def test_a_worker_that_waits_lets_go_of_the_data():
    place = make_engine("local", 1)
    shared = place.share([1, 2, 3])
    assert place.submit(shared_files.content_of, shared).result() == [1, 2, 3]
    assert place.submit(_held, shared.name).result()
    place.close()
    place = make_engine("local", 1)
    assert eventually(lambda: not place.submit(_held, shared.name).result())
    place.close()


def _held(name):
    from veracity.running import shared_files

    return name in shared_files.OPENED


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_fork_leaves_the_workers_of_its_parent_alone():
    pid = ask(os.getpid)
    child = os.fork()
    if not child:
        try:
            os._exit(ask(os.getpid) == pid)
        finally:
            os._exit(2)
    assert os.waitpid(child, 0)[1] == 0
    assert ask(os.getpid) == pid


@pytest.mark.slow
def test_code_of_a_script_that_changed_is_sent_anew():
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True)
    assert done.stdout.split() == ["True", "0", "1", "2"], done.stderr


def test_workers_have_imported_before_a_fit_is_there():
    assert ask(_has_imported, "sklearn.base")


def _has_imported(name):
    return name in sys.modules


def test_workers_that_are_starting_hear_no_interrupt(monkeypatch):
    monkeypatch.setenv("VERACITY_TEST_WORD", "others wait elsewhere")
    place = make_engine("local", 1)
    future = place.submit(os.getpid)
    (pid,) = children()
    for _ in range(5):
        os.kill(pid, signal.SIGINT)
        time.sleep(0.02)
    assert future.result() == pid
    place.close()


def test_workers_that_have_started_hear_everything():
    assert ask(signal.pthread_sigmask, signal.SIG_BLOCK, ()) == set()
