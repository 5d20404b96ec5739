"""Places for stores: a file in a temporary folder; a schema of a real PostgreSQL is there for all tests."""

import pytest

from tests.stores.spoil_store import make_study

pytest.register_assert_rewrite("tests.stores.contract")  # so that a broken contract shows its values


@pytest.fixture
def file(tmp_path):
    """Where an SQLite store may be made."""
    return str(tmp_path / "results.db")


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A store of a finished study that was asked about twice."""
    where = tmp_path_factory.mktemp("whole") / "results.db"
    store = make_study().run(where, progress=False).store
    store.ask("error", "rows")
    store.ask("auc", "rows")
    store.close()
    return where


@pytest.fixture
def where(whole, tmp_path):
    """A copy of it, to be spoiled."""
    copy = tmp_path / "results.db"
    copy.write_bytes(whole.read_bytes())
    return copy
