"""What a worker was at is known when it is no more."""

import os
import subprocess
import sys
import time

import pytest

from veracity.running import whereabouts
from veracity.running.whereabouts import Begun, Diary, Standstill, beginnings, left_by_the_dead

DIES = """
import os, sys
from pathlib import Path
from veracity.running.whereabouts import Diary
diary = Diary(Path(sys.argv[1]))
diary.begin("a-long-key-of-the-first")
diary.begin("second")
os.write(diary.hung.fileno(), sys.argv[2].encode())
os._exit(1)
"""


def test_the_fit_of_a_dead_process_is_found_once(tmp_path):
    diary = Diary(tmp_path)
    diary.begin("mine")
    subprocess.run([sys.executable, "-c", DIES, tmp_path, ""])
    assert {one.key for one in beginnings(tmp_path)} == {"mine", "second"}
    (dead,) = left_by_the_dead(tmp_path)
    assert (dead.key, dead.trace) == ("second", "") and dead.since <= time.monotonic()
    assert left_by_the_dead(tmp_path) == []
    (here,) = beginnings(tmp_path)
    assert (here.pid, here.key) == (os.getpid(), "mine")
    diary.close()


def test_where_it_hung_is_told(tmp_path):
    subprocess.run([sys.executable, "-c", DIES, tmp_path, "Timeout"])
    assert left_by_the_dead(tmp_path)[0].trace == "Timeout"


def test_a_standstill_lasts_until_somebody_begins_and_counts_no_time_in_which_nobody_looked(monkeypatch):
    clock = iter([0.0, 0.2, 0.4, 1000.4, 1000.6, 1000.8, 1001.0])
    monkeypatch.setattr(whereabouts.time, "monotonic", lambda: next(clock))
    still, first, second = Standstill(), Begun(1, "a", 0.1), Begun(2, "a", 0.1)
    looks = [still.look(begun) for begun in ([], [first], [first], [first], [second, first], [first, second])]
    assert looks == pytest.approx([0.2, 0, 1.0, 1.2, 0, 0.2])
