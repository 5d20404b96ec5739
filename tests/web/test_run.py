"""Runs: the grid is the truth of the store, processes are started, stopped and found again."""

import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from contextlib import closing

import pytest

import veracity as vc
from tests.web.conftest import STUDY, client_of
from tests.web.test_guard import Server
from veracity.core.errors import BadInput
from veracity.stores.claims import owner_name
from veracity.stores.open_store import open_store
from veracity.stores.plan import by_data_and_learner, seconds_per_fit
from veracity.stores.store import Store
from veracity.web import live, run, run_processes
from veracity.web.asked import Bench
from veracity.web.live import Watch, look
from veracity.web.places import folder_of
from veracity.web.run_processes import RunOptions, interrupt, run_owners, run_words
from veracity.web.study_text import modules_of, repeats_of, with_repeats

SLOW = """seed = 1
by = "repeated_kfold(k=5, repeats=16)"
[data]
moons = "sklearn:make_moons(n_samples=200, noise=0.3, random_state=0)"
[learners]
nb = "sklearn.naive_bayes:GaussianNB"
forest = { use = "sklearn.ensemble:RandomForestClassifier", n_estimators = 80 }
broken = { use = "sklearn.naive_bayes:GaussianNB", var_smoothing = -1 }
"""


def says(bench, name="slow.toml"):
    return re.search(r"data-says>([^<]*)", bench.get(f"/study/{name}/run").text)[1]


def wait_for(bench, found, seconds=900):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        text = says(bench)
        if found(text):
            return text
        time.sleep(0.3)
    raise AssertionError(f"never: {says(bench)}")


def test_the_grid_counts_what_the_store_holds(finished):
    with open_store(finished / "small.db", create=False) as store:
        counts = store.counts()
        assert {place: count.done for place, count in by_data_and_learner(counts).items()} == {
            (run.data, run.learner): len(run.design) for run in vc.read_runs(store)
        }
        assert seconds_per_fit(counts).keys() == {"nb", "majority", "stump"}


def test_the_page_shows_every_cell_and_that_all_is_done(bench):
    page = bench.get("/study/small.toml/run").text
    assert "36 of 36 fits done, 0 failed. Finished." in page
    assert page.count('aria-label="4 of 4 done, 0 failed"') == 9
    assert "sklearn.naive_bayes" in page and "veracity run " in page


def test_who_watches_is_told_how_far_the_study_is(folder):
    bench = client_of(folder)
    told = [bench.get("/api/studies/small.toml/status").json() for _ in range(3)]
    assert told[0] == told[1] == told[2]
    assert told[0]["done"] == 36 and told[0]["cells"] == [[4, 0]] * 9 and told[0]["process"] is None
    assert told[0]["says"] == "36 of 36 fits done, 0 failed. Finished."


def test_several_who_watch_a_study_cost_one_look(folder, monkeypatch):
    bench, looks = client_of(folder), []
    monkeypatch.setattr(live, "MAX_STATUS_AGE_S", 60.0)
    monkeypatch.setattr(run, "MAX_STATUS_AGE_S", 60.0)
    monkeypatch.setattr(live, "look", lambda *how: looks.append(1) or look(*how))
    for _ in range(5):
        assert bench.get("/api/studies/small.toml/status").json()["done"] == 36
    assert len(looks) == 1


def test_splits_are_counted_again_where_anything_was_written(folder, monkeypatch):
    bench, counted = client_of(folder), []
    monkeypatch.setattr(run, "MAX_STATUS_AGE_S", 0.0)
    monkeypatch.setattr(Store, "counts", lambda store, count=Store.counts: counted.append(1) or count(store))

    def status():
        return bench.get("/api/studies/small.toml/status").json()

    assert status()["done"] == 36 and status()["done"] == 36 and len(counted) == 1
    with closing(sqlite3.connect(folder / "small.db")) as other, other:
        key = other.execute("select key from veracity_splits where learner = 'nb'").fetchone()
        other.execute("delete from veracity_fits where key = ?", key)
    assert status()["done"] == 35 and len(counted) == 2
    (folder / "small.toml").write_text(STUDY.replace('majority = "sklearn.dummy:DummyClassifier"\n', ""))
    assert (status()["planned"], status()["done"]) == (24, 23) and len(counted) == 3


def test_a_study_that_takes_long_to_count_is_looked_at_less_often(folder, monkeypatch):
    bench = client_of(folder)
    assert bench.get("/api/studies/small.toml/status").json()["next_look_s"] == live.IDLE_INTERVAL_S
    monkeypatch.setattr(live, "MAX_LOAD", 1e-6)
    monkeypatch.setattr(run, "MAX_STATUS_AGE_S", 0.0)
    assert bench.get("/api/studies/small.toml/status").json()["next_look_s"] > 60


def test_repeats_are_changed_and_nothing_else():
    text = '# mine\nby = "kfold(k=4, shuffle=True)"  # folds\nseed = 1\n'
    assert with_repeats(text, 5) == '# mine\nby = "repeated_kfold(k=4, shuffle=True, repeats=5)"  # folds\nseed = 1\n'
    assert with_repeats("by = 'repeated_kfold(k=4, repeats=2)'", 3) == "by = 'repeated_kfold(k=4, repeats=3)'"
    for text in ('by = "repeated_kfold(k=4, repeats=3)"', 'by = "repeated_kfold(k=3)"', 'by = "kfold(k=3)"'):
        with pytest.raises(BadInput, match="already: give a larger number"):
            with_repeats(text, repeats_of(text))
    assert repeats_of('by = "repeated_kfold(k=3)"') == 10 and repeats_of('by = "holdout"') is None
    with pytest.raises(BadInput, match="repeats are added to a k-fold"):
        with_repeats('by = "holdout(test=0.3)"', 2)


def test_the_modules_of_a_study_are_told_before_they_run(folder):
    (folder / "small.toml").write_text(
        'by = ["own:Design(k=3)", "kfold(k=3)"]\n[learners]\na = "mine:A"\nb = { tune = { use = "other.part:B" } }\n'
        'c = { steps = ["third:C", "d"] }\nd = "sklearn.ensemble:E(mine2:F())"\n'
    )
    assert modules_of((folder / "small.toml").read_text()) == [
        "mine",
        "mine2",
        "other.part",
        "own",
        "sklearn.ensemble",
        "third",
    ]


def test_a_read_only_workbench_starts_nothing(folder):
    bench = client_of(folder, read_only=True)
    assert bench.post("/study/small.toml/run", content="action=start").status_code == 403
    assert bench.delete("/api/studies/small.toml/runs").status_code == 403


def test_trust_is_handed_on_only_where_it_was_given():
    words = run_words("s.toml", "s.db", RunOptions(2, "dask", "tcp://here:1", 3.5, True), trust_here=True)
    told = "run s.toml --store s.db --workers 2 --engine dask --address tcp://here:1 --timeout 3.5 --retry failed"
    assert " ".join(words) == f"{told} --trust-here"
    assert "--trust-here" not in run_words("s.toml", "s.db", RunOptions(), trust_here=False)


def test_bad_words_are_told(folder):
    bench = client_of(folder)
    for body in ("action=fly", "action=start&workers=many", "action=start&timeout=soon", "action=repeats&repeats=-1"):
        assert bench.post("/study/small.toml/run", content=body).status_code == 400
    assert not (folder / "small.db.log").exists()


def test_how_a_run_ended_and_what_it_said_is_shown(folder, monkeypatch):
    monkeypatch.setattr(run_processes, "run_words", lambda *_: ["nofold"])  # which no verb is called
    bench = client_of(folder)
    assert bench.post("/study/small.toml/run", content="action=start").status_code == 303
    end = time.monotonic() + 60
    while "It ended with status 2" not in bench.get("/study/small.toml/run").text and time.monotonic() < end:
        time.sleep(0.05)
    page = bench.get("/study/small.toml/run").text
    assert "It ended with status 2" in page and "nofold" in page


@pytest.mark.slow
def test_a_run_of_a_study_with_a_mistake_says_so(folder):
    (folder / "slow.toml").write_text(SLOW.replace("kfold(k=5", "nofold(k=5"))
    bench = client_of(folder)
    assert bench.post("/study/slow.toml/run", content="action=start").status_code == 303
    assert bench.post("/study/slow.toml/run", content="action=start").status_code == 409
    end = time.monotonic() + 60
    while "It ended with status 2" not in bench.get("/study/slow.toml/run").text and time.monotonic() < end:
        time.sleep(0.2)
    assert "nofold" in bench.get("/study/slow.toml/run").text


@pytest.mark.slow
def test_a_run_is_stopped_resumed_and_survives_its_server(folder):
    (folder / "slow.toml").write_text(SLOW)
    bench = client_of(folder)
    assert bench.post("/api/studies/slow.toml/runs", content="workers=2").status_code == 202
    wait_for(bench, lambda text: "running" in text and not text.startswith("0 of"))
    again = client_of(
        folder
    )  # as after the server was killed: it finds the run by its store, and may not start another
    assert again.post("/study/slow.toml/run", content="action=start").status_code == 409
    assert again.delete("/api/studies/slow.toml/runs").json() == {"stopped": 1}
    stopped = wait_for(again, lambda text: "running" not in text)
    done = int(re.match(r"(\d+) of 240", stopped)[1])
    assert 0 < done < 240
    assert again.post("/study/slow.toml/run", content="action=start&workers=2").status_code == 303
    wait_for(again, lambda text: "Finished" in text)
    while "It ended" not in again.get("/study/slow.toml/run").text:  # which is after the last fit is stored
        time.sleep(0.3)
    assert (
        "80 ×" in again.get("/study/slow.toml/run").text
        and "InvalidParameterError" in again.get("/study/slow.toml/run").text
    )
    assert again.get("/study/slow.toml/analyse").status_code == 200
    assert "It ended" in bench.get("/study/slow.toml/run").text


@pytest.mark.slow
def test_a_run_that_is_killed_leaves_the_truth(folder):
    (folder / "slow.toml").write_text(SLOW)
    line = [sys.executable, "-m", "veracity", "run", str(folder / "slow.toml"), "--store", str(folder / "slow.db")]
    terminal = subprocess.Popen(line, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL, start_new_session=True)
    bench = client_of(folder)
    wait_for(bench, lambda text: "running" in text and not text.startswith("0 of"))
    os.killpg(terminal.pid, signal.SIGKILL)
    terminal.wait()
    text = wait_for(bench, lambda text: "running" not in text)
    with open_store(folder / "slow.db", create=False) as store:
        assert text.startswith(f"{store.status().done} of 240") and run_owners(store, str(folder / "slow.db")) == []
    told = look(Bench(folder_of(str(folder))), folder_of(str(folder)).place("slow.toml"), Watch())
    assert sum(done for done, _ in told["cells"]) == told["done"]


@pytest.mark.slow
def test_a_run_goes_on_when_its_server_is_killed_and_the_next_one_stops_it(folder):
    (folder / "slow.toml").write_text(
        SLOW.replace("n_estimators = 80", "n_estimators = 1500")
    )  # none ends it by itself
    first, second = Server(str(folder)), None
    try:
        head = ("POST /api/studies/slow.toml/runs HTTP/1.1", f"host: 127.0.0.1:{first.port}", first.bearer)
        assert first.send(*head, "content-length: 9", body=b"workers=2")[0] == 202
        bench = client_of(folder)  # which looks at the same folder all the time
        wait_for(bench, lambda text: "running" in text and not text.startswith("0 of"))
        first.end(signal.SIGKILL)
        before = int(says(bench).partition(" ")[0])
        wait_for(bench, lambda text: int(text.partition(" ")[0]) > before)  # it goes on
        second = Server(str(folder))
        page = second.get("/study/slow.toml/run", second.bearer)[1]
        assert "running" in page and second.get("/api/studies", second.bearer)[0] == 200
        again = ("POST /api/studies/slow.toml/runs HTTP/1.1", f"host: 127.0.0.1:{second.port}", second.bearer)
        assert second.send(*again, "content-length: 0")[0] == 409
        stopped = second.get("/api/studies/slow.toml/runs", second.bearer, method="DELETE")
        assert stopped[0] == 200 and stopped[1].endswith('{"stopped":1}')
        text = wait_for(bench, lambda text: "running" not in text)
        with open_store(folder / "slow.db", create=False) as store:
            assert text.startswith(f"{store.status().done} of 240") and run_owners(store, str(folder / "slow.db")) == []
    finally:
        for server in filter(None, (first, second)):
            server.end()


def test_a_process_that_is_gone_is_not_told():
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    assert not interrupt(ended.pid)


@pytest.fixture
def stranger():
    """A process that has nothing to do with veracity."""
    process = subprocess.Popen(["sleep", "600"])
    yield process
    process.kill()
    process.wait()


@pytest.mark.parametrize("begun", ["when it did", "earlier", "not said"])
def test_stop_leaves_a_stranger_alone_whose_number_stands_in_the_store(folder, stranger, begun):
    """A store may name any process, and an earlier run may have had its number."""
    bench = client_of(folder)
    host, number, ticks, place = owner_name(stranger.pid).split(":")
    ticks = str(int(ticks) - 1000) if begun == "earlier" else ticks
    name = f"{host}:{number}:{time.time_ns()}" if begun == "not said" else f"{host}:{number}:{ticks}:{place}"
    with open_store(folder / "small.db", create=False) as store:
        keys = [key for cells in store.planned_keys().values() for key in cells]
        with store._writing() as connection:
            connection.exec_driver_sql("delete from veracity_fits")
        store.claim(keys[:3], name)
        told = bench.delete("/api/studies/small.toml/runs")
        if begun == "earlier":  # the run is known to have ended
            assert told.json() == {"stopped": 0}
        else:
            assert told.status_code == 409 and f"process {stranger.pid}" in told.json()["error"]
            assert "nothing was stopped" in bench.post("/study/small.toml/run", content="action=stop").text
            assert f"Process {stranger.pid}" in bench.get("/study/small.toml/run").text
        assert stranger.poll() is None
        store.release(name)
    assert bench.delete("/api/studies/small.toml/runs").json() == {"stopped": 0}


FOREVER = SLOW.replace("n_estimators = 80", "n_estimators = 1500")  # none ends it by itself


@pytest.mark.parametrize("named", ["by its study", "by --store"])
def test_a_run_of_a_terminal_is_stopped_and_one_of_another_study_is_not(folder, named):
    (folder / "slow.toml").write_text(('store = "slow.db"\n' if named == "by its study" else "") + FOREVER)
    line = [sys.executable, "-m", "veracity", "run", "slow.toml"]
    line += [] if named == "by its study" else ["--store", "slow.db"]
    with subprocess.Popen(line, cwd=folder, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as terminal:
        try:
            bench = client_of(folder)
            wait_for(bench, lambda text: "running" in text)
            assert re.search(r", 1 running, \d+ waiting", says(bench))  # by one worker
            line = [sys.executable, "-m", "veracity", "status", "slow.db", "--json"]
            told = json.loads(subprocess.run(line, cwd=folder, capture_output=True, check=True).stdout)
            assert told["fits"]["running"] == 1 and told["waiting"] > 0
            (owner,) = owners_of(folder / "slow.db")
            assert owner.startswith(f"{socket.gethostname()}:{terminal.pid}:")
            with open_store(folder / "small.db", create=False) as other:
                other.beat(owner)  # as if it were at work there too
                told = bench.delete("/api/studies/small.toml/runs")
                assert told.status_code == 409 and "of this study" in told.json()["error"]
                assert terminal.poll() is None
            assert "Stop interrupts it once" in bench.get("/study/slow.toml/run").text
            assert bench.post("/study/slow.toml/run", content="action=start").status_code == 409
            assert bench.delete("/api/studies/slow.toml/runs").json() == {"stopped": 1}
            assert terminal.wait(300) == 130
        finally:
            terminal.kill()


def owners_of(path):
    with open_store(path, create=False) as store:
        return sorted(store.owners())


def test_repeats_that_are_added_are_counted_once(folder):
    """36 fits of one repeat are among the 108 of three; a run that was just started is not finished."""
    bench = client_of(folder)
    page = bench.get("/study/small.toml/run").text
    assert 'name="repeats" min="2"' in page
    assert bench.post("/study/small.toml/run", content="action=repeats&repeats=3").status_code == 303
    seen = [says(bench, "small.toml")]
    end = time.monotonic() + 900
    while "It ended with status" not in bench.get("/study/small.toml/run").text:
        assert time.monotonic() < end
        seen.append(says(bench, "small.toml"))
        time.sleep(0.1)
    assert seen[0].endswith("Starting: libraries are being read.")
    assert not any("Finished" in text for text in seen if "108 of 108" not in text)
    assert not any("of 144" in text for text in seen)
    page = bench.get("/study/small.toml/run").text
    assert "108 of 108 fits done, 0 failed. Finished." in page
    assert 'name="repeats" min="4"' in page and page.count('aria-label="12 of 12 done, 0 failed"') == 9
    (told,) = bench.get("/api/studies").json()
    assert (told["status"]["planned"], told["status"]["done"]) == (108, 108)
    line = [sys.executable, "-m", "veracity", "status", "small.toml", "--store", "small.db", "--json"]
    told = json.loads(subprocess.run(line, cwd=folder, capture_output=True, check=True).stdout)
    assert told["fits"] == {"planned": 108, "done": 108, "failed": 0, "running": 0} and told["notes"] == []


def test_a_study_that_names_more_than_was_run_is_not_finished(folder):
    bench = client_of(folder)
    (folder / "small.toml").write_text(STUDY + 'more = "sklearn.dummy:DummyClassifier"\n')
    assert "36 of 36 fits done, 0 failed. The study names more" in says(bench, "small.toml")
    page = bench.get("/study/small.toml/run").text
    assert "Finished" not in page and ">Run what is new<" in page
    line = [sys.executable, "-m", "veracity", "status", "small.toml", "--store", "small.db"]
    told = subprocess.run(line, cwd=folder, capture_output=True, check=True, text=True).stdout
    assert "names more than was run" in told
