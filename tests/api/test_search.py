"""Any words find what they are about: the words of lectures, textbooks and other programs as a table."""

import csv
import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import veracity as vc
from veracity.cli.main import cli
from veracity.methods.articles import articles
from veracity.methods.topics import TOPICS, read_texts

REFERENCE = Path(__file__).parents[1] / "reference"


def table(name):
    with (REFERENCE / name).open(encoding="utf-8", newline="") as file:
        return [(words, set(entries.split(","))) for words, entries in list(csv.reader(file))[1:]]


WORDS = (
    *table("words.csv"),  # of the lectures
    *table("more_words.csv"),
    *table("further_words.csv"),
    *table("words_of_programs_and_clinics.csv"),
    *table("words_of_the_field.csv"),  # books, scikit-learn, R, Weka, mlr3, medicine, information retrieval
)


def test_words_find_one_of_their_entries():
    """The first page that is found is right for 24 of 25 lists of words, one of the first three for 98 of 100."""
    first = [(words, entries) for words, entries in WORDS if vc.search(words)[0].name not in entries]
    missed = [(words, entries) for words, entries in first if not {one.name for one in vc.search(words)[:3]} & entries]
    assert len(WORDS) > 1200 and len(first) <= len(WORDS) / 25, first
    assert len(missed) <= len(WORDS) / 50, missed


def test_the_command_line_answers_words_and_names():
    def said(*words):
        done = CliRunner().invoke(cli, ["explain", *words, "--json"])
        assert done.exit_code == 0, done.stderr
        return json.loads(done.stdout)

    assert said("sign", "test")["entries"][0]["name"] == "sign"
    assert said("sensitivity")["name"] == "recall"
    found = said("two classifiers on one test set")["found"]
    assert set(found[0]) >= {"name", "kind", "title"}
    assert {"mcnemar", "cochran_q"} & {one["name"] for one in found[:3]}
    assert CliRunner().invoke(cli, ["explain", "qqqqqqqq"]).exit_code == 2


@pytest.mark.parametrize(
    ("phrase", "name"),
    [
        ("two classifiers on one test set", "mcnemar"),
        ("several classifiers on one test set", "cochran_q"),
        ("type I error of a classifier", "false_positive_rate"),
        ("difference of two AUCs", "delong_t"),
    ],
)
def test_a_whole_keyword_leads_to_its_page_first(phrase, name):
    """Words such as "on" are left out of what is sought, and once stood in the keyword."""
    assert vc.search(phrase)[0].name == name


def test_words_import_no_numpy():
    code = "import sys, veracity as vc; vc.explain('sign test'); vc.search('gillick'); print('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "False"


def test_every_verb_and_topic_has_a_page():
    for name in (*TOPICS, *read_texts("synonyms")["verbs"], "run", "status", "demo"):
        page = vc.explain(name)
        assert page.name == name and page.sections[0].lines[0]


def test_what_topics_lead_to_exists():
    known = {one.name for one in articles()}
    assert [name for topic in TOPICS.values() for name in topic.see.split(", ") if name not in known] == []


def test_a_list_of_pages_prints():
    found = vc.search("leave one out")
    assert found[0].name == "leave_one_out" and "leave_one_out" in repr(found) and len(found) <= 12
    with pytest.raises(vc.BadInput, match="nothing is called 'qqqqqqqq'"):
        vc.search("qqqqqqqq")


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("learning_curve sklearn", "learning_curve"),  # a name among other words
        ("classif.mcc", "mcc"),
        ("LeavePGroupsOut", "leave_one_out"),  # words that a program joins
        ("mcnemars", "mcnemar"),
        ("bootstrapping", "bootstrap"),
        ("jack-knifed estimate", "jackknife"),  # words that a hyphen parts
        ("leave-one-outed", "leave_one_out"),
        ("boot-strapped", "bootstrap"),
        ("auc-scroe", "auc"),
        ("trimmed mean of folds", "out_of_scope"),  # which names no mean
    ],
)
def test_names_are_found_among_words_joined_and_inflected(words, name):
    assert vc.search(words)[0].name == name


@pytest.mark.parametrize("verb", ["rank", "best_threshold", "bbc_cv"])
def test_a_verb_that_gives_an_interval_of_its_own_shows_what_was_measured(verb):
    rows = vc.explain(verb).to_json()["measured"]
    assert len(rows) >= 3 and all(row["trials"] >= 300 for row in rows)
    assert all(row["figure"] > 0.9 if "coverage" in row["what"] else row["figure"] < 0.06 for row in rows)
    assert "Measured coverage" in str(vc.explain(verb))
