"""A database that goes away for moments is waited for; one that stays away ends the call with a sentence."""

import threading
import time

import pytest

from tests.stores.contract.examples import random_outcome, same_outcome
from veracity.core.errors import StoreError
from veracity.stores import errors
from veracity.stores.errors import OutOfReach, Retries, error_for
from veracity.stores.open_store import open_store


class Trouble:
    """Work that succeeds the nth time it is tried."""

    def __init__(self, times):
        self.times, self.tried, self.told = times, 0, []

    def __call__(self):
        self.tried += 1
        if self.tried <= self.times:
            raise OutOfReach("cannot reach it")
        return "result"

    def through(self, retries):
        return retries.carry_out(self, self.told.append)


@pytest.fixture
def pauses(monkeypatch):
    """Pauses that take no time, and the clock that goes on by them."""
    slept = []
    monkeypatch.setattr(errors.time, "sleep", slept.append)
    monkeypatch.setattr(errors.time, "monotonic", lambda: sum(slept))
    return slept


def test_pauses_grow_and_are_told(pauses):
    work = Trouble(9)
    assert work.through(Retries()) == "result"
    assert pauses == [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5.0, 5.0, 5.0] and work.told[-1] == ""
    assert work.told[0] == "cannot reach it; trying again for 60 s" and len(work.told) == 10


def test_nothing_is_told_where_there_is_no_trouble(pauses):
    work = Trouble(0)
    assert work.through(Retries()) == "result" and (work.told, pauses) == ([], [])


def test_after_a_minute_it_ends_and_waits_no_more(pauses):
    one, work = Retries(), Trouble(1000)
    with pytest.raises(StoreError, match="everything stored before is kept, and the same call goes on from there"):
        work.through(one)
    assert sum(pauses) == pytest.approx(errors.RETRY_TIMEOUT_S)
    tried = work.tried
    with pytest.raises(StoreError, match="goes on from there"):
        work.through(one)
    assert work.tried == tried + 1
    assert Trouble(0).through(one) == "result"
    assert Trouble(3).through(one) == "result"  # a success gives new patience


def test_whoever_is_interrupted_waits_no_more(monkeypatch):
    def interrupt(_):
        raise KeyboardInterrupt

    one, work = Retries(), Trouble(1000)
    monkeypatch.setattr(errors.time, "sleep", interrupt)
    with pytest.raises(KeyboardInterrupt):
        work.through(one)
    with pytest.raises(StoreError):
        work.through(one)
    assert work.tried == 2


class Said(Exception):
    def __init__(self, sqlstate):
        super().__init__("the server says so")
        self.sqlstate = sqlstate


@pytest.mark.parametrize("state", [None, "08006", "57P01", "57P02", "57P03", "53300"])
def test_what_passes_is_tried_again(state):
    assert isinstance(error_for("x", Said(state)), OutOfReach)


@pytest.mark.parametrize("state", ["57014", "28P01", "3D000", "53100", "55P03", "XX001", "42P01"])
def test_what_does_not_pass_is_told_at_once(state):
    why = error_for("x", Said(state))
    assert isinstance(why, StoreError) and not isinstance(why, OutOfReach)


@pytest.mark.slow
@pytest.mark.parametrize("way", ["stop", "crash"])
def test_a_server_that_is_started_anew_is_waited_for(server, way):
    told = []
    with open_store(server.address) as store:
        store.tell_trouble = told.append
        store.write([random_outcome("before")])
        getattr(server, way)()
        back = threading.Timer(1.0, server.start)
        back.start()
        batch = (random_outcome(f"k{number}") for number in range(3))  # which can be gone through only once
        store.write(batch)
        back.join()
        assert store.finished() == dict.fromkeys(["before", "k0", "k1", "k2"], "done")
        with open_store(server.address) as reader:  # which remembers nothing of what was written
            assert all(same_outcome(outcome, random_outcome(outcome.key)) for outcome in reader.outcomes())
        server.stop()
        back = threading.Timer(1.0, server.start)
        back.start()
        assert len(store.finished()) == 4  # readers wait too
        back.join()
    assert told[0].startswith("cannot reach the database postgresql+psycopg://veracity:***@/postgres")
    assert told.count("") == 2 and not any("secret" in says for says in told)


@pytest.mark.slow
def test_a_server_that_stays_away_is_told(server, monkeypatch):
    monkeypatch.setattr(errors, "RETRY_TIMEOUT_S", 0.5)
    with open_store(server.address) as store:
        server.stop()
        with pytest.raises(StoreError, match=r"cannot reach the database .*goes on from there once it is back") as why:
            store.write([random_outcome("k")])
        assert "\n" not in str(why.value) and "secret" not in str(why.value)
        begun = time.monotonic()
        with pytest.raises(StoreError):
            store.release("me")
        assert time.monotonic() - begun < 30
        server.start()
        store.write([random_outcome("k")])
        assert store.finished() == {"k": "done"}
