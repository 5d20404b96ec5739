"""The best of many, corrected for having been chosen."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import veracity as vc
from veracity.core.errors import BadInput, Refused
from veracity.core.seeds import generator


def models(rows, rates, seed=0, **more):
    """Models that are right on each row with a chance of their own, independently of each other."""
    random = np.random.default_rng(seed)
    truth = random.integers(0, 2, rows)
    hits = random.random((len(rates), rows)) < np.reshape(rates, (-1, 1))
    return {
        f"m{i}": vc.predictions(truth, label=np.where(hit, truth, 1 - truth), classes=[0, 1], positive=1, **more)
        for i, hit in enumerate(hits)
    }


def only(estimates):
    (row,) = estimates.values()
    return row, dict(row.facts)


def by_hand(losses, draws, seed=0):
    """As the paper says it, sample by sample, from the losses (models x rows)."""
    random, units = generator(seed, "bbc_cv"), losses.shape[1]
    found = []
    for drawn in random.integers(0, units, (draws, units)):
        out = np.setdiff1d(np.arange(units), drawn)
        if len(out):
            found.append(losses[losses[:, drawn].mean(axis=1).argmin(), out].mean())
    return np.array(found)


@settings(max_examples=25)
@given(st.integers(5, 25), st.integers(2, 5), st.integers(0, 99))
def test_it_is_what_the_paper_does(rows, number, seed):
    given = models(rows, np.full(number, 0.6), seed)
    losses = np.array([p.label != p.truth for p in given.values()], float)
    row, facts = only(vc.bbc_cv(given, "error", draws=40))
    each = by_hand(losses, 40)
    assert row.value == pytest.approx(each.mean())
    assert (row.interval.low, row.interval.high) == pytest.approx(tuple(np.quantile(each, [0.025, 0.975])))
    assert facts["naive"] == pytest.approx(losses.mean(axis=1).min())


@pytest.mark.parametrize("score", ["brier", "rmse", "fbeta"])
def test_other_scores(score):
    """Of one model that always wins it is the mean score of the rows left out."""
    random = np.random.default_rng(2)
    if score == "rmse":
        truth = random.normal(size=60)
        given = {"good": vc.predictions(truth, number=truth + 0.1 * random.normal(size=60))}
        given["bad"] = vc.predictions(truth, number=truth + 9 * random.normal(size=60))
    else:
        truth = random.integers(0, 2, 60)
        near, far = (np.clip(truth + noise * random.normal(size=60), 0, 1) for noise in (0.3, 5))
        given = {name: vc.predictions(truth, proba=proba, positive=1) for name, proba in (("good", near), ("bad", far))}
    row, facts = only(vc.bbc_cv(given, score, draws=30))
    drawn = generator(0, "bbc_cv").integers(0, 60, (30, 60))
    left = [np.setdiff1d(np.arange(60), one) for one in drawn]
    from veracity.evidence.predictions import subset

    assert row.value == pytest.approx(np.mean([vc.score(subset(given["good"], out), score) for out in left]))
    assert facts["chosen_share"] == 1 and facts["naive"] == pytest.approx(vc.score(given["good"], score))


def bias(rows, number, trials, draws=200):
    """Of equal models: by how much the corrected and the naive error are off, and how often limits hold the truth."""
    found = []
    for seed in range(trials):
        row, facts = only(vc.bbc_cv(models(rows, np.full(number, 0.6), seed), "error", draws=draws))
        found.append((row.value - 0.4, facts["naive"] - 0.4, 0.4 in row.interval))
    corrected, naive, held = np.array(found, float).T
    return corrected.mean(), corrected.std() / np.sqrt(trials), naive.mean(), held.mean()


def test_of_equal_models_the_naive_error_is_too_good_and_this_one_is_not():
    corrected, error, naive, held = bias(40, 20, 60)
    assert naive < -0.1 and abs(corrected) < 3 * error < 0.03 and held >= 0.95


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "number"), [(40, 5), (40, 50), (100, 30), (300, 30)])
def test_it_is_not_biased_and_its_interval_holds(rows, number):
    corrected, error, naive, held = bias(rows, number, 400)
    assert abs(corrected) < 3 * error and naive < -10 * error and held > 0.95


@pytest.mark.slow
def test_it_agrees_with_nested_cross_validation():
    """Noise: no setting is better than chance, which the score that the winner won by does not show."""
    from sklearn.tree import DecisionTreeClassifier

    random = np.random.default_rng(0)
    x, y = random.normal(size=(120, 5)), random.integers(0, 2, 120)
    tree = vc.tuned(
        DecisionTreeClassifier(random_state=0),
        grid={"max_depth": [1, 2, 3, 5], "min_samples_leaf": [1, 5, 10]},
        score="error",
    )
    flat = vc.evaluate(tree.configurations(), x, y, by="kfold(k=5)", seed=1)
    row, facts = only(vc.bbc_cv(flat, "error"))
    nested = vc.estimate(vc.evaluate({"tree": tree}, x, y, by="kfold(k=5)", seed=1), "error")["tree"].value
    assert row.learner == "best of 12" and row.answers == "risk of the best of 12 learners trained on 80 % of the rows"
    assert facts["naive"] < row.value and abs(row.value - nested) < 0.1 and 0.5 in row.interval


def test_rows_that_are_tested_again_and_groups_are_drawn_whole():
    given = models(12, [0.6, 0.7])
    truth = given["m0"].truth
    rows = np.arange(12)
    once = {name: vc.predictions(truth, label=p.label, rows=rows) for name, p in given.items()}
    again = np.tile(rows, 2)
    twice = {name: vc.predictions(truth[again], label=p.label[again], rows=again) for name, p in given.items()}
    plain = only(vc.bbc_cv(once))
    assert only(vc.bbc_cv(twice))[0].value == pytest.approx(plain[0].value)
    of = np.repeat(rows, 3)
    grouped = {name: vc.predictions(truth[of], label=p.label[of], groups=of) for name, p in given.items()}
    assert only(vc.bbc_cv(grouped))[0].value == pytest.approx(plain[0].value)


def test_out_of_fold_rows_of_a_file():
    given = models(20, [0.6, 0.7])
    fold = np.arange(20) % 4
    folds = {n: vc.predictions(p.truth, label=p.label, fold=fold, classes=[0, 1]) for n, p in given.items()}
    assert only(vc.bbc_cv(folds))[0].value == pytest.approx(only(vc.bbc_cv(given))[0].value)
    with pytest.raises(Refused, match="same splits"):
        vc.bbc_cv({"m0": folds["m0"], "m1": given["m1"]})


@pytest.mark.slow
def test_out_of_fold_rows_say_so_and_training_rows_are_refused():
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier

    random = np.random.default_rng(0)
    x, y = random.normal(size=(40, 2)), random.integers(0, 2, 40)
    learners = {"nb": GaussianNB(), "one": KNeighborsClassifier(1), "nine": KNeighborsClassifier(9)}
    runs = vc.evaluate(learners, x, y, by=["kfold(k=4)", "resubstitution"], seed=0)
    row, _ = only(vc.bbc_cv(runs, "error", by="kfold(k=4)"))
    pooled = {name: runs.predictions(name, by="kfold(k=4)") for name in learners}
    assert only(vc.bbc_cv(pooled, "error"))[0].value == pytest.approx(row.value)
    with pytest.raises(Refused, match="had trained the models"):
        vc.bbc_cv(runs, "error", by="resubstitution")
    with pytest.raises(Refused, match="auc is neither a mean over rows nor of a confusion matrix"):
        vc.bbc_cv(runs, "auc", by="kfold(k=4)")


def test_what_cannot_be_asked():
    given = models(20, [0.6, 0.7])
    with pytest.raises(BadInput, match="give two learners or more"):
        vc.bbc_cv({"m0": given["m0"]})
    with pytest.raises(BadInput, match="at least 2, not 1"):
        vc.bbc_cv(given, draws=1)
    with pytest.raises(BadInput, match="not list"):
        vc.bbc_cv(list(given.values()))
    with pytest.raises(BadInput, match="tried on 20 and 10 rows"):
        vc.bbc_cv({"a": given["m0"], "b": models(10, [0.6])["m0"]})


def test_a_grid_has_its_configurations():
    from sklearn.neighbors import KNeighborsClassifier

    found = vc.tuned(KNeighborsClassifier(), grid={"n_neighbors": [1, 3]}, score="error").configurations()
    assert list(found) == ["n_neighbors=1", "n_neighbors=3"] and found["n_neighbors=3"].n_neighbors == 3


def codes(given, score="error"):
    return {note.code for note in only(vc.bbc_cv(given, score))[0].notes}


def test_few_units_are_said():
    """Four groups of many rows tell as little here as of any other interval."""
    assert {"few-groups", "clustered-rows"} <= codes(models(200, [0.6, 0.7], groups=np.repeat(np.arange(4), 50)))
    assert not {"few-groups", "few-rows"} & codes(models(200, [0.6, 0.7]))
    assert "few-rows" in codes(models(20, [0.6, 0.7]))


def test_what_is_to_be_said_of_the_predictions_is_said():
    truth, proba = [1, 0] * 40, np.random.default_rng(3).random((2, 80))
    given = {str(i): vc.predictions(truth, proba=p, positive=1, labelled="positives") for i, p in enumerate(proba)}
    assert "labelled-at-random" in codes(given, "recall")


def test_predictions_have_no_data_sets_or_designs_to_choose_from():
    for word in ("data", "by"):
        with pytest.raises(BadInput, match=f"`{word}=` chooses from runs"):
            vc.bbc_cv(models(40, [0.6, 0.7]), **{word: "kfold"})


@pytest.mark.parametrize("rows", [None, np.arange(60)[::-1]])
def test_true_repeats_are_rows_of_their_own(rows):
    random = np.random.default_rng(6)
    truth, times = random.integers(0, 2, 60), random.integers(1, 6, 60)
    labels = {str(i): np.where(random.random(60) < 0.3, 1 - truth, truth) for i in range(3)}
    also = {"positive": 1, "counts": times, "rows": rows}
    counted = {name: vc.predictions(truth, label=one, **also) for name, one in labels.items()}
    each = np.repeat(np.arange(60), times) if rows is None else np.repeat(np.arange(60)[::-1], times[::-1])
    alone = {name: vc.predictions(truth[each], label=one[each], positive=1) for name, one in labels.items()}
    (a, _), (b, _) = only(vc.bbc_cv(counted, "error")), only(vc.bbc_cv(alone, "error"))
    assert (a.value, a.interval.low, a.interval.high) == pytest.approx((b.value, b.interval.low, b.interval.high))


def test_more_than_anybody_has_is_refused_before_it_is_done():
    y = np.arange(20) % 2
    models = {name: vc.predictions(y, label=y, counts=[10**11] * 20, positive=1) for name in ("a", "b")}
    with pytest.raises(vc.Refused, match="looks at each of 2,000,000,000,000 rows by itself"):
        vc.bbc_cv(models, "error")
    with pytest.raises(vc.Refused, match="bbc_cv is asked for 1,000,000,000 draws, more than 1,000,000"):
        vc.bbc_cv(models, "error", draws=10**9)
