"""Estimates over splits that failed: that is said first, and what is said agrees with the value."""

import math
from dataclasses import replace

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

import veracity as vc
from veracity.risk import estimators
from veracity.risk.fold_scores import incomplete_notes

SIZES = {
    "repeated_holdout": "(repeats=8, test=0.3)",
    "kfold": "(k=5)",
    "repeated_kfold": "(k=5, repeats=2)",
    "nested": "(outer=kfold(k=5), inner=kfold(k=3))",
    "paired_subsampling": "(outer=3, inner=3)",
    "nested_cv_bates": "(k=3, repeats=2)",
    "corrected_kfold": "(k=5)",
}
DRAWS = ("bootstrap", "loo_bootstrap", "boot632", "boot632plus", "optimism_bootstrap")
BY = {entry.name: entry.name + SIZES.get(entry.name, "(draws=30)" * (entry.name in DRAWS)) for entry in estimators}
WHOLE = ("corrected_holdout", "corrected_kfold", "jackknife")  # a correction needs the models of all splits
SCORES = ["error", "auc", "fbeta"]
OTHERS, WITHOUT = "the estimate is over the others", "the estimate does without them"


class Fails(GaussianNB):
    """Fails where its training rows lack one of some rows, or always; the second feature tells which rows."""

    def __init__(self, rows=()):
        super().__init__()
        self.rows = rows

    def fit(self, features, target):
        if not self.rows or not np.isin(self.rows, features[:, 1]).all():
            raise RuntimeError("too hard")
        return super().fit(features, target)


@pytest.fixture(scope="module")
def estimate(evaluated):
    random = np.random.default_rng(0)
    target = np.tile([0, 1], 15)
    features = np.column_stack([random.normal(size=30) + target, np.arange(30.0)])
    learners = {"some": Fails((0, 1, 2)), "all": Fails()}
    return vc.estimate(evaluated(learners, features, target, list(BY.values()), positive=1), SCORES)


@pytest.mark.parametrize("score", SCORES)
@pytest.mark.parametrize("name", BY)
def test_what_is_missing_is_said_first_and_agrees_with_the_value(estimate, name, score):
    row = estimate["some", BY[name], score]
    said = [note.says for note in row.all_notes if OTHERS in note.says or WITHOUT in note.says]
    if name == "resubstitution":
        assert row.failed == 0 and not said
        return
    assert row.failed > 0 and row.notes[0].code == "failed-splits"
    if math.isnan(row.value):
        assert not said and row.interval is None
        assert [note.code for note in row.all_notes].count("undefined") == 1
    else:
        assert said == [row.notes[0].says]


@pytest.mark.parametrize("score", SCORES)
@pytest.mark.parametrize("name", BY)
def test_when_all_splits_failed_nothing_is_estimated(estimate, name, score):
    row = estimate["all", BY[name], score]
    assert row.failed == row.splits and row.value.reason == "no split succeeded" and row.interval is None
    assert [note.code for note in row.all_notes] == ["failed-splits", "undefined"]
    assert OTHERS not in row.notes[0].says


@pytest.mark.parametrize("name", WHOLE)
def test_a_correction_is_of_all_models_or_there_is_none(estimate, name):
    for score in SCORES:
        assert math.isnan(estimate["some", BY[name], score].value)


def test_the_reason_counts_what_there_is(estimate):
    reason = estimate["some", BY["corrected_kfold"], "error"].value.reason
    assert reason.startswith("the estimate needs all 5 splits of the part 'folds', of which ")


def test_halves_that_failed_leave_the_estimate_of_all_rows_whole(designed, numeric_run):
    pairs = [([0, 1, 2], [3]), ([1, 2, 3], [0]), ([0], [1]), ([2], [3])]
    design = designed(4, *pairs, name="paired_subsampling")
    parts = ("full", "full", "half 0 a", "half 0 b")
    halves = replace(
        design, splits=tuple(replace(split, part=part) for split, part in zip(design.splits, parts, strict=True))
    )
    (whole,) = incomplete_notes(numeric_run([1, 2, 3, 4], halves, [1, 2], failed=2), 0.5)
    assert WITHOUT in whole.says
    (short,) = incomplete_notes(numeric_run([1, 2, 3, 4], halves, [1], failed=3), 0.5)
    assert OTHERS in short.says


def test_splits_that_were_not_run_are_counted_too(designed, numeric_run):
    run = numeric_run([1, 2, 3, 4], designed(4, ([0, 1], [2, 3]), ([2, 3], [0, 1])), [1])
    (note,) = incomplete_notes(replace(run, absent=1), 0.5)
    assert note.code == "missing-splits"
    assert note.says == f"there is nothing yet of 1 of 2 splits of mean on data; {OTHERS}"
