"""What can go wrong with a file: one sentence each, and nothing that was stored is lost."""

import os
import shutil
import sqlite3
import subprocess
import tempfile
from pathlib import Path

import pytest
from sqlalchemy import event

from tests.stores.contract.examples import failure, random_outcome, same_outcome
from veracity.core.errors import BadInput, StoreError
from veracity.stores.open_store import open_store

KEYS = [f"k{number}" for number in range(300)]
NOBODY = 65534


@pytest.fixture
def filled(file):
    """A closed store with outcomes."""
    with open_store(file) as store:
        store.write(map(random_outcome, KEYS))
    return Path(file)


@pytest.fixture
def read_only():
    """A folder with a store, in which this process may not write."""
    folder = Path(tempfile.mkdtemp())
    with open_store(folder / "results.db") as store:
        store.write(map(random_outcome, KEYS))
    folder.chmod(0o555)
    (folder / "results.db").chmod(0o444)
    root = os.geteuid() == 0
    if root:  # root may write everywhere
        os.seteuid(NOBODY)
    yield folder
    if root:
        os.seteuid(0)
    folder.chmod(0o755)
    shutil.rmtree(folder)


def test_a_store_keeps_a_log(file):
    with open_store(file) as store, store._reading() as connection:
        assert connection.exec_driver_sql("pragma journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("pragma synchronous").scalar() == 1


def test_a_read_only_folder_is_told(read_only):
    with pytest.raises(StoreError, match=r"cannot write new.db in .* read-only"):
        open_store(read_only / "new.db")
    with pytest.raises(StoreError, match=r"cannot write results.db in .* read-only"):
        open_store(read_only / "results.db")


def test_a_store_in_a_read_only_folder_can_be_read(read_only):
    with open_store(read_only / "results.db", create=False) as store:
        assert len(store.finished()) == 300 and store.status().extra == 300
        with pytest.raises(StoreError, match="read-only"):
            store.write([random_outcome("new")])


def test_what_was_read_without_locks_while_somebody_wrote_is_read_again(read_only):
    """A page that was half written was told as damage."""
    reads = []

    def read(connection):
        reads.append(connection.exec_driver_sql("select count(*) from veracity_fits").scalar())
        if len(reads) == 1:
            reader = os.geteuid()
            if os.getuid() == 0:
                os.seteuid(0)
            os.utime(read_only / "results.db", (0, 0))  # the writer
            os.seteuid(reader)
        return reads[-1]

    with open_store(read_only / "results.db", create=False) as store:
        assert store._read(read) == 300 and len(reads) == 2


def test_unfinished_writes_in_a_read_only_folder_are_told(read_only):
    if os.getuid() == 0:
        os.seteuid(0)
    read_only.chmod(0o755)
    (read_only / "results.db-wal").write_bytes(b"x")
    read_only.chmod(0o555)
    if os.getuid() == 0:
        os.seteuid(NOBODY)
    with pytest.raises(StoreError, match="unfinished writes"):
        open_store(read_only / "results.db", create=False)


def fill_up(store):
    """Write until there is no room; the keys that were accepted."""
    accepted = []

    def write_on():
        for number in range(10_000):
            store.write([random_outcome(f"new {number}", rows=500)])
            accepted.append(f"new {number}")

    with pytest.raises(StoreError, match="room left") as why:
        write_on()
    assert "\n" not in str(why.value)
    return accepted


def test_a_full_store_is_told_and_keeps_what_it_has(filled):
    with open_store(filled) as store:
        store._reader.dispose()
        event.listen(store._reader, "connect", lambda plain, _: plain.execute("pragma max_page_count = 200"))
        accepted = fill_up(store)
    with open_store(filled) as store:
        assert set(store.finished()) == {*KEYS, *accepted} and accepted


def test_a_full_disk_is_told_and_keeps_what_it_has(tmp_path):
    try:
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", tmp_path], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("no right to mount a small disk")
    try:
        with open_store(tmp_path / "results.db") as store:
            accepted = fill_up(store)
            assert set(store.finished()) == set(accepted) and accepted
        with open_store(tmp_path / "results.db") as store:
            assert all(same_outcome(outcome, random_outcome(outcome.key, rows=500)) for outcome in store.outcomes())
    finally:
        subprocess.run(["umount", "--lazy", tmp_path], check=True)


def test_a_locked_store_is_told(filled):
    other = sqlite3.connect(filled, isolation_level=None)
    other.execute("begin immediate")
    with open_store(filled, wait=0.05) as store:
        assert len(store.finished()) == 300  # reading needs no turn
        with pytest.raises(StoreError, match="locked"):
            store.write([random_outcome("new")])
        other.execute("rollback")
        other.close()
        store.write([random_outcome("new")])
        assert len(store.finished()) == 301


@pytest.mark.parametrize("content", [b"key,status\n" * 1000, bytes(range(256)) * 40])
def test_a_file_of_something_else_is_told_and_kept(file, content):
    Path(file).write_bytes(content)
    with pytest.raises(BadInput, match="not an SQLite database"):
        open_store(file)
    assert Path(file).read_bytes() == content


def test_a_database_of_something_else_is_told_and_kept(file):
    with sqlite3.connect(file) as other:
        other.execute("create table outcomes (key text)")
    other.close()
    with pytest.raises(BadInput, match="database of something else"):
        open_store(file)
    with sqlite3.connect(file) as other:
        assert other.execute("select name from sqlite_master").fetchall() == [("outcomes",)]
    other.close()


def test_a_damaged_file_is_told(filled):
    content = bytearray(filled.read_bytes())
    content[8192:] = bytes([0xA5]) * (len(content) - 8192)
    filled.write_bytes(content)
    with pytest.raises(StoreError, match="damaged"), open_store(filled) as store:
        list(store.outcomes())


def test_a_damaged_prediction_is_told_by_its_fit(filled):
    with sqlite3.connect(filled) as other:
        (packed,) = other.execute("select payload from veracity_fits where key = 'k7'").fetchone()
        broken = packed[:-1] + bytes([packed[-1] ^ 1])
        other.execute("update veracity_fits set payload = ? where key = 'k7'", (broken,))
    other.close()
    with open_store(filled) as store:
        assert next(store.outcomes(["k8"])).key == "k8"
        with pytest.raises(StoreError, match=r"damaged .predictions of fit k7."):
            list(store.outcomes(["k7"]))


def test_reasons_can_be_read_with_plain_sql(file):
    with open_store(file) as store:
        store.write([failure("k", "no memory")])
    with sqlite3.connect(file) as other:
        assert other.execute("select reason, count(*) from veracity_fits group by 1").fetchall() == [("no memory", 1)]
    other.close()


def test_a_store_that_goes_with_its_process_does_not_wait_for_the_disk(tmp_path):
    for lasting, level in ((True, 1), (False, 0)):
        with open_store(tmp_path / f"{lasting}.db", lasting=lasting) as store, store._reading() as connection:
            assert connection.exec_driver_sql("pragma synchronous").scalar() == level
            assert connection.exec_driver_sql("pragma journal_mode").scalar() == "wal"
