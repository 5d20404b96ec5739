"""Planning: the answer is that of the command, and the curve goes through it."""

import json
import shlex
from urllib.parse import urlencode

import pytest
from click.testing import CliRunner

from tests.web.conftest import client_of
from tests.web.test_analyse import text_of
from veracity.cli.main import cli
from veracity.planning.interval_width import interval_width
from veracity.web.plan import width_curve

QUESTIONS = {
    "rows": {"test": "mcnemar", "difference": "0.03", "discordant": "0.1", "power": "0.8"},
    "power": {"test": "paired_t", "datasets": "15", "difference": "0.02", "sd": "0.03", "level": "0.9"},
    "width": {"width_of": "share", "value": "0.1", "rows": "500"},
    "rows for a width": {"width_of": "mean", "sd": "0.4", "width": "0.05"},
}


@pytest.fixture(scope="module")
def empty(tmp_path_factory):
    return client_of(tmp_path_factory.mktemp("empty"))


@pytest.mark.parametrize("asked", QUESTIONS.values(), ids=QUESTIONS)
def test_the_printed_line_gives_the_answer_of_the_view(empty, asked):
    page = empty.get(f"/plan?{urlencode(asked)}")
    shown = empty.get(f"/plan.json?{urlencode(asked)}").json()
    words = shlex.split(text_of(page.text, "as-command"))
    assert json.loads(CliRunner().invoke(cli, [*words[1:], "--json"]).stdout) == shown
    assert page.status_code == 200 and page.text.count('role="img"') == 1 and 'id="answer"' in page.text


def test_what_is_missing_is_told_beside_the_form(empty):
    page = empty.get("/plan?test=paired_t&difference=0.02&power=0.8&discordant=0.1")
    assert page.status_code == 400 and "--sd" in page.text and 'name="sd"' in page.text
    assert empty.get("/plan?test=nonsense").status_code == 400
    assert empty.get("/plan").status_code == 200


def test_the_curve_of_a_width_goes_through_the_answer():
    found = interval_width("share", value=0.1, width=0.04)
    line = width_curve("share", found, {"value": 0.1}).lines[0]
    assert line.x[0] < found.numbers["rows"] < line.x[-1] and (line.y[1:] <= line.y[:-1]).all()
    nearest = abs(line.x - found.numbers["rows"]).argmin()
    assert line.y[nearest] == interval_width("share", value=0.1, rows=int(line.x[nearest])).numbers["width"]
