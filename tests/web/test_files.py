"""A file of predictions or of scores: guessed, shown, and the numbers are those of the command."""

import json
import shlex
from urllib.parse import urlencode

import pytest
from click.testing import CliRunner

from tests.web.conftest import client_of
from tests.web.test_analyse import text_of
from veracity.cli.main import cli
from veracity.tables.exports import plain_json

PREDICTIONS = "id,truth,p_one,p_two,country\n" + "".join(
    f"{row},{'yes' if row % 3 else 'no'},0.{20 + (row * 7) % 61},0.{10 + (row * 5) % 83},{'DE' if row % 2 else 'FR'}\n"
    for row in range(60)
)
SCORES = "data,a,b,c\n" + "".join(f"d{row},0.{50 + row},0.{60 - row},0.{55 + row % 3}\n" for row in range(9))
MODELS = {"truth": "truth", "proba": ["p_one", "p_two"], "positive": "yes"}
QUESTIONS = {
    "scores": {"file": "preds.csv", **MODELS, "score": "error, auc", "view": "scores"},
    "every score of one": {
        "file": "preds.csv",
        "truth": "truth",
        "proba": "p_one",
        "positive": "yes",
        "view": "scores",
    },
    "pairs": {"file": "preds.csv", **MODELS, "view": "pairs", "score": "brier", "level": "0.9"},
    "curves": {"file": "preds.csv", **MODELS, "view": "curves", "kind": "gain"},
    "slices": {"file": "preds.csv", **MODELS, "view": "slices", "slices": "country", "score": "error"},
    "ranking": {"file": "scores.csv", "view": "ranking", "then": "shaffer", "level": "0.9"},
}


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tables")
    (folder / "preds.csv").write_text(PREDICTIONS)
    (folder / "scores.csv").write_text(SCORES)
    (folder / "rubbish.csv").write_bytes(bytes(range(256)) * 9)
    return folder


@pytest.fixture(scope="module")
def files(tables):
    return client_of(tables)


@pytest.mark.parametrize("asked", QUESTIONS.values(), ids=QUESTIONS)
def test_the_printed_lines_give_the_numbers_of_the_view(files, asked):
    query = urlencode(asked, doseq=True)
    page = files.get(f"/score?{query}")
    assert page.status_code == 200 and 'id="as-command"' in page.text
    shown = files.get(f"/score.json?{query}").json()
    words = shlex.split(text_of(page.text, "as-command"))
    told = json.loads(CliRunner().invoke(cli, [*words[1:], "--json"]).stdout)
    assert {name: told[name] for name in shown} == shown
    space = {}
    exec(text_of(page.text, "as-python").replace("print(answer)", ""), space)
    assert plain_json(space["answer"].to_json()) == shown


def test_columns_are_guessed_and_the_guess_stands_in_the_address(files):
    to = files.get("/score?file=preds.csv").headers["location"]
    assert "truth=truth" in to and "proba=p_one" in to and "positive=" in to and "guessed=1" in to
    assert "was guessed" in files.get(to).text
    assert "view=ranking" in files.get("/score?file=scores.csv").headers["location"]


def test_a_file_is_brought_as_it_is_and_looked_at(files):
    kept = files.post("/api/files?name=mine.csv", content=PREDICTIONS.encode()).json()
    assert kept["guess"]["truth"] == ["truth"] and [one["name"] for one in kept["columns"]][:2] == ["id", "truth"]
    page = files.get(files.get(f"/score?upload={kept['id']}").headers["location"])
    assert page.status_code == 200 and "mine.csv" in page.text


def test_a_pasted_table_is_looked_at(files):
    to = files.post("/score", content=urlencode({"text": SCORES})).headers["location"]
    page = files.get(files.get(to).headers["location"])
    assert page.status_code == 200 and "ranks best" in page.text


@pytest.mark.parametrize("name", ["a.exe", "", "../../x.csv/..", "x.csv.pickle", "study.toml", "code.py"])
def test_what_is_no_table_is_not_kept(files, name):
    answer = files.post(f"/api/files?name={name}", content=b"x")
    assert answer.status_code == 400 and answer.json()["error"]


def test_rubbish_is_told(files):
    page = files.get("/score?file=rubbish.csv")
    assert page.status_code == 400 and "rubbish.csv" in page.text
    kept = files.post("/api/files?name=r.parquet", content=b"PAR1rubbish")
    assert kept.status_code == 400
    assert files.get("/score?upload=0123456789abcdef").status_code == 404
    assert files.get("/score?file=nowhere.csv&view=scores").status_code == 404


def test_a_file_that_only_shows_takes_none(tables):
    assert client_of(tables, read_only=True).post("/api/files?name=a.csv", content=b"a,b\n1,2\n").status_code == 403


def test_an_alpha_in_the_address_is_no_level(files):
    query = urlencode({**QUESTIONS["scores"], "level": "0.05"}, doseq=True)
    page = files.get(f"/score?{query}")
    assert page.status_code == 400 and "for an alpha of 0.05" in page.text


def test_a_table_of_another_tool_or_of_features_says_what_it_is(files, tables):
    (tables / "search.csv").write_text(
        "mean_fit_time,mean_score_time,params,mean_test_score,rank_test_score\n1,2,a,3,1\n"
    )
    (tables / "train.csv").write_text("age,target\n" + "".join(f"{20 + row},{row % 2}\n" for row in range(60)))
    for name, says in (("search.csv", "scikit-learn search"), ("train.csv", "to try learners on")):
        page = files.get(f"/score?file={name}", follow_redirects=True)
        assert says in page.text, page.text[-900:]
        assert "ranks best" not in page.text
