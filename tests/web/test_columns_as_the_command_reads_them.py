"""The Files page turns columns into models as the command line does: it takes and refuses the same."""

import json
import re
from html import unescape
from itertools import combinations_with_replacement, product
from urllib.parse import urlencode

import pytest
from click.testing import CliRunner

from tests.web.conftest import client_of
from veracity.cli.main import cli

ROWS = "".join(
    f"{row // 2},{'yes' if row // 2 % 3 else 'no'},{'yes' if row % 4 else 'no'},{'no' if row % 5 else 'yes'},"
    f"0.{20 + row * 7 % 61},0.{80 - row * 7 % 61},0.{10 + row * 5 % 83},{row % 2},{row % 7}.5,{'mn'[row % 2]}\n"
    for row in range(60)
)
FILE = f"id,truth,l,k,p,q,r,ok,v,who\n{ROWS}"
COLUMNS = {"label": "lk", "proba": ("p", "r", "yes=p", "no=q"), "value": "v", "correct": ("ok",), "loss": "v"}
CHOICES = [
    [(role, column) for column in picked]
    for role, columns in COLUMNS.items()
    for number in (0, 1, 2)
    for picked in combinations_with_replacement(columns, number)
]
COMBINATIONS = {
    tuple(sorted([*one, *other, *common]))
    for one, other in product(CHOICES, CHOICES)
    for common in ([("truth", "truth"), ("positive", "yes")],)
    if not one or not other or one[0][0] < other[0][0]
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("columns")
    (folder / "f.csv").write_text(FILE)
    return folder


@pytest.fixture(scope="module")
def files(folder):
    return client_of(folder)


def said_by_command(folder, words, *more):
    options = [part for role, column in words for part in (f"--{role}", column)]
    found = CliRunner().invoke(cli, ["report", str(folder / "f.csv"), *options, "--json", *more])
    if found.exit_code == 0:
        return json.loads(found.stdout)
    return re.sub(r"; \S*f.csv has .*", "", found.output.strip().removeprefix("error: "), flags=re.S)


@pytest.mark.parametrize("words", sorted(COMBINATIONS), ids=lambda words: "&".join("=".join(one) for one in words))
def test_every_combination_of_columns_gives_what_the_command_gives(files, folder, words):
    page = files.get(f"/score.json?{urlencode([('file', 'f.csv'), ('view', 'scores'), *words, ('score', 'error')])}")
    told = said_by_command(folder, words, "--scores", "error")
    if page.status_code == 200:
        assert page.json() == told
    else:
        assert page.json()["error"].replace(f"{folder}/", "") == str(told).replace(f"{folder}/", "")


@pytest.mark.parametrize("outputs", [[("label", "l")], [("label", "l"), ("label", "k")], [("correct", "ok")]])
def test_models_in_rows_are_read_as_the_command_reads_them_and_as_python_does(files, folder, outputs):
    words = [*outputs, ("model", "who"), *([] if outputs[0][0] == "correct" else [("truth", "truth")])]
    query = urlencode([("file", "f.csv"), ("view", "scores"), *words])
    shown = files.get(f"/score.json?{query}")
    assert shown.status_code == 200, shown.text
    assert shown.json() == said_by_command(folder, words)
    space = {}
    python = unescape(re.search(r'id="as-python"[^>]*>([^<]*)<', files.get(f"/score?{query}").text)[1])
    exec(python.replace("print(answer)", ""), space)
    assert {**space["answer"].to_json(), "notes": 0} == {**shown.json(), "notes": 0}
