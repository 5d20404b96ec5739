"""The fuzzer of `make fuzz`: cases that can be played again, and a judge that sees what is wrong."""

import subprocess
import time

import psutil
import pytest

from bench.fuzz.__main__ import _is_starved
from bench.fuzz.case import Case, compare_number, judge
from bench.fuzz.stores import tells_more
from bench.fuzz.worker import SHARES, Place, case_at, outcome_at, place_of
from veracity.core.errors import BadInput


@pytest.mark.parametrize("kind", [kind for kind in SHARES if kind not in ("stores", "studies")])
def test_a_case_is_the_same_again_and_comes_to_a_good_end(kind):
    for number in range(5):
        place = Place(kind, 12, number)
        assert place_of(str(place)) == place
        assert case_at(place).text == case_at(place).text
        assert outcome_at(place).kind in ("accepted", "refused"), place


def _raise(why):
    raise why


@pytest.mark.parametrize(
    ("case", "kind"),
    [
        (Case("", lambda: 1.0, lambda found: compare_number("x", found, 1.0), True), "accepted"),
        (Case("", lambda: 1.1, lambda found: compare_number("x", found, 1.0)), "wrong"),
        (Case("", lambda: _raise(BadInput("name a file"))), "refused"),
        (Case("", lambda: _raise(BadInput("name a file")), valid=True), "wrong"),
        (Case("", lambda: _raise(BadInput(" "))), "wrong"),
        (Case("", lambda: _raise(KeyError("x"))), "traceback"),
    ],
)
def test_the_judge(case, kind):
    assert judge(case).kind == kind


def test_a_damaged_store_may_miss_rows_only_where_a_run_says_so():
    whole = {
        "runs": [{"run": "nb", "absent": 0, "rows": [1, 2]}, {"run": "tree", "absent": 0, "rows": [3]}],
        "notes": [],
    }
    nb, tree = whole["runs"]
    short, other = {**nb, "rows": [1]}, {**tree, "rows": [4]}
    assert tells_more({"runs": [{**short, "absent": 1}, tree], "notes": []}, whole)
    assert tells_more({"runs": [tree], "notes": ["nb is lost"]}, whole)
    fits = {"fits": {"done": 36, "planned": 36}}
    assert tells_more({**fits, "notes": ["nb is lost"]}, fits) and not tells_more(fits, fits)
    for runs in ([short, tree], [{**short, "absent": 1}, other], [tree], [{**short, "absent": 1}]):
        assert not tells_more({"runs": runs, "notes": []}, whole), runs


def test_what_waits_for_a_processor_does_not_hang():
    with subprocess.Popen(["sleep", "60"]) as idle:
        try:
            asleep = psutil.Process(idle.pid)
            while asleep.status() != psutil.STATUS_SLEEPING:
                time.sleep(0.01)
            assert not _is_starved(asleep)
            assert _is_starved(psutil.Process())  # it runs, or would
        finally:
            idle.kill()
