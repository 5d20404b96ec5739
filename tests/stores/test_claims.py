"""A claim lasts as long as its owner is heard of, whatever the clocks say."""

import os
import socket
import subprocess
import sys
import time

import pytest

from veracity.stores import claims
from veracity.stores.open_store import open_store

HOST = socket.gethostname()
OTHER = "elsewhere:1:x"
HOUR = 3600.0


@pytest.fixture(params=["sqlite", "postgresql"])
def where(request, file):
    return file if request.param == "sqlite" else request.getfixturevalue("schema")


class Clock:
    """A clock that goes on when it is told to."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def store(where):
    """A store that watches by a clock of the test."""
    with open_store(where) as store:
        store._watch.clock = Clock()
        yield store


def shift(store, seconds):
    """As if the last heartbeat of the other one had been written by a clock that is wrong by so much."""
    with store._writing() as connection:
        connection.exec_driver_sql(f"update veracity_owners set seen = seen + {seconds} where owner = '{OTHER}'")


def beat_by_a_wrong_clock(store, wrong):
    store.beat(OTHER)
    shift(store, wrong)


@pytest.mark.parametrize("wrong", [HOUR, -HOUR, 0.0])
def test_an_owner_whose_heartbeat_moves_keeps_its_fits(store, wrong):
    store.claim(["a"], OTHER)
    for _ in range(10):
        beat_by_a_wrong_clock(store, wrong)
        assert store.claim(["a"], "me") == []
        store._watch.clock.now += claims.STALE - 1


@pytest.mark.parametrize("wrong", [HOUR, -HOUR, 0.0])
def test_an_owner_whose_heartbeat_stands_still_loses_its_fits(store, wrong):
    store.claim(["a"], OTHER)
    beat_by_a_wrong_clock(store, wrong)
    assert store.claim(["a"], "me") == []  # nobody loses a claim at first sight
    store._watch.clock.now += claims.STALE - 1
    assert store.claim(["a"], "me") == []
    store._watch.clock.now += 2
    assert store.claim(["a"], "me") == ["a"]


@pytest.mark.parametrize("wrong", [HOUR, -HOUR])
def test_status_looks_twice_at_an_owner_whose_clock_is_wrong(store, where, wrong, monkeypatch):
    def wait(seconds):
        store._watch.clock.now += seconds

    def wait_for_a_heartbeat(seconds):
        wait(seconds)
        beat_by_a_wrong_clock(store, wrong)

    with open_store(where) as other:
        other.claim(["a"], OTHER)
        shift(other, wrong)
    monkeypatch.setattr(time, "sleep", wait)
    assert store.status().running == 0
    store._watch.forget()
    monkeypatch.setattr(time, "sleep", wait_for_a_heartbeat)
    assert store.status().running == 1 and store.status(["a"]).running == 1


def test_status_believes_a_heartbeat_of_the_same_clock_at_once(store, monkeypatch):
    monkeypatch.setattr(time, "sleep", lambda _: pytest.fail("there is nothing to wait for"))
    store.claim(["a"], OTHER)
    assert store.status().running == 1


def test_an_owner_that_was_seen_dead_is_not_waited_for_again(store, monkeypatch):
    store.claim(["a"], OTHER)
    shift(store, -HOUR)
    store._watch.forget()
    monkeypatch.setattr(time, "sleep", lambda seconds: setattr(store._watch.clock, "now", seconds))
    assert store.status().running == 0
    monkeypatch.setattr(time, "sleep", lambda _: pytest.fail("it is known to be silent"))
    assert store.status().running == 0


def test_a_claim_of_nobody_is_free(store):
    store.claim(["a"], OTHER)
    with store._writing() as connection:
        connection.exec_driver_sql(f"delete from veracity_owners where owner = '{OTHER}'")
    assert store.status().running == 0
    assert store.claim(["a"], "me") == ["a"]


def test_nobody_was_heard_while_the_store_was_out_of_reach(store):
    store.claim(["a"], OTHER)
    assert store.claim(["a"], "me") == []
    store._watch.clock.now += 2 * claims.STALE
    store._database_returned()
    assert store.claim(["a"], "me") == []
    store._watch.clock.now += 2 * claims.STALE
    assert store.claim(["a"], "me") == ["a"]


@pytest.fixture
def process():
    """A process of this machine, and the owner that it is."""
    running = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    yield running, claims.owner_name(running.pid)
    running.kill()
    running.wait()


def test_only_processes_of_this_machine_are_known_to_be_gone(process):
    running, owner = process
    host, number, begun, place = owner.split(":")
    elsewhere = f"{host}:{number}:{begun}:{place[::-1]}"  # a container with our host name that numbers for itself
    earlier = f"{host}:{number}:{int(begun) - 1}:{place}"  # a process that had the number before
    assert not claims.is_gone(owner) and claims.process_of(owner) == running.pid
    assert claims.is_gone(earlier) and claims.process_of(earlier) is None
    running.kill()
    running.wait()
    assert claims.is_gone(owner) and claims.process_of(owner) is None
    assert not claims.is_gone(elsewhere) and claims.process_of(elsewhere) is None


@pytest.mark.parametrize(
    "owner", ["", "me", f"{HOST}:", f"{HOST}:x:1", f"{HOST}:1:1", f"{HOST}:{2**22}:1", f"{HOST}:{10**30}:1:x"]
)
def test_an_owner_that_cannot_be_judged_is_not_gone(owner):
    assert not claims.is_gone(owner) and claims.process_of(owner) is None


def test_a_number_that_no_process_can_have_is_gone():
    _, _, _, place = claims.owner_name().split(":")
    assert claims.is_gone(f"{HOST}:{10**30}:1:{place}")


def test_a_killed_process_that_nobody_waited_for_is_gone(process):
    running, owner = process
    running.kill()
    os.waitid(os.P_PID, running.pid, os.WEXITED | os.WNOWAIT)  # it has ended, but stays a zombie
    assert claims.is_gone(owner)
