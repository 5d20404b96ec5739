import numpy as np
import pytest
from scipy.stats import t as student

from veracity.core.confidence import Confidence
from veracity.core.errors import BadInput, Refused
from veracity.evidence.interval_evidence import Linear
from veracity.intervals.compute import attach_interval
from veracity.intervals.means import delta

THREE = [[50, 3, 2], [4, 30, 6], [1, 5, 19]]


def test_mean_t_by_hand(of_rows):
    truth, number = np.array([3.0, 5, 2, 7]), np.array([2.5, 5, 4, 8])
    loss = np.abs(number - truth)
    found = attach_interval(of_rows("mae", truth, number=number), "mean_t", Confidence())
    half = student.ppf(0.975, 3) * loss.std(ddof=1) / 2
    assert found.high == pytest.approx(loss.mean() + half) and found.low == pytest.approx(max(0, loss.mean() - half))


def test_rmse_through_its_slope(of_rows):
    random = np.random.default_rng(0)
    truth, number = random.normal(size=400), random.normal(size=400)
    mse = attach_interval(of_rows("mse", truth, number=number), "mean_t", Confidence())
    rmse = attach_interval(of_rows("rmse", truth, number=number), "mean_t", Confidence())
    value = np.sqrt(np.mean((truth - number) ** 2))
    assert rmse.width == pytest.approx(mse.width / (2 * value), rel=1e-6)


def test_macro_f1_standard_error(counted):
    assert counted("fbeta", THREE).view(Linear).standard_error == pytest.approx(0.0385, abs=0.5e-4)


def test_macro_f1_by_the_printed_influence(counted):
    shares = np.array(THREE) / 120
    s = shares.sum(1) + shares.sum(0)
    f = 2 * np.diag(shares) / s
    influence = (2 * np.eye(3) / s[:, None] - (f / s)[:, None] - (f / s)[None, :]) / 3
    square = ((shares * influence**2).sum() - (shares * influence).sum() ** 2) / 120
    assert counted("fbeta", THREE).view(Linear).squares == pytest.approx(square, rel=1e-6)


@pytest.mark.parametrize("score", ["fbeta", "kappa", "mcc", "precision(average='prior')", "lift", "jaccard"])
def test_delta_against_a_multinomial_bootstrap(counted, score):
    m = counted(score, 10 * np.array(THREE))
    spread = m.replicates(20_000, 1).std()
    assert m.view(Linear).standard_error == pytest.approx(spread, rel=0.03)


def test_delta_is_mean_t_without_its_small_sample_part(counted):
    linear = counted("error", THREE).view(Linear)
    assert linear.sample_error == pytest.approx(linear.standard_error * np.sqrt(120 / 119))
    assert linear.standard_error == pytest.approx(np.sqrt(0.175 * 0.825 / 120))


def test_logit_scale_stays_inside(counted):
    m = counted("kappa", [[30, 1], [0, 30]])
    assert attach_interval(m, "delta(scale='logit')", Confidence(0.999)).high < 1
    with pytest.raises(BadInput, match="scale is 'plain', or 'logit'"):
        attach_interval(m, "delta(scale='log')", Confidence())


@pytest.mark.parametrize("method", ["delta", "mean_t"])
def test_no_spread_is_refused(counted, of_rows, method):
    with pytest.raises(Refused, match="no spread"):
        attach_interval(counted("fbeta", [[5, 0, 0], [0, 6, 0], [0, 0, 7]]), method, Confidence())
    with pytest.raises(Refused, match="no spread"):
        attach_interval(of_rows("mae", np.arange(9.0), number=np.arange(9.0) + 0.1), method, Confidence())


def test_one_row_is_refused(of_rows):
    with pytest.raises(Refused, match="more of them are needed"):
        attach_interval(of_rows("mae", [1.0], number=[2.0]), "mean_t", Confidence())


def test_small_class_is_a_caution(counted):
    codes = [
        note.code
        for note in attach_interval(counted("fbeta", [[9, 1, 0], [1, 8, 1], [0, 1, 3]]), "delta", Confidence()).notes
    ]
    assert "small-class" in codes
    assert "small-class" not in [
        note.code for note in attach_interval(counted("fbeta", THREE), "delta", Confidence()).notes
    ]


def test_delta_of_groups_has_students_quantile():
    at = Confidence()
    of_groups, of_rows = Linear(0.5, 10, 1e-4, 0.0, clustered=True), Linear(0.5, 10, 1e-4, 0.0)
    wide, narrow = (delta.function(x, at) for x in (of_groups, of_rows))
    assert wide.high - 0.5 == pytest.approx(student.ppf(0.975, 9) * of_groups.standard_error)
    assert narrow.high - 0.5 == pytest.approx(at.z * of_rows.standard_error)
