import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from veracity.core.confidence import Confidence
from veracity.core.errors import BadInput, Refused
from veracity.evidence.losses import Bounded
from veracity.intervals.compute import attach_interval
from veracity.intervals.means import empirical_bernstein, finite_class_bound, hoeffding, vc_bound

HALF = Bounded(np.tile([0.0, 1.0], 500))


def half(entry, losses, level=0.95, side="two", **parameters):
    return entry.function(losses, Confidence(level, side), **parameters).high - losses.mean


@pytest.mark.parametrize(
    ("entry", "parameters"),
    [(hoeffding, {}), (empirical_bernstein, {}), (finite_class_bound, {"size_h": 50}), (vc_bound, {"vc_dim": 3})],
    ids=lambda item: getattr(item, "name", ""),
)
def test_one_sided_is_two_sided_at_twice_the_miss(entry, parameters):
    assert half(entry, HALF, 0.95, "upper", **parameters) == pytest.approx(half(entry, HALF, 0.9, **parameters))


def test_one_hypothesis_is_hoeffding():
    assert half(finite_class_bound, HALF, size_h=1) == half(hoeffding, HALF)


@given(losses=st.lists(st.floats(0, 1), min_size=2, max_size=50), low=st.floats(-5, 5), wide=st.floats(0.1, 10))
def test_scale_of_the_loss_does_not_matter(losses, low, wide):
    plain, scaled = Bounded(np.array(losses)), Bounded(np.array(losses), low, low + wide)
    for entry in (hoeffding, empirical_bernstein):
        expected = entry.function(plain, Confidence())
        found = entry.function(scaled, Confidence())
        assert found.low == pytest.approx(low + wide * expected.low, abs=1e-9)
        assert found.high == pytest.approx(low + wide * expected.high, abs=1e-9)


def test_low_variance_pays():
    calm = Bounded(np.full(2000, 0.3))
    assert half(empirical_bernstein, calm) < half(hoeffding, calm) / 2


def test_vacuous_bound_is_refused(counted):
    m = counted("error", [[8, 2], [1, 9]])
    with pytest.raises(Refused, match="says nothing"):
        attach_interval(m, "vc_bound(vc_dim=5)", Confidence())
    kept = attach_interval(m, "vc_bound(vc_dim=5)", Confidence(), anyway=True)
    assert (kept.low, kept.high) == (0, 1)
    assert {"vacuous", "anyway"} <= {note.code for note in kept.notes}


def test_parameters_are_checked():
    with pytest.raises(BadInput, match="counts hypotheses"):
        half(finite_class_bound, HALF, size_h=0)
    with pytest.raises(BadInput, match="between 1 and the number of rows"):
        half(vc_bound, HALF, vc_dim=2000)


def test_unbounded_losses_are_refused(of_rows):
    m = of_rows("log_loss", [0, 1, 1], proba=[0.2, 0.6, 0.7], positive=1)
    with pytest.raises(Refused, match="known range"):
        attach_interval(m, "hoeffding", Confidence())


def test_weights_and_groups_are_refused(of_rows):
    truth, said = [0, 1] * 50, [0, 1, 1, 0] * 25
    weighted = of_rows("error", truth, label=said, weights=np.arange(1, 101))
    grouped = of_rows("error", truth, label=said, groups=np.arange(100) // 4)
    for m in (weighted, grouped):
        with pytest.raises(Refused, match="this bound holds for"):
            attach_interval(m, "hoeffding", Confidence())
    assert attach_interval(grouped, "hoeffding", Confidence(), anyway=True).high > grouped.value


def test_bound_of_a_probability_score(of_rows):
    m = of_rows("brier", [0, 1] * 100, proba=np.full(200, 0.4), positive=1)
    found = attach_interval(m, "hoeffding", Confidence())
    assert found.high - m.value == pytest.approx(2 * np.sqrt(np.log(40) / 400))
