"""What is special about a server: it goes away, refuses, or makes one wait."""

import pytest
from sqlalchemy import create_engine, make_url, text

from tests.stores.contract.examples import random_outcome
from veracity.core.errors import BadInput, StoreError
from veracity.stores.connect import WRITE_LOCK
from veracity.stores.open_store import open_store


def test_plain_addresses_work_too(schema):
    with open_store(schema.replace("postgresql+psycopg", "postgresql")) as store:
        assert store.ask("q", "r") == 1


def test_a_store_to_be_read_must_be_there(schema):
    with pytest.raises(BadInput, match="there is no study in"):
        open_store(schema, create=False)


def test_a_database_that_is_not_there_is_told(schema):
    with pytest.raises(StoreError, match=r"cannot reach the database .*nothing"):
        open_store(make_url(schema).set(database="nothing").render_as_string(hide_password=False))


def test_connections_cut_by_the_server_are_made_anew(schema):
    server = create_engine(schema, isolation_level="AUTOCOMMIT")
    with open_store(schema) as store:
        store.write([random_outcome("k")])
        with store._reading() as connection:
            process = connection.exec_driver_sql("select pg_backend_pid()").scalar()
        with server.connect() as connection:
            connection.execute(text("select pg_terminate_backend(:process)"), {"process": process})
        assert store.finished() == {"k": "done"}
    server.dispose()


def test_a_writer_that_does_not_end_is_told(schema):
    server = create_engine(schema)
    with open_store(schema, wait=0.1) as store:
        with server.connect() as other:
            other.exec_driver_sql(f"select {WRITE_LOCK}")
            with pytest.raises(StoreError, match="locked"):
                store.write([random_outcome("k")])
            assert store.finished() == {}
        store.write([random_outcome("k")])
        assert store.finished() == {"k": "done"}
    server.dispose()


def test_a_database_that_may_only_be_read_is_told(schema):
    open_store(schema).close()
    url = make_url(schema)
    options = f"{url.query['options']} -cdefault_transaction_read_only=on"
    address = url.update_query_dict({"options": options}).render_as_string(hide_password=False)
    with open_store(address, create=False) as store:
        assert store.finished() == {}
        with pytest.raises(StoreError, match="read-only"):
            store.write([random_outcome("k")])


def test_stores_in_two_schemas_do_not_mix(schema):
    other = make_url(schema).update_query_dict({"options": "-csearch_path=pg_temp"})
    open_store(schema).close()
    with pytest.raises(BadInput, match="no study"):
        open_store(other.render_as_string(hide_password=False), create=False)
