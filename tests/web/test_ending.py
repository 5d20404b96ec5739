"""The workbench ends when it is told to, from the line with its address on, however it was started."""

import signal
import socket
import subprocess
import sys

import pytest

from tests.web.test_guard import Server

HANDED_ON = (
    "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_IGN); os.execv(sys.executable, sys.argv[1:])"
)


class BackgroundServer(Server):
    """One that was started with SIGINT ignored, as a shell without job control starts what is in its background."""

    def start(self, line):
        return super().start([sys.executable, "-c", HANDED_ON, *line])


@pytest.mark.parametrize("kind", [Server, BackgroundServer])
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("times", [1, pytest.param(5, marks=pytest.mark.slow)])
def test_it_ends_in_order_by_a_signal_at_its_first_line(tmp_path, monkeypatch, kind, how, times):
    """Nothing of its own is left behind, whatever it was just about to do."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    for _ in range(times):
        served = kind(str(tmp_path))
        assert served.address.startswith("http://")
        status, out, err = served.end(how)  # before the server may have begun to listen to signals
        assert (status, out) == (0, "") and "Traceback" not in err and "Error" not in err
        assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", [Server, BackgroundServer])
def test_it_ends_in_order_after_it_has_answered(finished, kind):
    served = kind(str(finished))
    assert served.get("/", served.bearer)[0] == 200
    status, _, err = served.end()
    assert status == 0 and "Traceback" not in err


def test_what_is_ignored_is_handed_on_by_the_test_itself():
    """A process begun in this way does ignore the signal where it does nothing about it."""
    ask = "import signal; print(signal.getsignal(signal.SIGINT) is signal.SIG_IGN)"
    line = [sys.executable, "-c", HANDED_ON, sys.executable, "-c", ask]
    assert subprocess.run(line, capture_output=True, text=True, check=True).stdout == "True\n"


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_a_run_page_that_is_open_is_let_go_without_a_traceback(finished, how):
    served = Server(str(finished))
    head = (f"GET /api/studies/small.toml/status HTTP/1.1\r\nhost: 127.0.0.1:{served.port}", served.bearer)
    with socket.create_connection(("127.0.0.1", served.port), timeout=300) as talk:
        talk.sendall("\r\n".join([*head, "", ""]).encode())
        told = b""
        while b"36 of 36" not in told:
            told += talk.recv(65536)
        status, out, err = served.end(how)  # while the page keeps its connection for the next look
        assert (status, out) == (0, "") and "Traceback" not in err and "Error" not in err and "Cancel" not in err
