"""A claim lasts as long as its owner is heard of, by the clock of the database."""

import os
import socket
import subprocess
import sys

import pytest

from veracity.stores import claims
from veracity.stores.open_store import open_store

HOST = socket.gethostname()
OTHER = "elsewhere:1:x"


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request, file):
    with open_store(file if request.param == "sqlite" else request.getfixturevalue("schema")) as store:
        yield store


def shift(store, seconds):
    """As if the other one had been heard of for the last time so many seconds ago."""
    with store._writing() as connection:
        connection.exec_driver_sql(f"update veracity_owners set seen = seen - {seconds} where owner = '{OTHER}'")


def test_an_owner_that_is_heard_of_keeps_its_fits(store):
    store.claim(["a"], OTHER)
    for _ in range(3):
        shift(store, claims.LEASE_S - 5)
        assert store.claim(["a"], "me") == [] and store.status().running == 1 and store.owners() == {OTHER, "me"}
        store.beat(OTHER)


def test_an_owner_that_is_silent_loses_its_fits(store):
    store.claim(["a"], OTHER)
    shift(store, claims.LEASE_S + 1)
    assert store.status().running == 0 and store.status(["a"]).running == 0 and store.owners() == set()
    assert store.claim(["a"], "me") == ["a"]
    assert store.claim(["a"], OTHER) == []


def test_a_clock_that_was_set_back_costs_a_living_owner_its_fits_for_a_heartbeat(store):
    store.claim(["a"], OTHER)
    shift(store, -3600)
    assert store.status().running == 0
    store.beat(OTHER)
    assert store.status().running == 1 and store.claim(["a"], "me") == []


def test_a_claim_of_nobody_is_free(store):
    store.claim(["a"], OTHER)
    with store._writing() as connection:
        connection.exec_driver_sql(f"delete from veracity_owners where owner = '{OTHER}'")
    assert store.status().running == 0
    assert store.claim(["a"], "me") == ["a"]


def test_a_lease_outlives_several_heartbeats():
    assert claims.LEASE_S >= 5 * claims.BEAT_INTERVAL_S


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
