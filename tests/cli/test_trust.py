"""Only what was asked for runs: a canary is a file that would lie in the folder if code had run."""

import contextlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import veracity as vc

HEAD = (
    'seed = 3\nby = "kfold(k=3)"\nscores = ["error"]\n[data]\niris = "sklearn:load_iris"\nwine = "sklearn:load_wine"\n'
)
NB = 'nb = "sklearn.naive_bayes:GaussianNB"\n'
STUDY = f'{HEAD}[learners]\n{NB}tree = {{ use = "sklearn.tree:DecisionTreeClassifier", max_depth = 2 }}\n'
OWN = """
from pathlib import Path
from sklearn.naive_bayes import GaussianNB
Path(__file__).with_name("canary").touch()
class Own(GaussianNB):
    pass
class Splitter:
    def split(self, X, y=None, groups=None):
        yield [0, 60, 120], [1, 61, 121]
def function():
    return Own()
ready = Own(var_smoothing=0.5)
"""
TOUCH = "os:system('touch canary')"
HOSTILE = {
    "function": f'x = "{TOUCH}"',
    "keyword": 'x = { use = "os:system", command = "touch canary" }',
    "class that acts": "x = \"subprocess:Popen(['touch', 'canary'])\"",
    "exec": 'x = "builtins:exec(\'open(\\"canary\\", \\"w\\")\')"',
    "opened": "x = \"io:FileIO('canary', 'w')\"",
    "imported": "x = \"importlib:import_module('own')\"",
    "inside": 'x = { use = "sklearn.pipeline:Pipeline", steps = [["a", { use = "os:system", command = "touch canary" }]] }',  # noqa: E501
    "class inside": 'x = { use = "sklearn.pipeline:Pipeline", steps = [["a", { use = "subprocess:Popen", args = ["touch", "canary"] }]] }',  # noqa: E501
    "class inside a class": "x = \"sklearn.pipeline:make_pipeline({'use': 'sklearn.pipeline:Pipeline', 'steps': [('a', {'use': 'io:FileIO', 'file': 'canary', 'mode': 'w'})]})\"",  # noqa: E501
    "class as a parameter": 'x = { use = "sklearn.svm:SVC", kernel = { use = "logging:FileHandler", filename = "canary" } }',  # noqa: E501
    "array on disk": 'x = { use = "sklearn.svm:SVC", kernel = { use = "numpy:memmap", filename = "canary", mode = "w+", shape = [3] } }',  # noqa: E501
    "loaded": 'x = { use = "joblib:load", filename = "own.pkl" }',
    "unpickled": 'x = { use = "sklearn.svm:SVC", kernel = { use = "numpy:load", file = "own.pkl", allow_pickle = true } }',  # noqa: E501
    "chain": "x = \"sklearn.utils:os.system('touch canary')\"",
    "dunder": 'x = "sklearn.__init__:__builtins__"',
    "inside its text": "x = \"sklearn.pipeline:make_pipeline({'use': 'os:system', 'command': 'touch canary'})\"",
    "tuned": 'x = { tune = "os:system", command = "touch canary", grid = { a = [1] } }',
    "reached": "x = \"sklearn.utils._testing:check_output(['touch', 'canary'])\"",
    "program": 'x = "own.__main__:Own"',
    "beside": 'x = "own:Own"',
}
EACH_WAY = ("function", "class inside", "beside")
READING = ("estimate", "rank", "compare", "report", "curve", "worst", "export")


@pytest.fixture
def folder(here, monkeypatch):
    """A folder with a module that leaves a canary when it is imported."""
    (here / "own.py").write_text(OWN)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.delitem(sys.modules, "own", raising=False)
    return here


def write(folder, text):
    (folder / "study.toml").write_text(text)


def is_quiet(folder):
    return not (folder / "canary").exists()


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """The store of the study, run once."""
    path = tmp_path_factory.mktemp("trust")
    write(path, STUDY)
    vc.Study.read(path / "study.toml").run(path / "results.db", progress=False)
    return path / "results.db"


@pytest.fixture
def ran(folder, results):
    shutil.copy(results, folder)
    write(folder, STUDY)
    return folder


def words(verb):
    more = {"report": ("--out", "r.json"), "rank": ("--using", "corrected_t"), "compare": ("--data", "iris")}
    more |= {"curve": ("--data", "iris", "--kind", "calibration"), "worst": ("--data", "iris", "--only", "nb")}
    more |= {"export": ("--out", "x.parquet")}
    return (verb, "study.toml", *more.get(verb, ()))


@pytest.mark.parametrize("verb", READING)
def test_reading_finds_results_by_their_texts_and_says_so(ran, said, verb):
    told = said(*words(verb))
    (note,) = [note for note in told["notes"] if note["code"] == "code-unseen"]
    assert "study.toml was only read" in note["says"] and "neither code nor data were looked at" in note["says"]


@pytest.mark.parametrize(
    ("verb", "name"),
    [*(("estimate", name) for name in HOSTILE), *((verb, name) for verb in READING[1:] for name in EACH_WAY)],
)
def test_reading_runs_nothing_that_a_file_names(ran, run, verb, name):
    """All verbs read a study by the same lines: one tries every text, the others one of each kind."""
    write(ran, f"{STUDY}{HOSTILE[name]}\n")
    result = run(*words(verb))
    assert result.exit_code == 2 and is_quiet(ran), result.output
    told = ("does not hold x on iris", "is not the name of a module", "cannot read the learner")
    assert any(words in result.stderr for words in told)


@pytest.mark.parametrize(
    "text", [TOUCH, "own:Splitter", "subprocess:Popen('touch canary')", "os:system(command='touch canary')"]
)
@pytest.mark.parametrize("verb", [*READING, "run"])
def test_a_design_runs_nothing_either(ran, run, verb, text):
    write(ran, STUDY.replace('"kfold(k=3)"', f'["kfold(k=3)", "{text}"]'))
    result = run(*words(verb))
    assert result.exit_code == 2 and is_quiet(ran)
    with pytest.raises(vc.BadInput):
        vc.plan("study.toml")
    assert is_quiet(ran)


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_run_calls_classes_that_have_what_a_learner_needs(folder, run, text):
    write(folder, f"{STUDY}{text}\n")
    result = run("run", "study.toml")
    assert result.exit_code == 2 and result.stderr.startswith("error: study.toml: learners.x: "), result.output
    assert is_quiet(folder) and not (folder / "results.db").exists()
    with pytest.raises(vc.BadInput):
        vc.Study.read("study.toml")
    assert is_quiet(folder)


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_plan_imports_scikit_learn_alone(folder, text):
    write(folder, f"{STUDY}{text}\n")
    with contextlib.suppress(vc.BadInput):  # what scikit-learn is to call is looked at, and refused
        assert len(vc.plan("study.toml")) == 18
    assert is_quiet(folder)
    write(folder, f'prepare = "own:Own"\n{STUDY}')
    assert "so the code of nb, tree was not looked at" in repr(vc.plan("study.toml")) and is_quiet(folder)


def test_a_plan_counts_what_it_did_not_look_at_and_finds_it_in_a_store(folder, run):
    write(folder, f'{STUDY}own = {{ use = "own:Own", var_smoothing = 0.1 }}\n')
    assert run("run", "study.toml", "--trust-here").exit_code == 0
    planned = vc.plan("study.toml")
    assert len(planned) == 18 and "so the code of own was not looked at" in repr(planned)
    assert (planned.against("results.db").done, planned.against("results.db").left) == (18, 0)
    write(folder, f'{STUDY}own = {{ use = "own:Own", var_smoothing = 0.2 }}\n')
    assert (vc.plan("study.toml").against("results.db").done, len(vc.plan("study.toml"))) == (12, 18)


def test_what_lies_beside_the_file_needs_trust(folder, run, said):
    write(folder, f'{STUDY}own = "own:Own"\n')
    result = run("run", "study.toml")
    assert result.exit_code == 2 and is_quiet(folder)
    assert f"the module own is not installed, but lies in {folder.resolve()}" in result.stderr
    assert result.stderr.endswith("if you trust the code there, say so with --trust-here\n")
    with pytest.raises(vc.BadInput, match=r"say so with `trust_here=True`$"):
        vc.Study.read("study.toml")
    assert said("run", "study.toml", "--trust-here")["fits"]["done"] == 18
    assert not is_quiet(folder)
    assert list(vc.Study.read("study.toml", trust_here=True).learners) == ["nb", "tree", "own"]


def test_the_same_of_a_learner_that_is_typed(folder, run, said):
    (folder / "data.csv").write_text(
        "a,b,y\n" + "".join(f"{i % 7},{i % 5},{'n' if i % 3 else 'y'}\n" for i in range(60))
    )
    call = ("estimate", "data.csv", "--target", "y", "--by", "kfold(k=3)", "error")
    for learner in (TOUCH, "own:Own", "subprocess:Popen(args=['touch', 'canary'])", "own:function"):
        assert run(*call, "--learner", learner).exit_code == 2 and is_quiet(folder)
    nb = ("--learner", "sklearn.naive_bayes:GaussianNB")
    assert run(*call, *nb, "--by", TOUCH).exit_code == 2 and is_quiet(folder)
    assert run(*call, *nb, "--by", "own:Splitter").exit_code == 2 and is_quiet(folder)
    assert run(*call, "--trust-here", "--learner", "own:function").exit_code == 2
    found = said(*call, "--trust-here", "--learner", "a=own:Own", "--learner", "b=own:ready")
    assert list(found["estimates"]["data"]) == ["a", "b"]


def test_a_module_in_the_current_folder_does_not_stand_in_for_an_installed_one(folder):
    for name in ("sklearn", "click", "numpy"):
        (folder / f"{name}.py").write_text(OWN)
    write(folder, f'{HEAD}[learners]\nsvc = "sklearn.svm:SVK"\nown = "own:Own"\n')
    environment = {**os.environ, "PYTHONPATH": str(Path(vc.__file__).parents[1])}
    call = [sys.executable, "-m", "veracity", "run", "study.toml"]
    done = subprocess.run(call, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and is_quiet(folder), done.stderr
    assert "did you mean SVR or SVC" in done.stderr and "say so with --trust-here" in done.stderr


def test_a_text_that_changed_is_refused_and_a_spelling_is_not(ran, run, said):
    write(ran, STUDY.replace("max_depth = 2", "max_depth = 3"))
    result = run("estimate", "study.toml")
    assert result.exit_code == 2 and "the text of the learner 'tree' changed since results.db was made" in result.stderr
    other = STUDY.replace(
        '{ use = "sklearn.tree:DecisionTreeClassifier", max_depth = 2 }',
        '"sklearn.tree:DecisionTreeClassifier(max_depth=2)"',
    )
    write(ran, other.replace("kfold(k=3)", "kfold(3)"))
    assert set(said("estimate", "study.toml")["estimates"]) == {"iris", "wine"}
    write(ran, STUDY.replace("max_depth = 2", 'max_depth = 2, criterion = "gini"'))
    assert run("estimate", "study.toml").exit_code == 2
    assert said("run", "study.toml")["fits"]["done"] == 12  # the default in other words is the same learner
    assert run("estimate", "study.toml").exit_code == 0


def test_a_store_without_texts_is_matched_by_names(folder, said):
    write(folder, STUDY)
    study = vc.Study.read("study.toml")
    study.sources = {"data": {}, "learners": {}}  # as a version before this one kept it
    study.run("results.db", progress=False)
    found = said("estimate", "study.toml")
    assert "by their names alone iris, wine, nb, tree, of which it keeps no text" in str(found["notes"])
    assert said("run", "study.toml")["fits"]["done"] == 12
    assert "by their names alone" not in str(said("estimate", "study.toml")["notes"])


def test_a_splitter_is_found_by_its_text(folder, run, said):
    write(folder, STUDY.replace("kfold(k=3)", "sklearn.model_selection:KFold(n_splits=3, shuffle=True)"))
    assert run("run", "study.toml").exit_code == 0
    write(folder, STUDY.replace("kfold(k=3)", "sklearn.model_selection:KFold(shuffle=True, n_splits=3)"))
    assert set(said("estimate", "study.toml")["estimates"]) == {"iris", "wine"}
    write(folder, STUDY.replace("kfold(k=3)", "sklearn.model_selection:KFold(n_splits=4)"))
    assert (
        "does not hold results by sklearn.model_selection:KFold(n_splits=4) yet" in run("estimate", "study.toml").stderr
    )


@pytest.mark.parametrize(
    "name", ["http://127.0.0.1:9/x.csv", "s3://bucket/x.csv", "~/x.csv", "*.csv", "file:///etc/passwd", "duckdb:x.csv"]
)
def test_the_name_of_a_data_file_is_one_file_of_this_machine(folder, run, name):
    (folder / "x.csv").write_text("a,y\n1,n\n2,y\n")
    write(folder, STUDY.replace('"sklearn:load_iris"', f'{{ file = "{name}", target = "y" }}'))
    result = run("run", "study.toml")
    assert result.exit_code == 2 and f"there is no file {folder.resolve() / name}" in result.stderr, result.stderr


def test_duckdb_loads_no_extension():
    from veracity.readers.relation import connect

    with connect() as connection:
        settings = (
            "select current_setting('autoload_known_extensions'), current_setting('autoinstall_known_extensions')"
        )
        assert connection.execute(settings).fetchone() == (False, False)


def test_a_step_a_kernel_and_a_splitter_may_stand_inside_a_learner(folder, said):
    kernel = 'gp = { use = "sklearn.gaussian_process:GaussianProcessClassifier", kernel = { use = "sklearn.gaussian_process.kernels:RBF", length_scale = 2.0 } }'  # noqa: E501
    step = 'pipe = { use = "sklearn.pipeline:Pipeline", steps = [["s", { use = "sklearn.preprocessing:StandardScaler" }], ["m", { use = "sklearn.naive_bayes:GaussianNB" }]] }'  # noqa: E501
    inner = 'cv = { use = "sklearn.linear_model:RidgeClassifierCV", cv = { use = "sklearn.model_selection:KFold", n_splits = 3 } }'  # noqa: E501
    write(folder, f"{HEAD}[learners]\n{kernel}\n{step}\n{inner}\n")
    assert list(vc.Study.read("study.toml").learners) == ["gp", "pipe", "cv"]
