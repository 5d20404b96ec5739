"""SQLite files and a real PostgreSQL keep the contract of stores."""

import pytest

from tests.stores.contract import StoreContract


class TestSQLite(StoreContract):
    @pytest.fixture
    def where(self, file):
        return file


class TestPostgreSQL(StoreContract):
    @pytest.fixture
    def where(self, schema):
        return schema
