"""A file of predictions or of scores: guessed, shown, and the numbers are those of the command."""

import json
import re
import shlex
from html import unescape
from pathlib import Path
from urllib.parse import parse_qsl, urlencode

import pytest
from click.testing import CliRunner

from tests.web.conftest import client_of
from tests.web.test_analyse import text_of
from veracity.cli.main import cli
from veracity.readers.read_scores import DIRECTIONS
from veracity.tables.exports import to_jsonable
from veracity.web.files import ALONE, HEEDED, OUTPUTS, VIEWS

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
    "ranking": {"file": "scores.csv", "view": "ranking", "then": "shaffer", "level": "0.9", "better": "higher"},
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
    assert to_jsonable(space["answer"].to_json()) == shown


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
    to = files.get(to).headers["location"]
    page = files.get(to)
    assert page.status_code == 200 and "Nothing is ranked yet" in page.text and "ranks best" not in page.text
    best = {better: files.get(f"{to}&better={better}").text.partition(" ranks best")[0][-1] for better in DIRECTIONS}
    assert set(best) == {"higher", "lower"} and best["higher"] != best["lower"]
    refused = files.get(to.replace("/score", "/score.json")).json()["error"]
    assert "better=higher or better=lower" in refused


def test_the_direction_that_the_name_of_a_score_tells_is_shown(files):
    long = "data,learner,error\n" + "".join(
        f"d{row},{name},0.{10 + row * at}\n" for row in range(9) for at, name in enumerate("abc")
    )
    to = files.get(files.post("/score", content=urlencode({"text": long})).headers["location"]).headers["location"]
    page = files.get(to).text
    assert "a ranks best" in page and '<option selected value="lower">' in page
    assert "c ranks best" in files.get(f"{to}&better=higher").text


def test_a_table_without_predictions_is_not_scored_and_becomes_a_study(tables):
    rows = "".join(f"{row % 3},{'red' if row % 2 else 'blue'},{'yes' if row % 5 else 'no'}\n" for row in range(60))
    (tables / "colours.csv").write_text(f"size,colour,truth\n{rows}")
    client = client_of(tables)
    page = client.get(client.get("/score?file=colours.csv").headers["location"])
    assert page.status_code == 200 and "No column of colours.csv looks like predictions" in page.text
    assert 'id="answer"' not in page.text and "Save as" not in page.text
    form = re.search(r'<form method="post" action="/study/new">.*?</form>', page.text, re.S)[0]
    fields = {name: unescape(value) for name, value in re.findall(r'name="(\w+)" value="([^"]*)"', form)}
    study = client.post("/study/new", content=urlencode(fields))
    assert study.status_code == 200 and 'value="colours.csv"' in study.text and "iris = " not in study.text
    assert re.search(r'<option selected value="truth">truth</option>', study.text)
    assert "Build a study of" not in client_of(tables, read_only=True).get("/score?file=colours.csv&truth=truth").text


def test_what_is_scored_stands_in_the_form(tables):
    rows = "".join(f"{20 + row % 50},{1000 + 7 * row},{'yes' if row % 3 else 'no'}\n" for row in range(60))
    (tables / "loans.csv").write_text(f"age,income,default\n{rows}")
    client = client_of(tables)
    to = client.get("/score?file=loans.csv").headers["location"]
    page = client.get(to).text
    scored = (
        {pair for pair in parse_qsl(to.partition("?")[2]) if pair[0] in (*OUTPUTS, *ALONE)}
        if 'id="answer"' in page
        else set()
    )
    for role, column in scored:
        assert (
            role == "positive"
            or f'selected value="{column}"' in re.search(rf'<select name="{role}".*?</select>', page, re.S)[0]
        )


@pytest.mark.parametrize("file", ["log.csv", "cancer.csv"])
def test_the_form_carries_every_role_that_was_guessed(file):
    client = client_of(Path(__file__).parents[2] / "examples")
    to = client.get(f"/score?file={file}").headers["location"]
    page = client.get(to)
    assert page.status_code == 200 and 'id="answer"' in page.text
    form = re.search(r'<form class="controls">(.*?)</form>', page.text, re.S)[1]
    sent = [
        (name, unescape(value)) for name, value in re.findall(r'<input[^>]*name="([^"]*)"[^>]*value="([^"]*)"', form)
    ]
    for name, inside in re.findall(r'<select name="([^"]*)".*?>(.*?)</select>', form, re.S):
        sent += [(name, unescape(value)) for value in re.findall(r'<option selected value="([^"]*)"', inside)]
    again = client.get(f"/score?{urlencode(sent)}")
    assert again.status_code == 200
    assert {pair for pair in parse_qsl(to.partition("?")[2]) if pair[0] != "guessed"} <= set(sent)
    answer = re.compile(r'id="answer">(.*?)</dd>', re.S)
    assert answer.search(again.text)[1] == answer.search(page.text)[1]


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
    said = {"search.csv": "scikit-learn search", "train.csv": "No column of train.csv looks like predictions"}
    for name, says in said.items():
        page = files.get(f"/score?file={name}", follow_redirects=True)
        assert says in page.text, page.text[-900:]
        assert "ranks best" not in page.text


@pytest.mark.parametrize("view", VIEWS)
def test_the_form_has_no_field_that_its_view_does_not_heed(files, view):
    page = files.get(f"/score?{urlencode({'file': 'preds.csv', **MODELS, 'view': view}, doseq=True)}").text
    form = re.search(r'<form class="controls">(.*?)</form>', page, re.S)[1]
    fields = set(re.findall(r'<(?:input type="(?:text|number)"|select) name="(\w+)"', form))
    assert fields - {*OUTPUTS, *ALONE} == {*HEEDED[view]}
