"""What every verb prints by --json has the published shape."""

import json

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

from docs.blocks import ROOT
from docs.json_shapes import VERBS, json_schema, shape_of
from veracity.cli.main import PARTS, cli

ONE = "examples/cancer.csv --truth y --proba p_logit --positive malignant"
TWO = "examples/cancer.csv --truth y --proba p_logit --proba p_tree --positive malignant"
BAYES = "sklearn:load_iris --learner sklearn.naive_bayes:GaussianNB"
LOG = "examples/log.csv --model model --rows question --correct correct"
WITHOUT_JSON = {"demo", "serve", "lab"}
STUDY = """
seed = 7
by = "kfold(k=3)"
scores = ["error", "log_loss"]
checks = ["baseline"]
[data]
iris = "sklearn:load_iris"
wine = "sklearn:load_wine"
[learners]
nb = "sklearn.naive_bayes:GaussianNB"
tree = "sklearn.tree:DecisionTreeClassifier"
tuned = { tune = "sklearn.naive_bayes:GaussianNB", grid = { var_smoothing = [1e-9, 0.1] }, by = "kfold(k=3)" }
"""
SAMPLES = {
    "adjust": ["examples/pairs.csv --using hommel"],
    "advise": ["examples/accuracies.csv"],
    "best_threshold": [f"{ONE} --costs FP=1 --costs FN=5", f"{ONE} youden --folds 5"],
    "compare": [
        f"{TWO} error",
        f"{TWO} error auc",
        f"{TWO} --slices texture brier",
        f"{TWO} brier --effect cohens_d",
        "--n01 9 --n10 22 --of 1000 --using mcnemar error",
        f"{LOG} --groups passage",
    ],
    "curve": [f"{ONE} --kind roc", f"{TWO} --kind calibration(bins=5)"],
    "dominance": [TWO],
    "explain": ["wilson", "two classifiers on one test set", "5x2cv"],
    "finite_class": ["--epsilon 0.05 --delta 0.05 --size-h 1000"],
    "interval_width": ["share --value 0.1 --width 0.04"],
    "lab coverage": ["--world shares(share=0.3) --method wald --rows 40"],
    "lab power": ["--world two_models --method mcnemar --rows 30 --effect 0.05"],
    "lab size": ["--world two_models --method mcnemar --rows 30"],
    "list": ["scores", "defaults", "topics"],
    "power": ["mcnemar --difference 0.03 --discordant 0.10 --power 0.8"],
    "rank": [
        "examples/accuracies.csv",
        "examples/accuracies.csv --then nemenyi",
        "examples/accuracies.csv --control C4.5 --effect cohens_d --intervals marginal",
        "examples/weka.csv.gz --using corrected_t",
    ],
    "replicability": ["examples/weka.csv.gz Percent_correct"],
    "score": [
        f"{ONE} auc error max_fbeta",
        f"{TWO} auc",
        f"{ONE} --slices texture error",
        f"{ONE} --per-class",
        "--errors 12 --of 40 error",
        f"{LOG} accuracy",
    ],
    "worst": [f"{ONE} --most 3"],
}
SLOW = {
    "bias_variance": [f"{BAYES} --loss zero_one --draws 10"],
    "lab bias": ["--world pure_noise --learner sklearn.neighbors:NearestCentroid --by kfold(k=3) --rows 30 --trials 5"],
    "learning_curve": [f"{BAYES} --by kfold(k=3) --sizes 30,60"],
    "permutation_test": [f"{BAYES} --by kfold(k=3) --draws 9"],
    "validation_curve": [f"{BAYES} --by kfold(k=3) --parameter var_smoothing --values 1e-9,0.1"],
    "run": ["study.toml --store study.db"],
    "status": ["study.db"],
    "check": ["study.db"],
    "scores": ["study.db error"],
    "estimate": ["study.db error auc"],
    "failures": ["study.db"],
    "ledger": ["study.db"],
    "optimism": ["study.db"],
    "warm": [""],
    "bbc_cv": ["study.db error --data iris"],
    "export": ["study.db --out predictions.parquet"],
    "report": ["study.db --scores error --out report.html", f"{TWO} --out page.html"],
    "compare": [
        "study.db error --only nb --only tree --data iris",
        "study.db error --only nb --only tree --data iris --using correlated_t_posterior(rope=0.01)",
        "study.db error",
    ],
    "rank": ["study.db --score error"],
}


def complaints(verb, words):
    """What the answer of a command line has that its shape has not."""
    done = CliRunner().invoke(cli, [*verb.split(), *words.split(), "--json"])
    assert done.exit_code == 0, done.output
    checker = Draft202012Validator(shape_of(verb))
    return [f"{error.json_path}: {error.message[:300]}" for error in checker.iter_errors(json.loads(done.stdout))]


def test_the_schema_is_one():
    Draft202012Validator.check_schema(json_schema())


def test_every_verb_has_a_shape_and_a_sample():
    assert {verb.split()[0] for verb in VERBS} == ({*cli.commands, *PARTS} - WITHOUT_JSON) | {"lab"}
    assert set(SAMPLES) | set(SLOW) == set(VERBS)


@pytest.mark.parametrize("verb", SAMPLES)
def test_answers_have_the_published_shape(verb, monkeypatch):
    monkeypatch.chdir(ROOT)
    assert complaints(verb, SAMPLES[verb][0]) == []


@pytest.mark.slow
@pytest.mark.parametrize("verb", [verb for verb, lines in SAMPLES.items() if len(lines) > 1])
def test_all_answers_have_the_published_shape(verb, monkeypatch):
    monkeypatch.chdir(ROOT)
    assert [found for words in SAMPLES[verb][1:] for found in complaints(verb, words)] == []


@pytest.mark.slow
def test_answers_of_what_fits_have_the_published_shape(same_folder):
    (same_folder / "study.toml").write_text(STUDY)
    (same_folder / "examples").symlink_to(ROOT / "examples")
    assert [(verb, found) for verb, lines in SLOW.items() for words in lines for found in complaints(verb, words)] == []


NOTE = {"code": "c", "weight": "heavy", "says": ""}


@pytest.mark.parametrize("wrong", [{"crossings": ["x"]}, {"relation": None}, {"notes": [NOTE]}])
def test_a_shape_tells_what_is_wrong_and_what_is_missing(wrong):
    checker = Draft202012Validator(shape_of("dominance"))
    right = {"a": "x", "b": "y", "relation": "equal", "crossings": [], "notes": []}
    assert not list(checker.iter_errors(right))
    assert list(checker.iter_errors({**right, **wrong}))
    assert list(checker.iter_errors({name: right[name] for name in right if name not in wrong}))
