"""Learners compared end to end: runs on one data set and on several, and scores from elsewhere."""

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

import veracity as vc
from veracity.contests.compare import ComparisonSpec, compare_pair
from veracity.contests.score_sources import from_runs
from veracity.core.confidence import Confidence
from veracity.risk.estimate_run import EstimateRequest, estimate_run
from veracity.scores import scores

LEARNERS = {"nb": GaussianNB(), "knn": KNeighborsClassifier(1)}


def data(seed):
    random = np.random.default_rng(seed)
    y = np.arange(50) % 2
    return random.normal(size=(50, 2)) + y[:, None], y


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    tables = {f"data {i}": data(i) for i in range(7)}
    return vc.Study(data=tables, learners=LEARNERS, by="repeated_kfold(k=5, repeats=2)", seed=3).run(
        store=tmp_path_factory.mktemp("study") / "results.db"
    )


def test_several_data_sets_by_wilcoxon(runs):
    found = vc.compare(runs, "error")
    assert found.using == "wilcoxon" and found.better == "lower"
    facts = dict(found.facts)
    assert facts["wins"] + facts["ties"] + facts["losses"] == 7
    assert found.difference < 0 < facts["wins"]


def test_several_data_sets_with_their_splits(runs):
    found = vc.compare(runs, "error", using="hierarchical_posterior(rope=0.01, draws=3200)")
    assert sum(found.probabilities) == pytest.approx(1)


def test_one_of_several_data_sets_by_its_splits(runs):
    found = vc.compare(runs, "error", data="data 2")
    assert found.using == "conservative_t" and found.data == "data 2" and found.df == 9
    with pytest.raises(vc.BadInput, match="no data set called 'data 9'"):
        vc.compare(runs, "error", data=["data 2", "data 9"])


def test_each_of_several_data_sets_by_its_splits(runs):
    found = vc.compare(runs, "error", using="corrected_t")
    assert [row.data for row in found] == list(runs.names)
    alone = vc.compare(runs, "error", using="corrected_t", data="data 2")
    assert (found["nb", "knn", "data 2"].p_value, alone.adjusted_p_value) == (alone.p_value, None)
    smallest = min(found, key=lambda row: row.p_value)
    assert smallest.adjusted_p_value == pytest.approx(min(1, 7 * smallest.p_value))  # one family
    assert found.table().columns[0].title == "data" and found.to_json()["comparisons"][1]["data"] == "data 1"
    with pytest.raises(
        vc.BadInput, match="leaves several comparisons, add the slice or data set: there are nb, knn, data 0"
    ):
        found["nb", "knn"]
    few = vc.compare(runs, "error", data=["data 2", "data 3"])  # the test of splits, as of one data set
    assert {row.using for row in few} == {"conservative_t"} and len(few) == 2


def test_what_was_simulated_is_what_the_verbs_say(runs):
    """`bench.defaults.learners` asks estimate_run and compare_pair, which is faster than a store."""
    choice, of = scores.choose("error"), {name: runs.run(name, "data 2") for name in LEARNERS}
    found = compare_pair(from_runs(of, choice, "error"), ComparisonSpec(), *LEARNERS)
    said = vc.compare(runs, "error", data="data 2")
    assert (found.using, found.p_value, found.interval) == (said.using, said.p_value, said.interval)
    alone = estimate_run(of["knn"], EstimateRequest(choice, "error", Confidence()))
    assert alone.interval == vc.estimate(runs, "error")["data 2", "knn"].interval


def test_even_class_shares_hide_no_difference_that_is_chance(tmp_path):
    """Always one class and always the other: 54 of 100 rows are of one, which says nothing, and no fold shows it."""
    constants = {name: f"sklearn.dummy:DummyClassifier(strategy='constant', constant={code})" for name, code in CODES}
    y = np.array([0] * 54 + [1] * 46)
    designs = ["repeated_kfold(k=10, repeats=2)", "kfold(k=10)"]
    both = vc.evaluate(constants, np.zeros((100, 1)), y, by=designs, store=tmp_path / "s.db")
    repeated, once = (vc.compare(both, "error", by=by) for by in designs)
    assert repeated.using == "conservative_t" and repeated.p_value > 0.3
    half = (repeated.interval.high - repeated.interval.low) / 2
    assert half == pytest.approx(2.13 * np.sqrt(1 - 0.08**2) / 10, rel=0.1)  # of 100 differences of 1 and -1
    assert once.using == "corrected_t" and "even-classes" in {note.code for note in once.notes}
    fair = vc.evaluate(LEARNERS, *data(1), by="kfold(k=10)", store=tmp_path / "t.db")
    assert "even-classes" not in {note.code for note in vc.compare(fair, "error").notes}


CODES = (("first", 0), ("second", 1))


def test_losses_without_end_are_refused_in_a_sentence(runs):
    with pytest.raises(vc.Refused, match="infinite in some splits"):
        vc.compare(runs.only(data=["data 0"]), "log_loss")


def test_repeated_folds_are_no_kfold_and_no_five_by_two(runs):
    for name, way_out in (("kfold_t", "conservative_t"), ("five_by_two_f", "five_by_two")):
        with pytest.raises(vc.Refused, match=way_out):
            vc.compare(runs, "error", using=name, data="data 2")


def test_five_by_two_from_runs():
    found = vc.compare(vc.evaluate(LEARNERS, *data(0), by="five_by_two", seed=1), "error", using="five_by_two_f")
    assert 0 < found.p_value <= 1


def test_a_matrix_needs_no_score_and_splits_no_matrix():
    m = vc.score_matrix([[0.9, 0.8]] * 8)
    with pytest.raises(vc.BadInput, match="scores already"):
        vc.compare(m, "error")
    with pytest.raises(vc.Refused, match="corrected_t cannot be had from scores on several data sets"):
        vc.compare(m, using="corrected_t")


def test_posteriors_are_not_adjusted():
    m = vc.score_matrix(np.random.default_rng(0).random((8, 3)))
    found = vc.compare(m, using="sign_posterior(rope=0.1)")
    assert len(found) == 3 and all(row.p_value is None for row in found)
    with pytest.raises(vc.BadInput, match="not adjusted"):
        vc.compare(m, using="sign_posterior(rope=0.1)", then="holm")


DESIGNS = (
    "kfold(k=5)",
    "repeated_kfold(k=5, repeats=2)",
    "repeated_holdout(repeats=4)",
    "five_by_two",
    "nested_cv_bates(k=3, repeats=2)",
    "paired_subsampling(outer=2, inner=3)",
    "leave_one_out",
    "kfold(k=50, stratified=False)",
    "loo_bootstrap(draws=12)",
    "bootstrap(draws=12)",
    "boot632plus(draws=12)",
    "corrected_kfold(k=5)",
    "jackknife",
)
SERVED = DESIGNS[:6]


@pytest.mark.parametrize("by", DESIGNS)
def test_compare_and_estimate_take_the_same_designs(by):
    """A test of two learners is refused where the same method is no interval for one of them."""
    runs = vc.evaluate(LEARNERS, *data(0), by=by, seed=1)
    for ask in (
        lambda: vc.estimate(runs, "error", interval="corrected_t"),
        lambda: vc.compare(runs, "error", using="corrected_t"),
        lambda: vc.compare(runs, "error"),
    ):
        if by in SERVED:
            ask()
        else:
            with pytest.raises(vc.Refused, match=r"by='repeated_kfold\(k=10, repeats=10\)'"):
                ask()


@pytest.mark.parametrize("score", ["error", "recall", "brier", "auc"])
@pytest.mark.parametrize("test", ["corrected_t", "conservative_t", "kfold_t", "correlated_t_posterior"])
def test_a_difference_is_that_of_the_two_estimates_also_by_folds_of_other_sizes(score, test):
    """By folds of 20, 5 and 5 rows the difference over folds had the other sign than that of the two errors."""
    random, fold = np.random.default_rng(1), np.repeat([0, 1, 2, 3], [20, 10, 6, 4])
    truth = np.tile([0, 1], 20)
    models = {
        name: vc.predictions(truth, proba=np.clip(truth * lift + random.random(40) * 0.6, 0, 1), positive=1, fold=fold)
        for name, lift in (("a", 0.4), ("b", 0.3))
    }
    found = vc.compare(models, score, using=test)
    a, b = (vc.score(models[name], score) for name in ("a", "b"))
    assert found.difference == pytest.approx(a - b)
    assert found.interval is None or found.difference in found.interval


def test_a_difference_has_the_sign_of_that_of_the_two_errors():
    truth, fold = np.zeros(30, int), np.repeat([0, 1, 2], [20, 5, 5])
    first, second = truth.copy(), truth.copy()
    first[:4], second[[20, 21, 25]] = 1, 1
    models = {
        name: vc.predictions(truth, label=label, classes=[0, 1], fold=fold)
        for name, label in (("a", first), ("b", second))
    }
    found = vc.compare(models, "error", using="corrected_t")
    assert found.difference == pytest.approx(4 / 30 - 3 / 30)
