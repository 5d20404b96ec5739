"""Nothing is sent to an address that a study names as data, as a learner or as a store, or that is given as data."""

from contextlib import suppress

import pytest

import veracity as vc
from tests.web.test_contact import ADDRESSES, POSITIONS, naming
from veracity.core.errors import VeracityError

LINES = [
    ("status", "study.toml"),
    ("run", "study.toml"),
    ("advise", "study.toml"),
    ("rank", "study.toml"),
    ("report", "study.toml"),
    ("check", "study.toml"),
]


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("position", POSITIONS)
def test_a_study_that_names_an_address_sends_nothing(run, here, recording_server, position, address):
    (here / "people.csv").write_text("a,y\n1,p\n2,q\n3,p\n4,q\n")
    text = naming(position, address.format(host=recording_server.host))
    (here / "study.toml").write_text(text)
    with suppress(VeracityError):
        vc.plan("study.toml")
    for line in LINES:
        run(*line)
    assert recording_server.connections == 0


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("line", [("score",), ("advise", "--target", "y"), ("worst",), ("estimate", "--target", "y")])
def test_an_address_of_a_table_is_a_file_that_is_not_there(run, here, recording_server, line, address):
    where = address.format(host=recording_server.host)
    if where.startswith("postgresql"):
        pytest.skip("this is the store of a study, which the user names")
    told = run(line[0], where, *line[1:])
    assert told.exit_code in (1, 2) and "error: " in told.stderr
    assert recording_server.connections == 0
