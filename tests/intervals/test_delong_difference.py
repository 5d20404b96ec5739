"""DeLong's difference of areas against the ovarian data, the matrix of all pairs of rows, and ties."""

import numpy as np
import pytest

import veracity as vc
from veracity.core.confidence import Confidence
from veracity.core.errors import Refused
from veracity.core.notes import check
from veracity.evidence.make_predictions import predictions
from veracity.evidence.same_rows import SameRows
from veracity.intervals.auc import delong_difference, delong_error, error_by_class
from veracity.scores import scores

AUC = scores.choose("auc")


def pair(truth, *values):
    return SameRows.of(AUC, *(predictions(truth, value=value, positive=1) for value in values))


def test_ovarian_data(ovarian):
    found = pair((ovarian["popind"] == 0).astype(int), -ovarian["alb"], -ovarian["tp"])
    assert (found.difference, delong_error(found)[0]) == pytest.approx((0.0887, 0.0558), abs=5e-5)
    limits = delong_difference.function(found, Confidence())
    assert (limits.low, limits.high) == pytest.approx((-0.0206, 0.1981), abs=5e-5)


def placements(truth, first, second):
    wins = [np.sign(v[truth == 1][:, None] - v[truth == 0]) / 2 + 0.5 for v in (first, second)]
    gap = wins[0] - wins[1]
    return gap.mean(1), gap.mean(0)


def by_all_pairs(truth, first, second):
    """The standard error from the matrix of all pairs of a positive and a negative row."""
    of_positives, of_negatives = placements(truth, first, second)
    return np.sqrt(of_positives.var(ddof=1) / len(of_positives) + of_negatives.var(ddof=1) / len(of_negatives))


@pytest.mark.parametrize("seed", range(5))
def test_equals_the_matrix_of_all_pairs(seed):
    random = np.random.default_rng(seed)
    truth = np.tile([0, 1, 0], 20)
    first, second = (np.round(truth + random.normal(size=60), seed % 3) for _ in range(2))
    error, df = delong_error(pair(truth, first, second))
    assert error == pytest.approx(by_all_pairs(truth, first, second), rel=1e-9)
    parts = [gap.var(ddof=1) / len(gap) for gap in (placements(truth, first, second))]
    welch = sum(parts) ** 2 / sum(part**2 / (rows - 1) for part, rows in zip(parts, (20, 40), strict=True))
    assert df == pytest.approx(welch, rel=1e-9)


def test_refusals_say_what_is_equal():
    truth, value = [0, 1, 0, 1, 1], [0.1, 0.9, 0.5, 0.4, 0.7]
    with pytest.raises(Refused, match="areas of both models are equal"):
        check(delong_difference.limits, pair(truth, value, np.multiply(value, 3)))
    with pytest.raises(Refused, match="wrong way round"):
        check(delong_difference.limits, pair([0, 0, 1, 1], [1, 2, 3, 4], [4, 3, 2, 1]))
    with pytest.raises(Refused, match="fewer than two rows"):
        check(delong_difference.limits, pair([0, 0, 1], [1, 2, 3], [2, 1, 3]))


def test_one_value_for_all_rows_beside_a_perfect_model_is_told_as_that():
    truth = np.repeat([0, 1], 10)
    perfect, constant = (vc.predictions(truth, value=value, positive=1) for value in (truth * 1.0, np.ones(20)))
    with pytest.raises(Refused, match="or gives all rows one value"):
        vc.compare({"perfect": perfect, "constant": constant}, "auc")


def test_more_than_two_classes_are_refused():
    proba = np.random.default_rng(0).dirichlet([1, 1, 1], 12)
    models = [predictions(np.arange(12) % 3, proba=np.roll(proba, turn, 0)) for turn in (0, 1)]
    with pytest.raises(Refused, match="two classes"):
        check(delong_difference.limits, SameRows.of(AUC, *models))


def test_the_error_of_millions_of_rows_is_that_of_fewer_by_the_root_of_their_number():
    class Many:  # what the error reads of a pair, of as many rows as are asked for
        areas = None

        def __init__(self, number):
            self.number, self.truth = number, np.arange(number, dtype=np.int32) % 2
            self.influence = np.where(np.arange(number) % 4 < 2, 0.1, -0.1)

        def __len__(self):
            return self.number

    few, many = (error_by_class(Many(number)) for number in (40_000, 4_000_000))
    assert few[0] / many[0] == pytest.approx(10, rel=1e-4)
    assert many[1] == pytest.approx(4_000_000, rel=1e-4)
