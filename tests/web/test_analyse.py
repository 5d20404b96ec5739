"""Every view shows the numbers of the line that it prints, and the address is all its state."""

import json
import re
import shlex
import shutil
from html import unescape
from pathlib import Path
from urllib.parse import urlencode

import pytest
from click.testing import CliRunner

import veracity as vc
from tests.web.conftest import client_for, client_of
from veracity.cli.main import cli
from veracity.tables.exports import to_jsonable
from veracity.web.asked import Bench
from veracity.web.places import folder_of

ADDRESS = "/study/small.db/analyse"
QUESTIONS = {
    "overview": {},
    "overview by words": {"view": "overview", "using": "friedman", "then": "shaffer", "pairs": "sign", "level": "0.9"},
    "ranking": {"view": "ranking", "score": "brier", "pairs": "mean_ranks", "then": "bonferroni", "control": "nb"},
    "ranking of some": {"view": "ranking", "only": ["nb", "stump", "majority"], "data": ["moons", "blobs"]},
    "ranking with a look": {"view": "ranking", "deviations": "1", "significance_only": "1", "digits": "0"},
    "verdicts": {"view": "verdicts", "deviations": "1", "sort": "-nb", "digits": "2", "control": "stump"},
    "pairs": {"view": "pairs", "using": "corrected_t", "then": "hochberg", "level": "0.9"},
    "pairs of a base": {"view": "pairs", "control": "majority", "data": ["moons", "circles"]},
    "estimates": {"view": "estimates", "score": ["error", "auc"], "level": "0.8"},
    "curves": {"view": "curves", "data": "circles", "kind": "precision_recall"},
    "splits": {"view": "splits", "score": "log_loss"},
    "verdicts turned": {"view": "verdicts", "swap": "1", "columns": "nb", "control": "stump"},
    "failures": {"view": "failures"},
    "ledger": {"view": "ledger", "level": "0.9"},
}
RECORDED = {  # of a study with two designs, of which one is picked
    "overview": {"using": "wilcoxon"},
    "estimates": {"level": "0.9"},
    "splits": {"only": "nb"},
    "verdicts": {"only": ["nb", "tuned"]},
    "pairs": {"only": ["nb", "tuned"], "data": "people"},
    "curves": {"only": ["nb", "tuned"], "data": "moons"},
    "slices": {"slices": "country", "score": ["error", "brier"], "level": "0.9"},
    "tuning": {},
    "failures": {"data": "people"},
    "ledger": {},
}


@pytest.mark.parametrize("view", ["overview", "ranking", "estimates"])
def test_a_study_file_says_what_of_its_store_is_meant(folder, view):
    few = (folder / "small.toml").read_text().replace('majority = "sklearn.dummy:DummyClassifier"\n', "")
    asks = '[questions]\ncompare = { score = "error", using = "corrected_t", pairs = [["nb", "stump"]] }\n'
    (folder / "small.toml").write_text(few + asks)
    bench, query = client_of(folder), "view=" + view + ("&using=wilcoxon" if view == "ranking" else "")
    page = bench.get(f"/study/small.toml/analyse?view={view}")
    if view == "ranking":  # of two learners no test of all can be had
        assert page.status_code == 409 and "majority" not in page.text
        return
    shown = bench.get(f"/study/small.toml/analyse.json?{query}").json()
    assert "majority" not in json.dumps(shown["estimates"])
    check_lines(page.text, shown)


def text_of(page, place):
    return unescape(re.search(rf'id="{place}"[^>]*>([^<]*)<', page)[1])


@pytest.mark.parametrize("asked", QUESTIONS.values(), ids=QUESTIONS)
def test_the_printed_lines_give_the_numbers_of_the_view(bench, asked):
    query = urlencode(asked, doseq=True)
    page = bench.get(f"{ADDRESS}?{query}")
    assert page.status_code == 200
    shown = bench.get(f"{ADDRESS}.json?{query}").json()
    check_lines(page.text, shown)


@pytest.mark.parametrize("view", RECORDED)
@pytest.mark.parametrize("name", ["record.toml", "record.db"])
def test_every_view_of_a_picked_design_gives_the_numbers_of_its_lines(recorded, view, name):
    query = urlencode({"view": view, "by": "kfold(k=4)", **RECORDED[view]}, doseq=True)
    bench = client_of(recorded)
    page = bench.get(f"/study/{name}/analyse?{query}")
    assert page.status_code == 200, page.text
    shown = bench.get(f"/study/{name}/analyse.json?{query}").json()
    check_lines(page.text, shown)
    assert view == "ledger" or "kfold(k=3)" not in json.dumps(shown)
    for form in ("csv", "md", "tex", "html"):
        file = bench.get(f"/study/{name}/analyse.{form}?{query}")
        assert file.status_code == 200 and file.content


def check_lines(page, shown):
    """The command prints the same JSON, and the answer of the Python has it."""
    words = shlex.split(text_of(page, "as-command"))
    assert json.loads(CliRunner().invoke(cli, [*words[1:], "--json"]).stdout) == shown
    space = {}
    exec(text_of(page, "as-python").replace("print(answer)", ""), space)
    same = to_jsonable(space["answer"].to_json())
    notes = [note for note in shown["notes"] if note in same["notes"]]  # a choice of data sets is told by the command
    assert {**shown, "notes": notes, **same} == {**shown, "notes": notes}


def test_the_answer_comes_first_with_its_diagram_and_tables(bench):
    page = bench.get(f"{ADDRESS}?view=ranking").text
    ranking = vc.rank(vc.read_runs(_store(bench)), "error")
    assert 'id="answer"' in page and page.index('id="answer"') < page.index('<form class="controls"') < page.index(
        "<svg"
    )
    assert "critical-difference diagram" in page and "pairs" in page
    shown = bench.get(f"{ADDRESS}.json?view=ranking").json()
    assert shown["average_ranks"] == ranking.average_ranks
    for rank in ranking.average_ranks.values():
        assert f"{rank:.2f}" in page


def _store(bench):
    lines = bench.get(f"{ADDRESS}?view=ranking").text
    return re.search(r"veracity rank (\S+)", text_of(lines, "as-command"))[1]


def test_every_export_is_a_file_of_its_kind(bench):
    begins = {
        "json": b"{",
        "csv": b"data",
        "md": b"#",
        "tex": b"%",
        "html": b"<!DOCTYPE",
        "png": b"\x89PNG",
        "pdf": b"%PDF",
    }
    for form, first in {**begins, "svg": b"<?xml"}.items():
        file = bench.get(f"{ADDRESS}.{form}")
        assert file.status_code == 200 and file.headers["content-disposition"].endswith(f'.{form}"')
        assert form in ("tex", "csv") or file.content.startswith(first)
    assert bench.get(f"{ADDRESS}.exe").status_code == 404


def test_what_cannot_be_answered_is_said_and_can_be_asked_otherwise(bench):
    for query, status in (
        ("score=nonsense", 400),
        ("using=corrected_t&pairs=sign&view=ranking", 200),
        ("level=2", 400),
    ):
        page = bench.get(f"{ADDRESS}?{query}")
        assert page.status_code == status and 'name="score"' in page.text
    page = bench.get(f"{ADDRESS}?view=ranking&data=moons")
    assert page.status_code == 400 and "one data set says nothing about others" in page.text
    assert bench.get(f"{ADDRESS}.json?score=nonsense").json()["error"].startswith("there is no score called")


def test_failures_have_their_reasons_places_and_tracebacks(recorded):
    page = client_of(recorded).get("/study/record.toml/analyse?view=failures").text
    assert "16 of 42 fits failed, for 2 reasons." in page and "14 × fit raised InvalidParameterError" in page
    assert "Traceback (most recent call last)" in page and "broken on moons, split 0" in page
    api = client_of(recorded).get("/api/studies/record.toml/failures.json").json()
    assert api["failures"][0]["fits"] == 14 and len(api["failures"][0]["places"]) == 14


def test_columns_to_slice_by_are_those_of_the_file(recorded, finished):
    bench = client_of(recorded)
    page = bench.get("/study/record.db/analyse?view=slices")
    assert page.status_code == 400 and "pick the column that slices the rows of people" in page.text
    assert '<option value="country">country</option>' in page.text
    for query, status, says in (
        ("slices=nowhere", 400, "nowhere"),
        ("slices=country&data=moons", 409, "built in"),
        ("slices=b&score=error&by=kfold(k%3D4)", 200, "7 slices"),
    ):
        page = bench.get(f"/study/record.db/analyse?view=slices&{query}")
        assert page.status_code == status and says in page.text
    assert client_of(finished).get("/study/small.db/analyse?view=slices").status_code == 409


def test_a_data_file_outside_the_folder_is_not_read(recorded, tmp_path):
    shutil.copytree(recorded, tmp_path / "here")
    secret = (tmp_path / "here" / "people.csv").rename(tmp_path / "people.csv")
    (tmp_path / "here" / "people.csv").symlink_to(secret)
    page = client_of(tmp_path / "here").get("/study/record.toml/analyse?view=slices&slices=country")
    assert page.status_code == 404 and "outside the folder" in page.text


def test_tuning_is_offered_where_a_learner_tunes_itself(recorded, bench):
    page = client_of(recorded).get("/study/record.toml/analyse?view=tuning&by=kfold(k%3D4)").text
    assert "n_neighbors=" in page and 'href="/study/record.toml/analyse?by=' in page
    assert "view=tuning" not in bench.get(ADDRESS).text and bench.get(f"{ADDRESS}?view=tuning").status_code == 409


def test_looking_is_not_asking(odd):
    before = (odd / "odd.db").read_bytes()
    bench = client_of(odd)
    for score in ("error", "auc", "brier"):
        page = bench.get(f"/study/odd.db/analyse?score={score}")
        assert page.status_code == 200 and "Questions asked of the same test rows" in page.text
    assert (odd / "odd.db").read_bytes() == before


def test_hostile_names_are_text(odd):
    page = client_of(odd).get("/study/odd.db/analyse").text
    assert "<img" not in page and "\u202e" not in page and "&lt;/script&gt;" in page


def test_an_unfinished_study_says_so_first(folder):
    study = vc.Study.read(folder / "small.toml")
    study.learners["late"] = study.learners["nb"]
    from veracity.stores.open_store import open_store

    with open_store(folder / "new.db") as store:
        study.register(store)
    page = client_of(folder).get("/study/new.db/analyse").text
    assert "The study is not finished: 0 of 48 fits are done" in page


def test_a_store_of_an_older_version_is_not_touched(folder):
    old = Path(__file__).parents[1] / "stores" / "assets" / "version_1.db"
    shutil.copy(old, folder / "old.db")
    bench = client_of(folder)
    assert "veracity status old.db renews it" in bench.get("/").text
    assert bench.get("/study/old.db/analyse").status_code == 503
    assert (folder / "old.db").read_bytes() == old.read_bytes()


def test_methods_are_listed_explained_found_and_drawn(bench):
    assert 'href="/explain/wilson"' in bench.get("/list/intervals").text
    page = bench.get("/explain/wilson").text
    assert "Measured" in page and page.count('role="img"') >= 1 and "veracity explain wilson" in page
    assert "loo" in bench.get("/search?words=leave+one+out").text
    assert bench.get("/list/nothing").status_code == 404 and bench.get("/search?words=qqqqzzzz").status_code == 400
    assert bench.get("/api/explain/wilson").json()["name"] == "wilson"


def test_who_waits_is_told_how_far_it_is(finished, monkeypatch):
    monkeypatch.setattr("veracity.web.analyse.PATIENCE", 0)
    held = Bench(folder_of(str(finished)))
    bench = client_for(held)
    with held.stores.reading:  # as a question does that is being worked on
        page = bench.get(f"{ADDRESS}?view=ranking").text
    assert "of 9 runs are read" in page and 'http-equiv="refresh"' in page
    assert bench.get(f"{ADDRESS}.json?view=ranking").status_code == 200
    assert "ranks best" in bench.get(f"{ADDRESS}?view=ranking").text
