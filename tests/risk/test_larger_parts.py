"""Refusals of scores that small test parts leave undefined: their way out is followed to the letter."""

import re

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.naive_bayes import GaussianNB

import veracity as vc
from veracity.risk.fold_scores import skipped_notes
from veracity.scores import scores

BY, INTERVAL = re.compile(r"by='([^']+)'"), re.compile(r"(\w+_\w+) `by=")


def rows(positive, number=60):
    random = np.random.default_rng(5)
    target = np.zeros(number, int)
    target[:positive] = 1
    return random.normal(size=(number, 2)) + 1.5 * target[:, None], target


def follow(evaluated, says, score, positive, interval):
    """The estimate by the design, and with the interval, that a refusal names."""
    asked = INTERVAL.search(says)
    runs = evaluated(LogisticRegression(), *rows(positive), BY.search(says).group(1), positive=1)
    return vc.estimate(runs, score, interval=asked.group(1) if asked else interval)[score]


ONE_SPLIT = [
    ("repeated_holdout(repeats=1)", "error", "corrected_t"),
    ("repeated_holdout(repeats=1)", "auc", "corrected_t"),
    ("repeated_holdout(repeats=1)", "error", "cv_wald"),
    ("holdout", "fbeta", "corrected_t"),
]
SMALL_PARTS = [
    ("leave_one_out", "auc", "corrected_t"),
    ("leave_one_out", "auc", "percentile"),
    ("leave_one_out", "auc", "wilson"),
    ("leave_one_out", "fbeta", "corrected_t"),
    ("kfold(k=20, stratified=False)", "auc", "corrected_t"),
]
FEW_POSITIVES = [*SMALL_PARTS, ("loo_bootstrap(draws=60)", "auc", "corrected_t")]
CASES = [*((*case, 30) for case in ONE_SPLIT + SMALL_PARTS), *((*case, 4) for case in FEW_POSITIVES)]


@pytest.mark.parametrize(("by", "score", "interval", "positive"), CASES)
def test_the_way_out_is_one(evaluated, by, score, interval, positive):
    runs = evaluated(LogisticRegression(), *rows(positive), by, positive=1)
    with pytest.raises(vc.Refused) as why:
        vc.estimate(runs, score, interval=interval)
    found = follow(evaluated, str(why.value), score, positive, interval)
    assert found.interval is not None and found.value in found.interval


def test_too_few_rows_for_any_folds_are_said(evaluated):
    runs = evaluated(GaussianNB(), *rows(1, 12), "leave_one_out", positive=1)
    with pytest.raises(vc.Refused, match="so it has no interval: more rows are needed"):
        vc.estimate(runs, "auc", interval="corrected_t")


def grouped(positive_groups, size=10, number=12):
    """Groups that each hold one class alone."""
    groups = np.repeat(np.arange(number), size)
    target = (np.arange(number) < positive_groups).astype(int)[groups]
    features = np.random.default_rng(0).normal(size=(len(groups), 3)) + target[:, None]
    return features, target, groups


@pytest.mark.parametrize(("by", "score"), [("kfold(k=6)", "auc"), ("leave_one_out", "auc"), ("leave_one_out", "fbeta")])
def test_with_groups_a_design_that_keeps_them_whole_is_named(evaluated, by, score):
    features, target, groups = grouped(4)
    runs = evaluated(GaussianNB(), features, target, by, positive=1, groups=groups)
    with pytest.raises(vc.Refused, match=r"use fewer folds or corrected_t `by='sklearn.*StratifiedGroupKFold"):
        vc.estimate(runs, score, interval="corrected_t")


def test_a_constant_target_is_helped_by_no_design(evaluated):
    features, _ = rows(12)
    runs = evaluated(Ridge(), features, np.full(60, 1.5), "kfold(k=5)")
    with pytest.raises(vc.Refused, match="no design helps, as the target is constant"):
        vc.estimate(runs, "r2", interval="corrected_t")


def in_time(period, number=60):
    """Rows that each have a time; one in so many is positive."""
    target = (np.arange(number) % period == 0).astype(int)
    return np.random.default_rng(3).normal(size=(number, 2)) + target[:, None], target, np.arange(number)


def test_in_time_order_fewer_windows_are_advised(evaluated):
    features, target, time = in_time(20)
    runs = evaluated(GaussianNB(), features, target, "kfold(k=10)", positive=1, time=time)
    with pytest.raises(vc.Refused, match="use fewer windows in time, or `by='holdout'`"):
        vc.estimate(runs, "auc", interval="corrected_t")
    followed = evaluated(LogisticRegression(), features, target, "holdout", positive=1, time=time)
    assert vc.estimate(followed, "auc")["auc"].interval is not None


@pytest.mark.parametrize(
    ("by", "says"),
    [
        ("kfold(k=10)", "fewer windows in time make that rarer"),
        ("leave_one_out", "stratified design with ordered=False"),
    ],
)
def test_what_is_said_of_skipped_splits_suits_rows_that_have_a_time(evaluated, by, says):
    features, target, time = in_time(8)
    run = evaluated(GaussianNB(), features, target, by, positive=1, time=time).run()
    (note,) = skipped_notes(scores.choose("auc"), 3, 10, run)
    assert says in note.says


def test_one_split_is_singular(evaluated):
    by = "repeated_holdout(repeats=1, test=0.05, stratified=False)"
    runs = evaluated(GaussianNB(), *rows(1), by, positive=1)
    with pytest.raises(vc.Refused, match=r"in 1 of 1 split\b"):
        vc.estimate(runs, "auc", interval="corrected_t")
