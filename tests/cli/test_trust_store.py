"""A server that only a study file names is contacted when its user says so, and not before."""

import json

import pytest

import veracity as vc
from veracity.cli.main import PARTS, cli

STUDY = """store = {store}
by = "kfold(k=3)"
scores = ["error"]
[data]
moons = "sklearn:make_moons(n_samples=40, noise=0.3, random_state=0)"
[learners]
nb = "sklearn.naive_bayes:GaussianNB"
majority = "sklearn.dummy:DummyClassifier"
"""
SECRET = "of-the-environment"
WAYS = [  # every command that takes a study file
    ("status",),
    ("run",),
    ("report",),
    ("score", "error"),
    ("scores", "error"),
    ("estimate", "error"),
    ("compare", "error"),
    ("rank", "error"),
    ("replicability", "error"),
    ("bbc_cv", "error"),
    ("optimism", "error"),
    ("curve", "--kind", "roc", "--out", "roc.csv"),
    ("worst",),
    ("dominance",),
    ("failures",),
    ("export", "--out", "all.csv"),
]


def write(folder, store):
    (folder / "study.toml").write_text(STUDY.format(store=json.dumps(store)))


def words(way, *more):
    return (way[0], "study.toml", *way[1:], *more)


@pytest.mark.parametrize("way", WAYS, ids=[way[0] for way in WAYS])
def test_a_server_that_only_the_file_names_gets_nothing_until_it_is_trusted(run, here, recording_server, way):
    write(here, recording_server.address)
    told = run(*words(way))
    assert told.exit_code == 2 and recording_server.host in told.stderr and "--trust-store" in told.stderr, told.output
    assert recording_server.connections == 0
    told = run(*words(way, "--trust-store"))
    assert told.exit_code == 1 and "cannot reach the database" in told.stderr, told.output
    assert recording_server.passwords == [SECRET]


def test_a_server_that_is_named_on_the_command_line_is_contacted(run, here, recording_server):
    write(here, "other.db")
    for line in (("status", recording_server.address), ("status", "study.toml", "--store", recording_server.address)):
        assert run(*line).exit_code == 1
    assert recording_server.passwords == [SECRET] * 2


@pytest.mark.parametrize(
    "store",
    [
        "postgresql://me@named.invalid/x?host=127.0.0.1&port={port}",
        "postgresql://me@named.invalid/x?hostaddr=127.0.0.1&port={port}",
        "postgresql://me@/x?host=127.0.0.1:{port}&host=127.0.0.1:{port}",
        "postgresql:///x?host=127.0.0.1&port={port}",
        "postgres://me@127.0.0.1:{port}/x",
    ],
)
def test_the_server_that_would_be_contacted_is_named_however_the_address_spells_it(run, here, recording_server, store):
    write(here, store.format(port=recording_server.port))
    told = run("status", "study.toml")
    assert told.exit_code == 2 and "the database server 127.0.0.1:" in told.stderr, told.stderr
    assert recording_server.connections == 0


def test_an_address_that_hides_its_server_is_refused(run, here, recording_server):
    hidden = f"host%3D127.0.0.1%20port%3D{recording_server.port}"
    for store in (f"postgresql:///x?conninfo={hidden}", f"postgresql:///x?dbname={hidden}"):
        write(here, store)
        assert run("status", "study.toml", "--trust-store").exit_code == 2
    assert recording_server.connections == 0


@pytest.mark.parametrize("scheme", ["postgresql", "http", "https", "s3", "ftp", "file"])
def test_data_in_a_study_file_are_files_and_no_server_is_asked_for_them(run, here, recording_server, scheme):
    source = f"{scheme}://{recording_server.host}/x.csv"
    text = STUDY.format(store='"mine.db"') + f'[data.far]\nfile = "{source}"\ntest = "{source}"\ntarget = "y"\n'
    (here / "study.toml").write_text(text)
    assert run("run", "study.toml").exit_code == 2
    assert run("estimate", source, "--target", "y", "--learner", "sklearn.naive_bayes:GaussianNB").exit_code == 2
    assert recording_server.connections == 0


def test_advice_on_a_study_that_is_to_be_run_contacts_nobody(run, here, recording_server):
    write(here, recording_server.address)
    assert run("advise", "study.toml", "--fit-seconds", "1").exit_code == 0
    assert recording_server.connections == 0


def test_a_study_read_in_python_contacts_its_server_when_it_is_trusted_or_named(here, recording_server):
    write(here, recording_server.address)
    with pytest.raises(vc.BadInput, match=rf"{recording_server.host}.*trust_store=True"):
        vc.Study.read("study.toml").run(progress=False)
    assert recording_server.connections == 0
    for call in (
        lambda: vc.Study.read("study.toml", trust_store=True).run(progress=False),
        lambda: vc.Study.read("study.toml").run(recording_server.address, progress=False),
        lambda: vc.read_runs(recording_server.address, "study.toml"),
    ):
        with pytest.raises(vc.VeracityError, match="cannot reach the database"):
            call()
    assert recording_server.passwords == [SECRET] * 3


def test_every_command_that_may_read_the_store_of_a_study_file_is_in_the_list():
    may = {name for name, verb in cli.commands.items() if "trust_store" in {one.name for one in verb.params}}
    takes_a_store = {name for name in cli.commands if "store" in {one.name for one in cli.commands[name].params}}
    keeps_fits = {"learning_curve", "validation_curve", "bias_variance"}  # their files are tables
    assert may == {way[0] for way in WAYS} - {*PARTS} | {"advise"}  # which looks at a study file as a plan alone
    assert takes_a_store - may == keeps_fits | {"ledger"}  # which takes no study file
