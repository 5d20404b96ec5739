"""A claim lasts as long as its owner is heard of."""

import os
import socket
import subprocess
import sys

import pytest

from veracity.stores import claims
from veracity.stores.open_store import open_store

HOST = socket.gethostname()


def test_a_stale_heartbeat_frees_the_fits(file, monkeypatch):
    with open_store(file) as store:
        store.claim(["a"], "elsewhere:1:x")
        assert store.status().running == 1 and store.claim(["a"], "me") == []
        monkeypatch.setattr(claims, "STALE", -1.0)
        assert store.status().running == 0 and store.status(["a"]).running == 0
        assert store.claim(["a"], "me") == ["a"]


def test_a_heartbeat_keeps_the_fits(file, monkeypatch):
    with open_store(file) as store:
        store.claim(["a"], "elsewhere:1:x")
        with store._writing() as connection:
            connection.exec_driver_sql("update veracity_owners set seen = seen - 100")
        assert store.status().running == 0
        store.beat("elsewhere:1:x")
        assert store.status().running == 1


def test_only_processes_of_this_machine_are_known_to_be_gone():
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    assert claims.is_gone(f"{HOST}:{ended.pid}:x")
    assert not claims.is_gone(f"{HOST}:{os.getpid()}:x")
    assert not claims.is_gone(f"another-{HOST}:{ended.pid}:x")


@pytest.mark.parametrize("owner", ["", "me", f"{HOST}:", f"{HOST}:x:1", f"{HOST}:1:1", f"{HOST}:{10**30}:1"])
def test_an_owner_that_cannot_be_judged_is_not_gone(owner):
    assert not claims.is_gone(owner)


def test_a_killed_process_that_nobody_waited_for_is_gone():
    ended = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    ended.kill()
    os.waitid(os.P_PID, ended.pid, os.WEXITED | os.WNOWAIT)  # it has ended, but stays a zombie
    assert claims.is_gone(f"{HOST}:{ended.pid}:x")
    ended.wait()
