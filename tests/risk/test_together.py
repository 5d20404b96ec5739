"""Rows of several models together: what can be pooled is, what cannot is averaged, and what is left out is told."""

import math

import numpy as np
import pytest
from scipy import stats
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import LeaveOneOut
from sklearn.naive_bayes import GaussianNB

import veracity as vc
from veracity.core.errors import BadInput, Refused

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(60, 3))
NUMBERS = X[:, 0] + RANDOM.normal(size=60)
CLASSES = (NUMBERS > 0).astype(int)


def one(runs, score, **how):
    return next(iter(vc.estimate(runs, score, **how)))


def codes(found):
    return {note.code: note for note in found.all_notes}


def by_hand(run, power):
    """Sums over all tested rows, each against the mean that its own model was trained on."""
    above = below = 0.0
    for split in run.design.splits:
        fresh = np.setdiff1d(split.test, split.train)
        said = Ridge().fit(X[split.train], NUMBERS[split.train]).predict(X[fresh])
        above += (np.abs(said - NUMBERS[fresh]) ** power).sum()
        below += (np.abs(NUMBERS[fresh] - NUMBERS[split.train].mean()) ** power).sum()
    return above / below


@pytest.mark.parametrize(("score", "power"), [("relative_squared_error", 2), ("relative_absolute_error", 1)])
def test_relative_errors_are_ratios_of_sums_over_all_rows(evaluated, score, power):
    runs = evaluated(Ridge(), X, NUMBERS, by="leave_one_out")
    assert one(runs, score).value == pytest.approx(by_hand(runs.run(), power), rel=1e-12)


@pytest.mark.parametrize("interval", [None, "conservative_t", "corrected_t"])
def test_a_ratio_is_of_sums_over_all_rows_whatever_its_interval(evaluated, interval):
    for folds in (5, 30):
        runs = evaluated(Ridge(), X, NUMBERS, by=f"kfold(k={folds})")
        found = one(runs, "relative_squared_error", interval=interval)
        assert found.value == pytest.approx(by_hand(runs.run(), 2), rel=1e-12) and found.value in found.interval


@pytest.mark.parametrize("score", ["relative_squared_error", "root_relative_squared_error", "relative_absolute_error"])
def test_rows_left_out_by_several_draws_count_once_in_a_ratio(evaluated, score):
    runs = evaluated(Ridge(), X, NUMBERS, by="loo_bootstrap(draws=60)")
    run = runs.run()
    times, sums = np.zeros(60), np.zeros((60, 2))
    power = 1 if "absolute" in score else 2
    for split in run.design.splits:
        fresh = np.setdiff1d(np.arange(60), split.train)
        train = np.sort(split.train)
        said = Ridge().fit(X[train], NUMBERS[train]).predict(X[fresh])
        times[fresh] += 1
        sums[fresh, 0] += np.abs(said - NUMBERS[fresh]) ** power
        sums[fresh, 1] += np.abs(NUMBERS[fresh] - NUMBERS[split.train].mean()) ** power
    above, below = (sums / times[:, None]).sum(0)
    expected = above / below
    assert one(runs, score).value == pytest.approx(math.sqrt(expected) if "root" in score else expected, rel=1e-9)


def rare(positives, rows=100):
    """Few positives, so that some draws leave out none of them."""
    random = np.random.default_rng(3)
    target = random.permutation(np.arange(rows) < positives).astype(int)
    features = random.normal(size=(rows, 3))
    features[:, 0] += 2 * target
    return features, target


def test_a_few_draws_that_leave_out_one_class_only_are_skipped_and_counted(evaluated):
    features, target = rare(8)
    runs = evaluated(GaussianNB(), features, target, by="loo_bootstrap(draws=200)", positive=1)
    found, areas = one(runs, "auc"), []
    for split in runs.run().design.splits:
        fresh, train = np.setdiff1d(np.arange(100), split.train), np.sort(split.train)
        if len(np.unique(target[fresh])) == 2:
            model = GaussianNB().fit(features[train], target[train])
            areas.append(roc_auc_score(target[fresh], model.predict_proba(features[fresh])[:, 1]))
    assert 180 <= len(areas) < 200, "nothing is skipped, or too much: this would prove nothing"
    assert found.value == pytest.approx(np.mean(areas))
    assert f"without {200 - len(areas)} of 200 splits" in codes(found)["skipped-splits"].says


def test_many_such_splits_leave_the_score_undefined_with_a_way_out(evaluated):
    features, target = rare(3)
    runs = evaluated(GaussianNB(), features, target, by="kfold(k=10, stratified=False)", positive=1)
    found = one(runs, "auc")
    assert math.isnan(found.value)
    assert "of 10 splits only one of the two classes has rows: use fewer folds or a stratified design, such as" in repr(
        found.value
    )
    way = evaluated(GaussianNB(), features, target, by="repeated_kfold(k=3, repeats=10)", positive=1)
    assert not math.isnan(one(way, "auc").value)


def test_corrected_t_is_of_the_splits_that_have_a_score(evaluated):
    features, target = rare(9)
    by = "repeated_holdout(repeats=60, test=0.2, stratified=False)"
    runs = evaluated(GaussianNB(), features, target, by=by, positive=1)
    areas = []
    for split in runs.run().design.splits:
        model = GaussianNB().fit(features[np.sort(split.train)], target[np.sort(split.train)])
        if len(np.unique(target[split.test])) == 2:
            areas.append(roc_auc_score(target[split.test], model.predict_proba(features[split.test])[:, 1]))
    assert 54 <= len(areas) < 60, "nothing is skipped, or too much: this would prove nothing"
    found = vc.estimate(runs, "auc", interval="corrected_t")["auc"]
    half = stats.t.ppf(0.975, len(areas) - 1) * np.std(areas, ddof=1) * math.sqrt(1 / len(areas) + 20 / 80)
    assert found.value == pytest.approx(np.mean(areas))
    assert found.interval.low == pytest.approx(np.mean(areas) - half)
    assert "skipped-splits" in codes(found)
    pair = evaluated({"nb": GaussianNB(), "linear": LogisticRegression()}, features, target, by=by, positive=1)
    compared = vc.compare(pair, score="auc", using="corrected_t")
    assert f"without {60 - len(areas)} of 60 splits" in codes(compared)["skipped-splits"].says
    assert compared.difference == pytest.approx(np.subtract(*(one.value for one in vc.estimate(pair, "auc"))))


def test_a_score_undefined_for_another_reason_is_never_skipped(evaluated):
    class Never(GaussianNB):
        """Names the positive class almost never."""

        def predict_proba(self, features):
            chance = np.zeros((len(features), 2))
            chance[:, 1] = features[:, 0] > 1.9
            chance[:, 0] = 1 - chance[:, 1]
            return chance

        def predict(self, features):
            return self.classes_[self.predict_proba(features).argmax(1)]

    features, target = rare(30)
    runs = evaluated(Never(), features, target, by="repeated_kfold(k=10, repeats=4)", positive=1)
    found = one(runs, "precision")
    assert "skipped-splits" not in codes(found)


@pytest.mark.parametrize("by", ["leave_one_out", "kfold(k=60, stratified=False)", LeaveOneOut()], ids=str)
def test_as_many_folds_as_rows_are_leaving_one_out(evaluated, by):
    runs = evaluated(GaussianNB(), X, CLASSES, by=by, positive=1)
    for score, method in (("error", "cv_wald"), ("fbeta", "percentile")):
        found = one(runs, score)
        assert found.interval.method == method and "rows-only" in codes(found)


@pytest.mark.parametrize("score", ["mse", "rmse", "r2", "correlation", "median_absolute_error"])
def test_leaving_one_out_has_one_rule_for_all_scores_of_numbers(evaluated, score):
    found = one(evaluated(Ridge(), X, NUMBERS, by="leave_one_out"), score)
    assert found.interval.method == ("cv_wald" if score == "mse" else "percentile")
    assert found.value in found.interval and "rows-only" in codes(found)


def test_bounds_for_all_models_of_a_class_hold_on_the_training_rows(evaluated):
    random = np.random.default_rng(1)
    features = random.normal(size=(3000, 2))
    target = (features[:, 0] + random.normal(size=3000) > 0).astype(int)
    runs = evaluated(LogisticRegression(), features, target, by="resubstitution", positive=1)
    found = one(runs, "error", interval="finite_class_bound(size_h=1000)")
    half = math.sqrt(math.log(2 * 1000 / 0.05) / (2 * 3000))
    assert (found.interval.low, found.interval.high) == pytest.approx((found.value - half, found.value + half))
    assert found.answers == "risk of the one model trained on 100 % of the rows"
    assert codes(found)["optimistic"].weight == "caution"
    assert one(runs, "error", interval="vc_bound(vc_dim=3)").interval.high < 1
    with pytest.raises(Refused, match="these rows had trained it"):
        one(runs, "error", interval="hoeffding")
    folds = evaluated(LogisticRegression(), features[:60], target[:60], by="kfold(k=3)", positive=1)
    with pytest.raises(Refused, match="models of several splits"):
        one(folds, "error", interval="finite_class_bound(size_h=10)")


def test_rankings_tell_of_skipped_splits(tmp_path):
    features, target = rare(9)
    by = "repeated_holdout(repeats=60, test=0.2, stratified=False)"
    tables = {name: (features + shift, target) for name, shift in (("one", 0.0), ("two", 1.0), ("three", 2.0))}
    learners = {"nb": GaussianNB(), "linear": LogisticRegression(), "strict": LogisticRegression(C=0.01)}
    runs = vc.Study(tables, learners, by, seed=0).run(tmp_path / "results.db", progress=False)
    for using in ("iman_davenport", "corrected_t"):
        found = vc.rank(runs, "auc", using=using)
        said = {note.code: note.says for note in found.notes}
        assert said["skipped-splits"].startswith("averages are without 18 of 540 splits")
    with pytest.raises(BadInput, match=r"there is no design called 'kfold\(k=50\)'"):
        vc.rank(runs, "auc", by="kfold(k=50)", using="skillings_mack(missing='worst')")


def test_a_permutation_test_tells_of_skipped_splits():
    features, target = rare(9)
    given = {"score": "auc", "by": "repeated_holdout(repeats=60, test=0.2, stratified=False)", "positive": 1}
    found = vc.permutation_test(GaussianNB(), features, target, **given, draws=2, progress=False)
    assert "without 2 splits" in {note.code: note for note in found.notes}["skipped-splits"].says
