"""A folder with a study that was run, and the workbench asked without a browser."""

import shutil

import numpy as np
import pytest
from starlette.testclient import TestClient

import veracity as vc
from bench.large_study import write_without_fitting
from tests.reports.conftest import HOSTILE, axe, browser  # noqa: F401
from veracity.web import analyse, files
from veracity.web.app import make_app
from veracity.web.asked import Bench
from veracity.web.guard import Rules
from veracity.web.places import folder_of

TOKEN = "a-token-of-the-tests"
STUDY = """seed = 3
by = "kfold(k=4)"
scores = ["error", "brier"]

[data]
moons = "sklearn:make_moons(n_samples=40, noise=0.3, random_state=0)"
circles = "sklearn:make_circles(n_samples=40, noise=0.2, random_state=0)"
blobs = "sklearn:make_blobs(n_samples=40, centers=2, random_state=0)"

[learners]
nb = "sklearn.naive_bayes:GaussianNB"
majority = "sklearn.dummy:DummyClassifier"
stump = { use = "sklearn.tree:DecisionTreeClassifier", max_depth = 1, random_state = 0 }
"""


@pytest.fixture(scope="session", autouse=True)
def patient():
    """Pages wait for their answers, however busy the machine is."""
    files.PATIENCE = analyse.PATIENCE = 300


@pytest.fixture(scope="session")
def pristine(tmp_path_factory):
    """A study of three learners on three data sets, run; nobody opens it, as copying an open store breaks its locks."""
    folder = tmp_path_factory.mktemp("pristine")
    (folder / "small.toml").write_text(STUDY, "utf-8")
    write_without_fitting(vc.Study.read(folder / "small.toml"), folder / "small.db", np.random.default_rng(1))
    return folder


@pytest.fixture(scope="session")
def finished(pristine, tmp_path_factory):
    """The same, to be looked at."""
    return shutil.copytree(pristine, tmp_path_factory.mktemp("finished"), dirs_exist_ok=True)


@pytest.fixture(scope="session")
def odd(tmp_path_factory, finished):
    """A study by a hold-out, with names that would like to be scripts."""
    folder = tmp_path_factory.mktemp("odd")
    learners = {HOSTILE: "sklearn.naive_bayes:GaussianNB", "d": "sklearn.dummy:DummyClassifier"}
    data = {HOSTILE: "sklearn:make_moons(n_samples=40, random_state=0)"}
    study = vc.Study(data, learners, "holdout(test=0.5)")
    write_without_fitting(study, folder / "odd.db", np.random.default_rng(1))
    return folder


RECORD = """seed = 3
by = ["kfold(k=3)", "kfold(k=4)"]
scores = ["error"]

[data]
people = { file = "people.csv", target = "y", leave_out = ["country"] }
moons = "sklearn:make_moons(n_samples=40, noise=0.3, random_state=0)"

[learners]
nb = "sklearn.naive_bayes:GaussianNB"
tuned = { tune = "sklearn.neighbors:KNeighborsClassifier", grid = { n_neighbors = [1, 5] }, by = "kfold(k=3)" }
broken = { use = "sklearn.naive_bayes:GaussianNB", var_smoothing = -1 }
"""


@pytest.fixture(scope="session")
def recorded(tmp_path_factory):
    """A study that was run: two designs, a file with a column to slice by, learners that tune themselves or fail."""
    folder = tmp_path_factory.mktemp("recorded")
    random = np.random.default_rng(2)
    rows = [(random.normal(n % 2), "DE" if n % 3 else "FR", "pq"[n % 2]) for n in range(48)]
    lines = "".join(f"{a:.4f},{n % 7},{country},{y}\n" for n, (a, country, y) in enumerate(rows))
    (folder / "people.csv").write_text(f"a,b,country,y\n{lines}")
    (folder / "record.toml").write_text(RECORD)
    vc.Study.read(folder / "record.toml").run(folder / "record.db", progress=False)
    return folder


@pytest.fixture
def folder(pristine, tmp_path):
    """A copy of it that a test may change."""
    shutil.copytree(pristine, tmp_path / "here")
    return tmp_path / "here"


def client_of(where, token=TOKEN, **how):
    """A browser that has the token."""
    return client_for(Bench(folder_of(str(where)), **how), token)


def client_for(bench, token=TOKEN):
    app = make_app(bench, Rules(TOKEN, 80, ("here",), bench.read_only))
    headers = {"host": "here:80", "authorization": f"Bearer {token}"}
    return TestClient(app, "http://here:80", headers=headers, follow_redirects=False)


@pytest.fixture(scope="session")
def bench(finished):
    """The workbench over the finished study, which nobody changes."""
    return client_of(finished)
