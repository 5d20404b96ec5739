"""Names of stores: files, addresses, and everything that is neither."""

import subprocess
import sys
from pathlib import Path

import pytest

from veracity.core.errors import BadInput, StoreError
from veracity.stores.open_store import open_store


def test_a_file_by_path_text_or_address_is_the_same_store(tmp_path):
    file = tmp_path / "a b%20#?é.db"
    with open_store(file) as store:
        store.ask("q", "r")
    with open_store(str(file)) as store:
        assert store.ask("q", "r") == 2
        assert str(file) in repr(store)
    plain = tmp_path / "plain.db"
    with open_store(plain) as store:
        store.ask("q", "r")
    with open_store(f"sqlite:///{plain}") as store:
        assert store.ask("q", "r") == 2


def test_a_name_alone_is_a_file_in_the_working_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    open_store("results.db").close()
    assert (tmp_path / "results.db").exists()


def test_nothing_is_left_beside_a_closed_store(file):
    open_store(file).close()
    assert [path.name for path in Path(file).parent.iterdir()] == ["results.db"]


def test_a_store_that_nobody_holds_is_closed(file):
    open_store(file).ask("q", "r")
    assert [path.name for path in Path(file).parent.iterdir()] == ["results.db"]


@pytest.mark.parametrize(
    ("where", "says"),
    [
        ("", "name a file"),
        ("a\0b", "name a file"),
        ("mysql://host/name", "not mysql"),
        ("postgresql+psycopg2://host/name", "not postgresql"),
        ("sqlite://", "sqlite:///"),
        ("sqlite:///:memory:", "sqlite:///"),
        ("sqlite:///a.db?mode=ro", "sqlite:///"),
        ("postgresql+psycopg://host:port/name", "cannot read the address"),
        ("/nowhere/at/all/results.db", "no folder /nowhere/at/all"),
        ("/", "is a folder"),
    ],
)
def test_a_place_that_cannot_be_is_told(where, says):
    with pytest.raises(BadInput, match=says):
        open_store(where)


def test_a_store_to_be_read_must_be_there(file):
    with pytest.raises(BadInput, match=r"there is no store at .*results.db"):
        open_store(file, create=False)
    assert not Path(file).exists()
    Path(file).touch()
    with pytest.raises(BadInput, match="there is no study in"):
        open_store(file, create=False)
    open_store(file).close()
    open_store(file, create=False).close()


def test_a_missing_driver_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(BadInput, match=r"veracity\[postgres\]"):
        open_store("postgresql+psycopg://host/name")


@pytest.mark.parametrize("written", ["somebody:secret@127.0.0.1:1/name", "127.0.0.1:1/name?password=secret"])
def test_an_unreachable_database_is_told_without_the_password(written):
    with pytest.raises(StoreError, match="cannot reach the database") as why:
        open_store(f"postgresql://{written}")
    assert "secret" not in str(why.value) and "\n" not in str(why.value)
    assert why.value.exit_status == 1


def test_an_at_sign_in_the_password_is_told_without_it():
    with pytest.raises(BadInput, match="is written %40") as why:
        open_store("postgresql://somebody:sec@ret@127.0.0.1:1/name")
    assert "ret" not in str(why.value)


def test_opening_is_imported_without_the_database():
    code = (
        "import sys, veracity, veracity.stores.open_store; print('sqlalchemy' in sys.modules, 'numpy' in sys.modules)"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.split() == ["False", "False"]


def test_a_name_that_no_file_can_have():
    with pytest.raises(BadInput, match="name a file or the address of a database"):
        open_store("\ud800.db")
