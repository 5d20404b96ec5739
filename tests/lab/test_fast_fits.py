"""Learners with an algebra say of every row what the ordinary ones say, fitted split by split."""

import warnings

import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor, NearestCentroid
from sklearn.tree import DecisionTreeClassifier

from bench.fast import orders
from bench.fast.fits import Fast, algebra_of
from bench.fast.split_rows import SplitRows
from veracity import lab
from veracity.lab import NearestMean, NearestRow, Polynomial, Stump
from veracity.lab.simulate import Trials, predict_splits
from veracity.lab.worlds import make_world

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


def samples_by_design(world, by, rows, number, seed=0):
    """Samples that share a design, with it."""
    trials = Trials(make_world(world), by, rows, seed)
    groups = {}
    for trial in range(number):
        sample = trials.sample(trial)
        groups.setdefault(trials.design(sample, trial), []).append(sample)
    return groups.items()


@pytest.mark.parametrize("by", DESIGNS)
@pytest.mark.parametrize(("learner", "world"), CASES, ids=[*CLASSES, *NUMBERS])
def test_predictions_are_those_of_ordinary_fits(learner, world, by):
    """On rows that trained a model too, and rows that trained it several times."""
    for design, samples in samples_by_design(world, by, 40, 4, seed=3):
        fast = Fast(learner).predict_splits(samples, design)
        assert fast is not None
        for one, plain in zip(fast, predict_splits(learner, samples, design), strict=True):
            assert one == pytest.approx(plain, rel=1e-7, abs=1e-9)


def test_more_features_than_rows():
    """scikit-learn's linear discriminant leaves out directions in which rows do not vary."""
    for design, samples in samples_by_design("gaussians(features=30)", "kfold(k=5)", 25, 4):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            plain = list(predict_splits(LinearDiscriminantAnalysis, samples, design))
            fast = Fast(LinearDiscriminantAnalysis).predict_splits(samples, design)
        assert np.array_equal(fast, plain)


@pytest.mark.parametrize("verb", ["coverage", "bias", "size"])
def test_what_is_measured_is_what_ordinary_fits_give(verb, monkeypatch):
    monkeypatch.setattr("veracity.lab.simulate.TRUTH_DRAWS", 20)
    how = {"rows": 30, "by": "repeated_kfold(k=3, repeats=2)", "trials": 6}
    measures = {
        "coverage": lambda of: lab.coverage("gaussians", of(GaussianNB), methods=("corrected_t", "cv_wald"), **how),
        "bias": lambda of: lab.bias("gaussians", of(GaussianNB), **how),
        "size": lambda of: lab.size("pure_noise", [of(GaussianNB), of(NearestMean)], methods="corrected_t", **how),
    }
    assert measures[verb](Fast).to_json() == measures[verb](lambda learner: learner).to_json()


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

    monkeypatch.setattr("bench.fast.fits.algebra_of", lambda model: algebra_of(LinearDiscriminantAnalysis()))
    for design, samples in samples_by_design("two_gaussians", "kfold(k=5)", 30, 3):
        assert Fast(Contrary).predict_splits(samples, design) is None
        assert Fast(LinearDiscriminantAnalysis).predict_splits(samples, design) is not None


def test_samples_with_the_same_classes_share_a_design_and_trials_do_not_depend_on_their_batch():
    world, by = make_world("two_gaussians"), "kfold(k=5)"
    together = dict(Trials(world, by, 30, 0).runs([GaussianNB], range(20)))
    ((number, (alone,)),) = Trials(world, by, 30, 0).runs([GaussianNB], [13])
    assert number == 13 and np.array_equal(alone.predictions.label, together[13][0].predictions.label)
    assert len({run.design for (run,) in together.values()}) < 12


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


TIMES, ASKED = np.array([[1, 2, 0, 1, 3, 1], [2, 1, 1, 0, 0, 2]]), np.array([[True] * 6, [False, True] * 3])
FEATURES, TARGET = np.arange(24.0).reshape(2, 6, 2) * 7 % 5, np.arange(12.0).reshape(2, 6) % 2
DISTANCE = np.abs(FEATURES[:, :, None, 0] - FEATURES[:, None, :, 0])
LOOPS = {
    orders.nearest_places: (DISTANCE, 3),
    orders.nearest_means: (np.argsort(DISTANCE, axis=2, kind="stable"), TIMES, TARGET, ASKED, 2),
    orders.best_cuts: (np.argsort(FEATURES, axis=1, kind="stable").transpose(0, 2, 1), FEATURES, TARGET, TIMES),
}


@pytest.mark.parametrize("loop", LOOPS, ids=lambda loop: loop.__name__)
def test_compiled_loops_do_what_python_does(loop):
    assert loop.function(*LOOPS[loop]) == pytest.approx(loop.compiled(*LOOPS[loop]))
