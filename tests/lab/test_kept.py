"""Measurements that are kept: what was stopped, even by a kill, goes on and gives what a whole run gives."""

import json
import sqlite3
import subprocess
import sys
import time

import pytest

from veracity import lab
from veracity.core.errors import BadInput
from veracity.lab import measuring

LEARNERS = [lab.NearestMean, lambda: lab.NearestRow()]
MEASURES = {
    "size of evidence": lambda **how: lab.size("data_sets(learners=3)", methods=["friedman", "holm"], rows=6, **how),
    "power over effects": lambda **how: lab.power(
        "data_sets(learners=2)", methods="wilcoxon", rows=[6, 9], effects=[0.5, 1.0], **how
    ),
    "size of learners": lambda **how: lab.size(
        "pure_noise", LEARNERS, methods=["corrected_t", "conservative_t"], rows=20, by="kfold(k=4)", **how
    ),
    "coverage of evidence": lambda **how: lab.coverage("normal_values", methods=["delong", "delta"], rows=30, **how),
}


@pytest.fixture(autouse=True)
def parts_of_five(monkeypatch):
    monkeypatch.setattr(measuring, "PART", 5)


@pytest.mark.parametrize("what", MEASURES)
def test_what_was_interrupted_goes_on(tmp_path, what):
    measure, store, told = MEASURES[what], str(tmp_path / "lab.db"), []
    whole = measure(trials=12)

    def stop(done, trials):
        told.append((done, trials))
        if done >= 10:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        measure(trials=12, store=store, progress=stop)
    assert told == [(5, 12), (10, 12)]
    told.clear()
    again = measure(trials=12, store=store, progress=lambda done, trials: told.append((done, trials)))
    assert again.to_json() == whole.to_json() and told[0] == (12, 12), "ten samples were not asked again"
    told.clear()
    assert measure(trials=12, store=store, progress=lambda *far: told.append(far)).to_json() == whole.to_json()
    assert not told, "all was known"


@pytest.mark.parametrize("what", MEASURES)
def test_a_store_of_another_seed_is_refused_in_one_sentence(tmp_path, what):
    store = str(tmp_path / "lab.db")
    MEASURES[what](trials=2, seed=3, store=store)
    with pytest.raises(BadInput, match="holds measurements of seed 3, and not of seed 0: ask with `seed=3`") as told:
        MEASURES[what](trials=2, store=store)
    assert "\n" not in str(told.value)


def test_other_questions_of_one_store_are_kept_apart(tmp_path):
    store = str(tmp_path / "lab.db")
    for _ in range(2):
        for measure in MEASURES.values():
            assert measure(trials=6, store=store).to_json() == measure(trials=6).to_json()


def test_what_is_enumerated_needs_no_keeping(tmp_path):
    how = {"methods": "mcnemar_midp", "rows": 20}
    kept = lab.size("two_models(discordant=0.2)", **how, store=str(tmp_path / "lab.db"))
    assert kept[0] == lab.size("two_models(discordant=0.2)", **how)[0] and kept[0].enumerated


@pytest.mark.slow  # processes start
@pytest.mark.parametrize("what", ["size of evidence", "size of learners"])
def test_several_workers_give_the_same(what):
    assert MEASURES[what](trials=10, workers=2).to_json() == MEASURES[what](trials=10).to_json()


def answers_in(store):
    """How many parts are kept; none while the file is being made."""
    try:
        with sqlite3.connect(f"file:{store}?mode=ro", uri=True) as base:
            return base.execute("SELECT count(*) FROM answers").fetchone()[0]
    except sqlite3.OperationalError:
        return 0


def test_a_killed_measurement_goes_on(tmp_path):
    """A real process, killed between two parts; the next one asks only what is missing."""
    store = tmp_path / "lab.db"
    words = ["lab", "size", "--world", "data_sets(learners=4)", "--method", "nemenyi", "--rows", "12"]
    words += ["--trials", "3000", "--store", str(store), "--json"]
    command = [sys.executable, "-m", "veracity", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as running:
        while not answers_in(store) and running.poll() is None:
            time.sleep(0.01)
        running.kill()
    kept = answers_in(store)
    assert 0 < kept < 15, "it was killed in the middle"
    again = subprocess.run(command, capture_output=True, text=True, check=True)
    whole = lab.size("data_sets(learners=4)", methods=["nemenyi"], rows=[12], trials=3000).to_json()
    assert json.loads(again.stdout) == json.loads(json.dumps(whole)) and answers_in(store) == 15
