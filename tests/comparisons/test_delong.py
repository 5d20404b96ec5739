"""DeLong's test: the ovarian data, the interval that agrees with it, and its refusals through compare."""

from pathlib import Path

import numpy as np
import pytest

from veracity.contests.compare import compare
from veracity.core.errors import Refused
from veracity.evidence.make_predictions import predictions

OVARIAN = Path(__file__).parent.parent / "reference" / "delong1988_ovarian_sas.csv"


@pytest.fixture(scope="module")
def ovarian():
    columns = np.genfromtxt(OVARIAN, delimiter=",", names=True)
    truth = (columns["popind"] == 0).astype(int)
    return {name: predictions(truth, value=-columns[name], positive=1) for name in ("alb", "tp")}


def test_albumin_against_protein(ovarian):
    found = compare(ovarian, "auc", using="delong_test")
    assert (found.statistic, found.p_value) == (pytest.approx(1.590, abs=5e-4), pytest.approx(0.1118, abs=5e-5))
    assert found.difference == pytest.approx(0.0887, abs=5e-5)
    assert (found.interval.low, found.interval.high) == pytest.approx((-0.0206, 0.1981), abs=5e-5)
    named = compare(ovarian, "auc", interval="delong_difference")
    assert (named.interval.low, named.interval.high) == pytest.approx((found.interval.low, found.interval.high))


def test_the_default_knows_that_the_standard_error_is_uncertain(ovarian):
    normal, found = (compare(ovarian, "auc", using=using) for using in ("delong_test", None))
    assert found.using == found.interval.method == "delong_t" and 11 < found.df < 48
    assert (found.difference, found.statistic) == pytest.approx((normal.difference, normal.statistic))
    assert found.p_value > normal.p_value and found.interval.low < normal.interval.low


def test_the_other_way_round(ovarian):
    found, turned = compare(ovarian, "auc"), compare(dict(reversed(ovarian.items())), "auc")
    assert (turned.difference, turned.p_value) == pytest.approx((-found.difference, found.p_value))


def test_the_same_ordering_is_refused_and_run_anyway_decides_nothing(ovarian):
    both = {"a": ovarian["alb"], "b": ovarian["alb"]}
    with pytest.raises(Refused, match="areas of both models are equal"):
        compare(both, "auc")
    found = compare(both, "auc", anyway=True)
    assert found.p_value == 1 and found.refused and not found.rejected


def test_it_is_for_areas_only(ovarian):
    with pytest.raises(Refused, match="delong_test compares auc"):
        compare(ovarian, "average_precision", using="delong_test")
