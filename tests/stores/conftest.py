"""Places for stores: a file in a temporary folder; a schema of a real PostgreSQL is there for all tests."""

import pytest

pytest.register_assert_rewrite("tests.stores.contract")  # so that a broken contract shows its values


@pytest.fixture
def file(tmp_path):
    """Where an SQLite store may be made."""
    return str(tmp_path / "results.db")
