"""Old stores keep opening, newer ones are refused, and a change of schema happens once."""

import shutil
import sqlite3
from pathlib import Path

import numpy as np
import pytest

from veracity.core.errors import BadInput
from veracity.records.data import Data
from veracity.records.design import Design, Split
from veracity.records.fit import Outcome
from veracity.records.plan import PlannedSplit
from veracity.stores import schema
from veracity.stores.open_store import open_store
from veracity.stores.schema import VERSION

ASSETS = Path(__file__).parent / "assets"


def fill(store):
    """What every file among the assets holds; `fill(open_store("version_N.db"))` made them."""
    truth = np.array([0, 1, 1, 0])
    store.save_study({"seed": 7, "data": {"tiny": "f"}, "learners": {"nb": "g"}})
    store.save_data(Data("tiny", np.zeros((4, 1)), "classes", truth, ("ham", "spam"), 1, groups=np.array([0, 0, 1, 1])))
    splits = (Split(np.array([2, 3]), np.array([0, 1])), Split(np.array([0, 0, 1]), np.array([2, 3]), 0, 1))
    store.save_design("tiny", Design("kfold(k=2)", 7, 4, splits))
    store.save_cells([PlannedSplit("tiny", "nb", "kfold(k=2)", split, f"k{split}") for split in range(2)], ["final"])
    proba = np.array([[0.1, 0.9], [1 / 3, 2 / 3]])
    store.write([Outcome("k0", "done", np.arange(2), np.array([1, 1]), proba, seconds=0.25, chosen='{"C": 1}')])
    store.write([Outcome("k1", "failed", reason="it broke", traceback="Traceback", seconds=0.5)])
    store.ask("error", "rows")


def check(store):
    """That it is there."""
    assert store.study() == {"seed": 7, "data": {"tiny": "f"}, "learners": {"nb": "g"}}
    data, design = store.data("tiny"), store.design("tiny", "kfold(k=2)")
    assert data.truth.tolist() == [0, 1, 1, 0] and data.classes == ("ham", "spam") and data.positive == 1
    assert data.groups.tolist() == [0, 0, 1, 1] and data.weights is None
    assert [split.train.tolist() for split in design.splits] == [[2, 3], [0, 0, 1]]
    assert store.cells("tiny", "nb", "kfold(k=2)") == ("k0", "k1")
    done, failed = store.outcomes(["k0", "k1"])
    assert done.rows.tolist() == [0, 1] and done.label.tolist() == [1, 1]
    assert done.proba.tolist() == [[0.1, 0.9], [1 / 3, 2 / 3]]
    assert (done.seconds, done.chosen) == (0.25, '{"C": 1}')
    assert (failed.reason, failed.traceback, failed.seconds) == ("it broke", "Traceback", 0.5)
    assert tuple(store.status()) == (2, 1, 1, 0, 0)
    assert store.asked("rows") == {"error": 1}


def set_version(file, version):
    with sqlite3.connect(file) as other:
        other.execute("update veracity_about set value = ? where name = 'schema'", (str(version),))
    other.close()


@pytest.mark.parametrize("version", range(1, VERSION + 1))
def test_every_version_there_ever_was_opens(version, file):
    shutil.copy(ASSETS / f"version_{version}.db", file)
    with open_store(file) as store:
        check(store)
        store.write([Outcome("k1", "done", np.arange(2))])
        assert store.finished() == {"k0": "done", "k1": "done"}


def test_what_is_written_today_is_what_is_read(file):
    with open_store(file) as store:
        fill(store)
    with open_store(file) as store:
        check(store)


@pytest.mark.parametrize("create", [True, False])
def test_a_newer_schema_is_refused_and_kept(file, create):
    open_store(file).close()
    set_version(file, VERSION + 1)
    with pytest.raises(BadInput, match=f"newer veracity .schema {VERSION + 1}"):
        open_store(file, create=create)
    with sqlite3.connect(file) as other:
        assert other.execute("select value from veracity_about").fetchall() == [(str(VERSION + 1),)]
    other.close()


def test_an_older_schema_is_brought_up_to_date_once(file, monkeypatch):
    with open_store(file) as store:
        fill(store)
    set_version(file, VERSION - 2)
    done = []
    steps = {VERSION - 2: lambda _: done.append("first"), VERSION - 1: lambda _: done.append("second")}
    monkeypatch.setattr(schema, "STEPS", steps)
    for _ in range(2):
        with open_store(file) as store:
            check(store)
    assert done == ["first", "second"]


def test_a_step_that_fails_changes_nothing(file, monkeypatch):
    open_store(file).close()
    set_version(file, VERSION - 1)

    def step(connection):
        connection.exec_driver_sql("create table half_way (x text)")
        connection.exec_driver_sql("alter table nowhere add column x text")

    monkeypatch.setattr(schema, "STEPS", {VERSION - 1: step})
    with pytest.raises(Exception, match="nowhere"):
        open_store(file)
    with sqlite3.connect(file) as other:
        assert not other.execute("select 1 from sqlite_master where name = 'half_way'").fetchall()
    other.close()


def test_there_is_a_step_from_every_version_to_the_next():
    assert set(schema.STEPS) == set(range(1, VERSION))
