"""Worlds without a learner: what they say is true is what very many of their rows give."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import veracity as vc
from veracity import lab

MANY = 200_000


def place(text):
    choice = lab.worlds.choose(text)
    return choice.function()


@pytest.mark.parametrize(
    ("world", "score", "within"),
    [
        ("normal_values(distance=1.5, positives=0.05)", "auc", 0.01),
        ("normal_values(distance=1, positives=0.3, step=0.5)", "auc", 0.005),
        ("normal_values(distance=1, positives=0.3, step=0.5)", "average_precision", 0.01),
        ("normal_values(distance=1, positives=0.3, tilt=0.5)", "auc", 0.005),
        ("normal_values(distance=1, positives=0.3, tilt=0.5)", "average_precision", 0.01),
        ("probabilities(positives=0.2)", "brier", 0.005),
        ("probabilities(positives=0.2)", "log_loss", 0.01),
        ("probabilities(positives=0.3, slope=2, shift=-0.5)", "log_loss", 0.03),
        ("probabilities(positives=0.3, slope=2)", "auc", 0.005),
        ("grouped_errors(share=0.2, within=0.4)", "error", 0.01),
        ("grouped_errors(share=0.2, within=0.4, unequal=True)", "error", 0.01),
        ("skewed_losses(shape=0.3)", "mean", 0.02),
        ("normal_errors", "median_absolute_error", 0.01),
        ("confusion(matrix=((5, 1, 0), (1, 3, 1), (0, 2, 4)))", "kappa", 0.005),
    ],
)
def test_a_world_tells_the_truth_of_its_scores(world, score, within):
    one = place(world)
    assert vc.score(one.draw(MANY, np.random.default_rng(3)), score) == pytest.approx(one.truth(score), abs=within)


def test_calibrated_probabilities_and_others():
    """Calibrated ones have the least mean loss of all that order rows alike; the area is the same."""
    worlds = [lab.Probabilities(slope=slope, shift=shift) for slope, shift in ((1, 0), (2, 0), (1, 1))]
    losses = [world.truth("log_loss") for world in worlds]
    assert losses[0] < min(losses[1:])
    assert [round(world.truth("auc"), 6) for world in worlds] == [round(worlds[0].truth("auc"), 6)] * 3


@given(st.lists(st.integers(0, 9), min_size=9, max_size=9).filter(lambda cells: min(cells[::4]) > 0))
def test_every_score_of_a_confusion_matrix_has_its_truth(cells):
    """A matrix of shares has the score of the matrix of counts."""
    matrix = tuple(tuple(cells[i : i + 3]) for i in (0, 3, 6))
    world = lab.Confusion(matrix=matrix)
    for score in ("error", "kappa", "mcc", "fbeta(average='macro')", "balanced_accuracy"):
        assert world.truth(score) == pytest.approx(float(vc.score(vc.Counts(matrix, classes=[0, 1, 2]), score)))


@pytest.mark.parametrize(
    ("world", "score"),
    [
        ("two_models(share=0.3, discordant=0.2, effect=0.1)", "error"),
        ("two_models(share=0.3, discordant=0.2, effect=0.1, oversampled=3)", "error"),
        ("two_in_groups(effect=0.05)", "error"),
        ("two_in_groups(effect=-0.05, unequal=True)", "error"),
        ("two_losses(effect=0.3, law='heavy')", "mean"),
        ("two_losses(law='skewed')", "mean"),
        ("two_orderings(effect=0.1, positives=0.2)", "auc"),
        ("two_shares(effect=0.1)", "error"),
        ("several_models(effect=0.1)", "error"),
    ],
)
def test_two_models_differ_by_the_effect(world, score):
    one = place(world)
    first, second, *_ = one.draw(MANY, np.random.default_rng(4)).values()
    assert vc.score(first, score) - vc.score(second, score) == pytest.approx(one.effect, abs=0.012)


def test_outcomes_of_two_models_are_all_there():
    world = lab.TwoModels(share=0.3, discordant=0.2, effect=0.1)
    for told_apart in (True, False):
        every = list(world.outcomes(7, told_apart))
        assert sum(p for p, _ in every) == pytest.approx(1)
        assert -sum(p * pairs.difference for p, pairs in every) == pytest.approx(0.1)  # of accuracy, not of error
        assert {pairs.rows for _, pairs in every} == {7}
    errors = [sum(p * (pairs.neither + pairs.second_only) for p, pairs in world.outcomes(7)) / 7]
    assert errors == [pytest.approx(0.35)]


def test_splits_have_the_covariance_that_was_asked_for():
    world = lab.Splits(k=3, repeats=2, within=0.2, between=0.4)
    random = np.random.default_rng(5)
    tables = [world.draw(60, random).learners for _ in range(4000)]
    found = np.cov(np.array([one["a"].values - one["b"].values for one in tables]).T)
    assert found == pytest.approx(world.covariance, abs=0.09)
    assert world.covariance[0, 1] == 0.2 and world.covariance[0, 4] == 0.4
    assert lab.Splits(k=5).covariance[0, 1] == 0.2


def test_data_sets():
    world = lab.DataSets(learners=3, effect=2.0, ahead=2, missing=0.3, digits=0)
    matrix = world.draw(400, np.random.default_rng(6))
    assert 0.15 < matrix.missing / matrix.values.size < 0.35 and (~np.isnan(matrix.values)).sum(axis=1).min() == 2
    assert np.nanmean(matrix.values, axis=0) == pytest.approx([2, 2, 0], abs=0.7)
    assert world.differ("learner 1", "learner 3") and not world.differ("learner 1", "learner 2")
    with_splits = lab.DataSets(learners=2, splits=5).draw(4, np.random.default_rng(0))
    assert len(with_splits.splits) == 4 and len(with_splits.splits[0][0]) == 5


def test_every_order_is_there_once():
    every = list(lab.EqualOrders(learners=3).outcomes(3))
    assert len({matrix.ranks.tobytes() for _, matrix in every}) == 6**3 == len(every)
    assert not list(lab.EqualOrders(learners=4).outcomes(10))


@pytest.mark.parametrize(
    ("world", "says"),
    [
        ("confusion(matrix=((1, 2), (3,)))", "matrix has a row of chances for each class"),
        ("confusion(matrix=((1, -2), (3, 4)))", "matrix has a row of chances for each class"),
        ("two_models(share=0.01, discordant=0.5)", "leave no room"),
        ("two_models(discordant=0.1, effect=0.2)", "effect lies between -0.1 and 0.1"),
        ("two_losses(law='odd')", "law is 'normal', 'heavy', 'skewed', not 'odd'"),
        ("splits(within=0, between=0.9, repeats=3)", "no scores have the correlations"),
        ("data_sets(learners=1)", "of 1 learners 1 cannot be ahead"),
        ("equal_orders(learners=9)", "learners are 2 to 8 here"),
        ("p_values(real=11)", "real lies between 0 and 10"),
        ("grouped_errors(within=0)", "within lies between 0 and 1"),
    ],
)
def test_a_world_that_cannot_be_drawn(world, says):
    with pytest.raises(vc.VeracityError, match=says):
        place(world)
