"""What goes wrong around the workbench is a sentence on a page, nothing is lost, and who looks again sees the truth."""

import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from html import unescape
from urllib.parse import urlencode

import numpy as np
import pytest

import veracity as vc
from bench.large_study import write_without_fitting
from tests.web.conftest import STUDY, client_of
from tests.web.test_guard import Server
from tests.web.test_setup import mark_in, text_in
from veracity.web import open_stores
from veracity.web.places import add_file, replace_file

BIG = b"a,b\n" + b"1,2\n" * 100_000  # more than the small disk holds


@pytest.fixture
def small_disk(tmp_path, pristine):
    """A file system of its own with the study on it, and hardly any room."""
    place = tmp_path / "disk"
    place.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=300k", "tmpfs", place], capture_output=True)
    if mounted.returncode:
        pytest.skip("only root may mount a small disk")
    try:
        for name in ("small.toml", "small.db"):
            shutil.copy(pristine / name, place)
        yield place
    finally:
        subprocess.run(["umount", "--lazy", place], check=True)


def fill(place):
    """Take all the room there is."""
    with (place / "filler").open("wb", buffering=0) as file:
        for size in (4096, 1):
            try:
                while file.write(b"x" * size):
                    pass
            except OSError:
                continue


def names_in(folder):
    return sorted(path.name for path in folder.iterdir() if not path.name.endswith(("-wal", "-shm")))


def test_a_full_disk_takes_no_part_of_a_file(small_disk):
    bench, before = client_of(small_disk), names_in(small_disk)
    answer = bench.post("/api/files?name=big.csv&to=folder", content=BIG)
    assert answer.status_code == 507 and "No space left" in answer.json()["error"]
    assert names_in(small_disk) == before


def test_a_study_is_not_lost_to_a_full_disk(small_disk):
    bench = client_of(small_disk)
    page = bench.get("/study/small.toml/setup")
    fill(small_disk)
    longer = STUDY + "# a line\n" * 2_000
    fields = {"text": longer, "was": mark_in(page), "action": "save"}
    told = bench.post("/study/small.toml/setup", content=urlencode(fields))
    assert told.status_code == 400 and "No space left" in told.text
    assert (small_disk / "small.toml").read_text() == STUDY and names_in(small_disk)[-2:] == ["small.db", "small.toml"]
    (small_disk / "filler").unlink()
    assert bench.post("/study/small.toml/setup", content=urlencode(fields)).status_code == 303


def test_a_run_on_a_full_disk_ends_and_what_was_stored_stays(small_disk):
    more = STUDY.replace("kfold(k=4)", "repeated_kfold(k=4, repeats=3)")
    (small_disk / "small.toml").write_text(more)
    fill(small_disk)
    bench = client_of(small_disk)
    started = bench.post("/study/small.toml/run", content="action=start")
    if started.status_code == 303:  # else there is not even room to open the store, or for a log, which is told
        end = time.monotonic() + 300
        while "It ended with status" not in bench.get("/study/small.toml/run").text:
            assert time.monotonic() < end
            time.sleep(0.3)
    else:
        assert started.status_code in (400, 503) and "unexpected" not in started.text
        assert "cannot be written" in started.text or "disk" in started.text
    (small_disk / "filler").unlink()
    page = client_of(small_disk).get("/study/small.toml/run").text
    assert " of 108 fits done" in page or "36 of 36 fits done" in page
    assert client_of(small_disk).get("/study/small.db/analyse?view=estimates").status_code == 200


def test_a_kill_in_the_middle_of_a_copy_leaves_no_part(tmp_path):
    code = (
        "import resource, sys; from pathlib import Path; from veracity.web.places import add_file;"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (2**28, 2**28)); add_file(Path('/dev/zero'), Path(sys.argv[1]))"
    )
    copying = subprocess.Popen([sys.executable, "-c", code, str(tmp_path / "data.csv")], stderr=subprocess.DEVNULL)
    while not any(path.stat().st_size for path in tmp_path.iterdir()):
        assert copying.poll() is None
    copying.kill()
    copying.wait()
    assert not (tmp_path / "data.csv").exists()
    (left,) = tmp_path.iterdir()
    assert left.name.startswith(".") and "data.csv" not in client_of(tmp_path).get("/").text
    os.utime(left, (0, 0))  # as it looks the next day
    replace_file(tmp_path / "study.toml", STUDY)
    assert [path.name for path in tmp_path.iterdir()] == ["study.toml"]


def test_a_file_that_is_there_is_never_overwritten(tmp_path):
    (tmp_path / "a.csv").write_text("new")
    (tmp_path / "b.csv").write_text("old")
    with pytest.raises(FileExistsError):
        add_file(tmp_path / "a.csv", tmp_path / "b.csv")
    assert (tmp_path / "b.csv").read_text() == "old" and names_in(tmp_path) == ["a.csv", "b.csv"]


def test_a_store_that_is_locked_says_so_and_is_there_again(folder, monkeypatch):
    monkeypatch.setattr(open_stores, "LOCK_WAIT_S", 0.3)
    bench = client_of(folder)
    with closing(sqlite3.connect(folder / "small.db")) as other:
        other.execute("pragma journal_mode = delete")
        other.execute("begin exclusive")
        for path in ("/study/small.toml/analyse", "/study/small.toml/run", "/"):
            page = bench.get(path)
            assert page.status_code in (200, 503) and "locked" in page.text, path
    assert "36 of 36 fits done" in bench.get("/study/small.toml/run").text


def test_a_store_of_a_newer_version_says_so_and_is_left_alone(folder):
    with closing(sqlite3.connect(folder / "small.db")) as other, other:
        other.execute("update veracity_about set value = '99' where name = 'schema'")
    before = (folder / "small.db").read_bytes()
    bench = client_of(folder)
    for path in ("/", "/study/small.toml/analyse", "/study/small.toml/run"):
        assert "newer" in bench.get(path).text, path
    assert bench.get("/study/small.toml/analyse").status_code == 400
    assert (folder / "small.db").read_bytes() == before


def test_a_folder_that_vanished_is_told_and_seen_again(folder):
    bench = client_of(folder)
    assert bench.get("/").status_code == 200
    folder.rename(folder.with_name("elsewhere"))
    for path in (
        "/",
        "/study/small.toml/setup",
        "/study/small.toml/analyse",
        "/study/small.toml/run",
        "/score?file=a.csv",
    ):
        page = bench.get(path)
        assert page.status_code == 404 and "unexpected" not in page.text, (path, unescape(page.text))
    assert "is not there any more" in bench.get("/").text
    saved = bench.post("/study/new", content=urlencode({"text": STUDY, "was": "", "action": "save", "name": "mine"}))
    assert saved.status_code in (400, 404) and not folder.exists()
    folder.with_name("elsewhere").rename(folder)
    assert "36 of 36" in bench.get("/").text


def test_a_browser_that_closes_in_the_middle_of_an_upload_leaves_nothing(folder, tmp_path, monkeypatch):
    private = tmp_path / "private"
    private.mkdir()
    monkeypatch.setenv("TMPDIR", str(private))
    server = Server(str(folder))
    try:
        for query in ("name=part.csv", "name=part.csv&to=folder"):
            with socket.create_connection(("127.0.0.1", server.port), timeout=20) as talk:
                head = (f"POST /api/files?{query} HTTP/1.1", f"host: 127.0.0.1:{server.port}", server.bearer)
                talk.sendall("\r\n".join([*head, "content-length: 1000000", "", ""]).encode() + b"a,b\n1,2\n" * 1000)
                end = time.monotonic() + 60
                while not list(private.rglob("*.csv")) and time.monotonic() < end:
                    time.sleep(0.05)
                assert list(private.rglob("*.csv"))  # it is being written
            end = time.monotonic() + 60
            while list(private.rglob("*.csv")) and time.monotonic() < end:
                time.sleep(0.05)
            assert not list(private.rglob("*.csv")) and not (folder / "part.csv").exists()
        assert server.get("/", server.bearer)[0] == 200
    finally:
        server.end()


def test_a_server_that_is_killed_leaves_nothing_that_the_next_one_keeps(folder, tmp_path, monkeypatch):
    private = tmp_path / "private"
    private.mkdir()
    monkeypatch.setenv("TMPDIR", str(private))
    first = Server(str(folder))
    head = ("POST /api/files?name=mine.csv HTTP/1.1", f"host: 127.0.0.1:{first.port}", first.bearer)
    assert first.send(*head, "content-length: 8", body=b"a,b\n1,2\n")[0] == 200
    assert list(private.rglob("*.csv"))
    first.end(signal.SIGKILL)
    second = Server(str(folder))
    try:
        assert second.token != first.token and second.get("/", first.bearer)[0] == 403
        assert second.get("/score?upload=0123456789abcdef", second.bearer)[0] == 404
        assert not list(private.rglob("*.csv"))
        assert "36 of 36" in second.get("/study/small.toml/run", second.bearer)[1]
    finally:
        second.end()


def test_two_servers_on_one_folder_tell_each_other_s_changes(folder):
    one, two = client_of(folder), client_of(folder)
    page = two.get("/study/small.toml/setup")
    first = {"text": text_in(page) + "# first\n", "was": mark_in(page), "action": "save"}
    assert one.post("/study/small.toml/setup", content=urlencode(first)).status_code == 303
    second = two.post("/study/small.toml/setup", content=urlencode({**first, "text": "# second\n"}))
    assert second.status_code == 412 and "changed elsewhere" in second.text and "# second" in text_in(second)
    repeats = {"action": "repeats", "repeats": "3", "was": mark_in(page)}
    told = two.post("/study/small.toml/run", content=urlencode(repeats))
    assert told.status_code == 409 and "changed elsewhere" in told.text
    assert (folder / "small.toml").read_text() == first["text"] and not (folder / "small.db.log").exists()
    for bench in (one, two):
        assert bench.get("/study/small.toml/analyse.json?view=estimates").status_code == 200


def test_postgresql_is_a_store_like_any_other(schema, pristine, finished):
    write_without_fitting(vc.Study.read(pristine / "small.toml"), schema, np.random.default_rng(1))
    bench, file = client_of(schema), client_of(finished)
    assert "36 of 36 fits done" in bench.get("/").text
    run = bench.get("/study/database/run")
    assert run.status_code == 200 and "36 of 36 fits done, 0 failed. Finished." in run.text
    for query in (
        "view=overview",
        "view=ranking&score=brier",
        "view=verdicts",
        "view=splits",
        "view=failures",
        "view=ledger",
    ):
        assert bench.get(f"/study/database/analyse?{query}").status_code == 200, query
    for query in ("view=ranking&score=brier", "view=estimates", "view=pairs"):
        theirs, ours = (
            one.get(f"/study/{name}/analyse.json?{query}") for one, name in ((bench, "database"), (file, "small.db"))
        )
        assert theirs.json() == ours.json(), query
    assert bench.get("/study/database/setup").status_code == 400
    assert bench.post("/study/database/run", content="action=start").status_code == 400


class WaitingServer(Server):
    """One whose standard input is open, and on which nobody writes."""

    def start(self, line):
        return subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


@pytest.fixture(scope="module")
def waiting(tmp_path_factory):
    """A folder with a pipe in it, and the server that shows it."""
    folder = tmp_path_factory.mktemp("waiting")
    (folder / "a.csv").write_text("x,y\n1,p\n2,q\n")
    os.mkfifo(folder / "a-pipe")
    server = WaitingServer(str(folder))
    yield folder, server
    server.end()


@pytest.mark.parametrize(
    ("study", "named"),
    [
        ("stdin", '"-"'),
        ("target", '{ file = "-", target = "y" }'),
        ("test", '{ file = "a.csv", test = "-" }'),
        ("pipe", '"a-pipe"'),
    ],
)
def test_no_study_makes_the_server_wait_for_its_own_input_or_a_pipe(waiting, study, named):
    folder, server = waiting
    text = f'by = "kfold(k=2)"\n[data]\na = {named}\n[learners]\nnb = "sklearn.naive_bayes:GaussianNB"\n'
    (folder / f"{study}.toml").write_text(text)

    def post(path, content, kind="text/plain"):
        head = (f"POST {path} HTTP/1.1", f"host: 127.0.0.1:{server.port}", server.bearer, f"content-type: {kind}")
        return server.send(*head, f"content-length: {len(content)}", body=content.encode())

    status, told = post(f"/api/check?name={study}.toml", text)
    assert status == 200 and '"place":"data.a.' in told and "as a file and name that" in told
    for action in ("look", "add-data", "advise", "save", "run"):
        fields = {"action": action, "text": text, "was": "", "source": "a-pipe" if "pipe" in named else "-"}
        assert post(f"/study/{study}.toml/setup", urlencode(fields))[0] in (200, 303, 400, 412)
    for path in ("/", *(f"/study/{study}.toml/{page}" for page in ("setup", "run", "analyse")), "/score"):
        assert server.get(path, server.bearer)[0] in (200, 400, 503), path
    assert server.get(f"/study/{study}.toml/analyse?view=slices&slices=x", server.bearer)[0] == 400
    assert server.get("/score?file=a-pipe", server.bearer)[0] == 404
