"""Places for stores: a file in a temporary folder, and a schema of a real PostgreSQL when there is one."""

import os
import uuid

import pytest
from sqlalchemy import create_engine, make_url, text

pytest.register_assert_rewrite("veracity.stores.contract")  # so that a broken contract shows its values

SAYS = "no PostgreSQL: run the tests by .ci/postgres, or set VERACITY_TEST_POSTGRES to postgresql+psycopg://..."


@pytest.fixture
def file(tmp_path):
    """Where an SQLite store may be made."""
    return str(tmp_path / "results.db")


@pytest.fixture
def schema():
    """The address of an empty schema of its own in a real PostgreSQL."""
    address = os.environ.get("VERACITY_TEST_POSTGRES")
    if not address:
        pytest.skip(SAYS)
    url, name = make_url(address), f"test_{uuid.uuid4().hex}"
    server = create_engine(url, isolation_level="AUTOCOMMIT")
    with server.connect() as connection:
        connection.execute(text(f"create schema {name}"))
    yield url.update_query_dict({"options": f"-csearch_path={name}"}).render_as_string(hide_password=False)
    with server.connect() as connection:
        connection.execute(text(f"drop schema {name} cascade"))
    server.dispose()
