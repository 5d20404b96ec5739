"""Calls that did nothing, or something else than was typed: file names with brackets, pairs, levels, seeds, numbers."""

import csv
import json
from io import StringIO

import pytest

from veracity.cli.commands.comparing import parse_pairs
from veracity.web.calls import pair_text

NAMES = ("preds (1).csv", "cancer(final).csv", "auc (2).csv", "f1(best)-2.parquet")


@pytest.mark.parametrize("name", NAMES[:3])
def test_a_file_with_brackets_in_its_name_is_a_file(run, said, here, name):
    (here / name).write_bytes((here / "preds.csv").read_bytes())
    words = ("--truth", "y", "--label", "yhat", "error")
    assert said("score", name, *words)["scores"] == said("score", "preds.csv", *words)["scores"]
    assert said("compare", name, "--truth", "y", "--label", "yhat", "--label", "other")["score"] == "error"
    assert run("curve", name, "--truth", "y", "--proba", "p", "--positive", "spam").exit_code == 0
    for verb in ("rank", "estimate"):
        assert name in run(verb, name).stderr


@pytest.mark.parametrize("name", NAMES)
def test_a_file_with_brackets_that_is_not_there_is_missed(run, name):
    assert f"there is no file {name}" in run("score", name, "--truth", "y", "--label", "z").stderr


def write_scores(here, *names):
    text = StringIO()
    table = csv.writer(text)
    table.writerow(["data", *names])
    table.writerows([f"d{row}", *(0.5 + (row * (3 + k) % 7) / 20 for k in range(len(names)))] for row in range(9))
    (here / "accuracies.csv").write_text(text.getvalue(), "utf-8")


@pytest.mark.parametrize("name", ["knn k=1, p=1", 'the "best", so far', "a,b,c", "plain"])
def test_a_pair_is_typed_as_it_is_printed(said, here, name):
    write_scores(here, name, "nb", "tree")
    typed = pair_text(name, "nb")
    found = said("compare", "accuracies.csv", "--using", "wilcoxon", "--pair", typed, "--pair", "nb,tree")
    assert [(one["a"], one["b"]) for one in found["comparisons"]] == [(name, "nb"), ("nb", "tree")]
    assert parse_pairs([typed]) == [(name, "nb")]


def test_a_pair_of_three_names_tells_of_quotes(run, here):
    write_scores(here, "knn k=1, p=1", "nb")
    says = run("compare", "accuracies.csv", "--pair", "knn k=1, p=1,nb").stderr
    assert "--pair names two" in says and "in double quotes" in says


@pytest.mark.parametrize(
    "words",
    [
        ("curve", "preds.csv", "--truth", "y", "--proba", "p", "--positive", "spam"),
        ("ledger", "none.db"),
        ("list", "scores"),
        ("score", "preds.csv", "--truth", "y", "--label", "yhat"),
    ],
)
def test_an_alpha_is_no_level_anywhere(run, words):
    found = run(*words, "--level", "0.05")
    assert (found.exit_code, found.stdout) == (2, "")
    assert "--level 0.95 for an alpha of 0.05" in found.stderr


def test_an_option_that_changes_nothing_says_so(run):
    found = run("list", "scores", "--level", "0.9", "--seed", "1", "--json")
    assert found.exit_code == 0 and json.loads(found.stdout)
    assert found.stderr.splitlines() == [
        "--level changes nothing: veracity list has no confidence level",
        "--seed changes nothing: veracity list draws no random numbers",
    ]
    assert run("list", "scores").stderr == ""


@pytest.mark.parametrize("cell", ["99999999999999999999", "-99999999999999999999", "9223372036854775808"])
def test_a_number_beyond_64_bits_is_no_p_value(run, here, cell):
    (here / "p.csv").write_text(f"p\n0.01\n{cell}\n", "utf-8")
    found = run("adjust", "p.csv")
    assert found.exit_code == 2 and "column 'p', row 2" in found.stderr and "between 0 and 1" in found.stderr


def test_a_study_does_not_read_standard_input(run, here):
    (here / "s.toml").write_text(
        'seed = 1\nby = "kfold(k=2)"\n[data]\na = { file = "-", target = "y" }\n[learners]\n'
        'nb = "sklearn.naive_bayes:GaussianNB"\n',
        "utf-8",
    )
    found = run("run", "s.toml", stdin="x,y\n1,a\n2,b\n3,a\n4,b\n")
    assert found.exit_code == 2 and "save the table, and name its file" in found.stderr
