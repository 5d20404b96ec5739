"""The verbs that fit one learner many times: the numbers of Python, by files and texts."""

import json

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import veracity as vc

NB, TREE = "nb=sklearn.naive_bayes:GaussianNB", "tree=sklearn.tree:DecisionTreeClassifier(random_state=0)"
LEARNER = ("data.csv", "--target", "y", "--leave-out", "n", "--learner")


@pytest.fixture
def table(here):
    """Features and two targets, classes and numbers, also as the file data.csv."""
    random = np.random.default_rng(5)
    y = np.where(random.random(60) < 0.5, "yes", "no")
    features = random.normal(size=(60, 2)) + 1.2 * (y == "yes")[:, None]
    n = features[:, 0] + random.normal(size=60)
    lines = [f"{a!r},{b!r},{c},{d!r}" for (a, b), c, d in zip(features.tolist(), y, n.tolist(), strict=True)]
    (here / "data.csv").write_text("\n".join(["x,z,y,n", *lines]))
    return features, y, n


def plain(finding):
    return json.loads(json.dumps(finding.to_json()))


def test_a_learning_curve_is_that_of_python(table, said):
    features, y, _ = table
    words = ("--sizes", "10,20", "--sizes", "1.0", "--by", "kfold(k=3)", "--seed", "4", "auc", "--positive", "yes")
    found = said("learning_curve", *LEARNER, NB, *words)
    how = {"sizes": [10, 20, 1.0], "by": "kfold(k=3)", "seed": 4, "score": "auc", "positive": "yes"}
    assert found == plain(vc.learning_curve({"nb": GaussianNB()}, features, y, **how))
    assert [place["place"] for place in found["places"]] == [10, 20, 40]


def test_its_law_its_picture_and_its_files(table, run, said, here):
    words = ("learning-curve", *LEARNER, NB, "--sizes", "10,15,20,30", "--by", "kfold(k=3)", "--at", "500")
    found = said(*words)
    assert set(found["fitted"]) == {"a", "b", "c", "residual", "at"} and found["fitted"]["at"][0]["rows"] == 500
    assert "far-beyond" in [note["code"] for note in found["notes"]]
    result = run(*words, "--out", "c.svg", "--out", "c.csv", "--out", "c.tex", "--out", "c.html", "--out", "c.txt")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "power law" in (here / "c.svg").read_text()
    assert len((here / "c.csv").read_text().splitlines()) == 5
    text = (here / "c.txt").read_text()
    assert "power law" in text and "at 500 rows" in text and "Learning curve of nb" in (here / "c.html").read_text()


def test_a_curve_is_kept_in_a_store_and_goes_on(table, run, said):
    words = ("learning_curve", *LEARNER, NB, "--by", "kfold(k=3)", "--store", "kept.db")
    assert run(*words, "--sizes", "20").exit_code == 0
    assert run(*words, "--sizes", "20,30").exit_code == 0
    assert said("status", "kept.db")["fits"] == {"planned": 12, "done": 12, "failed": 0, "running": 0}


def test_a_validation_curve_is_that_of_python(table, said, run):
    features, y, _ = table
    words = ("--parameter", "max_depth", "--values", "1,3", "--values", "None", "--by", "kfold(k=3)")
    found = said("validation_curve", *LEARNER, TREE, *words)
    learner = {"tree": DecisionTreeClassifier(random_state=0)}
    assert found == plain(
        vc.validation_curve(learner, features, y, parameter="max_depth", values=[1, 3, None], by="kfold(k=3)")
    )
    criteria = said("validation_curve", *LEARNER, TREE, "--parameter", "criterion", "--values", "gini,entropy",
                    "--by", "kfold(k=2)")  # fmt: skip
    assert [place["place"] for place in criteria["places"]] == ["gini", "entropy"]
    assert "evaluate a learner with tune = in a study file instead" in run(
        "validation_curve", *LEARNER, TREE, *words
    ).stdout.replace("\n  ", " ")


@pytest.mark.parametrize("kind", ["domingos", "kohavi_wolpert"])
def test_bias_and_variance_of_classes(table, said, kind):
    features, y, _ = table
    found = said("bias_variance", *LEARNER, NB, "--loss", "zero_one", "--kind", kind, "--draws", "5")
    assert found == plain(vc.bias_variance({"nb": GaussianNB()}, features, y, loss="zero_one", kind=kind, draws=5))
    assert found == said("bias_variance", *LEARNER, NB, "--kind", kind, "--draws", "5")  # as the target is


def test_bias_and_variance_of_numbers(table, said, run):
    features, _, n = table
    learner = "tree=sklearn.tree:DecisionTreeRegressor(random_state=0)"
    words = ("bias_variance", "data.csv", "--target", "n", "--leave-out", "y", "--learner", learner, "--draws", "5")
    found = said(*words, "--by", "subsample", "--test", "0.5", "--seed", "3")
    regressor = {"tree": DecisionTreeRegressor(random_state=0)}
    assert found == plain(vc.bias_variance(regressor, features, n, draws=5, by="subsample", test=0.5, seed=3))
    assert "bias squared and noise" in run(*words).stdout


@pytest.mark.parametrize("kind", ["labels", "within_class"])
def test_a_permutation_test_is_that_of_python(table, said, kind):
    features, y, _ = table
    words = ("--kind", kind, "--draws", "9", "--by", "kfold(k=2)", "--seed", "3", "--level", "0.9", "brier")
    found = said("permutation_test", *LEARNER, NB, *words)
    how = {"kind": kind, "draws": 9, "by": "kfold(k=2)", "seed": 3, "level": 0.9, "score": "brier"}
    assert found == plain(vc.permutation_test({"nb": GaussianNB()}, features, y, **how))


def test_it_prints_its_sentence_and_its_caution(table, run, here):
    words = ("permutation_test", *LEARNER, NB, "--draws", "9", "--by", "kfold(k=2)")
    shown = run(*words).stdout
    assert shown.startswith("caution: 9 draws can give no p-value below 0.1") and "with shuffled labels" in shown
    assert run(*words, "--out", "x.html").exit_code == 0 and "better than chance?" in (here / "x.html").read_text()
    assert run(*words, "--out", "x.svg").exit_code == 0 and "shuffled data" in (here / "x.svg").read_text()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("learning_curve",), "name a table to learn from, such as data.csv"),
        (("learning_curve", "data.csv", "--learner", NB), "name the column to be predicted: --target"),
        (("learning_curve", "data.csv", "--target", "y"), "name a learner: --learner MODULE:CLASS"),
        (("learning_curve", *LEARNER, NB, "--learner", TREE), "give one learner, not 2"),
        (("learning_curve", *LEARNER, NB, "--sizes", "half"), "--sizes is a number of rows, such as 50, or a share"),
        (("learning_curve", *LEARNER, NB, "--sizes", "500"), "the size 500 is more than the 54 training rows"),
        (("learning_curve", *LEARNER, NB, "--by", "kfold(k=99)"), "99"),
        (("learning_curve", *LEARNER, NB, "error", "auc"), "learning_curve reads 1 score, not error, auc"),
        (("learning_curve", *LEARNER, NB, "errror"), "error"),
        (("learning_curve", *LEARNER, NB, "rmse"), "rmse is not a score for a target of classes: name another"),
        (("learning_curve", *LEARNER, NB, "--sizes", "10,20", "--fitted"), "give at least 4 sizes"),
        (("learning_curve", *LEARNER, NB, "--out", "x.parquet"), "the format follows from the ending"),
        (("validation_curve", *LEARNER, NB, "--values", "1"), "Missing option '--parameter'"),
        (("validation_curve", *LEARNER, NB, "--parameter", "depth", "--values", "1"), "has no parameter 'depth'"),
        (("bias_variance", *LEARNER, NB, "error"), "bias_variance reads no score, not error"),
        (("bias_variance", *LEARNER, NB, "--test", "1.5", "--loss", "zero_one"), "test is a share of the rows"),
        (
            ("bias_variance", *LEARNER, NB, "--loss", "squared"),
            "data.csv, column y: row 1 holds 'no', which is not a number",
        ),
        (("bias_variance", *LEARNER, NB, "--draws", "1", "--loss", "zero_one"), "draws"),
        (("permutation_test", *LEARNER, NB, "--draws", "0"), "draws"),
        (("permutation_test", *LEARNER, NB, "--draws", "900000", "--by", "loo"), "write --anyway if that is meant"),
        (("permutation_test", *LEARNER, "nb=own:Own"), "--trust-here"),
    ],
)
def test_wrong_calls_are_one_sentence(table, run, here, words, says):
    (here / "own.py").write_text("raise SystemExit('ran')")
    result = run(*words)
    assert (result.exit_code, result.stdout) == (2, ""), result.output
    assert says in result.stderr and result.stderr.count("\n") == 1


def test_bias_and_variance_against_complexity(said, run, here, table):
    features, y, _ = table
    words = ("bias_variance", *LEARNER, "tree=sklearn.tree:DecisionTreeClassifier", "--loss", "zero_one")
    along = ("--draws", "5", "--parameter", "max_depth", "--values", "1,3")
    found = said(*words, *along)
    tree = {"tree": DecisionTreeClassifier()}
    asked = vc.bias_variance(tree, features, y, loss="zero_one", draws=5, parameter="max_depth", values=[1, 3])
    assert found == plain(asked) and [one["value"] for one in found["values"]] == [1, 3]
    assert run(*words, *along, "--out", "depth.svg").exit_code == 0 and "<svg" in (here / "depth.svg").read_text()
    assert "belong together" in run(*words, "--parameter", "max_depth").stderr
