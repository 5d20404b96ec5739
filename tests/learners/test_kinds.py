"""The kind of a learner is that of its last step, behind steps that select nothing; it comes back from a store."""

import numpy as np
import pytest
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import GradientBoostingClassifier, RandomForestRegressor
from sklearn.feature_selection import SelectKBest
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LinearRegression, LogisticRegression, LogisticRegressionCV, Ridge
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, NearestCentroid
from sklearn.pipeline import FeatureUnion, make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler, TargetEncoder
from sklearn.tree import DecisionTreeClassifier

import veracity as vc
from veracity.learners.kinds import KINDS, learner_kind

COLUMNS = ColumnTransformer([("a", make_pipeline(SimpleImputer(), StandardScaler()), [0]), ("b", "drop", [1])])


class Bayes(GaussianNB):
    """Somebody's own."""


@pytest.mark.parametrize(
    ("learner", "kind"),
    [
        (GaussianNB(), "naive Bayes"),
        (KNeighborsClassifier(7), "nearest neighbours"),
        (LinearRegression(), "least squares"),
        (Ridge(), ""),
        (RandomForestRegressor(), "forests"),
        (LogisticRegression(), "logistic regression"),
        (make_pipeline(StandardScaler(), LogisticRegression(C=0.1)), "logistic regression"),
        (make_pipeline(COLUMNS, make_pipeline(OneHotEncoder(), DecisionTreeClassifier())), "trees"),
        (make_pipeline(FeatureUnion([("a", StandardScaler())]), GaussianNB()), "naive Bayes"),
        (make_pipeline(SelectKBest(), GaussianNB()), ""),
        (make_pipeline(FeatureUnion([("a", SelectKBest())]), GaussianNB()), ""),
        (make_pipeline(TargetEncoder(), GaussianNB()), ""),
        (LogisticRegression(penalty="l1", solver="liblinear"), ""),
        (LogisticRegression(l1_ratio=0.5, solver="saga"), ""),
        (NearestCentroid(shrink_threshold=0.1), ""),
        (LogisticRegressionCV(), ""),
        (GradientBoostingClassifier(), ""),
        (GridSearchCV(GaussianNB(), {}), ""),
        (vc.tuned(GaussianNB(), grid={"var_smoothing": [1e-9]}), ""),
        (Bayes(), ""),
        (object(), ""),
    ],
)
def test_kinds(learner, kind):
    assert learner_kind(learner) == kind and kind in ("", *KINDS)


def test_a_preparation_that_selects_takes_the_kind_away():
    assert learner_kind(GaussianNB(), "default", None, StandardScaler()) == "naive Bayes"
    assert learner_kind(GaussianNB(), SelectKBest()) == ""


def codes(row):
    return {note.code: note.weight for note in row.all_notes if note.code in SAID}


SAID = ("one-model-a-row", "learner-not-measured", "assumed-unstable", "unstable-risk")
LEARNERS = {
    "bayes": GaussianNB(),
    "own": Bayes(),
    "tree": DecisionTreeClassifier(random_state=0),
    "tuned": vc.tuned(KNeighborsClassifier(), grid={"n_neighbors": [1, 3]}, score="error"),
}


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    random = np.random.default_rng(1)
    X, y = random.normal(size=(60, 3)), np.arange(60) % 2  # noqa: N806
    X[:, 0] += 2 * y
    place = tmp_path_factory.mktemp("kinds") / "results.db"
    vc.evaluate(LEARNERS, X, y, by=["kfold(k=10)", "repeated_kfold(k=10, repeats=2)"], store=place)
    return place


def test_what_was_measured_is_known_from_the_store_alone(store):
    found = vc.estimate(vc.read_runs(store), "error")
    said = {(row.learner, row.by.startswith("kfold")): codes(row) for row in found}
    assert said["bayes", True] == said["bayes", False] == {}
    assert said["own", True] == said["tuned", True] == {"one-model-a-row": "caution"}
    assert said["own", False]["learner-not-measured"] == said["tuned", False]["learner-not-measured"] == "caution"
    assert said["tree", True] == {"assumed-unstable": "remark"}
    assert "learner-not-measured" not in said["tree", False]


def test_one_caution_stands_for_all_learners_that_were_not_measured(store):
    lines = str(vc.estimate(vc.read_runs(store), ["error", "brier_half"])).splitlines()
    title = next(number for number, line in enumerate(lines) if line.startswith("mean risk"))
    text = " ".join(lines[:title])
    assert text.count("[learner-not-measured]") == text.count("[one-model-a-row]") == 1
    assert "it was found to hold of" in text and "naive Bayes" in text


def test_a_tree_is_wider_by_one_kfold_than_its_splits_say(store):
    runs = vc.read_runs(store)
    wide, plain = (vc.estimate(runs, "error", interval=name)["tree", "kfold(k=10)"].interval for name in METHODS)
    assert (wide.high - wide.low) > 1.3 * (plain.high - plain.low)


def test_predictions_of_runs_know_of_which_kind_their_learner_is(store):
    runs = vc.read_runs(store)
    (row,) = vc.estimate(runs.predictions("tree", by="kfold(k=10)"), "error").rows
    assert row.interval == vc.estimate(runs, "error")["tree", "kfold(k=10)"].interval


METHODS = ("conservative_t", "corrected_t")
