"""On how many data sets one learner is better: brute force, a published example, simulation."""

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import veracity as vc
from veracity.contests.per_dataset import partial_conjunction
from veracity.core.errors import BadInput

WEKA = str(Path(__file__).parents[1] / "readers" / "assets" / "weka" / "results.arff.gz")

EXAMPLE = [0.168, 0.297, 0.357, 0.019, 0.218, 0.001]  # of the program of Dror et al.
chances = st.lists(st.floats(0.0001, 1), min_size=1, max_size=7)


def combined(p, how):
    return min(1.0, len(p) * min(p)) if how == "bonferroni" else stats.combine_pvalues(p).pvalue


@settings(max_examples=60)
@given(chances, st.sampled_from(["bonferroni", "fisher"]))
def test_a_partial_conjunction_is_the_worst_that_leaving_some_out_can_do(p, how):
    """Benjamini and Heller: the largest p-value of all collections of n - u + 1 data sets."""
    n = len(p)
    each = [max(combined(some, how) for some in combinations(p, n - u + 1)) for u in range(1, n + 1)]
    assert partial_conjunction(np.array(p), how) == pytest.approx(np.maximum.accumulate(each), rel=1e-9)


def test_the_example_of_dror_and_others():
    found = vc.replicability(EXAMPLE)[0]
    assert (found.better, found.better_on, found.worse) == (1, ("data 6",), None)
    assert found.partial[:2] == pytest.approx((0.006, 0.095))
    assert vc.replicability(EXAMPLE, combine="fisher")[0].better == 2
    assert "a is better than b on at least 1 of 6 data sets (data 6 can be named)" in found.sentence()


@given(chances)
def test_holm_names_as_many_as_bonferroni_counts(p):
    found = vc.replicability({f"d{i}": one for i, one in enumerate(p)})[0]
    assert len(found.better_on) == found.better


def wrong(how, true, of, trials, shift=3.0):
    """How often more data sets are counted than there are."""
    random = np.random.default_rng(true)
    z = random.normal(size=(trials, of)) + shift * (np.arange(of) < true)
    return np.mean([(partial_conjunction(p, how) <= 0.05).sum() > true for p in stats.norm.sf(z)])


@pytest.mark.parametrize("how", ["bonferroni", "fisher"])
@pytest.mark.parametrize("true", [0, 3])
def test_the_number_is_seldom_too_large(how, true):
    assert wrong(how, true, 8, 1500) < 0.05 + 3 * np.sqrt(0.05 * 0.95 / 1500)


@pytest.mark.slow
@pytest.mark.parametrize("true", [0, 1, 5, 10])
def test_the_number_is_seldom_too_large_anywhere(true):
    for how in ("bonferroni", "fisher"):
        for shift in (1.0, 6.0):
            assert wrong(how, true, 12, 5000, shift) < 0.06


def scores(gains):
    random = np.random.default_rng(1)
    data = {}
    for i, gain in enumerate(gains):
        shared = random.normal(0, 0.02, 10)
        both = {"old": shared, "new": shared + gain + random.normal(0, 0.01, 10)}
        data[f"d{i}"] = vc.split_scores(both, train=90, test=10, k=10, repeats=1, better="lower")
    return vc.score_matrix(data)


def test_scores_of_splits_count_for_both_sides():
    matrix = scores([-0.2, -0.2, 0.2, 0.0, 0.0, -0.2])
    (found,) = vc.replicability(matrix)
    assert (found.a, found.b, found.better, found.worse) == ("old", "new", 1, 3)
    assert found.better_on == ("d2",) and found.worse_on == ("d0", "d1", "d5")
    tested = vc.rank(matrix, using="corrected_t")  # the usual test of one repeat
    assert vc.replicability(tested)[0] == found
    two_sided = {row.data: row.p_value for row in tested}
    assert found.p_values["d2"] == pytest.approx(two_sided["d2"] / 2)
    assert found.p_values["d0"] == pytest.approx(1 - two_sided["d0"] / 2)
    shape = vc.replicability(matrix).to_json()
    assert shape["pairs"][0]["worse"] == 3 and shape["combine"] == "bonferroni"


@pytest.mark.parametrize("level", [0.8, 0.9, 0.95])
def test_a_data_set_is_named_where_holm_rejects_on_its_side(level):
    (found,) = vc.replicability(scores([-0.2, 0.006, 0.004, 0.003, 0.0, -0.003]), level=level)
    p = np.array(list(found.p_values.values()))
    for side, named in ((p, found.better_on), (1 - p, found.worse_on)):
        adjusted = dict(zip(found.p_values, vc.adjust(side, "holm"), strict=True))
        assert named == tuple(name for name in adjusted if adjusted[name] <= (1 - level) / 2)


def test_what_cannot_be_counted():
    with pytest.raises(BadInput, match="'bonferroni' or 'fisher', not 'holm'"):
        vc.replicability(EXAMPLE, combine="holm")
    with pytest.raises(BadInput, match="between 0 and 1"):
        vc.replicability([0.1, 2.0])
    with pytest.raises(BadInput, match="not float"):
        vc.replicability(0.5)
    with pytest.raises(BadInput, match="not ndarray"):
        vc.replicability(np.array(0.5))
    with pytest.raises(BadInput, match="one for each data set"):
        vc.replicability(np.array([[0.1, 0.2]]))
    with pytest.raises(BadInput, match="pairs= names pairs"):
        vc.replicability(scores([0.1, 0.2]), pairs=3)
    with pytest.raises(BadInput, match="`using=` chooses among comparisons"):
        vc.replicability([0.1, 0.2], using="corrected_t")
    with pytest.raises(BadInput, match="there is no learner called 'newer': did you mean new"):
        vc.replicability(scores([0.1, 0.2]), pairs=[("old", "newer")])


@pytest.mark.slow
def test_runs_on_several_data_sets(tmp_path):
    from sklearn.datasets import load_iris, load_wine
    from sklearn.dummy import DummyClassifier
    from sklearn.naive_bayes import GaussianNB

    study = vc.Study(
        data={"iris": load_iris(return_X_y=True), "wine": load_wine(return_X_y=True)},
        learners={"nb": GaussianNB(), "prior": DummyClassifier()},
        by="kfold(k=5)",
        seed=0,
    )
    runs = study.run(tmp_path / "store.db")
    (found,) = vc.replicability(runs, "error")
    assert (found.better, found.worse, found.better_on) == (2, 0, ("iris", "wine"))
    with pytest.raises(BadInput, match="wilcoxon is one test of all data sets"):
        vc.replicability(runs, "error", using="wilcoxon")
    with pytest.raises(BadInput, match="friedman is one test of all data sets"):
        vc.replicability(runs, "error", using="friedman")


def test_a_test_of_all_data_sets_together_is_no_test_of_one():
    """Its p-value would count as that of a data set that there is not."""
    random = np.random.default_rng(5)
    wide = {"dataset": [f"d{i}" for i in range(12)], **{name: random.random(12) for name in ("one", "two", "three")}}
    with pytest.raises(BadInput, match="wilcoxon is one test of all data sets"):
        vc.replicability(vc.compare(vc.score_matrix(wide, better="lower"), using="wilcoxon"))


def test_pairs_are_named_as_tables_print_them():
    matrix = vc.read_scores(WEKA, score="Percent_correct")
    (found,) = vc.replicability(matrix, pairs=[("J48", "(3)")])
    assert (found.a, found.b) == ("J48", matrix.learners[2])
    with pytest.raises(BadInput, match="there is no learner called 'tree'"):
        vc.replicability(matrix, pairs=[("J48", "tree")])
