"""What is told of a run while it lasts."""

import gc
import weakref

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

from veracity.core.errors import StoreError
from veracity.records.plan import Progress
from veracity.stores import outcomes, patience
from veracity.stores.database_errors import OutOfReach
from veracity.stores.open_store import open_store
from veracity.studies.progress import Lines, line
from veracity.studies.study import Study

TROUBLE = "cannot reach the database x: it starts; trying again for 60 s"


def test_a_line_says_what_a_run_waits_for():
    assert line(Progress(10, 4, 1, 2, TROUBLE), 3.0) == f"4 of 10 fits done, 1 failed, 2 running; {TROUBLE}"
    assert line(Progress(10, 4, 1, 2), 3.0).endswith("2 running, 3 s left")


def test_trouble_is_told_at_once_and_then_now_and_again(capsys):
    lines = Lines()
    lines(Progress(10, 4, 1), None)
    for _ in range(3):
        lines(Progress(10, 4, 1, 0, TROUBLE), None)
    assert capsys.readouterr().err.count(TROUBLE) == 1
    lines.printed -= 10
    lines(Progress(10, 4, 1), None)
    lines(Progress(10, 4, 1, 0, TROUBLE), None)
    assert capsys.readouterr().err.count(TROUBLE) == 1


@pytest.fixture
def study():
    features = np.random.default_rng(0).normal(size=(40, 2))
    return Study({"d": (features, (features[:, 0] > 0).astype(int))}, {"nb": GaussianNB()}, "kfold(k=4)", seed=1)


def break_writes(monkeypatch, times):
    """Let the database of a store be away for the next so many writes of outcomes."""
    left, write = [times], outcomes.remove

    def remove(*arguments):
        if left[0] > 0:
            left[0] -= 1
            raise OutOfReach("cannot reach the database x: it starts")
        return write(*arguments)

    monkeypatch.setattr(outcomes, "remove", remove)


def test_a_run_waits_for_its_database_and_says_so(study, tmp_path, monkeypatch):
    break_writes(monkeypatch, 3)
    told = []
    with open_store(tmp_path / "results.db") as store:
        study.run(store, progress=lambda progress, left: told.append(progress))
        assert store.status().done == 4
    trouble = [progress.trouble for progress in told if progress.trouble]
    assert trouble == [TROUBLE] * 3 and told[-1] == Progress(4, 4, 0)


@pytest.mark.slow
def test_a_run_whose_database_stays_away_ends_with_a_sentence(study, tmp_path, monkeypatch):
    monkeypatch.setattr(patience, "LASTS", 0.3)
    with open_store(tmp_path / "results.db") as store:
        with monkeypatch.context() as broken:
            break_writes(broken, 10**6)
            with pytest.raises(StoreError, match="everything stored before is kept, and the same call goes on"):
                study.run(store, progress=False)
        assert study.run(store, progress=False).store.status().done == 4


def test_a_store_does_not_hold_on_to_who_listened(study, tmp_path):
    store = open_store(tmp_path / "results.db")
    heard = weakref.ref(store)
    study.run(store, progress=False)
    gc.collect()
    gc.disable()
    try:
        del store
        assert heard() is None
    finally:
        gc.enable()
