"""A run of `make measure` that is killed goes on: its files are, byte by byte, those of a run that nobody touched."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# of an area as it is listed, each unit with few samples; those after the second wait as long as there is a file "wait"
PROGRAM = """
import sys, time
from dataclasses import replace
from functools import partial
from pathlib import Path
from bench.figures import __main__ as command, writer
from bench.figures.listing import specifications

folder, area = Path(sys.argv[1]), sys.argv[2]
writer.HOUSE, writer.JOURNAL = folder, folder / "build" / "figures.jsonl"
for room in writer.ROOMS + ("methods",):
    (folder / room).mkdir(exist_ok=True)

def rows(place, whole, seed):
    while place > 1 and (folder / "wait").exists():
        time.sleep(0.05)
    return whole.func(*whole.args, seed=seed, trials=20)

def units(area):
    for place, one in enumerate(specifications(area)):
        yield replace(one, rows=partial(rows, place, one.rows))

command.specifications = units
sys.exit(command.main([area]))
"""


def measure(folder, area):
    """One run in a process of its own."""
    settings = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(folder), area], env=settings, stdout=subprocess.PIPE, text=True
    )


def wait_for(is_so, seconds=120):
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.05)


def children_of(parent):
    told = Path(f"/proc/{parent}/task/{parent}/children").read_text()
    return [int(number) for number in told.split()]


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="children are read from /proc")
@pytest.mark.parametrize("area", ["standardised", "verbs"])
def test_a_killed_run_goes_on(tmp_path, area):
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    for folder in (whole, cut):
        folder.mkdir()
    assert measure(whole, area).communicate() and (whole / "build" / "figures.jsonl").exists()
    (cut / "wait").touch()
    journal = cut / "build" / "figures.jsonl"
    run = measure(cut, area)
    wait_for(lambda: journal.exists() and journal.read_text().count("\n") == 2)
    workers = children_of(run.pid)
    run.send_signal(signal.SIGKILL)
    run.communicate()
    assert not list(cut.glob("*/measured/*")), "no file before all units are there"
    wait_for(lambda: not any(Path(f"/proc/{one}").exists() for one in workers))  # they end by themselves
    kept = journal.read_text()
    (cut / "wait").unlink()
    said, _ = measure(cut, area).communicate()
    assert journal.read_text().startswith(kept), "what was noted down is not measured again"
    files = [file.relative_to(whole) for file in whole.glob("*/measured/*.json")]
    assert files and all((cut / file).read_bytes() == (whole / file).read_bytes() for file in files)
    units = sum(file.read_text().count("\n") for file in (journal,))
    assert f"{area}: {units} units" in said and "minutes of a processor" in said
