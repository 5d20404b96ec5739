"""Learners with an algebra say of every row what the ordinary ones say, fitted split by split."""

import warnings

import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor, NearestCentroid
from sklearn.tree import DecisionTreeClassifier

from veracity.lab import NearestMean, NearestRow, Polynomial
from veracity.lab.batches import Fits, Trials
from veracity.lab.entry import make_world
from veracity.lab.fast_learners import Stump
from veracity.lab.simulate import learner_truth
from veracity.lab.split_learners import algebra_of
from veracity.lab.split_rows import SplitRows

DESIGNS = ("repeated_kfold(k=5, repeats=2)", "boot632plus(draws=10)", "nested_cv_bates(k=4, repeats=1)")
CLASSES = {
    "nearest mean": NearestMean,
    "nearest row": NearestRow,
    "stump": Stump,
    "nearest centroid": NearestCentroid,
    "linear discriminant": LinearDiscriminantAnalysis,
    "quadratic discriminant": QuadraticDiscriminantAnalysis,
    "naive Bayes": GaussianNB,
    "1 nearest": lambda: KNeighborsClassifier(1),
    "4 nearest": lambda: KNeighborsClassifier(n_neighbors=4),
    "5 nearest": KNeighborsClassifier,
}
NUMBERS = {
    "least squares": LinearRegression,
    "ridge": lambda: Ridge(alpha=3.0),
    "3 nearest numbers": lambda: KNeighborsRegressor(3),
    "cubic": lambda: Polynomial(3),
}
CASES = [
    *((learner, "gaussians(features=3, share=0.4, ratio=1.5)") for learner in CLASSES.values()),
    *((learner, "sparse_linear(features=4)") for learner in NUMBERS.values()),
]


@pytest.mark.parametrize("by", DESIGNS)
@pytest.mark.parametrize(("learner", "world"), CASES, ids=[*CLASSES, *NUMBERS])
def test_predictions_are_those_of_ordinary_fits(learner, world, by):
    """On rows that trained a model too, and rows that trained it several times."""
    for batch in Trials(make_world(world), by, 40, seed=3).batches(learner, range(4)):
        fits = Fits(learner)
        fast = fits._by_algebra(batch.samples, batch.tests)
        plain = np.stack([fits._fit(sample, batch.tests) for sample in batch.samples])
        assert fast is not None and fits.algebra is not None
        assert fast == pytest.approx(plain, rel=1e-7, abs=1e-9)
        assert np.array_equal(fast, batch.predicted)


def test_more_features_than_rows():
    """scikit-learn's linear discriminant leaves out directions in which rows do not vary."""
    for batch in Trials(make_world("gaussians(features=30)"), "kfold(k=5)", 25, 0).batches(
        LinearDiscriminantAnalysis, range(4)
    ):
        fits = Fits(LinearDiscriminantAnalysis)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            plain = np.stack([fits._fit(sample, batch.tests) for sample in batch.samples])
        assert np.array_equal(batch.predicted, plain)


def test_a_stump_is_scikit_learns_where_one_cut_is_best():
    """Of cuts that are equally good scikit-learn takes one at random, so sides are held against each other there."""
    world, agreed = make_world("gaussians(features=3)"), 0
    for seed in range(40):
        sample = world.draw(31, seed)
        features = sample.features.astype(np.float32).astype(float)
        trees = [DecisionTreeClassifier(max_depth=1, random_state=one).fit(features, sample.target) for one in range(6)]
        if len({(tree.tree_.feature[0], tree.tree_.threshold[0]) for tree in trees}) == 1:
            agreed += 1
            model = Stump().fit(features, sample.target)
            assert (model.column, pytest.approx(model.cut)) == (trees[0].tree_.feature[0], trees[0].tree_.threshold[0])
            assert np.array_equal(model.predict(features), trees[0].predict(features))
    assert agreed > 25


def test_a_stump_of_one_class_names_it_and_a_tie_is_class_0():
    features = np.array([[1.0], [2.0], [3.0]])
    assert Stump().fit(features, np.ones(3, int)).predict(features).tolist() == [1, 1, 1]
    assert Stump().fit(np.ones((2, 1)), np.array([0, 1])).predict(features).tolist() == [0, 0, 0]


def test_parameters_that_change_the_learner_have_no_algebra():
    assert algebra_of(LinearDiscriminantAnalysis(solver="lsqr", shrinkage=0.5)) is None
    assert algebra_of(KNeighborsClassifier(weights="distance")) is None
    assert algebra_of(Ridge(alpha=np.ones(3))) is None and algebra_of(DecisionTreeClassifier(max_depth=1)) is None
    assert algebra_of(Ridge(alpha=0.5)).penalty == 0.5 and algebra_of(KNeighborsClassifier(n_jobs=2)).k == 5

    class Other(LinearDiscriminantAnalysis):
        """Somebody's own."""

    assert algebra_of(Other()) is None


@pytest.mark.parametrize("learner", [KNeighborsClassifier(1), QuadraticDiscriminantAnalysis(), GaussianNB()])
def test_where_the_algebra_does_not_hold_it_says_nothing(learner):
    """Rows equally near; too few of a class; one class alone."""
    features = np.array([[[0.0], [1.0], [2.0], [3.0]]])
    rows = SplitRows(features, np.array([[0, 0, 1, 1]]), np.array([[1, 1, 0, 0], [1, 0, 0, 1]]), np.ones((2, 4), bool))
    assert algebra_of(learner).predict_splits(rows) is None


def test_an_algebra_that_disagrees_with_its_learner_is_not_used(monkeypatch):
    class Contrary(LinearDiscriminantAnalysis):
        """A version that says the other class."""

        def predict(self, features):
            return 1 - super().predict(features)

    monkeypatch.setattr("veracity.lab.batches.algebra_of", lambda model: algebra_of(LinearDiscriminantAnalysis()))
    (batch, *_) = Trials(make_world("two_gaussians"), "kfold(k=5)", 30, 0).batches(Contrary, range(3))
    fits = Fits(Contrary)
    assert np.array_equal(batch.predicted[0], fits._fit(batch.samples[0], batch.tests))


def test_samples_with_the_same_classes_share_a_design_and_trials_do_not_depend_on_their_batch():
    world, by = make_world("two_gaussians"), "kfold(k=5)"
    together = {
        trial: run for batch in Trials(world, by, 30, 0).batches(GaussianNB, range(20)) for trial, run in batch.runs()
    }
    ((number, alone),) = next(iter(Trials(world, by, 30, 0).batches(GaussianNB, [13]))).runs()
    assert number == 13 and np.array_equal(alone.predictions.label, together[13].predictions.label)
    assert len({run.design for run in together.values()}) < 12


def test_truth_by_algebra_is_that_of_ordinary_fits(monkeypatch):
    monkeypatch.setattr("veracity.lab.simulate.FRESH_FOR_EACH", 100)
    for learner, world in (
        (GaussianNB, "gaussians(ratio=2)"),
        (LinearRegression, "sparse_linear(features=3, active=1)"),
    ):
        fast = learner_truth(world, learner, 20, draws=40, seed=1)
        plain = learner_truth(world, type("Own", (learner,), {}), 20, draws=40, seed=1)
        assert fast == pytest.approx(plain)
        assert 0 < fast.error < 0.1 * fast.value


FLAWS = {
    "constant": lambda x, random: np.full(len(x), 0.1),
    "constant in training": lambda x, random: np.r_[7.0, np.full(len(x) - 1, 0.1)],
    "collinear": lambda x, random: 3 * x[:, 0] + 1,
    "nearly collinear": lambda x, random: x[:, 0] + 1e-9 * random.normal(size=len(x)),
}


@pytest.mark.parametrize("flaw", FLAWS)
def test_columns_that_tell_nothing_of_their_own_are_left_to_ordinary_fits(flaw):
    random = np.random.default_rng(1)
    features = random.normal(size=(1, 20, 2))
    features[0, :, 1] = FLAWS[flaw](features[0], random)
    times = np.ones((2, 20), np.int64)
    times[0, 0] = 0
    rows = SplitRows(features, features[..., 0], times, times == 0)
    assert algebra_of(LinearRegression()).predict_splits(rows) is None
    assert algebra_of(Ridge()).predict_splits(rows) is not None
