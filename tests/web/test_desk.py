"""The desk shows what lies in the folder and what runs now, and leads to the four questions."""

import re
import shutil
import socket
from html import unescape

from tests.web.conftest import client_of
from tests.web.test_files import PREDICTIONS
from veracity.stores.open_store import open_store


def row_of(page, name):
    return re.search(rf'<tr><td class="left">{re.escape(name)}</td>.*?</tr>', page, re.S)[0]


def test_studies_stores_and_files_stand_there_with_the_ways_to_them(folder):
    (folder / "sub").mkdir()
    shutil.copy(folder / "small.db", folder / "sub" / "alone.db")
    (folder / "sub" / "preds.csv").write_text(PREDICTIONS)
    (folder / "notes.txt").write_text("no table")
    bench = client_of(folder)
    page = bench.get("/").text
    for name, ways in (("small.toml", ["Set up", "Run", "Analyse"]), ("sub/alone.db", ["Run", "Analyse"])):
        links = re.findall(r'<a href="([^"]*)"[^>]*>([^<]*)</a>', row_of(page, name))
        assert [says for _, says in links] == ways
        assert all(bench.get(unescape(address)).status_code == 200 for address, _ in links)
    assert ">sub/preds.csv</a>" in page and "notes.txt" not in page
    assert [one["name"] for one in bench.get("/api/studies").json()] == ["small.toml", "sub/alone.db"]


def test_what_runs_now_is_counted(folder):
    with open_store(folder / "small.db", create=False) as store:
        keys = [key for cells in store.planned_keys().values() for key in cells]
        shown = row_of(client_of(folder).get("/").text, "small.toml")
        assert re.findall(r"<td>(\d+)</td>", shown) == ["36", "0", "0", "36"]
        store.claim(keys[:3], f"{socket.gethostname()}:1:1")
        counted = store.status().running
        shown = row_of(client_of(folder).get("/").text, "small.toml")
        assert re.findall(r"<td>(\d+)</td>", shown)[2] == str(counted)


def test_the_four_questions_lead_to_their_pages(bench):
    page = bench.get("/").text
    cards = re.findall(r'<li><a href="([^"]*)">([^<]*)</a><span>', page)
    assert [says for _, says in cards] == [
        "How good are these predictions?",
        "Which model is better?",
        "Who ranks where?",
        "How good will a learner be?",
    ]
    assert all(bench.get(address).status_code == 200 for address, _ in cards)


def test_every_method_that_a_view_names_is_explained(bench):
    for view in ("overview", "ranking", "verdicts", "pairs", "estimates"):
        page = bench.get(f"/study/small.db/analyse?view={view}").text
        names = set(re.findall(r'href="(/explain/[^"]*)"', page))
        assert names, view
        for address in names:
            assert bench.get(unescape(address)).status_code == 200, (view, address)
