"""Nested cross-validation against its algorithm written out literally, with every model fitted again."""

from statistics import NormalDist

import numpy as np
import pytest

from veracity.core.confidence import Confidence
from veracity.core.errors import BadInput, Refused
from veracity.core.notes import check
from veracity.evidence.losses import NestedLosses
from veracity.intervals.resampled import nested_cv, nested_error
from veracity.lab import Polynomial, Sine, run_of
from veracity.risk.estimate_run import EstimateRequest, estimate_run
from veracity.risk.fold_scores import Resampling
from veracity.risk.interval_evidence import nested_losses
from veracity.scores import scores

WORLD = Sine()
BY = "nested_cv_bates(k=4, repeats=3)"


@pytest.fixture(scope="module", params=[0, 1, 2])
def simulated(request):
    sample = WORLD.draw(26, request.param)
    return sample, run_of(WORLD, sample, Polynomial, BY, request.param)


def losses(sample, train, test):
    model = Polynomial().fit(sample.features[train], sample.target[train])
    return (model.predict(sample.features[test]) - sample.target[test]) ** 2


def literally(sample, folds, k, exponent):
    """As printed: every repeat splits the rows anew; `folds` says how."""
    every = np.arange(len(sample.target))
    pieces, inner, outer = [], [], []
    for fold in folds:
        for j in range(k):
            inside = []
            for other in range(k):
                if other != j:
                    inside.extend(losses(sample, every[(fold != j) & (fold != other)], every[fold == other]))
            out = losses(sample, every[fold != j], every[fold == j])
            pieces.append((np.mean(inside) - np.mean(out)) ** 2 - np.var(out, ddof=1) / len(out))
            inner.extend(inside)
            outer.extend(out)
    n, s = len(every), np.std(inner, ddof=1)
    error = np.sqrt(max(0, np.mean(pieces)) * (k - 1) / k)
    error = min(max(error, s / np.sqrt(n)), np.sqrt(k) * s / np.sqrt(n))
    bias = (1 + ((k - 2) / k) ** exponent) * (np.mean(inner) - np.mean(outer))
    return np.mean(inner) - bias, error


@pytest.mark.parametrize("exponent", [1, 1.5])
def test_as_the_algorithm_is_printed(simulated, exponent):
    sample, run = simulated
    folds = np.zeros((3, 26), int)
    for split in run.design.splits:
        if str(split.part) == "one out":
            folds[split.repeat, split.test] = split.fold
    value, error = literally(sample, folds, 4, exponent)
    at = Confidence(0.9)
    found = estimate_run(run, EstimateRequest(scores.choose("mse"), "mse", at, f"nested_cv(exponent={exponent})"))
    assert found.interval.about == pytest.approx(value)
    assert found.interval.high - value == pytest.approx(NormalDist().inv_cdf(0.95) * error)
    assert found.interval.answers == "mean risk of the procedure trained on all rows"


def test_the_standard_error_is_kept_within_what_is_possible(simulated):
    x = nested_losses(Resampling(scores.choose("mse"), simulated[1]))
    least = x.spread / x.rows**0.5
    far = NestedLosses(x.folds, x.outer + 100 * (x.folds == 0), x.inner)
    alike = NestedLosses(x.folds, np.random.default_rng(0).permuted(x.outer, axis=1), x.inner)
    assert nested_error(far) == pytest.approx(2 * least)  # sqrt(k) times as much
    assert least <= nested_error(alike) <= 2 * least


def test_limits_and_parameters(simulated):
    x = nested_losses(Resampling(scores.choose("mse"), simulated[1]))
    assert [note.code for note in check(nested_cv.limits, x)] == ["few-repeats"]
    same = NestedLosses(x.folds, np.ones_like(x.outer), np.where(np.isnan(x.inner), np.nan, 1.0))
    single = NestedLosses(np.tile(np.arange(4), (1, 1)), np.ones((1, 4)), x.inner[:1, :4])
    for evidence, code in ((same, "no-spread"), (single, "one-row-folds")):
        with pytest.raises(Refused) as why:
            check(nested_cv.limits, evidence)
        assert why.value.code == code
    with pytest.raises(BadInput, match=r"1 or 1\.5"):
        nested_cv.function(x, Confidence(), exponent=2)
