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
from veracity.stores.open_store import open_store
from veracity.stores.schema import VERSION

ASSETS = Path(__file__).parent / "assets"


def fill(store):
    """What every file among the assets holds, each written so by a veracity of that version."""
    truth = np.array([0, 1, 1, 0])
    store.save_study({"seed": 7, "data": {"tiny": "f"}, "learners": {"nb": "g"}})
    store.save_data(Data("tiny", np.zeros((4, 1)), "classes", truth, ("ham", "spam"), 1, groups=np.array([0, 0, 1, 1])))
    splits = (Split(np.array([2, 3]), np.array([0, 1])), Split(np.array([0, 0, 1]), np.array([2, 3]), 0, 1))
    store.save_designs("tiny", [Design("kfold(k=2)", 7, 4, splits)])
    store.save_cells([PlannedSplit("tiny", "nb", "kfold(k=2)", split, f"k{split}") for split in range(2)])
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


@pytest.mark.parametrize("version", range(1, VERSION))
def test_every_version_there_ever_was_is_converted(version, file):
    shutil.copy(ASSETS / f"version_{version}.db", file)
    with open_store(file) as store:
        check(store)
        assert store.problems() == ()
        store.write([Outcome("k1", "done", np.arange(2))])
        assert store.finished() == {"k0": "done", "k1": "done"}
    with sqlite3.connect(file) as other:
        tables = {name for (name,) in other.execute("select name from sqlite_master where type = 'table'")}
    other.close()
    assert {"veracity_fits", "veracity_splits"} < tables and not [name for name in tables if name.startswith("old_")]


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


def test_a_conversion_that_fails_changes_nothing(file):
    shutil.copy(ASSETS / "version_5.db", file)
    with sqlite3.connect(file) as other:
        other.execute("update veracity_data set arrays = x'0102'")
    other.close()
    before = Path(file).read_bytes()
    with pytest.raises(StoreError, match=r"is damaged \(the table of data of an older veracity\): restore a copy"):
        open_store(file)
    assert Path(file).read_bytes() == before


def test_a_damaged_fit_of_an_older_version_is_left_out_and_made_anew(file):
    shutil.copy(ASSETS / "version_5.db", file)
    with sqlite3.connect(file) as other:
        other.execute("update veracity_outcomes set chosen = 'x'")
    other.close()
    with open_store(file) as store:
        assert store.finished() == {"k1": "failed"} and store.status().planned == 2


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


# what that veracity itself said of its store; means over rows, where it took those over folds: .0391714 and .3539077
EARLY = {
    ("iris", "nb", "kfold(k=3)"): 0.06,
    ("iris", "stump", "repeated_kfold(k=3, repeats=2)"): 0.34,
    ("wine", "nb", "kfold(k=3)"): 7 / 178,
    ("wine", "stump", "repeated_kfold(k=3, repeats=2)"): 63 / 178,
}


def test_a_study_of_the_first_version_is_converted_without_loss(early):
    runs = vc.read_runs(early)
    assert tuple(runs.store.status()) == (54, 45, 9, 0, 0, 0) and runs.store.notes() == ()
    found = {(one.data, one.learner, one.by): one.value for one in vc.estimate(runs, "error")}
    assert all(found[place] == pytest.approx(value, rel=1e-12) for place, value in EARLY.items())
    assert len(runs.failures()) == 6 and "IndexError" in runs.failures()[0].reason
    assert runs.store.problems() == ()
    with sqlite3.connect(early) as other:
        schema = other.execute("select value from veracity_about where name = 'schema'").fetchall()
    other.close()
    assert schema == [(str(VERSION),)]


def test_an_older_store_where_nothing_may_be_written_is_refused_with_what_to_do(early):
    folder = Path(tempfile.mkdtemp())
    shutil.copy(early, folder / "early.db")
    folder.chmod(0o555)
    (folder / "early.db").chmod(0o444)
    before, root = (folder / "early.db").read_bytes(), os.geteuid() == 0
    if root:  # root may write everywhere
        os.seteuid(65534)
    try:
        with pytest.raises(StoreError, match=r"made by an older veracity.*veracity status COPY"):
            vc.read_runs(folder / "early.db")
    finally:
        if root:
            os.seteuid(0)
    assert (folder / "early.db").read_bytes() == before
    folder.chmod(0o755)
    shutil.rmtree(folder)
