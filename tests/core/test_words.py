"""Numbers of things, and words that the command line has others for."""

import pickle

import pytest

from veracity.core.errors import BadInput, Refused
from veracity.core.missing import Undefined
from veracity.core.notes import Note, always, caution
from veracity.core.words import for_command_line, option, percent, plural, without_options

GIVE = f"give {option('train_mean')}, or ask for {option('interval', 'bca')}"
PYTHON, SHELL = "give `train_mean=`, or ask for `interval='bca'`", "give --train-mean, or ask for --interval bca"


def test_many():
    assert [plural(number, "split") for number in (0, 1, 2)] == ["0 splits", "1 split", "2 splits"]


def test_levels_keep_their_digits():
    levels = [0.95, 0.975, 0.9, 0.999, 0.99999, 1 - 0.05 / 3]
    assert [percent(level) for level in levels] == ["95%", "97.5%", "90%", "99.9%", "99.999%", "98.33%"]


@pytest.mark.parametrize(
    "says",
    [
        BadInput(GIVE).says,
        Refused(GIVE, "code").says,
        Note("code", "remark", GIVE).says,
        caution("code", GIVE, always).note().says,
        Undefined(GIVE).reason,
        pickle.loads(pickle.dumps(BadInput(GIVE))).says,
        pickle.loads(pickle.dumps(Refused(GIVE, "code"))).says,
    ],
)
def test_a_sentence_is_in_the_words_of_its_speaker(says):
    assert says == str(says) == f"{says}" == PYTHON
    assert for_command_line(says) == SHELL


def test_errors_show_the_words_of_python():
    assert str(BadInput(GIVE)) == PYTHON and BadInput(GIVE).lines == [PYTHON]
    assert repr(Note("code", "remark", GIVE)) == repr(Note("code", "remark", PYTHON))


@pytest.mark.parametrize("text", ["write fbeta(beta=2)", "lift(value=3)", "myproba= stays", "a ` tick", "`vc`"])
def test_what_is_no_option_stays(text):
    assert for_command_line(text) == text


@pytest.mark.parametrize(
    ("typed", "shell", "plain"),
    [
        ("`control='naive Bayes'`", "--control 'naive Bayes'", "naive Bayes"),
        ("`force=True`", "--force", "True"),
        ("`rows=COLUMN`", "--rows COLUMN", "COLUMN"),
        ("`proba=CLASS=COLUMN`", "--proba CLASS=COLUMN", "CLASS=COLUMN"),
        ("`model='a b', rows='id'`", "--model 'a b' --rows id", "a b, id"),
        ("`y=`", "--truth", "y"),
        ("`vc.ledger(runs)`", "veracity ledger", "ledger"),
        ("`vc.check_store(where, repair=True)`", "veracity status --check --repair", "check_store by True"),
        ("`vc.rank(..., using='corrected_t')`", "veracity rank --using corrected_t", "rank by corrected_t"),
        ("`vc.search('two words')`", "veracity explain 'two words'", "search"),
    ],
)
def test_what_python_types_is_what_a_shell_needs(typed, shell, plain):
    assert (for_command_line(f"give {typed}!"), without_options(f"give {typed}!")) == (
        f"give {shell}!",
        f"give {plain}!",
    )


@pytest.mark.parametrize("before", range(980, 1000))
def test_a_long_sentence_is_not_cut_inside_an_option(before):
    said = str(BadInput("x" * before + option("positive", "malignant")))
    assert len(said) <= 1000 and said.count("`") in (0, 2) and said.endswith("...")
    assert str(BadInput("x" * 900 + option("positive", "malignant"))).endswith("`positive='malignant'`")
