"""A learner against chance, from end to end."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.linear_model import Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

import veracity as vc

X, Y = load_iris(return_X_y=True)
RANDOM = np.random.default_rng(0)


def exclusive_or(rows=80):
    """Two features that tell nothing one by one and everything together."""
    x = RANDOM.choice([-1.0, 1.0], (rows, 2))
    return x + RANDOM.normal(0, 0.2, x.shape), (x.prod(1) > 0).astype(int)


def test_iris_can_be_learned():
    found = vc.permutation_test(GaussianNB(), X, Y, by="kfold(k=5)", draws=19)
    assert found.p_value == 0.05 and found.value < 0.1
    assert found.expected == pytest.approx(2 / 3, abs=0.05)
    assert [note.code for note in found.notes] == ["few-draws"]
    assert found.to_json()["by"] == "kfold(k=5)"


def test_noise_cannot():
    x = RANDOM.normal(size=(60, 3))
    assert vc.permutation_test(GaussianNB(), x, np.arange(60) % 2, by="kfold(k=5)", draws=39).p_value > 0.05


def test_only_a_learner_that_uses_both_features_loses_by_parting_them():
    x, y = exclusive_or()
    used = vc.permutation_test(KNeighborsClassifier(3), x, y, by="kfold(k=4)", draws=39, kind="within_class")
    assert used.p_value == 1 / 40
    naive = vc.permutation_test(GaussianNB(), x, y, by="kfold(k=4)", draws=39, kind="within_class")
    assert naive.p_value > 0.05


def test_groups_that_fall_together_are_not_taken_for_evidence():
    """Six clusters of ten rows: a tree finds them whatever their labels, and rows by themselves look significant."""
    groups = np.repeat(np.arange(6), 10)
    x = groups[:, None] + RANDOM.normal(0, 0.01, (60, 1))
    y = np.array([0, 1, 1, 0, 1, 0])[groups]
    of_rows = vc.permutation_test(DecisionTreeClassifier(), x, y, by="kfold(k=5)", draws=39)
    of_groups = vc.permutation_test(DecisionTreeClassifier(), x, y, by="kfold(k=3)", draws=39, groups=groups)
    assert of_rows.p_value == 1 / 40 and of_groups.p_value > 0.1


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"draws": 0}, "draws must be at least 1, not 0"),
        ({"draws": 2.5}, "`draws=` must be a whole number, not 2.5"),
        ({"kind": "rows"}, "kind is 'labels' or 'within_class'"),
        ({"time": np.arange(150)}, "time order"),
        ({"score": "mse"}, "mse is not a score for a target of classes"),
        ({"workers": 0}, "workers is a whole number of at least 1"),
        ({"y": np.zeros(150, int)}, "holds only the class 0"),
        ({"by": "kfold(k=900)"}, "folds"),
    ],
)
def test_wrong_calls_say_what_is_wrong(given, says):
    with pytest.raises((vc.BadInput, vc.Refused)) as told:
        vc.permutation_test(GaussianNB(), X, given.pop("y", Y), **{"draws": 3, **given})
    assert says in str(told.value)


def test_a_learner_without_probabilities_is_told_so():
    with pytest.raises(vc.BadInput, match="log_loss needs probabilities"):
        vc.permutation_test(LinearSVC(), X, Y, score="log_loss", draws=3, by="kfold(k=3)")


class Broken(GaussianNB):
    def fit(self, x, y):
        raise RuntimeError("no")


def test_a_learner_that_fails_on_the_data_itself_is_refused():
    with pytest.raises(vc.Refused, match="the estimate of Broken on the data as it is failed: RuntimeError: no"):
        vc.permutation_test(Broken(), X, Y, draws=3)


class Counted(GaussianNB):
    """Counts its fits, which all fail."""

    fits = 0

    def fit(self, *args, **kwargs):
        Counted.fits += 1
        raise RuntimeError("no")


def test_no_draw_is_made_where_the_data_as_it_is_has_no_estimate():
    with pytest.raises(vc.Refused, match="failed: RuntimeError: no"):
        vc.permutation_test(Counted(), X, Y, by="kfold(k=3)", draws=50)
    assert Counted.fits == 1


class Wordy(GaussianNB):
    def fit(self, x, y):
        raise RuntimeError("All the 3 fits failed.\n\nBelow is   more:\n" + "-" * 500)


def test_a_reason_of_many_lines_is_one_sentence():
    with pytest.raises(vc.Refused) as told:
        vc.permutation_test(Wordy(), X, Y, draws=3)
    assert "RuntimeError: All the 3 fits failed. Below is more: ---" in str(told.value)
    assert "\n" not in str(told.value) and len(str(told.value)) < 400


def test_a_constant_target_is_told():
    found = vc.permutation_test(Ridge(), X, np.full(len(X), 1.5), score="mse", by="kfold(k=3)", draws=3)
    assert found.notes[0].code == "constant-target"


def test_one_learner_at_a_time():
    with pytest.raises(vc.BadInput, match="give one learner, not 2"):
        vc.permutation_test({"a": GaussianNB(), "b": GaussianNB()}, X, Y)
