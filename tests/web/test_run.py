"""Runs: the grid is the truth of the store, one poller tells all, processes are started, stopped and found again."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import time

import pytest

import veracity as vc
from tests.web.conftest import client_of
from tests.web.test_guard import Server
from veracity.core.errors import BadInput
from veracity.stores.cell_counts import CellCounts
from veracity.stores.open_store import open_store
from veracity.web import children
from veracity.web.asked import Bench
from veracity.web.children import RunOptions, interrupt, living_processes, run_words
from veracity.web.live import Sight, changes, look
from veracity.web.places import folder_of
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
        counts = CellCounts(store.planned_keys())
        first = store.news()
        counts.add(first._replace(done=dict(list(first.done.items())[:7])))
        assert counts.number_done == 7
        assert counts.add(store.news()) and not counts.add(store.news())
        assert {place: cell.done for place, cell in counts.cells().items()} == {
            (run.data, run.learner): len(run.design) for run in vc.read_runs(store)
        }
        assert counts.seconds().keys() == {"nb", "majority", "stump"}


def test_the_page_shows_every_cell_and_that_all_is_done(bench):
    page = bench.get("/study/small.toml/run").text
    assert "36 of 36 fits done, 0 failed. Finished." in page
    assert page.count('aria-label="4 of 4 done, 0 failed"') == 9
    assert "sklearn.naive_bayes" in page and "veracity run " in page


def test_one_poller_tells_all_watchers(finished):
    bench = Bench(folder_of(str(finished)))

    async def watch():
        poller = bench.pollers.watch(bench, "small.toml")
        streams = [poller.events() for _ in range(3)]
        first = [await anext(stream) for stream in streams]
        tasks = {poller.task}
        for stream in streams:
            await stream.aclose()
        return first, tasks, poller

    first, tasks, poller = asyncio.run(watch())
    told = [json.loads(re.search(r"data: (.*)", event)[1]) for event in first]
    assert len(tasks) == 1 and not poller.watchers and told[0] == told[1] == told[2]
    assert told[0]["done"] == 36 and told[0]["cells"]["0"] == [4, 0]


def test_who_joins_is_told_what_is_now_and_not_what_was_seen_last(folder):
    bench = Bench(folder_of(str(folder)))

    async def watch():
        poller = bench.pollers.watch(bench, "small.toml")
        first, second = poller.events(), poller.events()
        assert "36 of 36" in await anext(first)
        (folder / "small.toml").unlink()
        told = await anext(second)
        for stream in (first, second):
            await stream.aclose()
        return json.loads(re.search(r"data: (.*)", told)[1])

    assert "there is no study" in asyncio.run(watch())["trouble"]


def test_only_what_changes_is_told():
    before = {"done": 1, "failed": 0, "cells": [[1, 0], [0, 0]]}
    assert changes(before, {"done": 2, "failed": 0, "cells": [[1, 0], [1, 0]]}) == {"done": 2, "cells": {1: [1, 0]}}
    assert changes(before, dict(before)) == {}


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
    monkeypatch.setattr(children, "run_words", lambda *_: ["nofold"])  # which no verb is called
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
        assert text.startswith(f"{store.status().done} of 240") and living_processes(store) == []
    told = look(Bench(folder_of(str(folder))), folder_of(str(folder)).place("slow.toml"), Sight())
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
            assert text.startswith(f"{store.status().done} of 240") and living_processes(store) == []
    finally:
        for server in filter(None, (first, second)):
            server.end()


def test_a_process_that_is_gone_is_not_told():
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    interrupt(ended.pid)
