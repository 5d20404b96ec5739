"""Saving a view enters its question in the ledger once, in whatever formats; the page says so."""

import re
from html import unescape

import pytest
from click.testing import CliRunner

import veracity as vc
from tests.web.conftest import client_of
from veracity.cli.main import cli

RANKING = "view=ranking&score=brier"


def looks(folder):
    return vc.ledger(vc.read_runs(str(folder / "small.db"))).counts["looks"]


def counted(client, query):
    found = re.search(r'id="counted"><small>(.*?)</small>', client.get(f"/study/small.db/analyse?{query}").text)
    return None if found is None else unescape(found[1])


def test_all_formats_of_one_question_are_one_look_and_the_buttons_say_so(folder):
    client = client_of(folder)
    assert counted(client, RANKING).endswith("only once: one look and its 3 tests.") and looks(folder) == 0
    for form in ("csv", "json", "md", "tex", "html", "svg", "png", "csv"):
        assert client.get(f"/study/small.db/analyse.{form}?{RANKING}").status_code == 200
        assert looks(folder) == 1
    assert client.get("/api/studies/small.db/rank.json?score=brier").status_code == 200 and looks(folder) == 1
    assert "counts nothing more" in counted(client, RANKING)
    client.get(f"/study/small.db/analyse.csv?{RANKING}&using=friedman")
    assert looks(folder) == 2
    assert "Nothing is entered" in counted(client_of(folder, read_only=True), "view=pairs")
    assert counted(client, "view=failures") is None and counted(client, "view=ledger") is None


def test_a_question_that_the_command_line_asked_is_not_counted_again(folder):
    assert CliRunner().invoke(cli, ["rank", str(folder / "small.db"), "brier"]).exit_code == 0
    client = client_of(folder)
    assert "counts nothing more" in counted(client, RANKING)
    client.get(f"/study/small.db/analyse.csv?{RANKING}")
    assert looks(folder) == 1


def test_the_ledger_shows_what_was_asked_a_moment_ago(folder):
    client = client_of(folder)
    ledger = "/study/small.db/analyse?view=ledger"
    assert "nothing was asked of it yet" in client.get(ledger).text
    client.get(f"/study/small.db/analyse.csv?{RANKING}")
    assert "3 tests, 1 look." in client.get(ledger).text
    CliRunner().invoke(cli, ["estimate", str(folder / "small.db"), "auc"])
    assert "2 looks." in client.get(ledger).text
    alone = "/study/small.db/analyse?view=estimates&only=nb&score=log_loss"
    assert "best-of-many" not in client.get(alone.replace("analyse", "analyse.json")).text
    client.get("/study/small.db/analyse.csv?view=estimates&score=log_loss")
    assert "2 other learners had been looked at" in client.get(alone).text


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("view=ranking&score=brier", "small-ranking-brier-friedman"),
        ("view=verdicts&score=brier", "small-verdicts-brier-corrected_t"),
        ("view=pairs&using=wilcoxon", "small-pairs-error-wilcoxon"),
        ("view=estimates&score=auc", "small-estimates-auc"),
        ("view=overview&using=corrected_t", "small-overview-error-brier-corrected_t"),
        ("view=failures", "small-failures"),
    ],
)
def test_files_are_named_by_study_view_score_and_test(bench, query, name):
    said = bench.get(f"/study/small.db/analyse.md?{query}").headers["content-disposition"]
    assert f'filename="{name}' in said, said
