"""The overview answers what is picked; where nothing is, the study's own question, which the form shows."""

import json
import re
import shutil
from html import unescape
from urllib.parse import urlencode

import pytest
from click.testing import CliRunner

import veracity as vc
from tests.web.conftest import client_of
from tests.web.test_analyse import check_lines
from veracity.cli.main import cli

OWN = '[questions]\nrank = { score = "error", using = "friedman", pairs = "sign", then = "holm", level = 0.9 }\n'


@pytest.fixture(scope="module")
def own(pristine, tmp_path_factory):
    """The finished study, whose file asks for a ranking by error; the store knows nothing of it."""
    folder = shutil.copytree(pristine, tmp_path_factory.mktemp("own"), dirs_exist_ok=True)
    with (folder / "small.toml").open("a") as file:
        file.write(OWN)
    return folder


@pytest.fixture(scope="module")
def overview(own):
    """Asks for the overview by the words of an address; also for its JSON."""
    client = client_of(own)

    def ask(**words):
        query = urlencode({"view": "overview", **words}, doseq=True)
        page = client.get(f"/study/small.toml/analyse?{query}")
        assert page.status_code == 200, page.text
        return page.text, client.get(f"/study/small.toml/analyse.json?{query}").json()

    return ask


def picked(page):
    """The values of the fields of the form."""
    found = {name: unescape(value) for name, value in re.findall(r'name="(score|level)" value="([^"]*)"', page)}
    for name, inside in re.findall(r'<select name="(using|pairs|then|control)">(.*?)</select>', page, re.S):
        chosen = re.search(r'value="([^"]*)" selected|selected value="([^"]*)"', inside)
        found[name] = "" if chosen is None else unescape(chosen[1] or chosen[2])
    return found


def levels(shown):
    """Of the estimates."""
    return {one["level"] for data in shown["estimates"].values() for of in data.values() for one in of.values()}


def ranks(own, score, **how):
    return vc.rank(vc.read_runs(str(own / "small.db")), score, **how).average_ranks


def test_the_own_question_of_the_study_is_answered_and_shown_where_nothing_is_picked(overview, own):
    page, shown = overview()
    assert shown["ranking"]["average_ranks"] == ranks(own, "error") and levels(shown) == {0.9}
    check_lines(page, shown)
    assert shown["ranking"]["omnibus"]["method"] == "friedman"
    assert picked(page) == {
        "score": "error, brier",
        "level": "0.9",
        "using": "friedman",
        "pairs": "sign",
        "then": "holm",
        "control": "",
    }
    again, same = overview(**picked(page))  # as the form sends it
    assert same["ranking"] == shown["ranking"] and picked(again) == picked(page)


def test_question_answer_ranking_and_estimates_are_about_the_picked_score(overview, own):
    assert list(ranks(own, "brier").values()) != list(ranks(own, "error").values())
    page, shown = overview(score="brier")
    assert shown["ranking"]["average_ranks"] == ranks(own, "brier")
    assert {score for data in shown["estimates"].values() for one in data.values() for score in one} == {"brier"}
    assert re.search(r"<dt>Question</dt><dd>Which of 3 learners has the best Brier score", page), page[:3000]
    assert picked(page)["score"] == "brier"
    check_lines(page, shown)


@pytest.mark.parametrize(("level", "at"), [("0.99", "0.01"), ("0.95", "0.05")])
def test_the_answer_is_at_the_picked_level_also_where_that_is_the_usual_one(overview, level, at):
    page, shown = overview(level=level)
    assert levels(shown) == {float(level)} and picked(page)["level"] == level
    assert "differs significantly from" in page and f", {at})" in page  # the table of scores
    check_lines(page, shown)


def test_the_picked_test_is_answered_with_what_the_form_shows(overview):
    page, shown = overview(score="brier", using="corrected_t", pairs="sign")
    assert "tally" in shown["ranking"] and picked(page)["using"] == "corrected_t" and picked(page)["pairs"] == ""
    check_lines(page, shown)


def test_the_command_answers_the_scores_and_the_level_that_it_is_given(own, tmp_path):
    def report(*words):
        words = ["report", str(own / "small.toml"), "--store", str(own / "small.db"), "--json", *words]
        return json.loads(CliRunner().invoke(cli, words).stdout)["ranking"]

    assert report()["average_ranks"] == report("--scores", "error,brier")["average_ranks"] == ranks(own, "error")
    assert report("--scores", "brier,error")["average_ranks"] == ranks(own, "brier")
    assert report("--using", "friedman", "--scores", "brier")["average_ranks"] == ranks(own, "brier")


def test_a_question_of_one_data_set_takes_a_base_learner_and_refuses_a_test_of_pairs(own):
    client = client_of(own)
    page = client.get("/study/small.db/analyse?data=moons&control=stump")
    assert page.status_code == 200 and "of 2 pairs" in page.text
    page = client.get("/study/small.db/analyse?data=moons&pairs=sign")
    assert page.status_code == 400 and "here is one, moons" in page.text
    page = client.get("/study/small.db/analyse?using=wilcoxon").text
    assert "The question rank was not answered: " in re.search(r'<dd id="answer">(.*?)</dd>', page)[1]


@pytest.mark.parametrize("view", ["overview", "ranking", "estimates", "ledger"])
def test_a_level_that_is_surely_an_alpha_is_refused_with_the_sentence_of_the_command(own, view):
    told = CliRunner().invoke(cli, ["rank", str(own / "small.db"), "--level", "0.05"]).output
    says = re.search(r"--level is how sure to be, and .*", told)[0]
    page = client_of(own).get(f"/study/small.db/analyse?view={view}&level=0.05")
    assert page.status_code == 400 and says in unescape(page.text)
    assert client_of(own).get(f"/study/small.db/analyse.json?view={view}&level=0.05").json()["error"] == says
    for words in (["curve", "x.csv"], ["ledger", str(own / "small.db")]):
        assert says in CliRunner().invoke(cli, [*words, "--level", "0.05"]).output
