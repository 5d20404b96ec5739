"""Scores, designs and tests may be typed by the words people know; results bear their own names."""

import numpy as np
import pytest

import veracity as vc

TRUTH = np.array(["yes", "no"] * 20)
CHANCE = np.linspace(0.05, 0.95, 40) * 0.6 + 0.4 * (TRUTH == "yes")
P = vc.predictions(TRUTH, proba=CHANCE, positive="yes")


@pytest.mark.parametrize(
    ("typed", "own"), [("f1", "fbeta"), ("Sensitivity", "recall"), ("ROC AUC", "auc"), ("F2", "fbeta(beta=2)")]
)
def test_a_score_by_another_name(typed, own):
    card = vc.estimate(P, typed)
    assert card[typed] is card[own] and list(card.to_json()["scores"]) == [own]
    assert card[own].value == vc.score(P, typed) == vc.score(P, own)
    assert typed not in repr(card).split()


def test_an_interval_and_a_test_by_other_names():
    assert vc.estimate(P, "acc", interval="Clopper-Pearson")["accuracy"].interval.method == "clopper_pearson"
    other = vc.predictions(TRUTH, proba=CHANCE[::-1], positive="yes")
    found = vc.compare({"a": P, "b": other}, "error rate", using="McNemar test")
    assert (found.score, found.using) == ("error", "mcnemar")


def test_a_design_by_another_name():
    from sklearn.naive_bayes import GaussianNB

    rows = CHANCE[:, None]
    runs = vc.evaluate({"nb": GaussianNB()}, rows, TRUTH, by=["stratified_kfold(k=4)", ".632+(draws=5)"], seed=1)
    assert list(runs.designs) == ["kfold(k=4, stratified=True)", "boot632plus(draws=5)"]
    assert vc.estimate(runs, "error")["nb", "stratified_kfold(k=4)"].by == "kfold(k=4, stratified=True)"
