"""Estimators from bootstrap draws, against loops over draws and rows."""

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.metrics import f1_score, roc_auc_score
from sklearn.naive_bayes import GaussianNB

import veracity as vc
from veracity.risk.fold_scores import Resampling, main_splits, split_scores
from veracity.risk.resampling_estimators import left_out_estimate
from veracity.scores import scores

DRAWS = 30


@pytest.fixture(scope="module")
def data():
    random = np.random.default_rng(3)
    features = random.normal(size=(50, 2))
    return features, (features[:, 0] + random.normal(size=50) > 0).astype(int)


@pytest.fixture(scope="module")
def runs(evaluated, data):
    by = [f"{name}(draws={DRAWS})" for name in ("bootstrap", "loo_bootstrap", "optimism_bootstrap")]
    return evaluated(GaussianNB(), *data, by, positive=1)


@pytest.fixture(scope="module")
def draws(runs, data):
    """Training rows and model of each draw, fitted by hand."""
    splits = runs.run(by=f"bootstrap(draws={DRAWS})").design.splits
    features, target = data
    return [(split.train, GaussianNB().fit(features[split.train], target[split.train])) for split in splits]


def found(runs, score, name):
    return vc.estimate(runs, score)[score, f"{name}(draws={DRAWS})"]


def test_the_ordinary_bootstrap_is_the_mean_over_draws_on_all_rows(runs, draws, data):
    features, target = data
    errors = [(model.predict(features) != target).mean() for _, model in draws]
    areas = [roc_auc_score(target, model.predict_proba(features)[:, 1]) for _, model in draws]
    row = found(runs, "error", "bootstrap")
    assert row.value == pytest.approx(np.mean(errors))
    assert [note.weight for note in row.notes if note.code == "optimistic"] == ["caution"]
    assert "few-draws" in {note.code for note in row.notes} and row.interval is None
    assert found(runs, "auc", "bootstrap").value == pytest.approx(np.mean(areas))


def test_the_leave_one_out_bootstrap_is_averaged_per_row(runs, draws, data):
    features, target = data
    each = [
        np.mean([model.predict(features[[i]])[0] != target[i] for train, model in draws if i not in train])
        for i in range(len(target))
    ]
    assert found(runs, "error", "loo_bootstrap").value == pytest.approx(np.mean(each))


def test_counts_are_of_one_matrix_in_which_every_row_counts_once(runs, draws, data):
    features, target = data
    out = [np.setdiff1d(np.arange(len(target)), train) for train, _ in draws]
    rows = np.concatenate(out)
    label = np.concatenate([model.predict(features[left]) for left, (_, model) in zip(out, draws, strict=True)])
    weight = 1 / np.bincount(rows)[rows]
    expected = f1_score(target[rows], label, sample_weight=weight)
    assert found(runs, "fbeta", "loo_bootstrap").value == pytest.approx(expected)


def test_orderings_are_averaged_over_draws(runs, draws, data):
    features, target = data
    areas = []
    for train, model in draws:
        left = np.setdiff1d(np.arange(len(target)), train)
        areas.append(roc_auc_score(target[left], model.predict_proba(features[left])[:, 1]))
    row = found(runs, "auc", "loo_bootstrap")
    assert row.value == pytest.approx(np.mean(areas))
    assert "over-draws" in {note.code for note in row.notes}


def test_the_optimism_is_how_much_better_models_are_on_their_own_draw(runs, draws, data):
    features, target = data
    wrong = [model.predict(features) != target for _, model in draws]
    optimism = np.mean([w[train].mean() - w.mean() for w, (train, _) in zip(wrong, draws, strict=True)])
    apparent = (GaussianNB().fit(features, target).predict(features) != target).mean()
    row = found(runs, "error", "optimism_bootstrap")
    assert row.value == pytest.approx(apparent - optimism)
    assert dict(row.facts) == pytest.approx({"resubstitution": apparent, "optimism": optimism})


def test_rows_in_every_draw_are_counted(evaluated):
    runs = evaluated(LinearRegression(), np.arange(9.0)[:, None], np.arange(9.0) + 0.5, "loo_bootstrap(draws=2)")
    row = vc.estimate(runs, "mse")["mse"]
    (note,) = [note for note in row.notes if note.code == "never-out"]
    missed = set(range(9)) - set(runs.predictions().rows.tolist())
    assert missed and note.says.startswith(f"the estimate misses {len(missed)} of 9 rows")


def test_one_row_in_every_draw_is_told_in_the_singular(designed, numeric_run):
    run = numeric_run([1, 2, 3], designed(3, ([0, 0, 1], [2]), ([0, 2, 2], [1]), name="loo_bootstrap(draws=2)"), [1, 2])
    (note,) = left_out_estimate(Resampling(scores.choose("mse"), run)).notes
    assert note.says == "the estimate misses 1 of 3 rows, which no draw left out: use more draws"


def test_predictions_are_of_rows_out_of_the_draw(runs):
    run = runs.run(by=f"bootstrap(draws={DRAWS})")
    p = runs.predictions(by=f"bootstrap(draws={DRAWS})")
    assert len(run.predictions) == DRAWS * 50 and len(p) < DRAWS * 50 / 2
    assert not any(np.isin(p.rows[p.splits == k], split.train).any() for k, split in enumerate(run.design.splits))


def test_no_interval_is_known_for_the_ordinary_bootstrap(runs):
    with pytest.raises(vc.Refused, match="no interval and no test is known for bootstrap"):
        vc.estimate(runs, "error", interval="corrected_t")


def test_comparisons_see_the_rows_out_of_the_draw(runs):
    run = runs.run(by=f"bootstrap(draws={DRAWS})")
    found = split_scores(scores.choose("error"), run, main_splits(run))
    out = [len(np.setdiff1d(np.arange(50), split.train)) for split in run.design.splits]
    assert found.test.tolist() == out and (found.train == 50).all()


def test_too_few_draws_are_said_once(runs):
    def said(score):
        return [note.says for note in found(runs, score, "loo_bootstrap").all_notes if note.code == "few-draws"]

    (of_interval,), (of_value,) = said("error"), said("auc")  # only a mean has an interval, which needs more draws
    assert "fewer than 1000 draws" in of_interval and "fewer than 200 draws" in of_value
