"""Predictions of several models, of repeated rows and of training rows are never taken for one fixed model's."""

from statistics import NormalDist

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

import veracity as vc
from veracity.comparisons import comparisons
from veracity.curves import curves
from veracity.evidence.predictions import subset
from veracity.intervals import intervals

LEARNERS = {"nb": GaussianNB(), "nn": KNeighborsClassifier(n_neighbors=1)}
DESIGNS = ("kfold(k=5)", "repeated_kfold(k=5, repeats=4)", "leave_one_out", "resubstitution", "holdout")


@pytest.fixture(scope="module")
def studies():
    features, target = load_breast_cancer(return_X_y=True)
    return {by: vc.evaluate(LEARNERS, features[:150], target[:150], by=by, seed=3, positive=1) for by in DESIGNS}


def models_of(runs):
    return {name: runs.predictions(name) for name in LEARNERS}


def codes(notes):
    return {note.code for note in notes}


@pytest.mark.parametrize(
    ("by", "provenance"),
    [
        ("kfold(k=5)", "several models"),
        ("repeated_kfold(k=5, repeats=4)", "several models"),
        ("leave_one_out", "several models"),
        ("resubstitution", "training rows"),
        ("holdout", "one model"),
    ],
)
def test_predictions_remember_how_they_were_made(studies, by, provenance):
    assert studies[by].predictions("nb").provenance == provenance


@pytest.mark.parametrize("by", DESIGNS)
@pytest.mark.parametrize("score", ["error", "auc", "fbeta", "brier", "log_loss"])
def test_an_estimate_of_predictions_is_that_of_their_runs(studies, by, score):
    runs = studies[by]
    for row, of_runs in zip(vc.estimate(models_of(runs), score), vc.estimate(runs, score), strict=True):
        assert row.value == of_runs.value or (np.isnan(row.value) and np.isnan(of_runs.value))
        assert (row.interval is None) == (of_runs.interval is None)
        if row.interval is not None:
            assert (row.interval.low, row.interval.high) == (of_runs.interval.low, of_runs.interval.high)
        value = vc.score(runs.predictions(row.learner), score)
        assert value == row.value or np.isnan(value) == np.isnan(row.value)


def test_orderings_of_several_models_are_averaged_with_a_caution(studies):
    row = vc.estimate(studies["kfold(k=5)"].predictions("nb"), "auc").rows[0]
    assert [note.weight for note in row.notes if note.code == "several-models"] == ["caution"]
    p = studies["kfold(k=5)"].predictions("nb")
    each = [vc.score(subset(p, p.splits == k), "auc") for k in range(5)]
    assert row.value == pytest.approx(np.mean(each))


@pytest.mark.parametrize("by", ["kfold(k=5)", "repeated_kfold(k=5, repeats=4)"])
def test_the_mean_of_deviates_is_that_of_the_rates_which_they_stand_for(studies, by):
    p = studies[by].predictions("nb")
    roc, det = (vc.curve(p, kind).lines[0] for kind in ("roc", "det"))
    rates = np.vectorize(NormalDist().cdf)([det.x, det.y])
    negatives = np.bincount(p.splits[p.truth == 0])
    at_a_step = np.isclose(np.outer(negatives, roc.x) % 1, 0).any(0)  # on which side of it is a matter of rounding
    at_a_step[[0, -1]] = False
    assert at_a_step.sum() < 10
    np.testing.assert_allclose(rates[:, ~at_a_step], np.array([roc.x, 1 - roc.y])[:, ~at_a_step], atol=1e-12)


def test_orderings_by_leaving_one_out_are_undefined(studies):
    value = vc.score(studies["leave_one_out"].predictions("nb"), "auc")
    assert np.isnan(value) and "only one of the two classes" in value.reason


@pytest.mark.parametrize("by", ["kfold(k=5)", "repeated_kfold(k=5, repeats=4)", "leave_one_out"])
@pytest.mark.parametrize("score", ["error", "auc", "brier"])
def test_a_comparison_of_predictions_is_that_of_their_runs(studies, by, score):
    runs = studies[by]
    if by == "leave_one_out":
        for source in (runs, models_of(runs)):
            with pytest.raises(vc.Refused, match="which leave_one_out has not"):
                vc.compare(source, score)
        return
    one, other = vc.compare(models_of(runs), score), vc.compare(runs, score)
    assert (one.p_value, one.difference, one.using) == (other.p_value, other.difference, other.using)


def test_training_rows_are_no_test_of_a_model(studies):
    runs = studies["resubstitution"]
    row = vc.estimate(runs.predictions("nn"), "error").rows[0]
    assert row.value == 0 and row.interval is None and "optimistic" in codes(row.notes)
    for source in (runs, models_of(runs)):
        for using in (None, "mcnemar", "mcnemar_midp", "paired_loss_t"):
            with pytest.raises(vc.Refused, match="had trained the model") as why:
                vc.compare(source, "error", using=using)
            assert why.value.code == "training-rows"
    with pytest.raises(vc.Refused, match="not seen"):
        vc.best_threshold(runs.predictions("nb"), "youden")


@pytest.mark.parametrize("using", [None, "mcnemar", "mcnemar_midp", "paired_loss_t", "paired_bootstrap"])
def test_a_hold_out_is_one_fixed_model(studies, using):
    runs = studies["holdout"]
    one, other = vc.compare(runs, "error", using=using), vc.compare(models_of(runs), "error", using=using)
    assert (one.p_value, one.difference) == (other.p_value, other.difference)
    assert one.data == "data" and one.n01 == other.n01
    assert vc.compare(runs, "auc").using == "delong_t"


def test_a_hold_out_that_was_asked_before_says_so(studies, tmp_path):
    features, target = load_breast_cancer(return_X_y=True)
    runs = vc.evaluate(LEARNERS, features[:90], target[:90], by="holdout", store=tmp_path / "s.db", positive=1)
    assert "test-asked-again" not in codes(vc.compare(runs, "error").notes)
    assert "test-asked-again" in codes(vc.compare(runs, "auc").notes)
    parts = {name: (features[rows], target[rows]) for name, rows in (("one", slice(90)), ("two", slice(90, 180)))}
    study = vc.Study(parts, LEARNERS, "holdout")
    several = study.run(tmp_path / "several.db", progress=False)
    vc.compare(several, "error")
    again = [note.says for note in vc.compare(several, "auc").all_notes if note.code == "test-asked-again"]
    assert [says.count("one:") + says.count("two:") for says in again] == [1, 1]


@pytest.mark.parametrize("by", ["kfold(k=5)", "repeated_kfold(k=5, repeats=4)", "resubstitution"])
@pytest.mark.parametrize("name", sorted(entry.name for entry in intervals))
def test_no_interval_takes_them_for_one_model(studies, name, by):
    """Refused, or about the learner, or with a caution: never in silence."""
    p, entry = studies[by].predictions("nb"), intervals[name]
    if any(parameter.required for parameter in entry.parameters):
        pytest.skip("what it needs is no matter of the rows")
    for score in entry.only or ("error", "brier", "auc"):
        try:
            interval = vc.estimate(p, score, interval=name).rows[0].interval
        except (vc.Refused, vc.BadInput):
            continue
        about_learner = entry.answers != "model"
        assert about_learner or any(note.weight == "caution" for note in interval.notes), (name, score)


@pytest.mark.parametrize("by", ["kfold(k=5)", "repeated_kfold(k=5, repeats=4)", "resubstitution"])
@pytest.mark.parametrize("name", sorted(entry.name for entry in comparisons if entry.compares == 2))
def test_no_test_of_models_reads_them(studies, name, by):
    runs = studies[by]
    of_models = {type_.__name__ for type_ in evidence_of_models()}
    for score in comparisons[name].only or ("error", "auc"):
        try:
            answer = vc.compare(models_of(runs), score, using=name)
        except (vc.Refused, vc.BadInput):
            continue
        assert comparisons[name].reads.__name__ not in of_models, (name, score)
        assert answer.using.startswith(name)


def evidence_of_models():
    """The kinds of evidence that only fixed models on the same new rows give."""
    from veracity.evidence.interval_evidence import Shares
    from veracity.evidence.same_rows import Correctness, Pairs, SameRows

    return Pairs, SameRows, Shares, Correctness


@pytest.mark.parametrize("by", ["kfold(k=5)", "repeated_kfold(k=5, repeats=4)", "leave_one_out", "resubstitution"])
@pytest.mark.parametrize("name", sorted(entry.name for entry in curves))
def test_every_curve_of_them_says_so(studies, name, by):
    p = models_of(studies[by])
    given = {"profit": {"benefit_tp": 1.0}}.get(name, {})
    if curves[name].needs == "number" or (by == "leave_one_out" and curves[name].by_fold):
        with pytest.raises((vc.Refused, vc.BadInput)):
            vc.curve(p, name, **given)
        return
    chart = vc.curve(p, name, **given)
    assert codes(chart.notes) & {"several-models", "optimistic"}
    assert all(line.low is None and line.high is None for line in chart.lines)
    assert not any(guide.style == "band" for guide in chart.guides)


def test_a_fixed_model_beside_folds_stays_one_line():
    truth, value = [1, 0, 1, 0] * 2, [4.0, 3.0, 2.0, 1.0, 40.0, 10.0, 30.0, 20.0]
    folds = vc.predictions(truth, value=value, positive=1, fold=[0] * 4 + [1] * 4)
    fixed = vc.predictions(truth, value=value, positive=1)
    chart, alone = vc.curve({"folds": folds, "fixed": fixed}, "roc"), vc.curve(fixed, "roc").only
    assert chart.line("fixed").says == alone.says and np.array_equal(chart.line("fixed").y, alone.y)
    assert [guide.of for guide in chart.guides if guide.name == "of each fold"] == ["folds", "folds"]
    assert chart.facts["auc"] == {"folds": pytest.approx(0.875), "fixed": vc.score(fixed, "auc")}


@pytest.mark.parametrize("count", [(2, 3), (3, 2)])
def test_a_model_with_fewer_folds_counts_none_twice(count):
    value, truth = np.arange(12.0) % 5, [1, 0, 0] * 4
    models = {
        name: vc.predictions(truth, value=value, positive=1, fold=np.arange(12) // (12 // k))
        for name, k in zip("ab", count, strict=True)
    }
    for name, auc in vc.curve(models, "roc").facts["auc"].items():
        assert auc == pytest.approx(vc.score(models[name], "auc"))


@pytest.mark.parametrize("name", ["roc", "precision_recall"])
def test_there_is_no_band_around_several_models(studies, name):
    for by, code in (("kfold(k=5)", "several-models"), ("resubstitution", "training-rows")):
        with pytest.raises(vc.Refused, match="band") as why:
            vc.curve(models_of(studies[by]), name, band=0.95)
        assert why.value.code == code


def test_the_average_of_two_folds_by_hand():
    truth, fold = [1, 0, 1, 0] * 2, [0] * 4 + [1] * 4
    value = [4.0, 3.0, 2.0, 1.0, 40.0, 10.0, 30.0, 20.0]  # areas 3/4 and 1, on scales that cannot be pooled
    p = vc.predictions(truth, value=value, positive=1, fold=fold)
    chart = vc.curve(p, "roc")
    assert chart.facts["auc"] == {"model": pytest.approx(0.875)} and chart.facts["folds"] == 2
    line = chart.only
    assert line.says == "mean AUC 0.875 of 2 folds"
    assert line.y[line.x == 0.25] == pytest.approx((0.5 + 1.0) / 2)
    assert line.y[[0, -1]] == pytest.approx([0.0, 1.0])
    assert [guide.of for guide in chart.guides if guide.name == "of each fold"] == ["model", "model"]


@pytest.mark.parametrize("by", ["kfold(k=5)", "repeated_kfold(k=5, repeats=4)"])
def test_a_comparison_by_a_design_is_of_its_estimates(studies, by):
    found = vc.compare(studies[by], "error")
    first, second = (row.value for row in vc.estimate(studies[by], "error"))
    assert found.difference == pytest.approx(first - second)


def test_slices_of_several_models_are_theirs_too(studies):
    p = studies["kfold(k=5)"].predictions("nb")
    by = np.where(np.arange(len(p)) % 2, "odd", "even")
    assert {row.interval.method for row in vc.slices(p, by, "error")} == {"conservative_t"}


def test_dominance_is_of_fixed_models(studies):
    models = models_of(studies["kfold(k=5)"])
    with pytest.raises(vc.Refused, match="several"):
        vc.dominance(*models.values())


def test_a_mix_of_one_and_several_models_is_refused(studies):
    mixed = {"a": studies["kfold(k=5)"].predictions("nb"), "b": studies["holdout"].predictions("nb")}
    with pytest.raises(vc.Refused, match="like with like"):
        vc.compare(mixed, "error")


@pytest.mark.parametrize("by", ["repeated_kfold(k=5, repeats=4)", "repeated_holdout(repeats=6, test=0.3)"])
def test_a_chart_is_the_mean_of_all_models(studies, by):
    features, target = load_breast_cancer(return_X_y=True)
    runs = studies.get(by) or vc.evaluate(LEARNERS, features[:150], target[:150], by=by, seed=3, positive=1)
    p = runs.predictions("nb")
    chart = vc.curve(p, "roc")
    assert chart.facts["auc"]["nb"] == pytest.approx(vc.score(p, "auc"))
    assert sum(guide.name == "of each fold" for guide in chart.guides) == chart.facts["folds"] == p.splits.max() + 1


def test_the_worst_rows_are_shown_once(studies):
    p = studies["repeated_kfold(k=5, repeats=4)"].predictions("nb")
    found = vc.worst(p, 30)
    assert found.of == 150 and len({row.row for row in found}) == 30
    losses = -np.log(np.maximum(p.truth_probability, 1e-300))
    assert found.rows[0].loss == pytest.approx(losses.max()) and codes(found.notes) == {"several-models"}
    assert codes(vc.worst(studies["resubstitution"].predictions("nb"), 3).notes) == {"optimistic"}


def test_an_estimator_in_parts_gives_its_name_to_its_own_estimate_alone():
    features, target = load_breast_cancer(return_X_y=True)
    runs = vc.evaluate(GaussianNB(), features[:100], target[:100], by="bootstrap(draws=10)", seed=1)
    assert vc.estimate(runs.predictions(), "error").rows[0].by == "the 10 main splits of bootstrap(draws=10)"


def test_predictions_of_one_data_set_are_not_ranked(studies):
    with pytest.raises(vc.BadInput, match="use compare"):
        vc.rank(models_of(studies["kfold(k=5)"]), "error")
