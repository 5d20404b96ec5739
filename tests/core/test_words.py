"""Numbers of things, and words that the command line has others for."""

import pickle

import pytest

from veracity.core.errors import BadInput, Refused
from veracity.core.missing import Undefined
from veracity.core.notes import Note, always, caution
from veracity.core.words import END, START, in_shell, option, percent, phrase, plural, sentence, template

GIVE = f"give {option('train_mean')}, or ask for {option('interval', 'bca')}"
PYTHON, SHELL = "give train_mean=, or ask for interval='bca'", "give --train-mean, or ask for --interval bca"


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
    assert in_shell(says) == SHELL


def test_errors_show_the_words_of_python():
    assert str(BadInput(GIVE)) == PYTHON and BadInput(GIVE).lines == [PYTHON]
    assert repr(Note("code", "remark", GIVE)) == repr(Note("code", "remark", PYTHON))


def test_a_sentence_inside_another_keeps_its_options():
    outer = BadInput(f"row 3: {template(BadInput(GIVE).says)}; {phrase('catalogue()', 'veracity list')}").says
    assert (outer, in_shell(outer)) == (f"row 3: {PYTHON}; catalogue()", f"row 3: {SHELL}; veracity list")


@pytest.mark.parametrize(
    "text", ["write fbeta(beta=2)", "lift(value=3)", "myproba= stays", f"{START}a", f"{START}a{END}"]
)
def test_what_is_no_option_stays(text):
    assert sentence(text) == in_shell(sentence(text)) == text


def test_a_value_is_quoted_as_a_shell_needs_it():
    assert in_shell(sentence(option("control", "naive Bayes"))) == "--control 'naive Bayes'"
    assert sentence(option("control", "naive Bayes")) == "control='naive Bayes'"


@pytest.mark.parametrize("before", range(980, 1000))
def test_a_long_sentence_is_not_cut_inside_an_option(before):
    """It ended in U+E000, which marks where an option begins."""
    said = str(BadInput("x" * before + option("positive", "malignant")))
    assert len(said) <= 1000 and said.isprintable() and said.endswith("...")
    assert str(BadInput("x" * 900 + option("positive", "malignant"))).endswith("positive='malignant'")
