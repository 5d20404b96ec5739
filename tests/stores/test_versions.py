"""Old stores keep opening, newer ones are refused, and a change of schema happens once."""

import gzip
import os
import shutil
import sqlite3
import tempfile
from pathlib import Path

import numpy as np
import pytest

import veracity as vc
from veracity.core.errors import BadInput, StoreError
from veracity.records.data import Data
from veracity.records.design import Design, Split
from veracity.records.fit import Outcome
from veracity.records.plan import PlannedSplit
from veracity.stores import versions
from veracity.stores.open_store import open_store
from veracity.stores.schema import VERSION

ASSETS = Path(__file__).parent / "assets"


def fill(store):
    """What every file among the assets holds; `fill(open_store("version_N.db"))` made them."""
    truth = np.array([0, 1, 1, 0])
    store.save_study({"seed": 7, "data": {"tiny": "f"}, "learners": {"nb": "g"}})
    store.save_data(Data("tiny", np.zeros((4, 1)), "classes", truth, ("ham", "spam"), 1, groups=np.array([0, 0, 1, 1])))
    splits = (Split(np.array([2, 3]), np.array([0, 1])), Split(np.array([0, 0, 1]), np.array([2, 3]), 0, 1))
    store.save_designs("tiny", [Design("kfold(k=2)", 7, 4, splits)])
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
    assert tuple(store.status()) == (2, 1, 1, 0, 0, 0)
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
    done = []
    steps = {VERSION: lambda _: done.append("first"), VERSION + 1: lambda _: done.append("second")}
    monkeypatch.setattr(versions, "STEPS", steps)
    monkeypatch.setattr(versions, "VERSION", VERSION + 2)
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

    monkeypatch.setattr(versions, "STEPS", {VERSION - 1: step})
    with pytest.raises(Exception, match="nowhere"):
        open_store(file)
    with sqlite3.connect(file) as other:
        assert not other.execute("select 1 from sqlite_master where name = 'half_way'").fetchall()
    other.close()


def test_there_is_a_step_from_every_version_to_the_next():
    assert set(versions.STEPS) == set(range(1, VERSION))


@pytest.mark.parametrize("version", ["0", "-1", "x", "", "1.5", "9" * 30, b"\0", None])
def test_a_version_that_never_was_is_told_in_one_sentence(file, version):
    open_store(file).close()
    with sqlite3.connect(file) as other:
        if version is None:
            other.execute("delete from veracity_about where name = 'schema'")
        else:
            other.execute("update veracity_about set value = ? where name = 'schema'", (version,))
    other.close()
    for create in (True, False):
        with pytest.raises(StoreError, match="is damaged") as why:
            open_store(file, create=create)
        assert "\n" not in str(why.value) and len(str(why.value)) < 300


@pytest.fixture
def early(tmp_path):
    """A copy of the store that the first veracity made of a small study."""
    where = tmp_path / "early.db"
    where.write_bytes(gzip.decompress((ASSETS / "study_of_0.1.0.db.gz").read_bytes()))
    return where


def rows_of(where, tables=("data", "designs", "cells", "shared", "outcomes", "failures", "ledger")):
    """Every row of these tables, to the last bit."""
    with sqlite3.connect(where) as other:
        rows = {table: other.execute(f"select * from veracity_{table} order by 1, 2").fetchall() for table in tables}
        rows["study"] = other.execute("select value from veracity_about where name in ('study', 'planned')").fetchall()
    other.close()
    return rows


# what that veracity itself said of its store; means over rows, where it took those over folds: .0391714 and .3539077
EARLY = {
    ("iris", "nb", "kfold(k=3)"): 0.06,
    ("iris", "stump", "repeated_kfold(k=3, repeats=2)"): 0.34,
    ("wine", "nb", "kfold(k=3)"): 7 / 178,
    ("wine", "stump", "repeated_kfold(k=3, repeats=2)"): 63 / 178,
}


def test_a_study_of_the_first_version_is_brought_up_to_date_without_loss(early):
    before = rows_of(early)
    runs = vc.read_runs(early)
    assert tuple(runs.store.status()) == (54, 45, 9, 0, 0, 0) and runs.store.notes() == ()
    assert rows_of(early) == before and sum(map(len, before.values())) > 60
    found = {(one.data, one.learner, one.by): one.value for one in vc.estimate(runs, "error")}
    assert all(found[place] == pytest.approx(value, rel=1e-12) for place, value in EARLY.items())
    assert len(runs.failures()) == 6 and "IndexError" in runs.failures()[0].reason
    with sqlite3.connect(early) as other:
        schema = other.execute("select value from veracity_about where name = 'schema'").fetchall()
    other.close()
    assert schema == [(str(VERSION),)]


def test_a_study_of_the_first_version_tells_what_it_had_lost(early):
    with sqlite3.connect(early) as other:
        other.execute("delete from veracity_cells where data = 'iris' and learner = 'nb' and design = 'kfold(k=3)'")
    other.close()
    (note,) = vc.read_runs(early).store.notes()
    assert note.code == "store-incomplete" and "nb on iris by kfold(k=3)," in note.says


def test_a_study_of_the_first_version_can_be_read_where_nothing_may_be_written(early):
    folder = Path(tempfile.mkdtemp())
    shutil.copy(early, folder / "early.db")
    folder.chmod(0o555)
    (folder / "early.db").chmod(0o444)
    before, root = (folder / "early.db").read_bytes(), os.geteuid() == 0
    if root:  # root may write everywhere
        os.seteuid(65534)
    try:
        runs = vc.read_runs(folder / "early.db")
        assert runs.store.status().done == 45 and runs.notes == ()
    finally:
        if root:
            os.seteuid(0)
    assert (folder / "early.db").read_bytes() == before
    folder.chmod(0o755)
    shutil.rmtree(folder)
