"""A study file may name its store: every verb finds the results there, and no secret stands in the file."""

import json

import pytest
from click.testing import CliRunner

import veracity as vc
from veracity.cli.main import cli
from veracity.core.errors import BadInput, Mistakes
from veracity.stores.open_store import named_store, place_of_store

STUDY = """store = {store}
by = "kfold(k=3)"
[data]
moons = "sklearn:make_moons(n_samples=40, noise=0.3, random_state=0)"
[learners]
nb = "sklearn.naive_bayes:GaussianNB"
majority = "sklearn.dummy:DummyClassifier"
"""


def write(folder, store):
    (folder / "study.toml").write_text(STUDY.format(store=json.dumps(store)))
    return folder / "study.toml"


def veracity(*words):
    return CliRunner().invoke(cli, [str(word) for word in words])


def test_run_and_questions_go_to_the_store_that_the_file_names(tmp_path, monkeypatch):
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    study = write(tmp_path, "mine.db")
    ran = veracity("run", study, "--json")
    assert ran.exit_code == 0 and (tmp_path / "mine.db").exists() and not list((tmp_path / "elsewhere").iterdir())
    for verb in ("estimate", "compare", "scores"):
        named, said = (
            veracity(verb, study, "error", "--json", *more) for more in ((), ("--store", tmp_path / "mine.db"))
        )
        assert named.exit_code == 0 and json.loads(named.stdout) == json.loads(said.stdout), verb
    other = veracity("run", study, "--store", tmp_path / "other.db", "--json")
    assert other.exit_code == 0 and (tmp_path / "other.db").exists()


def test_a_study_that_is_read_runs_into_its_store(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    study = vc.Study.read(write(tmp_path, "mine.db"))
    runs = study.run(progress=False)
    assert runs.store.where.endswith("mine.db") and not (tmp_path / "results.db").exists()
    assert study.run(tmp_path / "given.db", progress=False).store.where.endswith("given.db")


def test_what_a_file_names_is_found_from_its_folder(tmp_path):
    assert named_store(write(tmp_path, "sub/x.db")) == str(tmp_path / "sub" / "x.db")
    assert named_store(write(tmp_path, "postgresql://me@host/name")) == "postgresql://me@host/name"
    (tmp_path / "study.toml").write_text("by = 'kfold(k=3)'")
    assert named_store(tmp_path / "study.toml") is None
    for text in ("store = ", "store = 3", "\xff"):
        (tmp_path / "study.toml").write_bytes(text.encode("latin-1"))
        assert named_store(tmp_path / "study.toml") is None
    assert named_store(tmp_path / "nowhere.toml") is None


@pytest.mark.parametrize(
    ("named", "says"),
    [
        ("postgresql://me:hunter2@host/name", "leave out the password"),
        ("postgresql://me@host/name?password=hunter2", "leave out the password"),
        ("sqlite:////etc/x.db", "by its file"),
        ("mysql://me:hunter2@host/name", "not mysql"),
        (" ", "results.db"),
    ],
)
def test_what_cannot_be_a_store_is_a_mistake_at_its_place_without_its_password(tmp_path, named, says):
    with pytest.raises(BadInput, match=says) as refused:
        place_of_store(named, tmp_path)
    assert "hunter2" not in str(refused.value)
    with pytest.raises(Mistakes) as told:
        vc.Study.read(write(tmp_path, named))
    assert [one.path for one in told.value.mistakes] == ["store"] and "hunter2" not in str(told.value)


def test_a_store_that_is_no_text_is_a_mistake(tmp_path):
    with pytest.raises(Mistakes, match="a text in quotes"):
        vc.Study.read(write(tmp_path, 3))
