"""The password of a database is in no message, whatever is wrong with its address or with the call."""

from functools import partial

import pytest
from click.testing import CliRunner

import veracity as vc
from veracity.cli.main import cli
from veracity.core.words import without_passwords

SECRETS = [
    "secret",
    "se/cret",
    "se?cret",
    "se#cret",
    "sec:ret",
    "sec@secret",
    "%73ecret",
    "se&cret=1",
    "[secret",
    "sécret",
]
ADDRESSES = [
    "postgresql://me:{}@127.0.0.1:1/name",
    "postgresql+psycopg://me:{}@127.0.0.1:1/name",
    "postgresql:/me:{}@127.0.0.1:1/name",
    "postgresql:///me:{}@127.0.0.1:1/name",
    "postgres://me:{}@127.0.0.1:port/name",
    "mysql://me:{}@127.0.0.1/name",
    "postgresql://127.0.0.1:1/name?password={}",
    "postgresql://127.0.0.1:1/name?sslpassword={}",
    "postgresql://me:{}@127.0.0.1:1/name?no_such_word=1",
    "sqlite://me:{}@here/x.db",
]
CALLS = [
    ["status"],
    ["check"],
    ["estimate", "error"],
    ["rank"],
    ["report"],
    ["compare", "error", "--by", "kfold(k=3)"],
    ["estimate", "error", "--positive", "x"],
    ["estimate", "error", "--store", "x.db"],
    ["score", "--truth", "y", "--label", "p"],
    ["adjust"],
]


def is_told(text, secret):
    return any(part in text for part in {secret, secret.replace("%73", "s")})


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("secret", SECRETS)
def test_no_sentence_of_python_shows_it(address, secret):
    read = partial(vc.read_predictions, truth="y", label="p")
    for call in (vc.read_runs, vc.check_store, read, vc.read_scores):
        with pytest.raises(vc.VeracityError) as why:
            call(address.format(secret))
        assert not is_told(str(why.value), secret), why.value


@pytest.mark.parametrize("call", CALLS, ids=" ".join)
@pytest.mark.parametrize("address", ADDRESSES)
def test_no_verb_of_the_command_line_shows_it(call, address, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(cli, [call[0], address.format("secret"), *call[1:]])
    assert done.exit_code in (1, 2) and "secret" not in done.output and "unexpected" not in done.output, done.output


@pytest.mark.parametrize(
    "text", ["see https://example.org/a@b", "a ratio of 3:/4", "x@y.z", "name: value", "C:/data/file@2.csv", ""]
)
def test_other_texts_stay_as_they_are(text):
    assert without_passwords(text) == text
