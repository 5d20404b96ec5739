"""Looking changes nothing and tells no secret: not by another word for it, by links, by old stores or by races."""

import os
import shutil
import subprocess
import sys
import time
from concurrent.futures import wait
from functools import partial
from pathlib import Path
from threading import Event, Lock, Thread

import pytest
from starlette.testclient import TestClient

from tests.web.conftest import STUDY, TOKEN, client_of
from veracity.core.errors import BadInput, StoreError
from veracity.core.words import without_passwords
from veracity.stores.open_store import shown_address
from veracity.web import run_processes
from veracity.web.app import VIEWS as ROUTES
from veracity.web.app import make_app
from veracity.web.asked import MOST, Bench, Memory
from veracity.web.guard import Rules
from veracity.web.open_stores import OpenStores
from veracity.web.places import folder_of
from veracity.web.run_processes import Children, RunOptions, log_tail
from veracity.web.serve import opening_page
from veracity.web.study_views import VIEWS

OLD = Path(__file__).parents[1] / "stores" / "assets" / "version_1.db"


def contents(folder):
    """Of all files but those that SQLite has beside a store while somebody reads it."""
    files = {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    return {name: content for name, content in files.items() if content and not name.endswith("-shm")}


@pytest.mark.parametrize("read_only", [False, True])
def test_asking_for_the_head_of_any_page_writes_nothing(folder, read_only):
    bench, before = client_of(folder, read_only=read_only), contents(folder)
    mark = bench.get("/api/studies/small.toml/study").headers["etag"]
    parts = {"name:path": "small.toml", "method:path": "wilson", "view": "estimate", "form": "json"}
    parts |= {"file": "page.css", "what": "scores", "key": "0" * 16}
    for path, *_ in ROUTES:
        for part, value in parts.items():
            path = path.replace(f"{{{part}}}", value)
        answer = bench.request("HEAD", path, content="seed = 1", headers={"if-match": mark})
        assert answer.status_code < 500
    assert contents(folder) == before


def test_a_read_only_workbench_counts_no_look(odd, tmp_path):
    shutil.copy(odd / "odd.db", tmp_path)
    before = contents(tmp_path)
    for read_only in (True, False):
        answer = client_of(tmp_path, read_only=read_only).get("/study/odd.db/analyse.json?view=estimates")
        assert answer.status_code == 200 and (contents(tmp_path) == before) == read_only


def test_a_question_that_is_overtaken_still_shows_its_own_study(finished, odd):
    other = OpenStores().runs(str(odd / "odd.db"))

    class Overtaken(OpenStores):
        """Whatever is kept, another thread has put its own there before one looks again."""

        _read = property(lambda self: (("other",), other), lambda self, value: None)

    assert list(Overtaken().runs(str(finished / "small.db")).learner_names) == ["nb", "majority", "stump"]


def test_code_beside_a_study_is_not_run_in_the_place_of_ours(folder, monkeypatch):
    monkeypatch.setattr(run_processes, "run_words", lambda *_: ["--version"])
    (folder / "veracity.py").write_text("open('ran', 'w')")
    runs = Children()
    runs.start(folder_of(str(folder)).place("small.toml"), RunOptions(), trust_here=False)
    assert runs._started[str(folder / "small.db")].wait(60) == 0
    assert not (folder / "ran").exists()


@pytest.mark.parametrize("account", ["me@corp:hunter2", "me:hun ter2", "me:ter2@hun", "me:ter2/x", "a b@c:x ter2"])
def test_no_spelling_of_an_account_shows_its_password(account):
    address = f"postgresql+psycopg://{account}@127.0.0.1:9/x"
    assert "ter2" not in shown_address(address) and shown_address(address).endswith("@127.0.0.1:9/x")
    assert "ter2" not in client_of(address).get("/").text
    assert " " in account.partition(":")[0] or "ter2" not in without_passwords(f"cannot reach '{address}' now")
    assert "ter2" not in shown_address("mysql://me@corp:hunter2@h/x?password=ter2")


def test_what_is_refused_stays_refused_and_what_may_pass_is_told_once_and_tried_again():
    for failure, tries in ((BadInput("no"), 1), (StoreError("locked"), 4), (RuntimeError("odd"), 4)):
        memory, asked = Memory(), []

        def answer(failure=failure, asked=asked):
            asked.append(1)
            raise failure

        for number in range(4):
            with pytest.raises(type(failure)) as raised:
                memory.answer("question", answer, 10)
            assert raised.value is failure
            assert len(asked) == min(number + 1, tries)
        assert len(asked) == tries


def test_a_failure_waits_for_the_page_that_comes_again():
    """A page that did not wait long enough is told, and does not begin the work anew."""
    memory, begun, go_on = Memory(), [], Event()

    def fail():
        begun.append(1)
        go_on.wait(300)
        raise StoreError("locked")

    first = memory.ask("question", fail)
    with pytest.raises(TimeoutError):
        memory.answer("question", fail, 0)
    go_on.set()
    wait([first])
    with pytest.raises(StoreError, match="locked"):
        memory.answer("question", fail, 300)
    assert begun == [1]


def test_a_page_tells_a_failure_that_passed_once(folder, monkeypatch):
    bench, broken = client_of(folder), folder / "broken"

    def view(runs, inquiry):
        if broken.exists():
            raise StoreError("small.db cannot be read at the moment")
        return VIEWS["estimates"](runs, inquiry)

    monkeypatch.setitem(VIEWS, "passing", view)
    broken.touch()
    address = "/study/small.toml/analyse.json?view=passing"
    assert [bench.get(address).status_code for _ in range(2)] == [503, 503]
    broken.unlink()
    assert bench.get(address).status_code == 200


def test_many_questions_are_all_answered():
    """More than are kept: none that somebody waits for is given up."""
    memory, go_on = Memory(), Event()
    promises = [memory.ask(number, partial(lambda one: go_on.wait(300) and one, number)) for number in range(200)]
    go_on.set()
    assert [promise.result(300) for promise in promises] == list(range(200))
    assert len(memory._answers) == 200 and memory.ask("one more", lambda: 1).result(300) == 1
    assert len(memory._answers) == MOST


def test_an_answer_is_had_while_more_questions_than_are_kept_wait():
    """A page that asked again got an error, as its answer was the only one that could be forgotten."""
    memory, ready, go_on = Memory(), Event(), Event()
    first = memory.ask("first", lambda: ready.wait(300) and 1)
    for number in range(MOST):
        memory.ask(number, partial(go_on.wait, 300))
    ready.set()
    assert first.result(300) == 1
    assert memory.ask("first", lambda: 2).result(300) == 1
    go_on.set()


def test_a_slow_question_keeps_no_other_study_waiting(folder, odd, monkeypatch):
    shutil.copy(odd / "odd.db", folder)
    bench, begun, go_on, answers = client_of(folder), Event(), Event(), {}

    def slow(runs, inquiry):
        begun.set()
        assert go_on.wait(300)
        return VIEWS["estimates"](runs, inquiry)

    monkeypatch.setitem(VIEWS, "slow", slow)

    def ask(name, view):
        answers[name] = bench.get(f"/study/{name}/analyse.json?view={view}").status_code

    first = Thread(target=ask, args=("small.toml", "slow"))
    second, third = (Thread(target=ask, args=(name, "estimates")) for name in ("odd.db", "small.db"))
    first.start()
    try:
        assert begun.wait(300)
        for one in (second, third):
            one.start()
        for one in (second, third):
            one.join(300)
        assert answers == {"odd.db": 200, "small.db": 200}
    finally:
        go_on.set()
        first.join()
    assert answers["small.toml"] == 200


def test_runs_that_are_read_at_once_are_not_mixed_up(finished):
    """One question reads a learner while another one is in the middle of the same data set."""
    runs = OpenStores().runs(str(finished / "small.db"))
    (by,) = runs.designs
    reading = runs.read_together("moons", by, ["nb", "majority", "stump"])
    seen = [next(reading).learner]
    assert runs.read("majority", "moons", by).learner == "majority"
    assert [*seen, *(run.learner for run in reading)] == ["nb", "majority", "stump"]


def test_two_questions_are_worked_on_at_a_time():
    memory, busy, most, lock = Memory(), set(), [], Lock()

    def work(number):
        with lock:
            busy.add(number)
            most.append(len(busy))
        time.sleep(0.05)
        with lock:
            busy.discard(number)
        return number

    promises = [memory.ask(number, partial(work, number)) for number in range(8)]
    assert [promise.result(60) for promise in promises] == list(range(8)) and max(most) == 2


def test_the_token_is_on_no_command_line(tmp_path):
    address = "http://127.0.0.1:8/open?token=secret"
    page = opening_page(tmp_path, address)
    assert address in page.read_text() and page.stat().st_mode & 0o777 == 0o600 and "secret" not in page.as_uri()
    rules = Rules(TOKEN, 80, ("here",))
    client = TestClient(make_app(Bench(folder_of(str(tmp_path))), rules), "http://here:80", follow_redirects=False)
    led = client.get(f"/open?token={TOKEN}", headers={"sec-fetch-site": "cross-site"})
    assert led.status_code == 200 and 'content="0; url=/"' in led.text and "set-cookie" in led.headers
    assert TOKEN not in led.text


def test_an_old_store_is_renewed_by_no_page(folder):
    shutil.copy(OLD, folder / "old.db")
    (folder / "old.toml").write_text(STUDY)
    bench, database = client_of(folder), client_of(f"sqlite:///{folder}/old.db")
    assert "renews it" in bench.get("/study/old.toml/setup").text
    assert "renews it" in bench.post("/api/check?name=old.toml", content=STUDY).text
    assert "renews it" in database.get("/").text and "renews it" in database.get("/study/database/analyse").text
    assert (folder / "old.db").read_bytes() == OLD.read_bytes()


def test_a_log_is_no_way_out_of_the_folder(folder):
    secret, log = folder.parent / "id_rsa", folder / "small.db.log"
    secret.write_text("a secret")
    log.symlink_to(secret)
    assert not log_tail(log)
    assert client_of(folder).post("/study/small.toml/run", content="action=start").status_code == 400
    assert secret.read_text() == "a secret"
    log.unlink()
    os.mkfifo(log)
    assert not log_tail(log)
    log.unlink()
    log.write_text("first\n" + "x" * 10_000 + "\nlast\n")
    assert log_tail(log)[-1] == "last"


def test_a_long_question_keeps_nobody_from_ending():
    code = """import time
from veracity.web.asked import MOST, Memory
memory = Memory()
asked = [memory.ask(number, lambda: time.sleep(3000)) for number in range(3)]
while not asked[0].running():
    time.sleep(0.01)
memory.close()
print(type(asked[0].exception()).__name__, asked[2].cancelled())"""
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300, check=True)
    assert out.stdout.split() == ["StoreError", "True"]
