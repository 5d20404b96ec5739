"""Burman's corrections and the jackknife: Example J, closed forms, loops."""

import numpy as np
import pytest
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB

import veracity as vc
from veracity.core.errors import Refused
from veracity.records.design import Design, Rows, Split, SplitPart
from veracity.risk.designs import design_for

Y = np.arange(1.0, 7) + 0.5  # halves, or whole numbers would be read as classes; squared loss does not see the shift
EVERY = np.arange(6)
BLANK = np.zeros((6, 1))


def in_parts(name, part, *tests):
    splits = [Split(np.setdiff1d(EVERY, test), EVERY, fold=k, part=SplitPart(part)) for k, test in enumerate(tests)]
    return Design(name, 0, 6, (*splits, Split(EVERY, EVERY, part=SplitPart("resubstitution"))))


@pytest.fixture(scope="module")
def example_j(evaluated):
    folds = in_parts("corrected_kfold(k=3)", "folds", [0, 1], [2, 3], [4, 5])
    held = in_parts("corrected_holdout(test=0.333)", "held out", [4, 5])
    plain = ["resubstitution", "leave_one_out", "jackknife", "boot632plus(draws=200)"]
    return evaluated(DummyRegressor(strategy="mean"), BLANK, Y, [*plain, folds, held])


@pytest.mark.parametrize(
    ("by", "value"),
    [
        ("resubstitution", 2.9167),
        ("leave_one_out", 4.2),
        ("jackknife", 3.5),
        ("corrected_kfold(k=3)", 5.5833),
        ("corrected_holdout(test=0.333)", 8.25),
    ],
)
def test_example_j(example_j, by, value):
    assert vc.estimate(example_j, "mse")["mse", by].value == pytest.approx(value, abs=5e-5)


def test_what_example_j_is_made_of(example_j):
    est = vc.estimate(example_j, "mse")
    jackknife = dict(est["jackknife"].facts)
    assert (jackknife["bias"], jackknife["standard_error"]) == pytest.approx((-0.5833, 1.3387), abs=5e-5)
    folds = dict(est["corrected_kfold(k=3)"].facts)
    assert folds == pytest.approx({"uncorrected": 6.25, "correction": 2.9167 - 3.5833}, abs=1e-4)
    held = dict(est["corrected_holdout(test=0.333)"].facts)
    assert held == pytest.approx({"uncorrected": 9.25, "correction": 2.9167 - 3.9167}, abs=1e-4)
    assert dict(est["boot632plus(draws=200)"].facts)["no_information"] == pytest.approx(2.9167, abs=5e-5)
    assert est["boot632plus(draws=200)"].value == pytest.approx(2.9167, abs=5e-5)  # never above


def test_leave_one_out_of_a_linear_model_by_its_hat_matrix(evaluated):
    random = np.random.default_rng(0)
    features = random.normal(size=(25, 3))
    target = features @ [1, 2, 3] + random.normal(size=25)
    runs = evaluated(LinearRegression(), features, target, ["leave_one_out", "jackknife"])
    table = np.column_stack([np.ones(25), features])
    hat = table @ np.linalg.pinv(table)
    rest = target - hat @ target
    est = vc.estimate(runs, "mse")
    assert est["leave_one_out"].value == pytest.approx(np.mean((rest / (1 - np.diag(hat))) ** 2))
    without = [(rest @ rest - rest[i] ** 2 / (1 - hat[i, i])) / 24 for i in range(25)]
    theta = rest @ rest / 25
    assert est["jackknife"].value == pytest.approx(theta - 24 * (np.mean(without) - theta))


def test_the_jackknife_of_a_variance_is_the_unbiased_one(evaluated):
    target = np.random.default_rng(2).normal(size=20)
    runs = evaluated(DummyRegressor(), np.zeros((20, 1)), target, "jackknife")
    assert vc.estimate(runs, "mse")["mse"].value == pytest.approx(target.var(ddof=1))


def test_the_jackknife_warns_of_scores_that_jump(evaluated):
    random = np.random.default_rng(2)
    target = np.tile([0, 1], 10)
    runs = evaluated(GaussianNB(), random.normal(size=(20, 2)), target, "jackknife")
    codes = {score: {note.code for note in vc.estimate(runs, score)[score].notes} for score in ("error", "brier")}
    assert "not-smooth" in codes["error"] and "not-smooth" not in codes["brier"]


def test_groups_are_left_out_whole_by_the_jackknife(evaluated):
    target, groups = np.random.default_rng(4).normal(size=12), np.repeat([0, 1, 2, 3], 3)
    runs = evaluated(DummyRegressor(), np.zeros((12, 1)), target, "jackknife", groups=groups)
    without = [target[groups != g].var() for g in range(4)]
    expected = target.var() - 3 * (np.mean(without) - target.var())
    assert vc.estimate(runs, "mse")["mse"].value == pytest.approx(max(expected, 0))


def test_corrected_folds_weigh_as_many_rows_as_they_have(evaluated):
    random = np.random.default_rng(6)
    target, weights = random.normal(size=11), random.random(11) + 0.5
    runs = evaluated(DummyRegressor(), np.zeros((11, 1)), target, "corrected_kfold(k=4)", weights=weights)
    found = dict(vc.estimate(runs, "mse")["mse"].facts)
    lost, on_all, size = 0.0, [], []
    for split in runs.run().design.splits[:4]:
        test = np.setdiff1d(np.arange(11), split.train)
        mean = np.average(target[split.train], weights=weights[split.train])
        lost += weights[test] @ (target[test] - mean) ** 2
        on_all.append(np.average((target - mean) ** 2, weights=weights))
        size.append(weights[test].sum())
    mean = np.average(target, weights=weights)
    assert found["uncorrected"] == pytest.approx(lost / weights.sum())
    own = np.average((target - mean) ** 2, weights=weights)
    assert found["correction"] == pytest.approx(own - np.average(on_all, weights=size))


def test_variants_of_the_splits_can_be_asked_for(evaluated):
    rows = Rows(20, np.repeat([0, 1], [19, 1]))
    with pytest.raises(Refused, match="the rarest class has 1 row, too few for 4 parts"):
        design_for("corrected_kfold(k=4)", rows, 0)
    design = design_for("corrected_kfold(k=4, stratified=False)", rows, 0)
    assert design.name == "corrected_kfold(k=4, stratified=False)" and len(design) == 5


def test_rows_in_time_order_are_dealt_as_if_it_did_not_matter_and_that_is_said():
    design = design_for("corrected_kfold(k=3)", Rows(12, time=np.arange(12)), 0)
    assert "out-of-time-order" in {note.code for note in design.notes}
