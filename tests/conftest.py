"""How all tests run: no clock decides, a red run can be run again, workers serve the next test; PostgreSQL is real."""

import os
import shutil
import signal
import uuid

import pytest
from hypothesis import HealthCheck, settings

# Before anything imports numpy: threads of tiny matrix products only wait for each other while tests run side by side.
os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"))

# The same examples every time: half of them by default, all of them in `make test-all`.
HOW = {"deadline": None, "derandomize": True, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("half", max_examples=50, **HOW)
settings.register_profile("all", max_examples=100, **HOW)
settings.load_profile("all")

SAYS = "no PostgreSQL: run the tests by .ci/postgres, or set VERACITY_TEST_POSTGRES to postgresql+psycopg://..."


def pytest_configure(config):
    """A shell lets what it runs in the background ignore Ctrl-C, and processes that tests start would inherit that."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    settings.load_profile("half" if config.option.markexpr == "not slow" else "all")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_fixture_setup():
    """Workers of one test would not do for the next if their environment named the test."""
    os.environ.pop("PYTEST_CURRENT_TEST", None)
    return (yield)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_pyfunc_call():
    os.environ.pop("PYTEST_CURRENT_TEST", None)
    return (yield)


@pytest.fixture(scope="session")
def _same_folder(tmp_path_factory):
    return tmp_path_factory.mktemp("same")


@pytest.fixture
def same_folder(_same_folder, monkeypatch):
    """An empty folder to work in, the same for all tests, so that workers started in it serve the next one."""
    for path in _same_folder.iterdir():
        shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
    monkeypatch.chdir(_same_folder)
    return _same_folder


@pytest.fixture
def schema():
    """The address of an empty schema of its own in a real PostgreSQL."""
    address = os.environ.get("VERACITY_TEST_POSTGRES")
    if not address:
        pytest.skip(SAYS)
    from sqlalchemy import create_engine, make_url, text

    url, name = make_url(address), f"test_{uuid.uuid4().hex}"
    server = create_engine(url, isolation_level="AUTOCOMMIT")
    with server.connect() as connection:
        connection.execute(text(f"create schema {name}"))
    yield url.update_query_dict({"options": f"-csearch_path={name}"}).render_as_string(hide_password=False)
    with server.connect() as connection:
        connection.execute(text(f"drop schema {name} cascade"))
    server.dispose()


@pytest.fixture
def server():
    """A PostgreSQL of the test's own, which it may stop and kill."""
    from tests.stores.server import SAYS, binaries, make_server

    if binaries() is None:
        pytest.skip(SAYS)
    own = make_server(binaries())
    own.start()
    yield own
    own.end()


@pytest.fixture
def recording_server(monkeypatch):
    """A server that records the password it is sent, which the environment holds."""
    from tests.stores.recording_server import RecordingServer

    pytest.importorskip("psycopg")
    monkeypatch.setenv("PGPASSWORD", "of-the-environment")
    own = RecordingServer()
    yield own
    own.end()
