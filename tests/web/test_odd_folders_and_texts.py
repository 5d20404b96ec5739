"""Odd texts, names, files and neighbours: each is told in its place, and nothing that was typed or written is lost."""

import os
import shutil
import socket
import subprocess
import sys
import time
from html import unescape
from urllib.parse import urlencode

import numpy as np
import pytest
from click.testing import CliRunner

import veracity as vc
from bench.large_study import write_without_fitting
from tests.web.conftest import STUDY, TOKEN, client_for, client_of
from tests.web.test_setup import form, mark_in, text_in
from veracity.cli.main import cli
from veracity.core.errors import BadInput
from veracity.stores.open_store import open_store
from veracity.web import run, setup
from veracity.web.asked import Bench
from veracity.web.calls import python_call, shell_line
from veracity.web.edits import apply
from veracity.web.guard import Rules
from veracity.web.open_stores import OpenStores
from veracity.web.places import folder_of, is_store
from veracity.web.run_processes import RunOptions
from veracity.web.serve import called
from veracity.web.study_text import write_fields


def test_an_odd_cookie_of_a_neighbour_hides_ours_not():
    for cookies in ('prefs={"theme":"dark"}; veracity-80=%s', "a b=c,d; =; veracity-80=%s; x", "veracity-80=%s"):
        rules = Rules(TOKEN, 80, ("here",))
        headers = {"host": "here:80", "cookie": cookies % rules.open_session()}
        assert rules.refusal("GET", "/", headers) is None


def test_the_form_keeps_what_it_has_no_field_for():
    asked = {"questions": {"rank": {"score": "error", "level": 0.9}, "compare": {"score": "auc"}}}
    changed = write_fields(asked, {"by": "kfold(k=3)", "rank-score": "auc"})
    assert changed["questions"] == {"rank": {"score": "auc", "level": 0.9}, "compare": {"score": "auc"}}
    both = apply(apply({}, "add-data", form(source="a/x.csv")), "add-data", form(source="b/x.csv"))
    assert both["data"] == {"x": "a/x.csv", "x 2": "b/x.csv"}
    assert apply(both, "add-data", form(source="a/x.csv", data__target="y"))["data"]["x"]["target"] == "y"


@pytest.mark.parametrize("typed", ["{0: 1, 1: 5}", "[None, 1]", "b'x'"])
def test_a_value_that_no_study_file_can_hold_costs_no_draft(bench, typed):
    fields = {"text": STUDY, "action": "add-learner", "learner": "sklearn.svm:SVC", "parameter-class_weight": typed}
    page = bench.post("/study/new", content=urlencode(fields))
    assert page.status_code == 400 and "a study file cannot hold" in page.text and text_in(page) == STUDY


@pytest.mark.parametrize("text", ['data = "x"', "by = 3", "scores = 1", "questions = 1", "[questions]\nrank = 2"])
def test_a_part_of_another_kind_is_a_mistake_and_no_crash(bench, text):
    for action in ("text", "design", "add-data"):
        fields = {"text": text, "action": action, "source": "sklearn:load_iris"}
        page = bench.post("/study/new", content=urlencode(fields))
        assert page.status_code in (200, 400) and 'class="refuse"' in page.text
    dated = bench.post("/study/new", content=urlencode({"text": "[learners]\na = { b = 2020-01-02 }"}))
    assert dated.status_code == 200 and "{ b = 2020-01-02 }" in dated.text


def test_one_bad_link_blanks_no_desk(folder):
    (folder / "other.toml").write_text(STUDY)
    (folder / "other.db").symlink_to(folder.parent / "secret.db")
    page = client_of(folder).get("/")
    assert page.status_code == 200 and "36 of 36" in page.text and "outside the folder" in page.text


def test_lines_say_zero_and_every_digit(folder):
    assert (
        shell_line("rank", digits=0, level=0.9, off=False, none=None, empty=())
        == "veracity rank --digits 0 --level 0.9"
    )
    assert shell_line("plan", difference=0.0123456789) == "veracity plan --difference 0.0123456789"
    assert python_call("f", digits=0, off=False, empty=[]) == "f(digits=0)"
    assert "1234567.5" in RunOptions(timeout=1234567.5).words()
    words = ["rank", str(folder / "small.db"), "--score", "error", "--using", "corrected_t"]
    usual, short = (CliRunner().invoke(cli, [*words, *more]).stdout for more in ((), ("--digits", "0")))
    assert usual != short


def test_a_ranking_shows_the_look_that_its_line_names(bench):
    page, plain = (bench.get(f"/study/small.db/analyse?view=ranking{more}").text for more in ("&deviations=1", ""))
    assert page.count("±") > plain.count("±") and 'name="significance_only"' not in page
    assert 'name="significance_only"' in bench.get("/study/small.db/analyse?view=verdicts").text


def test_repeats_that_cannot_run_are_not_written(folder):
    bench = client_of(folder)
    assert bench.post("/study/small.toml/run", content="action=repeats&repeats=3&workers=no").status_code == 400
    with open_store(folder / "small.db", create=False) as store:
        store.beat(f"{socket.gethostname()}:{os.getpid()}:{time.time_ns()}")
        assert bench.post("/study/small.toml/run", content="action=repeats&repeats=3").status_code == 409
        store.release(next(iter(store.owners())))
    assert (folder / "small.toml").read_text() == STUDY
    (folder / "small.db.log").mkdir()  # so that the run cannot be started
    told = bench.post("/study/small.toml/run", content="action=repeats&repeats=3")
    assert told.status_code == 400 and "cannot be written" in told.text
    assert (folder / "small.toml").read_text() == STUDY


def test_nobody_writes_between_a_look_at_a_study_and_its_writing(folder, monkeypatch):
    held, written = Bench(folder_of(str(folder))), []
    for module in (setup, run):
        monkeypatch.setattr(module, "replace_file", lambda path, text: written.append(held.writing.locked()))
    monkeypatch.setattr(held.children, "start", lambda *_: 1)
    bench = client_for(held)
    mark = mark_in(bench.get("/study/small.toml/setup"))
    bench.post("/study/small.toml/setup", content=urlencode({"text": STUDY, "was": mark, "action": "save"}))
    bench.put("/api/studies/small.toml/study", content=STUDY, headers={"if-match": mark})
    bench.post("/study/small.toml/run", content="action=repeats&repeats=3")
    assert written == [True, True, True]


def test_a_form_sends_back_what_it_was_given(folder):
    (folder / "small.toml").write_bytes(STUDY.replace("\n", "\r\n").encode())
    (folder / "odd.csv").write_text("a\xa0b,c  d,\u202ey\n1,2,3\n4,5,6\n")
    bench = client_of(folder)
    page = bench.get("/study/small.toml/setup")
    assert text_in(page) == STUDY
    fields = {"text": STUDY, "was": mark_in(page), "action": "save"}
    assert bench.post("/study/small.toml/setup", content=urlencode(fields)).status_code == 303
    page = bench.post("/study/new", content=urlencode({"text": STUDY, "action": "look", "source": "odd.csv"})).text
    assert "\u202e" not in page
    for name in ("a\xa0b", "c  d", "\u202ey"):
        assert f'value="{name}"' in unescape(page)


def test_a_store_that_was_replaced_is_read_anew(folder, odd):
    held = Bench(folder_of(str(folder)))
    where = str(folder / "small.db")
    before, mark = held.stores.runs(where).learner_names, held.stores.fingerprint(where)
    shutil.copy(odd / "odd.db", folder / "new.db")
    (folder / "new.db").replace(where)
    assert held.stores.runs(where).learner_names != before and held.stores.fingerprint(where) != mark


def test_who_watches_a_run_goes_on_seeing_it(folder):
    where = str(folder / "small.db")
    with open_store(where, create=False) as store:
        assert store.status().done == 36 and is_store(folder / "small.db") and not is_store(folder / "small.toml")
        code = f"import sqlite3; c = sqlite3.connect({where!r}); c.execute('create table x (y)'); c.commit(); c.close()"
        subprocess.run([sys.executable, "-c", code], check=True)  # as a run that begins and ends
        assert (folder / "small.db-wal").exists()


def test_the_printed_address_is_one_that_is_answered():
    assert called("0.0.0.0", 80, ["bench.example"]) == "bench.example:80"
    assert called("0.0.0.0", 80, ["bench.example:8080"]) == "bench.example:8080"
    assert called("127.0.0.1", 80, ["bench.example"]) == "127.0.0.1:80" and called("::1", 80, []) == "[::1]:80"


def test_a_watcher_is_told_what_troubles_the_store(folder, monkeypatch):
    bench = client_of(folder)
    monkeypatch.setattr(OpenStores, "open", _trouble)
    monkeypatch.setattr(run, "MAX_STATUS_AGE_S", 0.0)
    assert "gone" in bench.get("/api/studies/small.toml/status").json()["trouble"]
    (folder / "small.toml").unlink()
    answer = bench.get("/api/studies/small.toml/status")
    assert answer.status_code == 404 and "there is no study" in answer.json()["error"]


def _trouble(stores, where):
    raise BadInput("gone")


def test_no_failure_shows_a_password(folder, monkeypatch):
    held = Bench(folder_of(str(folder)))
    secret = "cannot reach postgresql://me:hunter2@db/x"
    store = open_store(folder / "small.db", create=False)
    key = next(iter(store.planned_keys().values()))[0]
    outcome = type("Outcome", (), {"reason": secret, "traceback": f"line\n{secret}", "key": key})
    monkeypatch.setattr(type(store), "failures", lambda self: [outcome])
    found = client_for(held).get("/api/studies/small.toml/failures")
    assert "postgresql://me:***@db/x" in found.text and "hunter2" not in found.text


def test_a_design_is_offered_where_it_is_heeded(tmp_path):
    (tmp_path / "two.toml").write_text(STUDY.replace('"kfold(k=4)"', '["kfold(k=4)", "kfold(k=5)"]'))
    write_without_fitting(vc.Study.read(tmp_path / "two.toml"), tmp_path / "two.db", np.random.default_rng(1))
    bench = client_of(tmp_path)
    for view, offered in (("overview", True), ("estimates", True), ("splits", True), ("ledger", False)):
        page = bench.get(f"/study/two.db/analyse?view={view}&by=kfold(k=5)")
        assert ('<select name="by">' in page.text) == offered
